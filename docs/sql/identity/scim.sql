-- listSources
select
  "id",
  "user_id",
  "name",
  "is_active",
  "adopt_people",
  "adopt_groups",
  "name_language",
  "may_grant_admin",
  "invite",
  "created_at",
  'http://localhost:3000/api/scim/v2' as "base_url",
  case
    when held_at > now() - interval '60 minutes' then held_at
  end as "held_at",
  (
    select
      count(*)
    from
      held_deactivations
    where
      source_id = provisioning_sources.id
      and at >= held_since
  ) as "held_count",
  (
    select
      count(*)
    from
      provisioned_users
    where
      source_id = provisioning_sources.id
      and removed_at is null
  ) as "user_count",
  (
    select
      count(*)
    from
      provisioned_groups
    where
      source_id = provisioning_sources.id
      and removed_at is null
  ) as "group_count",
  greatest(
    last_call_at,
    (
      select
        max(last_used_at)
      from
        api_tokens
      where
        user_id = provisioning_sources.user_id
    )
  ) as "last_call_at",
  (
    select
      coalesce(
        json_agg(
          json_build_object(
            'at',
            at,
            'call',
            call,
            'code',
            code,
            'user',
            (
              select
                case
                  when u.id is not null then json_build_object('id', u.id, 'username', u.username, 'displayNameAr', u.display_name_ar, 'displayNameEn', u.display_name_en, 'avatarUrl', u.avatar_url)
                end
              from
                users u
              where
                u.id = target_id
                and
              call like '% /Users%'
              and u.kind = 'person'
            ),
            'group',
            (
              select
                json_build_object('id', g.id, 'name', g.name)
              from
                groups g
              where
                g.id = target_id
                and
              call like '% /Groups%'
            )
          )
          order by
            id desc
        ),
        '[]'
      )
    from
      source_refusals
    where
      source_id = provisioning_sources.id
  ) as "refusals",
  (
    select
      coalesce(
        json_agg(
          json_build_object('id', id, 'name', name, 'lastFour', last_four, 'createdAt', created_at, 'expiresAt', expires_at, 'lastUsedAt', last_used_at, 'lastUsedIp', last_used_ip)
          order by
            expires_at,
            id
        ),
        '[]'
      )
    from
      (
        select
          t.*
        from
          api_tokens t
          join sessions s on s.id = t.session_id
          and s.ended_at is null
          and s.expires_at > now()
        where
          t.user_id = provisioning_sources.user_id
      ) as own
  ) as "tokens"
from
  "provisioning_sources"
order by
  "name";

-- readSource
select
  "id",
  "user_id",
  "name",
  "is_active",
  "adopt_people",
  "adopt_groups",
  "name_language",
  "may_grant_admin",
  "invite",
  "created_at",
  'http://localhost:3000/api/scim/v2' as "base_url",
  case
    when held_at > now() - interval '60 minutes' then held_at
  end as "held_at",
  (
    select
      count(*)
    from
      held_deactivations
    where
      source_id = provisioning_sources.id
      and at >= held_since
  ) as "held_count",
  (
    select
      count(*)
    from
      provisioned_users
    where
      source_id = provisioning_sources.id
      and removed_at is null
  ) as "user_count",
  (
    select
      count(*)
    from
      provisioned_groups
    where
      source_id = provisioning_sources.id
      and removed_at is null
  ) as "group_count",
  greatest(
    last_call_at,
    (
      select
        max(last_used_at)
      from
        api_tokens
      where
        user_id = provisioning_sources.user_id
    )
  ) as "last_call_at",
  (
    select
      coalesce(
        json_agg(
          json_build_object(
            'at',
            at,
            'call',
            call,
            'code',
            code,
            'user',
            (
              select
                case
                  when u.id is not null then json_build_object('id', u.id, 'username', u.username, 'displayNameAr', u.display_name_ar, 'displayNameEn', u.display_name_en, 'avatarUrl', u.avatar_url)
                end
              from
                users u
              where
                u.id = target_id
                and
              call like '% /Users%'
              and u.kind = 'person'
            ),
            'group',
            (
              select
                json_build_object('id', g.id, 'name', g.name)
              from
                groups g
              where
                g.id = target_id
                and
              call like '% /Groups%'
            )
          )
          order by
            id desc
        ),
        '[]'
      )
    from
      source_refusals
    where
      source_id = provisioning_sources.id
  ) as "refusals",
  (
    select
      coalesce(
        json_agg(
          json_build_object('id', id, 'name', name, 'lastFour', last_four, 'createdAt', created_at, 'expiresAt', expires_at, 'lastUsedAt', last_used_at, 'lastUsedIp', last_used_ip)
          order by
            expires_at,
            id
        ),
        '[]'
      )
    from
      (
        select
          t.*
        from
          api_tokens t
          join sessions s on s.id = t.session_id
          and s.ended_at is null
          and s.expires_at > now()
        where
          t.user_id = provisioning_sources.user_id
      ) as own
  ) as "tokens"
