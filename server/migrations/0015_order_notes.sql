-- What administrators look for in the notes of orders.
create index orders_notes on orders using gin (portal_fold(notes) gin_trgm_ops) where notes is not null;
