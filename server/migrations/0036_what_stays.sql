-- By which text a notice was made, so that what settles it finds it; and what still leads to a record, while it is unread.
alter table notifications add column template text;
update notifications set template = 'order_placed' where read_at is null and related_type = 'order' and title_en = 'New order';
create index notifications_unread_about on notifications (related_type, related_id) where read_at is null;

-- What prices are in, as an ISO 4217 code; without one they are shown as written.
alter table settings add column currency text;

-- Days count what happened: the openings of someone who is deleted stay in the days of the app, and are no longer listed.
alter table app_open_days add column forgotten int not null default 0;

create or replace function count_app_opens() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into app_open_days as days (app_id, day, count)
    select app_id, utc_day(created_at), count(*) from touched group by 1, 2 order by 1, 2
    on conflict (app_id, day) do update set count = days.count + excluded.count;
    insert into app_open_months as months (app_id, month, count)
    select app_id, month_of(utc_day(created_at)), count(*) from touched group by 1, 2 order by 1, 2
    on conflict (app_id, month) do update set count = months.count + excluded.count;
    with counted as (
      insert into user_open_days as days (user_id, day, count)
      select user_id, utc_day(created_at), count(*) from touched group by 1, 2 order by 1, 2
      on conflict (user_id, day) do update set count = days.count + excluded.count
      returning day, count)
    insert into user_open_peaks as peaks (day, shard, peak)
    select day, pg_backend_pid() % 16, max(count) from counted group by 1 order by 1
    on conflict (day, shard) do update set peak = excluded.peak where peaks.peak < excluded.peak;
    insert into user_open_months as months (user_id, month, count)
    select user_id, month_of(utc_day(created_at)), count(*) from touched group by 1, 2 order by 1, 2
    on conflict (user_id, month) do update set count = months.count + excluded.count;
    perform count_for_day('app_opens', day, count)
    from (select utc_day(created_at) as day, count(*) from touched group by 1 order by 1) as days;
  else
    perform from app_open_days
      where (app_id, day) in (select app_id, utc_day(created_at) from touched) order by app_id, day for update;
    update app_open_days as days set count = days.count - gone.taken, forgotten = days.forgotten + gone.kept
    from (
      select app_id, utc_day(created_at) as day, count(*) filter (where is_known) as taken, count(*) filter (where not is_known) as kept
      from (select *, exists (select from users where id = user_id) as is_known from touched) as touched group by 1, 2) as gone
    where days.app_id = gone.app_id and days.day = gone.day;
    perform from app_open_months
      where (app_id, month) in (select app_id, month_of(utc_day(created_at)) from touched) order by app_id, month for update;
    update app_open_months as months set count = months.count - gone.count
    from (
      select app_id, month_of(utc_day(created_at)) as month, count(*) as count from touched
      where exists (select from users where id = user_id) group by 1, 2) as gone
    where months.app_id = gone.app_id and months.month = gone.month;
    perform from user_open_days
      where (user_id, day) in (select user_id, utc_day(created_at) from touched) order by user_id, day for update;
    update user_open_days as days set count = days.count - gone.count
    from (select user_id, utc_day(created_at) as day, count(*) as count from touched group by 1, 2) as gone
    where days.user_id = gone.user_id and days.day = gone.day;
    perform from user_open_months
      where (user_id, month) in (select user_id, month_of(utc_day(created_at)) from touched) order by user_id, month for update;
    update user_open_months as months set count = months.count - gone.count
    from (select user_id, month_of(utc_day(created_at)) as month, count(*) as count from touched group by 1, 2) as gone
    where months.user_id = gone.user_id and months.month = gone.month;
    -- Of an app that is gone, nothing is left that could hold what was forgotten.
    perform count_for_day('app_opens', day, -count) from (
      select utc_day(created_at) as day, count(*) from touched
      where exists (select from users where id = user_id) or not exists (select from apps where id = app_id) group by 1 order by 1) as days;
  end if;
  if exists (select from touched where utc_day(created_at) < utc_day(clock_timestamp())) then
    update past_opens set version = version + 1;
  end if;
  return null;
end $$;

-- An app takes along what was forgotten of it.
create function count_forgotten() returns trigger language plpgsql as $$
begin
  perform count_for_day('app_opens', day, -count) from (
    select day, sum(forgotten)::int as count from gone group by day having sum(forgotten) > 0 order by day) as days;
  return null;
end $$;
create trigger count_forgotten after delete on app_open_days
  referencing old table as gone for each statement execute function count_forgotten();