from
  "provisioning_sources"
where
  "id" = $1;

-- findVisible
select
  u.id,
  u.kind,
  u.username,
  u.email,
  u.display_name_ar,
  u.display_name_en,
  u.preferred_language,
  u.is_active,
  u.created_at,
  u.is_exception,
  p.source_id,
  p.external_id,
  p.user_name,
  p.attributes,
  coalesce(p.switched_off, false) as switched_off,
  p.modified_at,
  p.removed_at,
  exists (
    select
    from
      effective_roles e
    where
      e.user_id = u.id
      and e.role_id = (
        select
          id
        from
          roles
        where
          name = 'admin'
      )
    offset
      0
  ) as is_admin,
  (
    p.source_id is null
    or p.removed_at is not null
  )
  and exists (
    select
    from
      ledger
    where
      target_type = 'user'
      and target_id = u.id
      and (
        kind = 'user.registered'
        or kind = 'user.created'
        and facts -> 'provider' is not null
      )
    offset
      0
  ) as is_self_named,
  (
    u.email_vouched
    or u.is_proven
    and u.password_hash is null
    and not exists (
      select
      from
        passkeys
      where
        user_id = u.id
      offset
        0
    )
    and exists (
      select
      from
        identities i
        join sign_in_providers s on s.id = i.provider_id
      where
        i.user_id = u.id
        and s.source_id = $1
        and s.is_active
        and i.email_verified
        and lower((i.email) collate "und-x-icu") collate "default" = u.email_key
        and split_part(u.email_key, '@', -1) = any (
          array(
            select
              lower((domain) collate "und-x-icu") collate "default"
            from
              unnest(s.domains) as domain
          )
        )
        and not exists (
          select
          from
            identities
          where
            user_id = u.id
            and id <> i.id
        )
        and not exists (
          select
          from
            sessions
          where
            user_id = u.id
            and identity_id is distinct from i.id
            and ended_at is null
            and expires_at > now()
        )
      offset
        0
    )
  ) as is_vouched
from
  users u
  left join provisioned_users p on p.user_id = u.id
where
  u.id = $2
  and u.kind = 'person';

