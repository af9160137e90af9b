-- readHoldingsOf
select
  user_id,
  roles.id,
  roles.name,
  held.group_id,
  groups.name as group_name,
  expires_at
from
  (
    select
      user_id,
      role_id,
      group_id,
      expires_at
    from
      held_roles
    where
      user_id = any ($1::int[])
  ) as held
  join roles on roles.id = role_id
  left join groups on groups.id = held.group_id
order by
  "roles"."name" collate "ar-x-icu",
  held.group_id is not null,
  "groups"."name" collate "ar-x-icu",
  held.group_id;

-- readHoldingsOf
select
  user_id,
  permissions.id,
  permissions.name,
  role_id,
  roles.name as role_name,
  held.group_id,
  groups.name as group_name,
  expires_at
from
  (
    select
      user_id,
      role_id,
      group_id,
      expires_at
    from
      held_roles
    where
      user_id = any ($1::int[])
  ) as held
  join roles on roles.id = role_id
  join role_permissions using (role_id)
  join permissions on permissions.id = permission_id
  left join groups on groups.id = held.group_id
order by
  "permissions"."name" collate "ar-x-icu",
  "roles"."name" collate "ar-x-icu",
  held.group_id is not null,
  "groups"."name" collate "ar-x-icu",
  held.group_id;

-- readHoldingsOf
select
  user_id,
  groups.id,
  groups.name,
  expires_at
from
  group_users
  join groups on groups.id = group_id
where
  user_id = any ($1::int[])
order by
  "groups"."name" collate "ar-x-icu",
  groups.id;

-- listActiveApps
-- findWays, to an app that the person does not see
-- findWays, out of an app that they see
-- findWays, out of an app that is open to everyone
select
  "apps"."id",
  "slug",
  "name_ar",
  "name_en",
  "is_active",
  (
    select
      coalesce(
        json_agg(
          json_build_object('id', id, 'name', name)
          order by
            "name" collate "en-x-icu",
            id
        ),
        '[]'
      )
    from
      app_permissions
      join permissions on permissions.id = permission_id
    where
      app_id = apps.id
  ) as "permissions",
  (
    select
      coalesce(
        json_agg(
          json_build_object('id', id, 'name', name)
          order by
            "name" collate "en-x-icu",
            id
        ),
        '[]'
      )
    from
      group_apps
      join groups on groups.id = group_id
    where
      app_id = apps.id
  ) as "groups"
from
  "apps"
where
  "is_active" = $1
order by
  "sort_order",
  "apps"."id";

-- readLock
-- findWays, to an app that the person does not see
-- findWays, out of an app that they see
-- findWays, out of an app that is open to everyone
select
  "apps"."id",
  "slug",
  "name_ar",
  "name_en",
  "is_active",
  (
    select
      coalesce(
        json_agg(
          json_build_object('id', id, 'name', name)
          order by
            "name" collate "en-x-icu",
            id
        ),
        '[]'
      )
    from
      app_permissions
      join permissions on permissions.id = permission_id
    where
      app_id = apps.id
  ) as "permissions",
  (
    select
      coalesce(
        json_agg(
          json_build_object('id', id, 'name', name)
          order by
            "name" collate "en-x-icu",
            id
        ),
        '[]'
      )
    from
      group_apps
      join groups on groups.id = group_id
    where
      app_id = apps.id
  ) as "groups"
from
  "apps"
where
  "apps"."id" = $1;

-- pageViewers, of everyone
with
  found as materialized (
    select
      u.id,
      coalesce(nullif(u.display_name_en, ''), nullif(u.display_name_ar, ''), u.username) collate "en-x-icu" as name
    from
      users as u
    where
      u.kind = 'person'
      and u.id in (
        select
          user_id
        from
          access_reasons
        where
          app_id = $1
      )
  ),
  page as (
    select
      *
    from
      found
    order by
      name,
      id
    limit
      $2
    offset
      $3
  )
