-- listTeamsOf
select
  coalesce(o.team_id, handling.team_id) as id,
  count(*) filter (
    where
      status = 'pending'
  ) as pending,
  count(*) filter (
    where
      status <> 'pending'
      and assigned_to = $1
  ) as mine,
  count(*) filter (
    where
      details.due <= clock.worked
      and next_by (details) <= statement_timestamp()
  ) as late
from
  orders as o
  left join service_handlings as handling using (service_id)
  left join order_details as details on details.order_id = o.id
  left join (
    select
      id,
      working_time ("id", statement_timestamp()) as worked
    from
      working_calendars
    offset
      0
  ) as clock on clock.id = details.calendar_id
where
  (
    status = 'pending'
    or status in ('received', 'preparing')
  )
  and hold is null
  and (
    o.team_id = any ($2::int[])
    or o.team_id is null
    and o.service_id = any (
      array(
        select
          service_id
        from
          service_handlings
        where
          team_id = any ($3::int[])
      )
    )
  )
group by
  1;

-- serviceTeamReminders
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
          team.id as subject_id,
          0 as object_id,
          date_trunc('hour', statement_timestamp()) as deadline,
          0 as days,
          statement_timestamp() as due_at
        from
          (
            select distinct
              coalesce(orders.team_id, handling.team_id) as id
            from
              orders
              left join service_handlings as handling using (service_id)
            where
              status = 'pending'
              and hold is null
          ) as team
        where
          team.id is not null
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
  team_receivers (subject_id) = '{}'
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
