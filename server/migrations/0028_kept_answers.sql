-- The answers that are still kept, of each person. An empty one is kept no longer, but its call is still known to have been carried out.
create index kept_answers on idempotency_keys (user_id, created_at) where answer <> '';