-- findMatches
select
  u.id,
  u.kind,
  u.username,
  u.email,
  u.display_name_ar,
  u.display_name_en,
  u.preferred_language,
  u.is_active,
  u.created_at,
  u.is_exception,
  p.source_id,
  p.external_id,
  p.user_name,
  p.attributes,
  coalesce(p.switched_off, false) as switched_off,
  p.modified_at,
  p.removed_at,
  exists (
    select
    from
      effective_roles e
    where
      e.user_id = u.id
      and e.role_id = (
        select
          id
        from
          roles
        where
          name = 'admin'
      )
    offset
      0
  ) as is_admin,
  (
    p.source_id is null
    or p.removed_at is not null
  )
  and exists (
    select
    from
      ledger
    where
      target_type = 'user'
      and target_id = u.id
      and (
        kind = 'user.registered'
        or kind = 'user.created'
        and facts -> 'provider' is not null
      )
    offset
      0
  ) as is_self_named,
  (
    u.email_vouched
    or u.is_proven
    and u.password_hash is null
    and not exists (
      select
      from
        passkeys
      where
        user_id = u.id
      offset
        0
    )
    and exists (
      select
      from
        identities i
        join sign_in_providers s on s.id = i.provider_id
      where
        i.user_id = u.id
        and s.source_id = $1
        and s.is_active
        and i.email_verified
        and lower((i.email) collate "und-x-icu") collate "default" = u.email_key
        and split_part(u.email_key, '@', -1) = any (
          array(
            select
              lower((domain) collate "und-x-icu") collate "default"
            from
              unnest(s.domains) as domain
          )
        )
        and not exists (
          select
          from
            identities
          where
            user_id = u.id
            and id <> i.id
        )
        and not exists (
          select
          from
            sessions
          where
            user_id = u.id
            and identity_id is distinct from i.id
            and ended_at is null
            and expires_at > now()
        )
      offset
        0
    )
  ) as is_vouched,
  p.source_id = $2
  and p.removed_at is null
  and (
    p.user_name_key = lower(($3::text) collate "und-x-icu") collate "default"
    or p.external_id = $4::text
  ) is true as is_named,
  u.username_key <> lower(($5::text) collate "und-x-icu") collate "default" as is_by_email,
  u.username_key = lower(($6::text) collate "und-x-icu") collate "default"
  and u.email_key <> all (array[lower(($7::text) collate "und-x-icu") collate "default", lower(($8::text) collate "und-x-icu") collate "default"]) as is_by_username_alone
from
  users u
  left join provisioned_users p on p.user_id = u.id
where
  u.id = any (
    array(
      select
        id
      from
        users
      where
        username_key = lower(($9::text) collate "und-x-icu") collate "default"
        or email_key = any (array[lower(($10::text) collate "und-x-icu") collate "default", lower(($11::text) collate "und-x-icu") collate "default"])
      union
      select
        user_id
      from
        provisioned_users
      where
        source_id = $12
        and user_name_key = lower(($13::text) collate "und-x-icu") collate "default"
        and removed_at is null
      union
      select
        user_id
      from
        provisioned_users
      where
        source_id = $14
        and user_name_key = lower(($15::text) collate "und-x-icu") collate "default"
        and removed_at is not null
      union
      select
        user_id
      from
        provisioned_users
      where
        source_id = $16
        and external_id = $17::text
        and removed_at is null
    )
  )
order by
  p.removed_at desc nulls last,
  u.id;

-- findAdoptable
-- listPeople, by userName
select
  u.id,
  u.kind,
  u.username,
  u.email,
  u.display_name_ar,
  u.display_name_en,
  u.preferred_language,
  u.is_active,
  u.created_at,
  u.is_exception,
  p.source_id,
  p.external_id,
  p.user_name,
  p.attributes,
  coalesce(p.switched_off, false) as switched_off,
  p.modified_at,
  p.removed_at,
  exists (
    select
    from
      effective_roles e
    where
      e.user_id = u.id
      and e.role_id = (
        select
          id
        from
          roles
        where
          name = 'admin'
      )
    offset
      0
  ) as is_admin,
  (
    p.source_id is null
    or p.removed_at is not null
  )
  and exists (
    select
    from
      ledger
    where
      target_type = 'user'
      and target_id = u.id
      and (
        kind = 'user.registered'
        or kind = 'user.created'
        and facts -> 'provider' is not null
      )
    offset
      0
  ) as is_self_named,
  (
    u.email_vouched
    or u.is_proven
    and u.password_hash is null
    and not exists (
      select
      from
        passkeys
      where
        user_id = u.id
      offset
        0
    )
    and exists (
      select
      from
        identities i
        join sign_in_providers s on s.id = i.provider_id
      where
        i.user_id = u.id
        and s.source_id = $1
        and s.is_active
        and i.email_verified
        and lower((i.email) collate "und-x-icu") collate "default" = u.email_key
        and split_part(u.email_key, '@', -1) = any (
          array(
            select
              lower((domain) collate "und-x-icu") collate "default"
            from
              unnest(s.domains) as domain
          )
        )
        and not exists (
          select
          from
            identities
          where
            user_id = u.id
            and id <> i.id
        )
        and not exists (
          select
          from
            sessions
          where
            user_id = u.id
            and identity_id is distinct from i.id
            and ended_at is null
            and expires_at > now()
        )
      offset
        0
    )
  ) as is_vouched