select
  (
    select
      count(*)
    from
      found
  ) as count,
  (
    select
      coalesce(
        json_agg(
          json_build_object('id', u.id, 'username', u.username, 'displayNameAr', u.display_name_ar, 'displayNameEn', u.display_name_en, 'avatarUrl', u.avatar_url, 'isActive', u.is_active)
          order by
            page.name,
            id
        ),
        '[]'
      )
    from
      page
      join users as u using (id)
  ) as people;

-- pageViewers, of everyone
-- pageHolders, directly
-- pageHolders, also through groups
select
  user_id,
  roles.id,
  roles.name,
  held.group_id,
  groups.name as group_name,
  expires_at
from
  (
    select
      user_id,
      role_id,
      group_id,
      expires_at
    from
      held_roles
    where
      user_id = any ($1::int[])
      and role_id = any ($2::int[])
  ) as held
  join roles on roles.id = role_id
  left join groups on groups.id = held.group_id
order by
  "roles"."name" collate "en-x-icu",
  held.group_id is not null,
  "groups"."name" collate "en-x-icu",
  held.group_id;

-- pageViewers, of everyone
-- pageHolders, directly
-- pageHolders, also through groups
select
  user_id,
  permissions.id,
  permissions.name,
  role_id,
  roles.name as role_name,
  held.group_id,
  groups.name as group_name,
  expires_at
from
  (
    select
      user_id,
      role_id,
      group_id,
      expires_at
    from
      held_roles
    where
      user_id = any ($1::int[])
      and role_id = any ($2::int[])
  ) as held
  join roles on roles.id = role_id
  join role_permissions using (role_id)
  join permissions on permissions.id = permission_id
  left join groups on groups.id = held.group_id
where
  permission_id = any ($3::int[])
order by
  "permissions"."name" collate "en-x-icu",
  "roles"."name" collate "en-x-icu",
  held.group_id is not null,
  "groups"."name" collate "en-x-icu",
  held.group_id;

-- pageViewers, of everyone
-- pageHolders, directly
-- pageHolders, also through groups
select
  user_id,
  groups.id,
  groups.name,
  expires_at
from
  group_users
  join groups on groups.id = group_id
where
  user_id = any ($1::int[])
  and group_id = any ($2::int[])
order by
  "groups"."name" collate "en-x-icu",
  groups.id;

-- pageViewers, in a search
with
  found as materialized (
    select
      u.id,
      coalesce(nullif(u.display_name_ar, ''), nullif(u.display_name_en, ''), u.username) collate "ar-x-icu" as name
    from
      users as u
    where
      u.kind = 'person'
      and u.id in (
        select
          user_id
        from
          access_reasons
        where
          app_id = $1
      )
      and u.search like $2
  ),
  page as (
    select
      *
    from
      found
    order by
      name,
      id
    limit
      $3
    offset
      $4
  )
select
  (
    select
      count(*)
    from
      found
  ) as count,
  (
    select
      coalesce(
        json_agg(
          json_build_object('id', u.id, 'username', u.username, 'displayNameAr', u.display_name_ar, 'displayNameEn', u.display_name_en, 'avatarUrl', u.avatar_url, 'isActive', u.is_active)
          order by
            page.name,
            id
        ),
        '[]'
      )
    from
      page
      join users as u using (id)
  ) as people;

-- pageViewers, in a search
select
  user_id,
  roles.id,
  roles.name,
  held.group_id,
  groups.name as group_name,
  expires_at
from
  (
    select
      user_id,
      role_id,
      group_id,
      expires_at
    from
      held_roles
    where
      user_id = any ($1::int[])
      and role_id = any ($2::int[])
  ) as held
  join roles on roles.id = role_id
  left join groups on groups.id = held.group_id
order by
  "roles"."name" collate "ar-x-icu",
  held.group_id is not null,
  "groups"."name" collate "ar-x-icu",
  held.group_id;

-- pageViewers, in a search
select
  user_id,
  permissions.id,
  permissions.name,
  role_id,
  roles.name as role_name,
  held.group_id,
  groups.name as group_name,
  expires_at
from
  (
    select
      user_id,
      role_id,
      group_id,
      expires_at
    from
      held_roles
    where
      user_id = any ($1::int[])
      and role_id = any ($2::int[])
  ) as held
  join roles on roles.id = role_id
  join role_permissions using (role_id)
  join permissions on permissions.id = permission_id
  left join groups on groups.id = held.group_id
