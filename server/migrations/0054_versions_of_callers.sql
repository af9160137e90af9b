-- As before, but the version is computed of the callers alone. It was compared in the join, so PostgreSQL could hash the versions of everybody.
create or replace function hold_callers(callers int[], sessions int[], seen_versions bigint[], seen_epochs bigint[]) returns int[] language plpgsql as $$
declare
  free int[];
begin
  perform set_config('lock_timeout', '500ms', true);
  free := array(select user_id from user_access where user_id = any(callers) order by user_id for key share skip locked);
  -- Last, so that nobody who waits for a person keeps a change of access waiting.
  perform pg_advisory_xact_lock_shared(hashtext('access'), 0);
  return array(
    select one.place
    from unnest(callers, sessions, seen_versions, seen_epochs) with ordinality as one (caller, session, seen_version, seen_epoch, place)
      join sessions s on s.id = one.session and s.user_id = one.caller and s.ended_at is null and s.expires_at > now()
      -- `offset 0` keeps the lookup of one caller from becoming a join with all people.
      join lateral (select is_active, version from access_versions where user_id = one.caller offset 0) as a
        on a.is_active and a.version = one.seen_version
      join access_epoch e on e.value = one.seen_epoch
    where one.caller = any(free) order by one.place);
end $$;
