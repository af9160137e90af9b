-- listAttended
with
  today as materialized (
    select
      (now() at time zone usable_time_zone (time_zone))::date as day
    from
      settings
  )
select
  id,
  date,
  start_time,
  end_time,
  title_ar,
  title_en,
  location_ar,
  location_en,
  meeting_url,
  status,
  updated_at
from
  meetings,
  today
where
  id = any (
    array(
      select
        meeting_id
      from
        meeting_attendees
      where
        user_id = $1
    )
  )
  and date between day - $2::int and day + $3::int
  and (
    status <> 'cancelled'
    or date >= day
  )
order by
  date,
  start_time nulls first,
  id;