where
  permission_id = any ($3::int[])
order by
  "permissions"."name" collate "ar-x-icu",
  "roles"."name" collate "ar-x-icu",
  held.group_id is not null,
  "groups"."name" collate "ar-x-icu",
  held.group_id;

-- pageViewers, in a search
select
  user_id,
  groups.id,
  groups.name,
  expires_at
from
  group_users
  join groups on groups.id = group_id
where
  user_id = any ($1::int[])
  and group_id = any ($2::int[])
order by
  "groups"."name" collate "ar-x-icu",
  groups.id;

-- pageHolders, directly
with
  found as materialized (
    select
      u.id,
      coalesce(nullif(u.display_name_en, ''), nullif(u.display_name_ar, ''), u.username) collate "en-x-icu" as name
    from
      users as u
    where
      u.kind = 'person'
      and u.id in (
        select
          user_id
        from
          held_roles
        where
          role_id = $1
          and group_id is null
      )
  ),
  page as (
    select
      *
    from
      found
    order by
      name,
      id
    limit
      $2
    offset
      $3
  )
select
  (
    select
      count(*)
    from
      found
  ) as count,
  (
    select
      coalesce(
        json_agg(
          json_build_object('id', u.id, 'username', u.username, 'displayNameAr', u.display_name_ar, 'displayNameEn', u.display_name_en, 'avatarUrl', u.avatar_url, 'isActive', u.is_active)
          order by
            page.name,
            id
        ),
        '[]'
      )
    from
      page
      join users as u using (id)
  ) as people;

-- pageHolders, also through groups
with
  found as materialized (
    select
      u.id,
      coalesce(nullif(u.display_name_en, ''), nullif(u.display_name_ar, ''), u.username) collate "en-x-icu" as name
    from
      users as u
    where
      u.kind = 'person'
      and u.id in (
        select
          user_id
        from
          held_roles
        where
          role_id = $1
      )
  ),
  page as (
    select
      *
    from
      found
    order by
      name,
      id
    limit
      $2
    offset
      $3
  )
select
  (
    select
      count(*)
    from
      found
  ) as count,
  (
    select
      coalesce(
        json_agg(
          json_build_object('id', u.id, 'username', u.username, 'displayNameAr', u.display_name_ar, 'displayNameEn', u.display_name_en, 'avatarUrl', u.avatar_url, 'isActive', u.is_active)
          order by
            page.name,
            id
        ),
        '[]'
      )
    from
      page
      join users as u using (id)
  ) as people;

-- findWays, to an app that the person does not see
-- findWays, out of an app that they see
-- findWays, out of an app that is open to everyone
select
  user_id,
  roles.id,
  roles.name,
  held.group_id,
  groups.name as group_name,
  expires_at
from
  (
    select
      user_id,
      role_id,
      group_id,
      expires_at
    from
      held_roles
    where
      user_id = any ($1::int[])
  ) as held
  join roles on roles.id = role_id
  left join groups on groups.id = held.group_id
order by
  "roles"."name" collate "en-x-icu",
  held.group_id is not null,
  "groups"."name" collate "en-x-icu",
  held.group_id;

-- findWays, to an app that the person does not see
-- findWays, out of an app that they see
-- findWays, out of an app that is open to everyone
select
  user_id,
  permissions.id,
  permissions.name,
  role_id,
  roles.name as role_name,
  held.group_id,
  groups.name as group_name,
  expires_at
from
  (
    select
      user_id,
      role_id,
      group_id,
      expires_at
    from
      held_roles
    where
      user_id = any ($1::int[])
  ) as held
  join roles on roles.id = role_id
  join role_permissions using (role_id)
  join permissions on permissions.id = permission_id
  left join groups on groups.id = held.group_id
order by
  "permissions"."name" collate "en-x-icu",
  "roles"."name" collate "en-x-icu",
  held.group_id is not null,
  "groups"."name" collate "en-x-icu",
  held.group_id;