from
  users u
  left join provisioned_users p on p.user_id = u.id
where
  u.kind = 'person'
  and u.id = any (
    array(
      select
        id
      from
        users
      where
        username_key = lower(($2::text) collate "und-x-icu") collate "default"
        or email_key = lower(($3::text) collate "und-x-icu") collate "default"
    )
  );

-- findHeld
-- listPeople, all
-- listPeople, by conditions
-- listPeople, by userName
select
  u.id,
  (
    select
      coalesce(
        json_agg(
          json_build_object('value', g.id::text, 'display', g.name)
          order by
            g.id
        ),
        '[]'
      )
    from
      group_users m
      join provisioned_groups own on own.group_id = m.group_id
      and own.source_id = $1
      and own.removed_at is null
      join groups g on g.id = m.group_id
    where
      m.user_id = u.id
  ) as groups,
  array(
    select
      r.name
    from
      effective_roles e
      join roles r on r.id = e.role_id
    where
      e.user_id = u.id
    order by
      r.name
  ) as roles
from
  unnest($2::int[]) as u (id);

-- countDeactivation
select
  (
    select
      count(*)
    from
      source_deactivations
    where
      source_id = s.id
      and at > now() - interval '60 minutes'
  )::int + 1 as n,
  (
    select
      active_before
    from
      source_deactivations
    where
      source_id = s.id
      and at > now() - interval '60 minutes'
    order by
      at,
      id
    limit
      1
  ) as before,
  (
    select
      count(*)
    from
      provisioned_users p
      join users u on u.id = p.user_id
      and u.kind = 'person'
      and u.is_active
    where
      p.source_id = s.id
      and p.removed_at is null
  )::int as active,
  case
    when released_at > now() - interval '24 hours' then allowance
    else 0
  end as allowance
from
  provisioning_sources s
where
  s.id = $1
for no key update;

-- noteHeld
with
  hold as (
    update provisioning_sources
    set
      held_at = now(),
      held_since = case
        when held_at > now() - interval '60 minutes' then held_since
        else now()
      end
    where
      id = $1
    returning
      id,
      held_since = now() as begins
  ),
  noted as (
    insert into
      held_deactivations (source_id, user_id)
    select
      id,
      $2
    from
      hold
    on conflict (source_id, user_id) do update
    set
      at = excluded.at
  )
select
  begins
from
  hold;

-- listPeople, all
select
  count(*)::int as total
from
  users u
  join provisioned_users p on p.user_id = u.id
where
  p.source_id = $1
  and p.removed_at is null
  and not u.is_exception
  and true;

-- listPeople, all
select
  u.id,
  u.kind,
  u.username,
  u.email,
  u.display_name_ar,
  u.display_name_en,
  u.preferred_language,
  u.is_active,
  u.created_at,
  u.is_exception,
  p.source_id,
  p.external_id,
  p.user_name,
  p.attributes,
  coalesce(p.switched_off, false) as switched_off,
  p.modified_at,
  p.removed_at,
  exists (
    select
    from
      effective_roles e
    where
      e.user_id = u.id
      and e.role_id = (
        select
          id
        from
          roles
        where
          name = 'admin'
      )
    offset
      0
  ) as is_admin,
  (
    p.source_id is null
    or p.removed_at is not null
  )
  and exists (
    select
    from
      ledger
    where
      target_type = 'user'
      and target_id = u.id
      and (
        kind = 'user.registered'
        or kind = 'user.created'
        and facts -> 'provider' is not null
      )
    offset
      0
  ) as is_self_named
