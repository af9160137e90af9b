-- findBySlug
select
  "p".*,
  '{"external": null}'::jsonb || p.claims as "claims",
  p.requirements as "requirements",
  p.public_key as "public_key",
  state.metadata as "metadata",
  "state"."fetched_at",
  "state"."unreachable_since"
from
  "sign_in_providers" as "p"
  left join "provider_states" as "state" on "state"."provider_id" = "p"."id"
where
  "p"."slug" = $1;

-- findById
select
  "p".*,
  '{"external": null}'::jsonb || p.claims as "claims",
  p.requirements as "requirements",
  p.public_key as "public_key",
  state.metadata as "metadata",
  "state"."fetched_at",
  "state"."unreachable_since"
from
  "sign_in_providers" as "p"
  left join "provider_states" as "state" on "state"."provider_id" = "p"."id"
where
  "p"."id" = $1;

-- listActive
select
  "p".*,
  '{"external": null}'::jsonb || p.claims as "claims",
  p.requirements as "requirements",
  p.public_key as "public_key",
  state.metadata as "metadata",
  "state"."fetched_at",
  "state"."unreachable_since"
from
  "sign_in_providers" as "p"
  left join "provider_states" as "state" on "state"."provider_id" = "p"."id"
where
  "p"."is_active" = $1
order by
  "p"."sort_order",
  "p"."id";

-- findByIdentity
select
  u.id as user_id,
  u.is_active
  and u.kind = 'person' as is_person
from
  identities i
  join users u on u.id = i.user_id
where
  i.provider_id = $1
  and i.subject = $2;

-- findByEmail
select
  u.id,
  u.is_active
  and u.kind = 'person' as is_person,
  u.email_vouched,
  u.has_older_ways,
  not u.email_vouched
  and not u.is_proven
  and (
    u.password_hash is null
    or exists (
      select
      from
        identities i
      where
        i.user_id = u.id
        and lower((i.email) collate "und-x-icu") collate "default" = u.email_key
    )
  ) as yields,
  exists (
    select
    from
      effective_roles e
      join roles r on r.id = e.role_id
    where
      e.user_id = u.id
      and r.name = 'admin'
  ) as is_admin,
  u.is_exception,
  exists (
    select
    from
      identities i
    where
      i.user_id = u.id
      and i.provider_id = $1
  ) as is_linked
from
  users u
where
  u.email_key = lower(($2::text) collate "und-x-icu") collate "default";

-- findProvisioned
select
  u.id,
  u.is_active
  and u.kind = 'person' as is_person,
  u.email_vouched,
  u.has_older_ways,
  not u.email_vouched
  and not u.is_proven
  and (
    u.password_hash is null
    or exists (
      select
      from
        identities i
      where
        i.user_id = u.id
        and lower((i.email) collate "und-x-icu") collate "default" = u.email_key
    )
  ) as yields,
  exists (
    select
    from
      effective_roles e
      join roles r on r.id = e.role_id
    where
      e.user_id = u.id
      and r.name = 'admin'
  ) as is_admin,
  u.is_exception,
  exists (
    select
    from
      identities i
    where
      i.user_id = u.id
      and i.provider_id = $1
  ) as is_linked
from
  users u
where
  u.id = (
    select
      user_id
    from
      provisioned_users
    where
      source_id = $2
      and external_id = $3
      and removed_at is null
  );

-- movesByClaims, by values
with
  ruled as (
    select
      group_id,
      bool_or(value = any ($1::text[])) as is_claimed
    from
      provider_group_rules
    where
      provider_id = $2
    group by
      group_id
  )
select
  g.id,
  g.name,
  is_claimed
from
  ruled
  join groups g on g.id = ruled.group_id
