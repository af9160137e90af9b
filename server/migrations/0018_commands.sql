-- A command commits only while its caller's session lives and their rights are those it was let in with. Both are held from its first
-- statement to its commit: the person's row of user_access against whatever changes what they hold, deactivates or deletes them or
-- ends their sessions, and a shared lock against changes of what roles and groups give, which take it alone before they commit.
--
-- A function, because each of its statements sees what was committed when it begins: the last one, what it waited for.

-- `alone`: the command itself ends sessions of the caller or changes their row, so that two of them must not share it.
-- Answers `held`, `changed` where the rights are others by now, `ended` where the session is no more.
create function hold_caller(caller int, session int, seen_version bigint, seen_epoch bigint, alone boolean) returns text language plpgsql as $$
declare
  held text;
begin
  if alone then
    perform from user_access where user_id = caller for update;
  else
    perform from user_access where user_id = caller for key share;
  end if;
  -- Last, so that nobody who waits for a person keeps a change of access waiting.
  perform pg_advisory_xact_lock_shared(hashtext('access'), 0);
  select case when a.version = seen_version and e.value = seen_epoch then 'held' else 'changed' end into held
    from sessions s join user_access a on a.user_id = s.user_id and a.is_active cross join access_epoch e
    where s.id = session and s.user_id = caller and s.ended_at is null and s.expires_at > now();
  return coalesce(held, 'ended');
end $$;
