-- When teams work, laid out as spans of real time, and the targets of orders in working time.

create table working_calendars (
  id         int primary key generated always as identity,
  name_ar    text not null,
  name_en    text not null,
  is_default boolean not null default false,
  -- Seven lists of {from, to}, Sunday first.
  weekly     jsonb not null,
  -- {from, to, nameAr, nameEn, weekly}: other hours between two days.
  periods    jsonb not null default '[]',
  -- {date, nameAr, nameEn}
  days_off   jsonb not null default '[]',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index working_calendar_ar_name_taken on working_calendars (lower(name_ar collate "und-x-icu"));
create unique index working_calendar_en_name_taken on working_calendars (lower(name_en collate "und-x-icu"));
create unique index the_default_calendar on working_calendars (is_default) where is_default;
-- Before the trigger that demands a recorded change.
insert into working_calendars (name_ar, name_en, is_default, weekly) values ('ساعات الدوام', 'Office hours', true,
  jsonb_build_array(
    jsonb_build_array(jsonb_build_object('from', '08:00', 'to', '16:00')), jsonb_build_array(jsonb_build_object('from', '08:00', 'to', '16:00')),
    jsonb_build_array(jsonb_build_object('from', '08:00', 'to', '16:00')), jsonb_build_array(jsonb_build_object('from', '08:00', 'to', '16:00')),
    jsonb_build_array(jsonb_build_object('from', '08:00', 'to', '16:00')), '[]'::jsonb, '[]'::jsonb));
create constraint trigger demand_change after insert or update or delete on working_calendars
  deferrable initially deferred for each row execute function demand_change('working_calendar', 'id');
create trigger refuse_emptying before truncate on working_calendars execute function refuse_emptying();

-- The hours of each calendar as moments. A change of a calendar replaces the rows from then on and keeps those before.
create table working_spans (
  calendar_id int not null references working_calendars on delete cascade,
  starts_at   timestamptz not null,
  ends_at     timestamptz not null check (ends_at > starts_at),
  -- The working time before it, in microseconds, as are all sums of working time.
  before      bigint not null,
  primary key (calendar_id, starts_at)
);
create index on working_spans (calendar_id, before);

create function microseconds(length interval) returns bigint language sql immutable strict parallel safe
  return (extract(epoch from length) * 1000000)::bigint;

-- The working time of a calendar until a moment.
create function working_time(calendar int, at timestamptz) returns bigint language sql stable as $$
  select coalesce((
    select before + microseconds(least(at, ends_at) - starts_at) from working_spans
    where calendar_id = calendar and starts_at <= at order by starts_at desc limit 1), 0)
$$;

-- The first moment until which a calendar has so much working time; null beyond what is laid out.
create function working_moment(calendar int, worked bigint) returns timestamptz language sql stable as $$
  select case when worked <= before + microseconds(ends_at - starts_at) then starts_at + (worked - before) * interval '1 microsecond' end
  from working_spans where calendar_id = calendar and before < worked order by before desc limit 1
$$;

create function is_working(calendar int, at timestamptz) returns boolean language sql stable as $$
  select coalesce((
    select at < ends_at from working_spans where calendar_id = calendar and starts_at <= at order by starts_at desc limit 1), false)
$$;

-- The spans of hours from a moment until the day `last`, by the wall clock of a zone. A span of the wall clock that begins or ends within an
-- hour that occurs twice is two pieces; one that begins in an hour that is left out begins at its end.
create function laid_out(weekly jsonb, periods jsonb, days_off jsonb, zone text, since timestamptz, last date)
returns table (starts_at timestamptz, ends_at timestamptz) language sql stable as $$
  with off as materialized (
      select (value ->> 'date')::date as day from jsonb_array_elements(days_off)),
    period as materialized (
      select (value ->> 'from')::date as first, (value ->> 'to')::date as last, value -> 'weekly' as weekly from jsonb_array_elements(periods)),
    hours as (
      select day::date, coalesce(period.weekly, laid_out.weekly) -> extract(dow from day)::int as spans
      from generate_series((since at time zone zone)::date::timestamp, laid_out.last::timestamp, '1 day') as day
        left join period on day between first and period.last
      where day::date not in (select off.day from off)),
    wall as (
      select day + (span ->> 'from')::time as begins,
        case span ->> 'to' when '24:00' then (day + 1)::timestamp else day + (span ->> 'to')::time end as ends
      from hours cross join jsonb_array_elements(spans) as span),
    -- By how much the zone is ahead of UTC, and since when: days on which that changes are searched by the minute.
    days as (
      select at, (at at time zone zone) - (at at time zone 'UTC') as ahead, lead(at) over (order by at) as next,
        lead((at at time zone zone) - (at at time zone 'UTC')) over (order by at) as ahead_next
      from generate_series(since - interval '2 days', (laid_out.last + 2)::timestamp at time zone zone + interval '2 days', '1 day') as at),
    changes as (
      select '-infinity'::timestamptz as at, (select ahead from days order by days.at limit 1) as ahead
      union all
      select (
          select min(minute) from generate_series(date_trunc('minute', days.at), next + interval '1 minute', '1 minute') as minute
          where (minute at time zone zone) - (minute at time zone 'UTC') = ahead_next),
        ahead_next
      from days where ahead <> ahead_next),
    stretch as materialized (
      select at, ahead, lead(at, 1, 'infinity') over (order by at) as until from changes),
    piece as (
      select begins, greatest((begins - ahead) at time zone 'UTC', at, since) as starts_at, least((ends - ahead) at time zone 'UTC', until) as ends_at
      from wall join stretch on (begins - ahead) at time zone 'UTC' < until and (ends - ahead) at time zone 'UTC' > at)
  select lower(span), upper(span) from (
    select begins, range_agg(tstzrange(starts_at, ends_at)) as spans from piece where starts_at < ends_at group by begins) as whole
  cross join unnest(spans) as span order by 1
$$;

-- How far ahead calendars are laid out.
create function laid_out_until(zone text, at timestamptz) returns date language sql stable as $$
  select (at at time zone zone)::date + 800
$$;

-- Replaces the spans of a calendar from a moment on, or only adds those missing at its end. The working time until then stays the same.
create function lay_out(calendar int, since timestamptz default clock_timestamp(), is_only_missing boolean default false)
returns void language plpgsql as $$
declare
  zone text := (select usable_time_zone(time_zone) from settings);
  last date := laid_out_until(zone, since);
  hours working_calendars;
  counted bigint;
begin
  select * into hours from working_calendars where id = calendar for no key update;
  if is_only_missing then
    since := greatest(since, (select max(ends_at) from working_spans where calendar_id = calendar));
  end if;
  counted := working_time(calendar, since);
  delete from working_spans where calendar_id = calendar and starts_at >= since;
  update working_spans set ends_at = since where calendar_id = calendar and ends_at > since;
  insert into working_spans (calendar_id, starts_at, ends_at, before)
  select calendar, starts_at, ends_at,
    counted + sum(microseconds(ends_at - starts_at)) over (order by starts_at) - microseconds(ends_at - starts_at)
  from laid_out(hours.weekly, hours.periods, hours.days_off, zone, since, last);
end
$$;

create function lay_out_calendar() returns trigger language plpgsql as $$
begin
  perform lay_out(new.id);
  return null;
end
$$;
create trigger lay_out_new after insert on working_calendars for each row execute function lay_out_calendar();
create trigger lay_out_changed after update of weekly, periods, days_off on working_calendars for each row
  when ((old.weekly, old.periods, old.days_off) is distinct from (new.weekly, new.periods, new.days_off)) execute function lay_out_calendar();

create function lay_out_calendars() returns trigger language plpgsql as $$
begin
  perform lay_out(id) from (select id from working_calendars order by id) as calendars;
  return null;
end
$$;
create trigger lay_out_in_zone after update of time_zone on settings for each row
  when (old.time_zone is distinct from new.time_zone) execute function lay_out_calendars();

alter table service_teams add calendar_id int references working_calendars;
create index on service_teams (calendar_id) where calendar_id is not null;

alter table service_handlings
  add receive_minutes int check (receive_minutes between 1 and 28800),
  add complete_minutes int check (complete_minutes between 1 and 28800),
  add check (complete_minutes >= receive_minutes);

-- The calendar of an order with targets, and in its working time: when the order was placed, and what is due when. `due` is the next
-- target that is not met, while the order is open. The calendar has no foreign key: an ended order keeps its id.
alter table order_details
  add calendar_id int,
  add started bigint,
  add receive_due bigint,
  add complete_due bigint,
  add received_at timestamptz,
  add received_in_time boolean,
  add completed_at timestamptz,
  add completed_in_time boolean,
  add used_time bigint,
  add due bigint,
  add check ((calendar_id is null) = (started is null));
create index order_details_due on order_details (calendar_id, due) where due is not null;

-- The people who read what an order has beyond the contract: its requester, its receivers, the leads of its team, and administrators.
create function order_readers(of_order int) returns int[] language sql stable as $$
  select array(
    select user_id union select unnest(team.lead_user_ids) union select unnest(active_in_roles(array['admin']))
    union select unnest(case when team_id is null then active_holders('orders.receive') else team_receivers(team_id) end))
  from (
    select orders.user_id, coalesce(orders.team_id, handling.team_id) as team_id
    from orders left join service_handlings as handling using (service_id) where orders.id = of_order) as known
    left join service_teams as team on team.id = known.team_id
$$;

select lay_out(id) from working_calendars;
