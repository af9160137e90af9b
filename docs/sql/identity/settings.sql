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
          user_id as subject_id,
          0 as object_id,
          deadline,
          days,
          due_at
        from
          user_access
          cross join sign_in_settings
          cross join (
            values
              (7),
              (3),
              (1)
          ) as stage (days)
          cross join lateral (
            select
              must_enrol_at + make_interval(days => grace_days) as deadline
          ) as grace
          cross join lateral (
            select
              deadline - make_interval(days => days) as due_at
          ) as moment
        where
          must_enrol_at is not null
          and is_active
          and deadline > now()
          and must_enrol_at <= due_at
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
  not has_factor (subject_id)
  and has_duty (subject_id)
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
