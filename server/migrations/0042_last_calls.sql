-- When a source last called, which outlives the token that it called with.
alter table provisioning_sources add last_call_at timestamptz;

-- It waits for nobody, because it locks the source after a session. A source that is locked is being called, changed or deleted.
create function keep_last_call() returns trigger language plpgsql as $$
begin
  update provisioning_sources set last_call_at = greatest(last_call_at, old.last_used_at)
  where id = (select id from provisioning_sources where user_id = old.user_id for no key update skip locked);
  return null;
end $$;
create trigger keep_last_call after delete on api_tokens
  for each row when (old.last_used_at is not null) execute function keep_last_call();
