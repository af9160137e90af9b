-- visibleApps
select
  *,
  array(
    select
      p.name
    from
      app_permissions ap
      join permissions p on p.id = ap.permission_id
    where
      ap.app_id = apps.id
  ) as "permissions",
  array(
    select
      group_id
    from
      group_apps
    where
      app_id = apps.id
  ) as "groups"
from
  "apps"
order by
  "sort_order",
  "id";

-- listAppsForAdmin
select
  "apps".*,
  (
    select
      count(*)
    from
      group_apps
    where
      app_id = apps.id
  ) as "group_count",
  (
    select
      count(*)
    from
      app_permissions
    where
      app_id = apps.id
  ) as "restriction_count",
  (
    select
      coalesce(sum(count - forgotten), 0)::bigint
    from
      app_open_days
    where
      app_id = apps.id
  ) as "open_count",
  coalesce(array_position(app_orders.app_ids, apps.id), 2147483647) as "own_place"
from
  "apps"
  left join "app_orders" on "app_orders"."user_id" = $1
where
  "apps"."is_active" = $2
order by
  coalesce(array_position(app_orders.app_ids, apps.id), 2147483647),
  "apps"."sort_order",
  "apps"."id"
limit
  $3
offset
  $4;

-- listPermissionsOfApp
select
  "permissions"."id",
  "permissions"."name",
  "permissions"."description_ar",
  "permissions"."description_en"
from
  "permissions"
  inner join "app_permissions" on "app_permissions"."permission_id" = "permissions"."id"
where
  "app_permissions"."app_id" = $1
order by
  "permissions"."name" collate "en-x-icu",
  "permissions"."id"
limit
  $2
offset
  $3;

-- pageGroupsOf
select
  "groups"."id",
  "groups"."name",
  "groups"."description_ar",
  "groups"."description_en"
from
  "group_apps"
  inner join "groups" on "groups"."id" = "group_apps"."group_id"
where
  "group_apps"."app_id" = $1
order by
  "groups"."name" collate "en-x-icu",
  "groups"."id"
limit
  $2
offset
  $3;

-- pageRestrictionsOf
select
  "permissions"."id",
  "permissions"."name",
  "permissions"."description_ar",
  "permissions"."description_en",
  array(
    select
      roles.name
    from
      role_permissions
      join roles on roles.id = role_id
    where
      permission_id = permissions.id
    order by
      "roles"."name" collate "en-x-icu"
  ) as "roles"
from
  "app_permissions"
  inner join "permissions" on "permissions"."id" = "app_permissions"."permission_id"
where
  "app_permissions"."app_id" = $1
order by
  "permissions"."name" collate "en-x-icu"
limit
  $2
offset
  $3;

-- pageOpensOf
select
  "opens"."id",
  "opens"."created_at",
  "opens"."user_id",
  "username",
  "display_name_ar",
  "display_name_en",
  "avatar_url"
from
  (
    select
      *
    from
      "app_opens"
    where
      "app_id" = $1
    order by
      "created_at" desc,
      "id" desc
    limit
      $2
    offset
      $3
  ) as "opens"
  inner join "users" on "users"."id" = "opens"."user_id"
order by
  "opens"."created_at" desc,
  "opens"."id" desc;

-- previewPermissions
with
  seeing as materialized (
    select
      user_id
    from
      access_reasons
    where
      app_id = $1
    except
    select
      user_id
    from
      held_roles
    where
      role_id = (
        select
          id
        from
          roles
        where
          name = 'admin'
      )
  )
select
  (
    select
      count(*)
    from
      (
        select
          user_id
        from
          seeing
        except
        select
          user_id
        from
          planned.access_reasons
        where
          app_id = $2
      ) as losing
  ) as affected_user_count,
  (
    select
      count(*)
    from
      seeing
  ) as currently_visible_user_count,
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
      app_id = $3
  ) as groups;

-- noteAppOpens
with
  held_apps as materialized (
    select
      id
    from
      apps
    where
      id = any ($1::int[])
      and is_active
    order by
      id
    for key share
  ),
  held_users as materialized (
    select
      id
    from
      users
    where
      id = any ($2::int[])
    order by
      id
    for key share
  )
insert into
  app_opens (app_id, user_id)
select
  app_id,
  user_id
from
  unnest($3::int[], $4::int[]) as opening (app_id, user_id)
  join held_apps on held_apps.id = app_id
  join held_users on held_users.id = user_id
returning
  app_id,
  user_id;

-- removeSomeAppOpens, of an app
with
  reach as materialized (
    select
      (
        select
          created_at
        from
          app_opens
        where
          "app_id" = $1
          and created_at >= $2::timestamptz
        order by
          created_at
        offset
          $3
        limit
          1
      ) as last
  ),
  gone as (
    delete from app_opens
    where
      "app_id" = $4
      and created_at >= $5::timestamptz
      and created_at <= coalesce(
        (
          select
            last
          from
            reach
        ),
        'infinity'
      )
  )
select
  last::text
from
  reach;

-- removeSomeAppOpens, of a person
with
  reach as materialized (
    select
      (
        select
          created_at
        from
          app_opens
        where
          "user_id" = $1
          and created_at >= $2::timestamptz
        order by
          created_at
        offset
          $3
        limit
          1
      ) as last
  ),
  gone as (
    delete from app_opens
    where
      "user_id" = $4
      and created_at >= $5::timestamptz
      and created_at <= coalesce(
        (
          select
            last
          from
            reach
        ),
        'infinity'
      )
  )
select
  last::text
from
  reach;
