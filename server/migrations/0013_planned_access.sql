-- Who holds and who sees what, told once: three views over the tables that decide it. They stand in three schemas: over the tables as they
-- are (`public`), as they were (`past`), and as a plan would leave them (`planned`).

-- A plan is in settings of the transaction, because a read-only connection can write nothing else and a pooler may give the next
-- transaction another connection. `portal.planned_TABLE` has the links that the plan takes from a table and those that it adds, each as
-- two lists of ids: `{1,2}|{3,4}|{}|{}`. For people and apps, the lists are those who are no longer active, and those who are.
create schema planned;
create function planned.ids(source text, list int) returns int[] language sql stable as $$
  select coalesce(nullif(split_part(current_setting('portal.planned_' || source, true), '|', list), '')::int[], '{}')
$$;
-- In plpgsql, because PostgreSQL expects only a few rows of a function that it inlines, and would compare large groups row by row.
create function planned.taken(source text) returns table (one int, other int) language plpgsql stable rows 1 as $$
begin
  return query select unnest(planned.ids(source, 1)), unnest(planned.ids(source, 2));
end $$;
create function planned.added(source text) returns table (one int, other int) language plpgsql stable rows 1 as $$
begin
  return query select unnest(planned.ids(source, 3)), unnest(planned.ids(source, 4));
end $$;

create view planned.users as
  select id, (is_active and id <> all((select planned.ids('users', 1))::int[])) or id = any((select planned.ids('users', 2))::int[]) as is_active, kind
  from public.users;
create view planned.apps as
  select id, (is_active and id <> all((select planned.ids('apps', 1))::int[])) or id = any((select planned.ids('apps', 2))::int[]) as is_active
  from public.apps;
create view planned.user_roles as
  select user_id, role_id, expires_at from public.user_roles
  where (user_id, role_id) not in (select one, other from planned.taken('user_roles'))
  union all
  select one, other, null from planned.added('user_roles');
create view planned.group_users as
  select group_id, user_id, expires_at from public.group_users
  where (group_id, user_id) not in (select one, other from planned.taken('group_users'))
  union all
  select one, other, null from planned.added('group_users');

do $$
declare
  link record;
begin
  for link in
    select * from (values
      ('group_roles', 'group_id', 'role_id'), ('group_apps', 'group_id', 'app_id'),
      ('role_permissions', 'role_id', 'permission_id'), ('app_permissions', 'app_id', 'permission_id')) as link (source, one, other)
  loop
    execute format(
      'create view planned.%1$I as
         select %2$I, %3$I from public.%1$I where (%2$I, %3$I) not in (select one, other from planned.taken(%1$L))
         union all
         select one, other from planned.added(%1$L)', link.source, link.one, link.other);
  end loop;
end $$;

do $$
declare
  usual text := current_setting('search_path');
  place text;
begin
  foreach place in array array['public', 'past', 'planned'] loop
    perform set_config('search_path', place || ', public', true);

    -- Each way in which somebody holds a role; `group_id` is null where they hold it directly.
    create view held_roles as
      select user_id, role_id, null::int as group_id, expires_at from user_roles
      union all
      select user_id, role_id, group_id, expires_at from group_users join group_roles using (group_id);

    -- What opens an active app: a role to hold (the role `admin`, or one that grants a permission that the app requires) or a group to be
    -- in. An app that requires nothing is open to everyone. `sees` in server/work/apps/rules.ts is the same rule for one person.
    create view app_openings as
      select apps.id as app_id, 'admin' as via, null::int as permission_id, roles.id as role_id, null::int as group_id
      from apps join roles on roles.name = 'admin' where is_active
      union all
      select id, 'unrestricted', null, null, null
      from apps where is_active and not exists (select from app_permissions where app_id = apps.id)
      union all
      select app_id, 'permission', permission_id, role_id, null
      from apps join app_permissions on app_id = apps.id join role_permissions using (permission_id) where is_active
      union all
      select app_id, 'group', null, null, group_id from apps join group_apps on app_id = apps.id where is_active;

    -- Each reason why an active person sees an app.
    create view access_reasons as
      select user_id, app_id, via, permission_id, role_id, held.group_id, expires_at
      from app_openings join held_roles as held using (role_id) join users on users.id = user_id where users.is_active and kind = 'person'
      union all
      select user_id, app_id, via, null, null, group_id, expires_at
      from app_openings join group_users using (group_id) join users on users.id = user_id where users.is_active and kind = 'person'
      union all
      select users.id, app_id, via, null, null, null, null
      from app_openings cross join users where via = 'unrestricted' and users.is_active and kind = 'person';
  end loop;
  perform set_config('search_path', usual, true);
end $$;

drop function app_viewers(int[], int[]);
drop function keys_of_apps();
drop function app_keys(int[], int[]);
