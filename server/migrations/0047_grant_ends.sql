-- A membership of a group and a role held directly may have an end. `memberships` and `direct_roles` are what was granted; `group_users` and
-- `user_roles`, which everything reads, are the grants that hold at the clock of the statement that reads them. So nothing honours an ended
-- grant, whether or not the job that deletes its row has run.

alter table group_users rename to memberships;
alter table user_roles rename to direct_roles;

-- `changed_at`: when it was granted or its end last changed. Grants from before this migration count as granted at its time.
alter table memberships add column expires_at timestamptz(3), add column changed_at timestamptz not null default statement_timestamp();
alter table direct_roles add column expires_at timestamptz(3), add column changed_at timestamptz not null default statement_timestamp();
create index memberships_ending on memberships (expires_at) where expires_at is not null;
create index memberships_ending_of_user on memberships (user_id, expires_at) where expires_at is not null;
create index direct_roles_ending on direct_roles (expires_at) where expires_at is not null;
create index direct_roles_ending_of_user on direct_roles (user_id, expires_at) where expires_at is not null;

create view group_users as
  select group_id, user_id, expires_at from memberships where expires_at is null or expires_at > statement_timestamp();
create view user_roles as
  select user_id, role_id, expires_at from direct_roles where expires_at is null or expires_at > statement_timestamp();

create or replace view effective_roles as
  select user_id, role_id from user_roles
  union
  select gu.user_id, gr.role_id from group_users gu join group_roles gr using (group_id);

-- `last_admin` counts only these: active people who hold the role `admin` without an end.
create view lasting_administrators as
  select id as user_id from users
  where is_active and id in (
    select user_id from direct_roles
    where expires_at is null and role_id = (select id from roles where name = 'admin')
    union
    select user_id from memberships
    where expires_at is null and group_id in (
      select group_id from group_roles where role_id = (select id from roles where name = 'admin')));

-- A person's version also increases when one of their grants ends, before its row is deleted. Steps of 1,000 leave room for these. Uses the
-- clock itself, because a command compares versions after it has waited for locks.
create or replace function next_version(previous bigint) returns bigint language sql volatile as $$
  select greatest(previous + 1000, (extract(epoch from clock_timestamp()) * 1000000)::bigint)
$$;
create view access_versions as
  select a.user_id, a.is_active, a.version
    + (select count(*) from memberships m
       where m.user_id = a.user_id and m.expires_at is not null and m.expires_at <= clock_timestamp())
    + (select count(*) from direct_roles d
       where d.user_id = a.user_id and d.expires_at is not null and d.expires_at <= clock_timestamp()) as version
  from user_access a;

create or replace function hold_caller(caller int, session int, seen_version bigint, seen_epoch bigint, alone boolean) returns text language plpgsql as $$
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
    from sessions s join access_versions a on a.user_id = s.user_id and a.is_active cross join access_epoch e
    where s.id = session and s.user_id = caller and s.ended_at is null and s.expires_at > now();
  return coalesce(held, 'ended');
end $$;

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
      join access_versions a on a.user_id = one.caller and a.is_active and a.version = one.seen_version
      join access_epoch e on e.value = one.seen_epoch
    where one.caller = any(free) order by one.place);
end $$;

-- The ends that a change gave, changed or took, as `[{id, from, to}]`.
alter table permission_history add column ends jsonb not null default '[]';

-- The reminders sent before a grant ends; each end has its own.
create table grant_reminders (
  user_id    int not null references users on delete cascade,
  group_id   int references groups on delete cascade,
  role_id    int references roles on delete cascade,
  expires_at timestamptz(3) not null,
  days       int not null check (days in (1, 7)),
  check (num_nonnulls(group_id, role_id) = 1)
);
create unique index on grant_reminders (user_id, coalesce(group_id, 0), coalesce(role_id, 0), expires_at, days);
create index on grant_reminders (group_id);
create index on grant_reminders (role_id);
create index on grant_reminders (expires_at);

alter table notifications drop constraint notifications_related_type_check;
alter table notifications
  add check (related_type in ('order', 'note', 'meeting', 'meeting_request', 'meeting_task', 'user', 'group', 'role'));
