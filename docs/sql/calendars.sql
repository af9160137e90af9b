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