from
  users u
  join provisioned_users p on p.user_id = u.id
where
  p.source_id = $1
  and p.removed_at is null
  and not u.is_exception
  and true
order by
  p.user_id
limit
  $2
offset
  $3;

-- listPeople, by conditions
select
  count(*)::int as total
from
  users u
  join provisioned_users p on p.user_id = u.id
where
  p.source_id = $1
  and p.removed_at is null
  and not u.is_exception
  and (
    p.user_name_key like $2
    and (
      p.facets @> array[$3]::text[]
      or exists (
        select
        from
          jsonb_array_elements(p.attributes -> 'emails') as one (email)
        where
          (
            lower((email ->> 'type') collate "und-x-icu") collate "default" = lower(($4::text) collate "und-x-icu") collate "default"
            and lower((email ->> 'value') collate "und-x-icu") collate "default" like $5
          )
      )
    )
  );

-- listPeople, by conditions
select
  u.id,
  u.kind,
  u.username,
  u.email,
  u.display_name_ar,
  u.display_name_en,
  u.preferred_language,
  u.is_active,
  u.created_at,
  u.is_exception,
  p.source_id,
  p.external_id,
  p.user_name,
  p.attributes,
  coalesce(p.switched_off, false) as switched_off,
  p.modified_at,
  p.removed_at,
  exists (
    select
    from
      effective_roles e
    where
      e.user_id = u.id
      and e.role_id = (
        select
          id
        from
          roles
        where
          name = 'admin'
      )
    offset
      0
  ) as is_admin,
  (
    p.source_id is null
    or p.removed_at is not null
  )
  and exists (
    select
    from
      ledger
    where
      target_type = 'user'
      and target_id = u.id
      and (
        kind = 'user.registered'
        or kind = 'user.created'
        and facts -> 'provider' is not null
      )
    offset
      0
  ) as is_self_named
from
  users u
  join provisioned_users p on p.user_id = u.id
where
  p.source_id = $1
  and p.removed_at is null
  and not u.is_exception
  and (
    p.user_name_key like $2
    and (
      p.facets @> array[$3]::text[]
      or exists (
        select
        from
          jsonb_array_elements(p.attributes -> 'emails') as one (email)
        where
          (
            lower((email ->> 'type') collate "und-x-icu") collate "default" = lower(($4::text) collate "und-x-icu") collate "default"
            and lower((email ->> 'value') collate "und-x-icu") collate "default" like $5
          )
      )
    )
  )
order by
  p.user_id
limit
  $6
offset
  $7;

-- listPeople, by userName
select
  count(*)::int as total
from
  users u
  join provisioned_users p on p.user_id = u.id
where
  p.source_id = $1
  and p.removed_at is null
  and not u.is_exception
  and p.user_name_key = lower(($2::text) collate "und-x-icu") collate "default";

-- listPeople, by userName
select
  u.id,
  u.kind,
  u.username,
  u.email,
  u.display_name_ar,
  u.display_name_en,
  u.preferred_language,
  u.is_active,
  u.created_at,
  u.is_exception,
  p.source_id,
  p.external_id,
  p.user_name,
  p.attributes,
  coalesce(p.switched_off, false) as switched_off,
  p.modified_at,
  p.removed_at,
  exists (
    select
    from
      effective_roles e
    where
      e.user_id = u.id
      and e.role_id = (
        select
          id
        from
          roles
        where
          name = 'admin'
      )
    offset
      0
  ) as is_admin,
  (
    p.source_id is null
    or p.removed_at is not null
  )
  and exists (
    select
    from
      ledger
    where
      target_type = 'user'
      and target_id = u.id
      and (
        kind = 'user.registered'
        or kind = 'user.created'
        and facts -> 'provider' is not null
      )
    offset
      0
  ) as is_self_named
from
  users u
  join provisioned_users p on p.user_id = u.id
where
  p.source_id = $1
  and p.removed_at is null
  and not u.is_exception
  and p.user_name_key = lower(($2::text) collate "und-x-icu") collate "default"
