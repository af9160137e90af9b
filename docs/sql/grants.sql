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

-- removeEnds
with
  ending as materialized (
    select
      user_id,
      group_id,
      expires_at
    from
      memberships
    where
      group_id = any ($1::int[])
      and expires_at > statement_timestamp()
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
    order by
      group_id,
      user_id
    for update
  )
update memberships as held
set
  expires_at = null,
  changed_at = statement_timestamp()
from
  ending
where
  held.user_id = ending.user_id
  and held.group_id = ending.group_id
returning
  ending.user_id,
  ending.group_id as id,
  ending.expires_at;

-- giveFirst
with
  role as (
    insert into
      direct_roles (user_id, role_id)
    select
      $1,
      id
    from
      roles
    where
      name = 'user'
    returning
      role_id
  ),
  everyone as (
    select
      id
    from
      groups
    where
      is_system
    order by
      id
    limit
      1
  ),
  member as (
    insert into
      memberships (user_id, group_id)
    select
      $2,
      id
    from
      (
        table everyone
        union
        select
          unnest($3::int[])
      ) as given (id)
    order by
      id
  )
select
  (table role) as role_id,
  (table everyone) as everyone_id;

-- noteDue, of groups
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
          "group_id" as object_id,
          expires_at as deadline,
          days,
          due_at
        from
          "memberships"
          join users on users.id = user_id
          and is_active
          and kind = 'person'
          cross join (
            values
              (7),
              (1)
          ) as stage (days)
          cross join lateral (
            select
              expires_at - make_interval(days => days) as due_at
          ) as moment
        where
          expires_at > statement_timestamp()
          and expires_at <= statement_timestamp() + interval '7 days'
          and changed_at < due_at
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

-- noteDue, of roles
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
          "role_id" as object_id,
          expires_at as deadline,
          days,
          due_at
        from
          "direct_roles"
          join users on users.id = user_id
          and is_active
          and kind = 'person'
          cross join (
            values
              (7),
              (1)
          ) as stage (days)
          cross join lateral (
            select
              expires_at - make_interval(days => days) as due_at
          ) as moment
        where
          expires_at > statement_timestamp()
          and expires_at <= statement_timestamp() + interval '7 days'
          and changed_at < due_at
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
