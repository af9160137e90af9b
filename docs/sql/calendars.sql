-- rehearseTimes
select
  order_id,
  is_claim,
  due_at
from
  order_details as details
  cross join lateral (
    select
      true as is_claim,
      case
        when wanted_at is null
        and paused_from is null then working_moment (calendar_id, receive_due)
        else receive_by (details)
      end as due_at
    where
      received_at is null
      and receive_due is not null
    union all
    select
      false,
      case
        when wanted_at is null
        and paused_from is null then working_moment (calendar_id, complete_due)
        else complete_by (details)
      end
    where
      num_nonnulls (complete_due, wanted_at) > 0
  ) as target
where
  calendar_id = $1
  and due is not null
order by
  due_at,
  order_id,
  is_claim;

-- layOutMoved
with
  office as materialized (
    select
      zone,
      last,
      end_of_day ((statement_timestamp() at time zone zone)::date) as since,
      end_of_day (last) as until
    from
      settings
      cross join usable_time_zone (time_zone) as zone
      cross join laid_out_until (zone, statement_timestamp()) as last
  ),
  moved as materialized (
    select
      id,
      since
    from
      working_calendars as calendar
      cross join office
    where
      exists (
        select
        from
          (
            select
              greatest(starts_at, since) as starts_at,
              ends_at
            from
              working_spans
            where
              calendar_id = calendar.id
              and ends_at > since
              and starts_at < until
          ) as stored
          full join laid_out (weekly, periods, days_off, zone, since, last) as given using (starts_at, ends_at)
        where
          stored.starts_at is null
          or given.starts_at is null
      )
    order by
      id
  )
select
  id,
  lay_out (id, since)
from
  moved;

-- hasWorkingTime
with
  span as (
    select
      starts_at,
      ends_at
    from
      (
        select
          usable_time_zone (time_zone) as zone,
          statement_timestamp() as now
        from
          settings
      ) as office,
      laid_out ($1::jsonb, $2::jsonb, $3::jsonb, zone, now, laid_out_until (zone, now))
  ),
  gap as (
    select
      starts_at - lag(ends_at, 1, statement_timestamp()) over (
        order by
          starts_at
      ) as length
    from
      span
    union all
    select
      statement_timestamp() + interval '800 days' - coalesce(max(ends_at), statement_timestamp())
    from
      span
  )
select
  max(length) < interval '60 days' as is_usual
from
  gap;
