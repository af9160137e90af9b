-- What the statistics read: everything is counted where it happens, in the transaction that makes it happen.

create function utc_day(moment timestamptz) returns date language sql immutable strict parallel safe
  return (moment at time zone 'UTC')::date;
create function month_of(day date) returns date language sql immutable strict parallel safe
  return date_trunc('month', day::timestamp)::date;

-- How much happened on each UTC day, of what is still there. In shards: one row for each day would make all its writers take turns.
create table day_counts (
  what  text not null check (what in ('signups', 'services_created', 'app_opens')),
  day   date not null,
  shard int not null,
  count int not null,
  primary key (what, day, shard)
);

-- How many there are.
create table state_counts (
  what  text not null check (what in ('active_users', 'available_services', 'unavailable_services')),
  shard int not null,
  count int not null,
  primary key (what, shard)
);

-- How often an app was opened in each month, and how often a person opened apps on each UTC day and in each month: long windows are
-- made of months, and of days at their ends.
create table app_open_months (
  app_id int not null references apps on delete cascade,
  month  date not null,
  count  int not null,
  primary key (app_id, month)
);
create index on app_open_days (day, app_id);
create table user_open_days (
  user_id int not null references users on delete cascade,
  day     date not null,
  count   int not null,
  primary key (user_id, day)
);
create index on user_open_days (day, user_id);
create table user_open_months (
  user_id int not null references users on delete cascade,
  month   date not null,
  count   int not null,
  primary key (user_id, month)
);
create index on user_open_months (month, user_id);

-- The most that one person opened on a day; never lowered, so that it may be too much and is never too little. Whoever cannot come to
-- the top with so many need not be added up.
create table user_open_peaks (
  day   date not null,
  shard int not null,
  peak  int not null,
  primary key (day, shard)
);

-- Moves whenever openings of a day that is over come or go, so that sums of such days can be kept while it stands.
create table past_opens (only_row boolean primary key default true check (only_row), version bigint not null default 1);
insert into past_opens default values;

create function count_for_day(of_what text, of_day date, step bigint) returns void language sql
begin atomic
  insert into day_counts as counts (what, day, shard, count) values (of_what, of_day, pg_backend_pid() % 16, step)
  on conflict (what, day, shard) do update set count = counts.count + excluded.count;
end;
create function count_state(of_what text, step bigint) returns void language sql
begin atomic
  insert into state_counts as counts (what, shard, count) values (of_what, pg_backend_pid() % 16, step)
  on conflict (what, shard) do update set count = counts.count + excluded.count;
end;

create function count_users() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform count_for_day('signups', day, count) from (select utc_day(created_at) as day, count(*) from after group by 1 order by 1) as days;
    perform count_state('active_users', count) from (select count(*) from after where is_active having count(*) > 0) as states;
  elsif tg_op = 'DELETE' then
    perform count_for_day('signups', day, -count) from (select utc_day(created_at) as day, count(*) from before group by 1 order by 1) as days;
    perform count_state('active_users', -count) from (select count(*) from before where is_active having count(*) > 0) as states;
  else
    perform count_for_day('signups', day, sum) from (
      select day, sum(step) from (
        select utc_day(created_at) as day, 1 as step from after union all select utc_day(created_at), -1 from before) as steps
      group by day having sum(step) <> 0 order by day) as days;
    perform count_state('active_users', sum) from (
      select sum(step) from (
        select 1 as step from after where is_active union all select -1 from before where is_active) as steps
      having sum(step) <> 0) as states;
  end if;
  return null;
end $$;
create trigger count_users_added after insert on users
  referencing new table as after for each statement execute function count_users();
create trigger count_users_updated after update on users
  referencing old table as before new table as after for each statement execute function count_users();
create trigger count_users_removed after delete on users
  referencing old table as before for each statement execute function count_users();

create function service_state(is_available boolean) returns text language sql immutable
  return case when is_available then 'available_services' else 'unavailable_services' end;

create function count_services() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform count_for_day('services_created', day, count)
    from (select utc_day(created_at) as day, count(*) from after group by 1 order by 1) as days;
    perform count_state(state, count) from (select service_state(is_available) as state, count(*) from after group by 1 order by 1) as states;
  elsif tg_op = 'DELETE' then
    perform count_for_day('services_created', day, -count)
    from (select utc_day(created_at) as day, count(*) from before group by 1 order by 1) as days;
    perform count_state(state, -count) from (select service_state(is_available) as state, count(*) from before group by 1 order by 1) as states;
  else
    perform count_for_day('services_created', day, sum) from (
      select day, sum(step) from (
        select utc_day(created_at) as day, 1 as step from after union all select utc_day(created_at), -1 from before) as steps
      group by day having sum(step) <> 0 order by day) as days;
    perform count_state(state, sum) from (
      select state, sum(step) from (
        select service_state(is_available) as state, 1 as step from after
        union all select service_state(is_available), -1 from before) as steps
      group by state having sum(step) <> 0 order by state) as states;
  end if;
  return null;
end $$;
create trigger count_services_added after insert on services
  referencing new table as after for each statement execute function count_services();
create trigger count_services_updated after update on services
  referencing old table as before new table as after for each statement execute function count_services();
create trigger count_services_removed after delete on services
  referencing old table as before for each statement execute function count_services();

-- What was opened, and by whom, is held while an opening is noted. An app that everybody opens every day has more openings than could
-- go with it in one transaction: a job takes them away afterwards.
alter table app_opens drop constraint app_opens_app_id_fkey, drop constraint app_opens_user_id_fkey;

-- As before, for months, for people and in all, too. Whoever counts takes the tables and the rows of each in the same order.
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
  else
    perform from app_open_days
      where (app_id, day) in (select app_id, utc_day(created_at) from touched) order by app_id, day for update;
    update app_open_days as days set count = days.count - gone.count
    from (select app_id, utc_day(created_at) as day, count(*) as count from touched group by 1, 2) as gone
    where days.app_id = gone.app_id and days.day = gone.day;
    perform from app_open_months
      where (app_id, month) in (select app_id, month_of(utc_day(created_at)) from touched) order by app_id, month for update;
    update app_open_months as months set count = months.count - gone.count
    from (select app_id, month_of(utc_day(created_at)) as month, count(*) as count from touched group by 1, 2) as gone
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
  end if;
  perform count_for_day('app_opens', day, case tg_op when 'INSERT' then count else -count end)
  from (select utc_day(created_at) as day, count(*) from touched group by 1 order by 1) as days;
  if exists (select from touched where utc_day(created_at) < utc_day(clock_timestamp())) then
    update past_opens set version = version + 1;
  end if;
  return null;
end $$;

insert into day_counts select 'signups', utc_day(created_at), 0, count(*) from users group by 2;
insert into day_counts select 'services_created', utc_day(created_at), 0, count(*) from services group by 2;
insert into day_counts select 'app_opens', day, 0, sum(count) from app_open_days group by 2;
insert into state_counts select 'active_users', 0, count(*) from users where is_active;
insert into state_counts select service_state(is_available), 0, count(*) from services group by 1;
insert into app_open_months select app_id, month_of(day), sum(count) from app_open_days group by 1, 2;
insert into user_open_days select user_id, utc_day(created_at), count(*) from app_opens group by 1, 2;
insert into user_open_peaks select day, 0, max(count) from user_open_days group by 1;
insert into user_open_months select user_id, month_of(day), sum(count) from user_open_days group by 1, 2;
