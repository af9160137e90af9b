-- Versions of access that never come again, also not after the database was set back to what a standby or a backup had: they follow the
-- clock. A right that was lost with them is not honoured by who remembers it under its version.
create function next_version(previous bigint) returns bigint language sql volatile as $$
  select greatest(previous + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint)
$$;

create or replace function bump_epoch() returns trigger language plpgsql as $$
begin
  update access_epoch set value = next_version(value);
  return null;
end $$;

create or replace function bump_users() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'users' then
    perform from user_access where user_id in (select id from touched) order by user_id for update;
    update user_access set version = next_version(version), is_active = touched.is_active from touched where user_id = touched.id;
  else
    perform from user_access where user_id in (select user_id from touched) order by user_id for update;
    update user_access set version = next_version(version) where user_id in (select user_id from touched);
  end if;
  return null;
end $$;

alter table user_access alter column version set default next_version(0);
update user_access set version = next_version(version);
update access_epoch set value = next_version(value);
