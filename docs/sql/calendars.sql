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
