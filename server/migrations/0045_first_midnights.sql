-- A midnight that comes twice, because the clock is then put back, counts from its first time, as in `platform/days.ts`. PostgreSQL alone
-- takes the second. One that is left out is the moment at which the clock is put forward.
create function start_of_day(day date, zone text) returns timestamptz language sql stable as $$
  select least(day::timestamp at time zone zone, ((day::timestamp - interval '1 hour') at time zone zone) + interval '1 hour')
$$;

-- The end of a day in the office's time zone.
create or replace function end_of_day(day date) returns timestamptz language sql stable as $$
  select start_of_day(day + 1, zone) from settings cross join usable_time_zone(time_zone) as zone
$$;

-- The same hour of the last earlier day of the office on which teams of the calendar work; null before its first.
create or replace function working_day_before(calendar int, at timestamptz) returns timestamptz language sql stable as $$
  select ((span.starts_at at time zone zone)::date + (at at time zone zone)::time) at time zone zone
  from (select usable_time_zone(time_zone) as zone from settings) as office cross join lateral (
    select starts_at from working_spans
    where calendar_id = calendar and starts_at < start_of_day((at at time zone zone)::date, zone)
    order by starts_at desc limit 1) as span
$$;

-- The same hour of a later day of the office, of those on which teams of the calendar work: the first, the second and so on.
create or replace function working_day_after(calendar int, at timestamptz, days int) returns timestamptz language sql stable as $$
  select (day + (at at time zone zone)::time) at time zone zone
  from (select usable_time_zone(time_zone) as zone from settings) as office cross join lateral (
    select distinct (starts_at at time zone zone)::date as day from working_spans
    where calendar_id = calendar and starts_at >= start_of_day((at at time zone zone)::date + 1, zone)
    order by day limit 1 offset days - 1) as span
$$;