order by
  p.user_id
limit
  $3
offset
  $4;

-- listGroups, all
select
  count(*)::int as total
from
  groups g
  join provisioned_groups p on p.group_id = g.id
where
  p.source_id = $1
  and p.removed_at is null
  and true;

-- listGroups, all
select
  g.id,
  g.name,
  g.is_system,
  g.created_at,
  g.managed_by_provider is not null as of_provider,
  p.source_id,
  p.external_id,
  p.version,
  p.modified_at,
  p.removed_at,
  exists (
    select
    from
      group_roles
    where
      group_id = g.id
      and role_id = (
        select
          id
        from
          roles
        where
          name = 'admin'
      )
  ) as gives_admin
from
  groups g
  join provisioned_groups p on p.group_id = g.id
where
  p.source_id = $1
  and p.removed_at is null
  and true
order by
  p.group_id
limit
  $2
offset
  $3;

-- listGroups, by conditions
select
  count(*)::int as total
from
  groups g
  join provisioned_groups p on p.group_id = g.id
where
  p.source_id = $1
  and p.removed_at is null
  and (
    g.id = $2
    and exists (
      select
      from
        group_users m
        join users one on one.id = m.user_id
        and one.kind = 'person'
        and not one.is_exception
      where
        m.group_id = g.id
        and m.user_id = $3
    )
  );

-- listGroups, by conditions
select
  g.id,
  g.name,
  g.is_system,
  g.created_at,
  g.managed_by_provider is not null as of_provider,
  p.source_id,
  p.external_id,
  p.version,
  p.modified_at,
  p.removed_at,
  exists (
    select
    from
      group_roles
    where
      group_id = g.id
      and role_id = (
        select
          id
        from
          roles
        where
          name = 'admin'
      )
  ) as gives_admin
from
  groups g
  join provisioned_groups p on p.group_id = g.id
where
  p.source_id = $1
  and p.removed_at is null
  and (
    g.id = $2
    and exists (
      select
      from
        group_users m
        join users one on one.id = m.user_id
        and one.kind = 'person'
        and not one.is_exception
      where
        m.group_id = g.id
        and m.user_id = $3
    )
  )
order by
  p.group_id
limit
  $4
offset
  $5;

-- listGroups, by members
select
  count(*)::int as total
from
  groups g
  join provisioned_groups p on p.group_id = g.id
where
  p.source_id = $1
  and p.removed_at is null
  and (
    exists (
      select
      from
        group_users m
        join users one on one.id = m.user_id
        and one.kind = 'person'
        and not one.is_exception
      where
        m.group_id = g.id
        and m.user_id = $2
    )
    or exists (
      select
      from
        group_users m
        join users one on one.id = m.user_id
        and one.kind = 'person'
        and not one.is_exception
      where
        m.group_id = g.id
    )
  );

-- listGroups, by members
select
  g.id,
  g.name,
  g.is_system,
  g.created_at,
  g.managed_by_provider is not null as of_provider,
  p.source_id,
  p.external_id,
  p.version,
  p.modified_at,
  p.removed_at,
  exists (
    select
    from
      group_roles
    where
      group_id = g.id
      and role_id = (
        select
          id
        from
          roles
        where
          name = 'admin'
      )
  ) as gives_admin
from
  groups g
  join provisioned_groups p on p.group_id = g.id
where
  p.source_id = $1
  and p.removed_at is null
  and (
    exists (
      select
      from
        group_users m
        join users one on one.id = m.user_id
        and one.kind = 'person'
        and not one.is_exception
      where
        m.group_id = g.id
        and m.user_id = $2
    )
    or exists (
      select
      from
        group_users m
        join users one on one.id = m.user_id
        and one.kind = 'person'
        and not one.is_exception
      where
        m.group_id = g.id
    )
  )
order by
  p.group_id
limit
  $3
offset
  $4;

-- listGroups, by displayName
select
  count(*)::int as total
from
  groups g
  join provisioned_groups p on p.group_id = g.id
