-- listPrograms
select
  "users"."id",
  "username",
  "display_name_ar" as "name_ar",
  "display_name_en" as "name_en",
  "contact_user_id",
  "is_active",
  "users"."created_at",
  array(
    select
      roles.name
    from
      user_roles
      join roles on roles.id = role_id
    where
      user_roles.user_id = users.id
    order by
      roles.name
  ) as "role_names",
  (
    select
      count(*)
    from
      sessions
    where
      sessions.user_id = users.id
      and sessions.kind = 'token'
      and ended_at is null
      and expires_at > now()
  ) as "token_count"
from
  "users"
  left join "service_accounts" on "service_accounts"."user_id" = "users"."id"
where
  users.kind = 'service'
  and not exists (
    select
    from
      provisioning_sources
    where
      user_id = users.id
  )
order by
  "username_key";

-- readProgram
select
  "users"."id",
  "username",
  "display_name_ar" as "name_ar",
  "display_name_en" as "name_en",
  "contact_user_id",
  "is_active",
  "users"."created_at",
  array(
    select
      roles.name
    from
      user_roles
      join roles on roles.id = role_id
    where
      user_roles.user_id = users.id
    order by
      roles.name
  ) as "role_names",
  (
    select
      count(*)
    from
      sessions
    where
      sessions.user_id = users.id
      and sessions.kind = 'token'
      and ended_at is null
      and expires_at > now()
  ) as "token_count"
from
  "users"
  left join "service_accounts" on "service_accounts"."user_id" = "users"."id"
where
  users.kind = 'service'
  and not exists (
    select
    from
      provisioning_sources
    where
      user_id = users.id
  )
  and "users"."id" = $1;

-- readRightsOf
select
  array(
    select
      r.name
    from
      effective_roles er
      join roles r on r.id = er.role_id
    where
      er.user_id = 1
    order by
      r.name
  ) as roles,
  array(
    select distinct
      p.name
    from
      effective_roles er
      join role_permissions rp on rp.role_id = er.role_id
      join permissions p on p.id = rp.permission_id
    where
      er.user_id = 1
    order by
      p.name
  ) as permissions;

-- roleIdsNamed
select
  roles.id,
  roles.name
from
  unnest($1::text[]) with ordinality as given (name, place)
  left join roles on lower(roles.name) = lower(given.name)
order by
  place;
