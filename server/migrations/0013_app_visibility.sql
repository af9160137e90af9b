-- Who sees an active app, written once: whoever is active and has one of its keys. `keysOf` in server/apps/rules.ts is the same rule for
-- one person; random worlds hold the two together.

-- The keys of an app that asks for these permissions and is granted to these groups. Each is a role to hold or a group to be in; one
-- that is neither is everyone's.
create function app_keys(asked int[], granted int[]) returns table (role_id int, group_id int) language sql stable as $$
  select id, null::int from roles where name = 'admin'
  union
  select null, null where cardinality(asked) = 0
  union
  select role_id, null from role_permissions where permission_id = any(asked)
  union
  select null, unnest(granted)
$$;

-- The keys of each active app as it is.
create function keys_of_apps() returns table (app_id int, role_id int, group_id int) language sql stable as $$
  select apps.id, keys.role_id, keys.group_id
  from apps cross join app_keys(
    array(select permission_id from app_permissions where app_id = apps.id),
    array(select group_id from group_apps where app_id = apps.id)) as keys
  where is_active
$$;

-- The active people who have a key of such an app.
create function app_viewers(asked int[], granted int[]) returns setof int language sql stable as $$
  with keys as materialized (select * from app_keys(asked, granted))
  select id from users
  where is_active and (
    exists (select from keys where role_id is null and group_id is null)
    or id in (
      select user_id from effective_roles where role_id = any(array(select role_id from keys))
      union
      select user_id from group_users where group_id = any(array(select group_id from keys))))
$$;
