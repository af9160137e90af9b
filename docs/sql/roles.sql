-- listPermissionsOfRole
select
  "permissions"."id",
  "permissions"."name",
  "permissions"."description_ar",
  "permissions"."description_en"
from
  "permissions"
  inner join "role_permissions" on "role_permissions"."permission_id" = "permissions"."id"
where
  "role_permissions"."role_id" = $1
order by
  "permissions"."name" collate "en-x-icu";

-- previewPermissions
with
  removed as (
    select
      id,
      name
    from
      permissions
    where
      id = any ($1::int[])
  ),
  groups_holding as (
    select
      g.id,
      g.name
    from
      group_roles gr
      join groups g on g.id = gr.group_id
    where
      gr.role_id = $2
  ),
  holders as (
    select distinct
      user_id
    from
      held_roles
    where
      role_id = $3
      and user_id <> all (
        array(
          select
            id
          from
            users
          where
            kind = 'service'
        )
      )
  ),
  kept as (
    select distinct
      user_id,
      permission_id
    from
      planned.role_permissions
      join removed on removed.id = permission_id
      join planned.held_roles using (role_id)
      join holders using (user_id)
  ),
  keepers as (
    select
      permission_id,
      count(*)
    from
      kept
    group by
      permission_id
  ),
  unharmed as (
    select
      user_id
    from
      kept
    group by
      user_id
    having
      count(*) = (
        select
          count(*)
        from
          removed
      )
  )
select
  (
    select
      coalesce(
        json_agg(
          json_build_object(
            'permissionId',
            id,
            'permissionName',
            name,
            'userCount',
            (
              select
                count(*)
              from
                holders
            ) - coalesce(keepers.count, 0),
            'groupCount',
            (
              select
                count(*)
              from
                groups_holding
            ),
            'groups',
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
                groups_holding
            )
          )
          order by
            "name" collate "en-x-icu"
        ),
        '[]'
      )
    from
      removed
      left join keepers on keepers.permission_id = removed.id
  ) as removed,
  case
    when exists (
      select
      from
        removed
    ) then (
      select
        count(*)
      from
        holders
    ) - (
      select
        count(*)
      from
        unharmed
    )
    else 0
  end as total_affected_users;

-- pageHolders
select
  "users"."id",
  "username",
  "display_name_ar",
  "display_name_en",
  "avatar_url",
  "is_active"
from
  "user_roles"
  inner join "users" on "users"."id" = "user_roles"."user_id"
where
  "user_roles"."role_id" = $1
  and "users"."kind" = $2
order by
  "username" collate "en-x-icu",
  "users"."id"
limit
  $3
offset
  $4;

-- pageHolders
select
  count(*) as "count"
from
  "user_roles"
  inner join "users" on "users"."id" = "user_roles"."user_id"
where
  "user_roles"."role_id" = $1
  and "users"."kind" = $2;

-- pageGroupsWith
select
  "groups"."id",
  "groups"."name",
  "description_ar",
  "description_en"
from
  "group_roles"
  inner join "groups" on "groups"."id" = "group_roles"."group_id"
where
  "group_roles"."role_id" = $1
order by
  "groups"."name" collate "en-x-icu",
  "groups"."id"
limit
  $2
offset
  $3;

-- pageGroupsWith
select
  count(*) as "count"
from
  "group_roles"
  inner join "groups" on "groups"."id" = "group_roles"."group_id"
where
  "group_roles"."role_id" = $1;

-- pageRolesWith
select
  "roles"."id",
  "roles"."name",
  "description_ar",
  "description_en",
  "is_system"
from
  "role_permissions"
  inner join "roles" on "roles"."id" = "role_permissions"."role_id"
where
  "role_permissions"."permission_id" = $1
order by
  "roles"."name" collate "en-x-icu",
  "roles"."id"
limit
  $2
offset
  $3;

-- pageRolesWith
select
  count(*) as "count"
from
  "role_permissions"
  inner join "roles" on "roles"."id" = "role_permissions"."role_id"
where
  "role_permissions"."permission_id" = $1;

-- pageAppsAsking
select
  "apps"."id",
  "slug",
  "name_ar",
  "name_en",
  "is_active"
from
  "app_permissions"
  inner join "apps" on "apps"."id" = "app_permissions"."app_id"
where
  "app_permissions"."permission_id" = $1
order by
  "sort_order",
  "apps"."id"
limit
  $2
offset
  $3;

-- pageAppsAsking
select
  count(*) as "count"
from
  "app_permissions"
  inner join "apps" on "apps"."id" = "app_permissions"."app_id"
where
  "app_permissions"."permission_id" = $1;