where
  is_claimed <> exists (
    select
    from
      group_users m
    where
      m.group_id = g.id
      and m.user_id = $3::int
  )
  and (
    is_claimed
    or g.managed_by_provider = $4
  )
  and not exists (
    select
    from
      provisioned_groups p
    where
      p.group_id = g.id
      and p.removed_at is null
  )
  and not exists (
    select
    from
      users
    where
      users.id = $5::int
      and users.is_exception
  )
order by
  g.id;

-- movesByClaims, by groups
with
  ruled as (
    select
      group_id,
      bool_or(group_id = any ($1::int[])) as is_claimed
    from
      provider_group_rules
    where
      provider_id = $2
    group by
      group_id
  )
select
  g.id,
  g.name,
  is_claimed
from
  ruled
  join groups g on g.id = ruled.group_id
where
  is_claimed <> exists (
    select
    from
      group_users m
    where
      m.group_id = g.id
      and m.user_id = $3::int
  )
  and (
    is_claimed
    or g.managed_by_provider = $4
  )
  and not exists (
    select
    from
      provisioned_groups p
    where
      p.group_id = g.id
      and p.removed_at is null
  )
  and not exists (
    select
    from
      users
    where
      users.id = $5::int
      and users.is_exception
  )
order by
  g.id;

-- listIdentities
select
  "i"."id",
  "i"."subject",
  "i"."email",
  "i"."created_at",
  "i"."last_used_at",
  json_build_object('slug', p.slug, 'nameAr', p.name_ar, 'nameEn', p.name_en) as "provider"
from
  "identities" as "i"
  inner join "sign_in_providers" as "p" on "p"."id" = "i"."provider_id"
where
  "i"."user_id" = $1
order by
  "p"."sort_order",
  "i"."id";

-- unlink
select
  p.slug,
  (
    u.password_hash is not null
    and (
      u.is_exception
      or (
        select
          passwords
        from
          sign_in_settings
      ) = 'everyone'
    )
    or exists (
      select
      from
        passkeys
      where
        user_id = u.id
    )
    and (
      u.is_exception
      or (
        select
          passkeys
        from
          sign_in_settings
      ) = 'everyone'
    )
    or exists (
      select
      from
        identities other
        join sign_in_providers p on p.id = other.provider_id
        and p.is_active
      where
        other.user_id = u.id
        and other.id <> i.id
    )
  ) as has_other
from
  identities i
  join users u on u.id = i.user_id
  join sign_in_providers p on p.id = i.provider_id
where
  i.id = $1
  and i.user_id = $2;

-- findStranded
select
  u.id,
  u.username
from
  identities i
  join users u on u.id = i.user_id
where
  i.provider_id = $1
  and u.is_active
  and u.kind = 'person'
  and not (
    u.password_hash is not null
    and (
      u.is_exception
      or (
        select
          passwords
        from
          sign_in_settings
      ) = 'everyone'
    )
    or exists (
      select
      from
        passkeys
      where
        user_id = u.id
    )
    and (
      u.is_exception
      or (
        select
          passkeys
        from
          sign_in_settings
      ) = 'everyone'
    )
    or exists (
      select
      from
        identities other
        join sign_in_providers p on p.id = other.provider_id
        and p.is_active
      where
        other.user_id = u.id
        and other.id <> i.id
    )
  )
order by
  u.id;

-- findStarter
select
  "sessions"."id" as "session_id",
  "sessions"."user_id",
  "users"."username"
from
  "sessions"
  inner join "users" on "users"."id" = "sessions"."user_id"
where
  "sessions"."token_hash" = $1
  and "sessions"."kind" = $2
  and ended_at is null
  and expires_at > now()
  and "users"."is_active" = $3
  and "users"."kind" = $4;

-- forgetGroup
with
  gone as (
    delete from provider_group_rules
    where
      group_id = $1
    returning
      provider_id,
      value
  )
select
  p.id,
  p.slug,
  array_agg(
    gone.value
    order by
      gone.value
  ) as
values
from
  gone
  join sign_in_providers p on p.id = gone.provider_id
group by
  p.id
order by
  p.id;
