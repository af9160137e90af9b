-- countTasks
select
  "status",
  count(*) as "count"
from
  "meeting_tasks"
where
  "id" in (
    select
      id
    from
      meeting_tasks
    where
      due_date = $1::date
    union
    select
      t.id
    from
      meetings
      join meeting_tasks as t on t.meeting_id = meetings.id
    where
      meetings.date = $2::date
  )
  and "assignee_id" = $3
  and "status" = $4
group by
  "status";

-- listTasks
select
  *,
  (
    select
      json_build_object(
        'id',
        assignee.id,
        'username',
        assignee.username,
        'displayNameAr',
        assignee.display_name_ar,
        'displayNameEn',
        assignee.display_name_en,
        'avatarUrl',
        assignee.avatar_url
      )
    from
      users as assignee
    where
      assignee.id = meeting_tasks.assignee_id
  ) as "assignee"
from
  "meeting_tasks"
where
  "id" in (
    select
      id
    from
      meeting_tasks
    where
      due_date = $1::date
    union
    select
      t.id
    from
      meetings
      join meeting_tasks as t on t.meeting_id = meetings.id
    where
      meetings.date = $2::date
  )
  and "assignee_id" = $3
  and "status" = $4
order by
  coalesce(due_date, 'infinity'::date),
  "id"
limit
  $5;
