-- removeSomeEnded
with
  gone as (
    delete from "memberships"
    where
      expires_at <= statement_timestamp()
      and (user_id, "group_id") in (
        select
          user_id,
          "group_id"
        from
          "memberships"
        where
          expires_at <= statement_timestamp()
        order by
          expires_at
        limit
          $1
      )
    returning
      user_id,
      "group_id" as id,
      expires_at
  )
select
  user_id,
  gone.id,
  expires_at,
  named.name,
  named.description_ar,
  named.description_en,
  users.is_active
from
  gone
  join "groups" as named on named.id = gone.id
  join users on users.id = user_id
order by
  user_id,
  gone.id;

-- removeSomeEnded
with
  gone as (
    delete from "direct_roles"
    where
      expires_at <= statement_timestamp()
      and (user_id, "role_id") in (
        select
          user_id,
          "role_id"
        from
          "direct_roles"
        where
          expires_at <= statement_timestamp()
        order by
          expires_at
        limit
          $1
      )
    returning
      user_id,
      "role_id" as id,
      expires_at
  )
select
  user_id,
  gone.id,
  expires_at,
  named.name,
  named.description_ar,
  named.description_en,
  users.is_active
from
  gone
  join "roles" as named on named.id = gone.id
  join users on users.id = user_id
order by
  user_id,
  gone.id;

-- give
with
  gone as (
    delete from "memberships"
    where
      expires_at <= statement_timestamp()
      and user_id = any ($1::int[])
      and "group_id" = any ($2::int[])
    returning
      user_id,
      "group_id" as id,
      expires_at
  )
select
  user_id,
  gone.id,
  expires_at,
  named.name,
  named.description_ar,
  named.description_en,
  users.is_active
from
  gone
  join "groups" as named on named.id = gone.id
  join users on users.id = user_id
order by
  user_id,
  gone.id;

-- noteReminders
with
  due as (
    select
      user_id,
      "group_id" as id,
      expires_at,
      stage.days
    from
      "memberships"
      join users on users.id = user_id
      and is_active
      and kind = 'person'
      join (
        values
          (1, interval '1 day', interval '0'),
          (7, interval '7 days', interval '1 day')
      ) as stage (days, before, until) on expires_at - before <= statement_timestamp()
      and expires_at - until > statement_timestamp()
      and changed_at < expires_at - before
    where
      expires_at is not null
      and not exists (
        select
        from
          grant_reminders as sent
        where
          sent.user_id = "memberships".user_id
          and sent."group_id" = "group_id"
          and sent.expires_at = "memberships".expires_at
          and sent.days = stage.days
      )
    order by
      expires_at
    limit
      $1
  ),
  noted as (
    insert into
      grant_reminders (user_id, "group_id", expires_at, days)
    select
      user_id,
      id,
      expires_at,
      days
    from
      due
  )
select
  $2 as kind,
  user_id,
  due.id,
  expires_at,
  days,
  named.name,
  named.description_ar,
  named.description_en,
  true as is_active
from
  due
  join "groups" as named on named.id = due.id
order by
  user_id,
  due.id;

-- noteReminders
with
  due as (
    select
      user_id,
      "role_id" as id,
      expires_at,
      stage.days
    from
      "direct_roles"
      join users on users.id = user_id
      and is_active
      and kind = 'person'
      join (
        values
          (1, interval '1 day', interval '0'),
          (7, interval '7 days', interval '1 day')
      ) as stage (days, before, until) on expires_at - before <= statement_timestamp()
      and expires_at - until > statement_timestamp()
      and changed_at < expires_at - before
    where
      expires_at is not null
      and not exists (
        select
        from
          grant_reminders as sent
        where
          sent.user_id = "direct_roles".user_id
          and sent."role_id" = "role_id"
          and sent.expires_at = "direct_roles".expires_at
          and sent.days = stage.days
      )
    order by
      expires_at
    limit
      $1
  ),
  noted as (
    insert into
      grant_reminders (user_id, "role_id", expires_at, days)
    select
      user_id,
      id,
      expires_at,
      days
    from
      due
  )
select
  $2 as kind,
  user_id,
  due.id,
  expires_at,
  days,
  named.name,
  named.description_ar,
  named.description_en,
  true as is_active
from
  due
  join "roles" as named on named.id = due.id
order by
  user_id,
  due.id;