where
  p.source_id = $1
  and p.removed_at is null
  and g.name_key = lower(($2::text) collate "und-x-icu") collate "default";

-- listGroups, by displayName
select
  g.id,
  g.name,
  g.is_system,
  g.created_at,
  g.managed_by_provider is not null as of_provider,
  p.source_id,
  p.external_id,
  p.version,
  p.modified_at,
  p.removed_at,
  exists (
    select
    from
      group_roles
    where
      group_id = g.id
      and role_id = (
        select
          id
        from
          roles
        where
          name = 'admin'
      )
  ) as gives_admin
from
  groups g
  join provisioned_groups p on p.group_id = g.id
where
  p.source_id = $1
  and p.removed_at is null
  and g.name_key = lower(($2::text) collate "und-x-icu") collate "default"
order by
  p.group_id
limit
  $3
offset
  $4;

-- listGroups, by displayName
select
  g.id,
  g.name,
  g.is_system,
  g.created_at,
  g.managed_by_provider is not null as of_provider,
  p.source_id,
  p.external_id,
  p.version,
  p.modified_at,
  p.removed_at,
  exists (
    select
    from
      group_roles
    where
      group_id = g.id
      and role_id = (
        select
          id
        from
          roles
        where
          name = 'admin'
      )
  ) as gives_admin
from
  groups g
  left join provisioned_groups p on p.group_id = g.id
where
  g.name_key = lower(($1::text) collate "und-x-icu") collate "default";

-- adminsMoved
select
  g.id,
  g.name
from
  groups g
  join group_roles r on r.group_id = g.id
  and r.role_id = (
    select
      id
    from
      roles
    where
      name = 'admin'
  )
where
  g.id = any ($1::int[])
order by
  g.id;

-- findByExternalId
select
  g.id,
  g.name,
  g.is_system,
  g.created_at,
  g.managed_by_provider is not null as of_provider,
  p.source_id,
  p.external_id,
  p.version,
  p.modified_at,
  p.removed_at,
  exists (
    select
    from
      group_roles
    where
      group_id = g.id
      and role_id = (
        select
          id
        from
          roles
        where
          name = 'admin'
      )
  ) as gives_admin
from
  groups g
  left join provisioned_groups p on p.group_id = g.id
where
  p.source_id = $1
  and p.removed_at is null
  and p.external_id = $2;

-- readStandingOfPerson
select
  (
    select
      json_build_object('id', id, 'name', name)
    from
      provisioning_sources
    where
      id = p.source_id
  ) as source,
  p.user_name,
  p.external_id,
  coalesce(p.attributes, '{}') as attributes,
  coalesce(p.switched_off, false) as is_switched_off,
  not u.email_vouched
  and not u.is_exception as is_unproven,
  u.has_older_ways
  and not u.is_exception as has_older_ways
from
  users u
  left join provisioned_users p on p.user_id = u.id
  and p.removed_at is null
where
  u.id = $1
  and u.kind = 'person';

-- readStandingOfGroup
select
  (
    select
      json_build_object('id', id, 'name', name)
    from
      provisioning_sources
    where
      id = p.source_id
  ) as source,
  p.external_id
from
  groups g
  left join provisioned_groups p on p.group_id = g.id
  and p.removed_at is null
where
  g.id = $1;

-- membersOf
select
  u.id,
  coalesce(nullif(u.display_name_en, ''), nullif(u.display_name_ar, ''), u.username) as display
from
  group_users m
  join users u on u.id = m.user_id
  and u.kind = 'person'
  and not u.is_exception
  join provisioned_users p on p.user_id = u.id
  and p.source_id = $1
  and p.removed_at is null
where
  m.group_id = $2
  and m.user_id > $3
order by
  m.user_id
limit
  $4;

