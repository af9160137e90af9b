-- previewSets
with
  members as materialized (
    select
      users.id in (
        select
          unnest($1::int[])
      ) as stays,
      users.id,
      array(
        select
          role_id
        from
          user_roles
        where
          user_id = users.id
        order by
          1
      ) as roles,
      array(
        select
          other.group_id
        from
          group_users as other
        where
          other.user_id = users.id
          and other.group_id <> $2
        order by
          1
      ) as groups
    from
      group_users
      join users on users.id = user_id
      and users.is_active
      and users.kind = 'person'
    where
      group_id = $3
  ),
  profiles as materialized (
    select
      row_number() over () as profile,
      stays,
      roles,
      groups,
      array_agg(id) as user_ids
    from
      members
    group by
      stays,
      roles,
      groups
  ),
  -- Everything each profile keeps: its own roles and other groups and, if it stays, the new sets of the group.
  other_groups as materialized (
    select
      profile,
      unnest(groups) as group_id
    from
      profiles
  ),
  kept_roles as materialized (
    select
      profile,
      unnest(roles) as role_id
    from
      profiles
    union
    select
      profile,
      role_id
    from
      other_groups
      join group_roles using (group_id)
    union
    select
      profile,
      unnest($4::int[])
    from
      profiles
    where
      stays
  ),
  keys as materialized (
    select
      app_id,
      role_id,
      group_id
    from
      app_openings
  ),
  kept_apps as (
    select
      profile,
      app_id
    from
      kept_roles
      join keys using (role_id)
    union
    select
      profile,
      app_id
    from
      other_groups
      join keys using (group_id)
    union
    select
      profile,
      app_id
    from
      profiles
      cross join keys
    where
      keys.role_id is null
      and keys.group_id is null
    union
    select
      profile,
      unnest($5::int[])
    from
      profiles
    where
      stays
  ),
  -- Everything each profile has through the group now, except what it keeps.
  lost_roles as materialized (
    select
      profile,
      role_id
    from
      profiles
      cross join group_roles
    where
      group_id = $6
    except
    select
      profile,
      role_id
    from
      kept_roles
  ),
  lost_apps as (
    (
      select
        profile,
        app_id
      from
        profiles
        cross join keys
      where
        keys.group_id = $7
      union
      select
        profile,
        app_id
      from
        lost_roles
        join keys using (role_id)
    )
    except
    select
      profile,
      app_id
    from
      kept_apps
  ),
  named_roles as (
    select
      profile,
      array_agg(
        name
        order by
          "name" collate "en-x-icu"
      ) as role_names
    from
      lost_roles
      join roles on roles.id = role_id
    group by
      profile
  ),
  listed_apps as (
    select
      profile,
      array_agg(
        app_id
        order by
          app_id
      ) as app_ids
    from
      lost_apps
    group by
      profile
  )
select
  user_ids,
  coalesce(role_names, '{}') as role_names,
  coalesce(app_ids, '{}') as app_ids
from
  profiles
  left join named_roles using (profile)
  left join listed_apps using (profile)
where
  role_names is not null
  or app_ids is not null;
