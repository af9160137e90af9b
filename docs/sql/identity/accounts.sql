-- findProviderOf
select
  p.id,
  p.issuer,
  p.client_id,
  p.logout_hint,
  state.metadata,
  state.fetched_at,
  s.id_token
from
  sessions s
  join sign_in_providers p on p.id = s.provider_id
  and p.is_active
  and p.logout = 'provider'
  left join provider_states state on state.provider_id = p.id
where
  s.id = $1;

-- readAuthUser
select
  "users"."id",
  "users"."username",
  "users"."email",
  "users"."display_name_ar",
  "users"."display_name_en",
  "users"."preferred_language",
  "users"."clock_style",
  "users"."clock_hour12",
  "users"."avatar_url",
  "users"."is_active",
  "users"."created_at",
  "users"."notification_sound_order",
  "users"."notification_sound_meeting",
  "users"."notification_sound_note",
  "users"."notify_orders_enabled",
  "users"."notify_meetings_enabled",
  "users"."notify_notes_enabled",
  "users"."vibration_enabled_order",
  "users"."vibration_enabled_meeting",
  "users"."vibration_enabled_note",
  "users"."notifications_muted",
  array(
    select
      r.name
    from
      effective_roles er
      join roles r on r.id = er.role_id
    where
      er.user_id = users.id
    order by
      r.name
  ) as "roles",
  (
    select
      coalesce(
        json_agg(
          json_build_object('id', g.id, 'name', g.name, 'descriptionAr', g.description_ar, 'descriptionEn', g.description_en)
          order by
            g.id
        ),
        '[]'
      )
    from
      group_users gu
      join groups g on g.id = gu.group_id
    where
      gu.user_id = users.id
  ) as "groups"
from
  "users"
where
  "users"."id" = $1;

-- isResetToken
select
  "users"."id"
from
  "password_resets"
  inner join "users" on "users"."id" = "password_resets"."user_id"
where
  "password_resets"."token_hash" = $1
  and "password_resets"."expires_at" > now()
  and "users"."is_active" = $2
  and "users"."kind" = $3
  and (
    "password_resets"."mailed" = $4
    or (
      users.is_exception
      or (
        select
          passwords
        from
          sign_in_settings
      ) = 'everyone'
    )
  );

-- knowDevice
with
  kept as (
    select distinct
      on (user_id) token_hash,
      user_id
    from
      devices
    where
      token_hash = any ($1)
      and user_id <> $2
    order by
      user_id,
      known_at desc
  ),
  others as (
    update devices
    set
      token_hash = $3
    where
      (token_hash, user_id) in (
        select
          token_hash,
          user_id
        from
          kept
      )
  ),
  void as (
    delete from devices
    where
      token_hash = any ($4)
      and user_id <> $5
      and (token_hash, user_id) not in (
        select
          token_hash,
          user_id
        from
          kept
      )
  ),
  own as (
    delete from devices
    where
      user_id = $6
      and (
        token_hash = any ($7)
        or token_hash in (
          select
            token_hash
          from
            devices
          where
            user_id = $8
            and token_hash <> all ($9)
          order by
            known_at desc
          offset
            $10
        )
      )
  )
insert into
  devices (token_hash, user_id, trusted_until)
values
  (
    $11,
    $12,
    case
      when $13 then now() + make_interval(days => $14)
      else (
        select
          max(trusted_until)
        from
          devices
        where
          token_hash = any ($15)
          and user_id = $16
      )
    end
  );

-- lockForSignIn
with
  "person" as (
    select
      "id",
      "username",
      "password_hash"
    from
      "users"
    where
      "id" = $1
      and "is_active" = $2
      and "kind" = $3
    for no key update
  )
select
  "id",
  "username",
  "password_hash",
  pg_advisory_xact_lock_shared(hashtext ('access'), 0) as "held"
from
  "person";

-- findSession
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