-- noteDue
with
  last as (
    select distinct
      on (subject_id, object_id) subject_id,
      object_id,
      deadline,
      days,
      due_at
    from
      (
        select
          id as subject_id,
          0 as object_id,
          began_at as deadline,
          0 as days,
          began_at + interval '24 hours' as due_at
        from
          provisioning_sources
          cross join lateral (
            select
              greatest(
                max(coalesce(last_used_at, api_tokens.created_at)),
                last_call_at,
                (
                  select
                    max(at)
                  from
                    ledger
                  where
                    target_type = 'source'
                    and target_id = provisioning_sources.id
                    and kind = 'source.updated'
                    and facts #> '{changed,isActive,to}' = 'true'
                )
              ) as began_at
            from
              api_tokens
            where
              api_tokens.user_id = provisioning_sources.user_id
            having
              count(*) > 0
          ) as silence
        where
          is_active
      ) as planned
    where
      due_at <= statement_timestamp()
    order by
      subject_id,
      object_id,
      due_at desc
  ),
  due as materialized (
    select
      *
    from
      last
    where
      not exists (
        select
        from
          reminders as sent
        where
          sent.kind = $1
          and sent.subject_id = last.subject_id
          and sent.object_id = last.object_id
          and sent.deadline = last.deadline
          and sent.days = last.days
        offset
          0
      )
  )
insert into
  reminders (kind, subject_id, object_id, deadline, days)
select
  $2,
  subject_id,
  object_id,
  deadline,
  days
from
  due
where
  true
order by
  due_at,
  subject_id,
  object_id
limit
  $3
on conflict do nothing
returning
  subject_id,
  object_id,
  deadline,
  days;

-- noteDue
with
  last as (
    select distinct
      on (subject_id, object_id) subject_id,
      object_id,
      deadline,
      days,
      due_at
    from
      (
        select
          id as subject_id,
          0 as object_id,
          statement_timestamp() as deadline,
          0 as days,
          statement_timestamp() as due_at
        from
          provisioning_sources
        where
          is_active
          and $1 <= (
            select
              count(*)
            from
              source_refusals
            where
              source_id = provisioning_sources.id
              and at > statement_timestamp() - interval '24 hours'
              and code <> all ($2::text[])
          )
          and not exists (
            select
            from
              reminders
            where
              kind = 'source_refused'
              and subject_id = provisioning_sources.id
              and sent_at > statement_timestamp() - interval '24 hours'
          )
      ) as planned
    where
      due_at <= statement_timestamp()
    order by
      subject_id,
      object_id,
      due_at desc
  ),
  due as materialized (
    select
      *
    from
      last
    where
      not exists (
        select
        from
          reminders as sent
        where
          sent.kind = $3
          and sent.subject_id = last.subject_id
          and sent.object_id = last.object_id
          and sent.deadline = last.deadline
          and sent.days = last.days
        offset
          0
      )
  )
insert into
  reminders (kind, subject_id, object_id, deadline, days)
select
  $4,
  subject_id,
  object_id,
  deadline,
  days
from
  due
where
  true
order by
  due_at,
  subject_id,
  object_id
limit
  $5
on conflict do nothing
returning
  subject_id,
  object_id,
  deadline,
  days;

-- peopleAmong
select
  p.user_id as id,
  u.is_exception
from
  provisioned_users p
  join users u on u.id = p.user_id
  and u.kind = 'person'
where
  p.user_id = any ($1::int[])
  and p.source_id = $2
  and p.removed_at is null
order by
  1;

-- findSwitchedOff
select
  p.user_id,
  s.id,
  s.name
from
  provisioned_users p
  join provisioning_sources s on s.id = p.source_id
where
  p.user_id = any ($1::int[])
  and p.switched_off
  and p.removed_at is null;

-- checkMayGive
select
from
  provider_group_rules
where
  group_id = any ($1::int[])
  and not grants_admin
  and (
    select
      id
    from
      roles
    where
      name = 'admin'
  ) = any ($2::int[])
union all
select
from
  provisioned_groups as own
  join provisioning_sources as source on source.id = own.source_id
  and not may_grant_admin
where
  own.group_id = any ($3::int[])
  and removed_at is null
  and (
    select
      id
    from
      roles
    where
      name = 'admin'
  ) = any ($4::int[]);
