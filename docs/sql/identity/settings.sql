-- readReadiness
select
  "users"."id",
  "users"."username",
  "users"."display_name_ar",
  "users"."display_name_en",
  "users"."has_exception_password" as "has_password",
  has_factor (users.id) as "has_factor"
from
  "users"
  inner join "lasting_administrators" on "lasting_administrators"."user_id" = "users"."id"
where
  users.is_exception
  and "users"."kind" = $1
order by
  "users"."id";

-- pageWithoutFactor
select
  "u"."id",
  "u"."username",
  "u"."display_name_ar",
  "u"."display_name_en",
  "u"."avatar_url",
  coalesce(a.must_enrol_at, now()) + make_interval(days => $1::int) as "until"
from
  "users" as "u"
  inner join "user_access" as "a" on "a"."user_id" = "u"."id"
where
  "u"."is_active" = $2
  and "u"."kind" = $3
  and "u"."id" in (
    select
      "user_id"
    from
      "effective_roles"
    where
      "role_id" = any ($4::int[])
  )
  and not has_factor (u.id)
order by
  "until",
  coalesce(nullif(u.display_name_en, ''), nullif(u.display_name_ar, ''), u.username) collate "en-x-icu",
  "u"."id"
limit
  $5
offset
  $6;

-- pageWithoutFactor
select
  count(*) as "count"
from
  "users" as "u"
  inner join "user_access" as "a" on "a"."user_id" = "u"."id"
where
  "u"."is_active" = $1
  and "u"."kind" = $2
  and "u"."id" in (
    select
      "user_id"
    from
      "effective_roles"
    where
      "role_id" = any ($3::int[])
  )
  and not has_factor (u.id);

-- readSignInSettings
select
  "passwords",
  "passkeys",
  "grace_days",
  "confirm_administration",
  "token_max_days",
  "personal_tokens",
  "trust_devices",
  "updated_at",
  array(
    select
      roles.name
    from
      second_factor_roles
      join roles on roles.id = second_factor_roles.role_id
    order by
      roles.name collate "C"
  ) as "second_factor_roles"
from
  "sign_in_settings";

-- noteEnrolmentReminders
with
  obliged as (
    select
      user_id,
      must_enrol_at,
      must_enrol_at + make_interval(days => grace_days) as due
    from
      user_access
      cross join sign_in_settings
    where
      must_enrol_at is not null
      and is_active
  ),
  reminded as (
    select
      user_id,
      due,
      stage.days
    from
      obliged
      join (
        values
          (1, 0),
          (3, 1),
          (7, 3)
      ) as stage (days, until) on due - make_interval(days => stage.days) <= now()
      and due - make_interval(days => stage.until) > now()
      and must_enrol_at <= due - make_interval(days => stage.days)
    where
      not exists (
        select
        from
          enrolment_reminders as sent
        where
          sent.user_id = obliged.user_id
          and sent.due = obliged.due
          and sent.days = stage.days
      )
      and has_duty (user_id)
      and not has_factor (user_id)
    order by
      user_id
    limit
      $1
  )
insert into
  enrolment_reminders (user_id, due, days)
select
  user_id,
  due,
  days
from
  reminded
returning
  user_id,
  due;