-- findWays, to an app that the person does not see
-- findWays, out of an app that they see
-- findWays, out of an app that is open to everyone
select
  user_id,
  groups.id,
  groups.name,
  expires_at
from
  group_users
  join groups on groups.id = group_id
where
  user_id = any ($1::int[])
order by
  "groups"."name" collate "en-x-icu",
  groups.id;

-- findWays, to an app that the person does not see
with
  giving as (
    select
      group_id as id
    from
      group_apps
    where
      app_id = $1
    union
    select
      group_id
    from
      group_roles
    where
      role_id = any ($2::int[])
  )
select
  id,
  array(
    select
      role_id
    from
      group_roles
    where
      group_id = giving.id
  ) as role_ids
from
  giving
  join groups using (id)
where
  not is_system
  and id <> all ($3::int[])
  and not exists (
    select
    from
      group_roles
      join roles on roles.id = role_id
    where
      group_id = giving.id
      and roles.name = 'admin'
  );

-- findWays, to an app that the person does not see
with
  members as (
    select
      group_id,
      count(*)
    from
      group_users
    group by
      group_id
  ),
  holders as (
    select
      role_id,
      count(*)
    from
      user_roles
    group by
      role_id
    union all
    select
      role_id,
      sum(count)
    from
      group_roles
      join members using (group_id)
    group by
      role_id
  )
select
  permission_id as id
from
  role_permissions
  left join holders using (role_id)
where
  permission_id = any ($1::int[])
group by
  permission_id
order by
  coalesce(sum(count), 0) asc,
  id
limit
  $2;

-- findWays, to an app that the person does not see
with
  others as materialized (
    select
      id
    from
      users
    where
      is_active
      and kind = 'person'
      and id <> $1
    except
    select
      user_id
    from
      access_reasons
    where
      app_id = $2
  ),
  holders as (
    select distinct
      permission_id,
      user_id
    from
      role_permissions
      join held_roles using (role_id)
    where
      permission_id = any ($3::int[])
  )
select
  'group.app' as act,
  group_id as of,
  count(others.id) as people
from
  group_users
  left join others on others.id = user_id
where
  group_id = any ($4::int[])
group by
  group_id
union all
select
  'permission.app',
  permission_id,
  count(others.id)
from
  holders
  left join others on others.id = user_id
group by
  permission_id;

-- findWays, to an app that the person does not see
-- findWays, out of an app that they see
-- findWays, out of an app that is open to everyone
select
  group_id,
  json_build_object('id', roles.id, 'name', roles.name) as role,
  permission_id
from
  (
    select
      null::int as group_id,
      id as role_id
    from
      roles
    where
      id = any ($1::int[])
    union all
    select
      group_id,
      role_id
    from
      group_roles
    where
      group_id = any ($2::int[])
  ) as given
  join roles on roles.id = role_id
  join role_permissions using (role_id)
where
  permission_id = any ($3::int[])
order by
  roles.name,
  role_id;

-- findWays, out of an app that they see
with
  ways as (
    select distinct
      user_id,
      case via
        when 'permission' then 'permission.app.remove ' || permission_id
        when 'group' then 'group.app.remove ' || group_id
        else via
      end as act
    from
      access_reasons
    where
      app_id = $1
      and user_id <> $2
  ),
  dependent as (
    select
      min(act) as act
    from
      ways
    group by
      user_id
    having
      count(*) = 1
  )
select
  act,
  count(*)
from
  dependent
where
  act <> 'admin'
group by
  act;

-- findWays, out of an app that is open to everyone
with
  members as (
    select
      group_id,
      count(*)
    from
      group_users
    group by
      group_id
  ),
  holders as (
    select
      role_id,
      count(*)
    from
      user_roles
    group by
      role_id
    union all
    select
      role_id,
      sum(count)
    from
      group_roles
      join members using (group_id)
    group by
      role_id
  )
select
  permission_id as id
from
  role_permissions
  left join holders using (role_id)
where
  permission_id <> all ($1::int[])
group by
  permission_id
order by
  coalesce(sum(count), 0) desc,
  id
limit
  $2;
