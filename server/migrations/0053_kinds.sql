-- An account is a person's or, with the kind `service`, a program's. What lists, counts or chooses people says that it means persons.
alter table users
  add column kind text not null default 'person' check (kind in ('person', 'service')),
  add check (kind = 'person' or password_hash is null);

-- A session of the kind `token` is an API token: whatever ends sessions, holds callers and notices changed rights holds for it, too.
-- `level` 2: it began with two factors. `confirmed_at`: when its person last proved who they are. `scopes`: what a token may do.
alter table sessions
  add column kind text not null default 'browser' check (kind in ('browser', 'token')),
  add column level int not null default 1 check (level in (1, 2)),
  add column confirmed_at timestamptz,
  add column scopes text[],
  add check ((kind = 'token') = (scopes is not null));
alter table sessions alter column confirmed_at set default now();

-- As before, for sessions of browsers.
create or replace function see_people() returns trigger language plpgsql as $$
begin
  insert into last_seen as known (user_id, at)
  select user_id, date_trunc('hour', max(last_used_at)) from touched where kind = 'browser' group by user_id order by user_id
  on conflict (user_id) do update set at = excluded.at where known.at < excluded.at;
  return null;
end $$;

-- From here on, each function and view is as before, for persons alone.

create or replace function active_holders(permission text) returns int[]
  language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  granting int[] := array(
    select role_id from role_permissions join permissions on permissions.id = permission_id where permissions.name = permission);
begin
  return array(
    select users.id from users where is_active and kind = 'person' and users.id in (
      select user_id from user_roles where role_id = any(granting)
      union
      select user_id from group_users where group_id = any(array(select group_id from group_roles where role_id = any(granting))))
    order by 1);
end $$;

create or replace function active_in_roles(names text[]) returns int[]
  language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  wanted int[] := array(select id from roles where name = any(names));
begin
  return array(
    select users.id from users where is_active and kind = 'person' and users.id in (
      select user_id from user_roles where role_id = any(wanted)
      union
      select user_id from group_users where group_id = any(array(select group_id from group_roles where role_id = any(wanted))))
    order by 1);
end $$;

create or replace view lasting_administrators as
  select id as user_id from users
  where is_active and kind = 'person' and id in (
    select user_id from direct_roles
    where expires_at is null and role_id = (select id from roles where name = 'admin')
    union
    select user_id from memberships
    where expires_at is null and group_id in (
      select group_id from group_roles where role_id = (select id from roles where name = 'admin')));

create or replace function app_viewers(asked int[], granted int[]) returns setof int language sql stable as $$
  with keys as materialized (select * from app_keys(asked, granted))
  select id from users
  where is_active and kind = 'person' and (
    exists (select from keys where role_id is null and group_id is null)
    or id in (
      select user_id from effective_roles where role_id = any(array(select role_id from keys))
      union
      select user_id from group_users where group_id = any(array(select group_id from keys))))
$$;

create or replace function policy_approvers(its_group int) returns table (id int, place int)
  language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
    select users.id, person.place
    from (
      select unnest(approver_user_ids), 0 from request_policies where group_id = its_group
      union all
      select members.user_id, 1
      from request_policies as policy cross join unnest(policy.approver_group_ids) as one (id)
        cross join lateral (select user_id from group_users where group_id = one.id) as members
      where policy.group_id = its_group) as person (id, place)
    join users on users.id = person.id where users.is_active and users.kind = 'person';
end $$;

create or replace function first_deciders(its_group int, others int[]) returns int[]
  language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  policy request_policies;
begin
  select * into policy from request_policies where group_id = its_group;
  return array(
    select distinct decider.id from (
      select users.id
      from (
        select unnest(policy.approver_user_ids)
        union all
        select unnest(others)
        union all
        select members.user_id
        from unnest(policy.approver_group_ids) as one (id)
          cross join lateral (select user_id from group_users where group_id = one.id) as members) as person (id)
      join users on users.id = person.id where users.is_active and users.kind = 'person' limit 612) as decider limit 6);
end $$;

create or replace function approves(its_group int, person int) returns boolean language sql stable as $$
  select exists (
    select from request_policies as policy join users on users.id = person and is_active and kind = 'person'
    where policy.group_id = its_group and (person = any(approver_user_ids)
      or exists (select from group_users where user_id = person and group_id = any(approver_group_ids))))
$$;

create or replace function access_reviewers(review int) returns table (scope int, user_id int) language sql stable as $$
  select -1, users.id
  from access_reviews r join users on users.id = any(r.reviewer_user_ids) and users.is_active and users.kind = 'person' where r.id = review
  union
  select one.group_id, approver.id
  from access_reviews r cross join unnest(r.group_ids) as one (group_id) cross join policy_approvers(one.group_id) as approver
  where r.id = review and cardinality(r.reviewer_user_ids) = 0
  union
  select 0, admins.id from access_reviews r cross join unnest(active_in_roles(array['admin'])) as admins (id)
  where r.id = review and cardinality(r.reviewer_user_ids) = 0 and cardinality(r.role_ids) > 0
$$;

create or replace function scopes_of_reviewer(review int, person int) returns setof int language sql stable as $$
  select -1 from access_reviews r join users on users.id = person and users.is_active and users.kind = 'person'
  where r.id = review and person = any(r.reviewer_user_ids)
  union all
  select one.group_id from access_reviews r cross join unnest(r.group_ids) as one (group_id)
  where r.id = review and cardinality(r.reviewer_user_ids) = 0 and approves(one.group_id, person)
  union all
  select 0 from access_reviews r
  where r.id = review and cardinality(r.reviewer_user_ids) = 0 and cardinality(r.role_ids) > 0 and person = any(active_in_roles(array['admin']))
$$;

create or replace function count_users() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform count_for_day('signups', day, count)
    from (select utc_day(created_at) as day, count(*) from after where kind = 'person' group by 1 order by 1) as days;
    perform count_state('active_users', count)
    from (select count(*) from after where is_active and kind = 'person' having count(*) > 0) as states;
  elsif tg_op = 'DELETE' then
    perform count_for_day('signups', day, -count)
    from (select utc_day(created_at) as day, count(*) from before where kind = 'person' group by 1 order by 1) as days;
    perform count_state('active_users', -count)
    from (select count(*) from before where is_active and kind = 'person' having count(*) > 0) as states;
  else
    perform count_for_day('signups', day, sum) from (
      select day, sum(step) from (
        select utc_day(created_at) as day, 1 as step from after where kind = 'person'
        union all select utc_day(created_at), -1 from before where kind = 'person') as steps
      group by day having sum(step) <> 0 order by day) as days;
    perform count_state('active_users', sum) from (
      select sum(step) from (
        select 1 as step from after where is_active and kind = 'person'
        union all select -1 from before where is_active and kind = 'person') as steps
      having sum(step) <> 0) as states;
  end if;
  return null;
end $$;

-- The past of access knows the kind, too. Accounts from before this migration are persons'.
do $$
declare
  act record;
begin
  for act in
    select * from (values
      ('added', 'insert', 'new table as added'),
      ('changed', 'update', 'old table as removed new table as added'),
      ('removed', 'delete', 'old table as removed')) as act (name, event, tables)
  loop
    execute format(
      'create or replace trigger keep_access_%s after %s on users referencing %s for each statement execute function keep_access(%L, %L, %L, %L)',
      act.name, act.event, act.tables, 'users', 'id', '0', 'is_active kind');
  end loop;
end $$;
create or replace view past.users as
  select one as id, (line ->> 'is_active')::boolean as is_active, coalesce(line ->> 'kind', 'person') as kind
  from past.rows where source = 'users';
