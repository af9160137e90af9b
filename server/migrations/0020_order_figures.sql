-- Why orders were cancelled, how long they can be reopened, and the figures of orders, which outlive them.

alter table service_handlings add reopen_days int not null default 0 check (reopen_days between 0 and 30);

alter table order_details
  -- While it is cancelled.
  add cancel_reason text;

-- One narrow row an order, without people or answers. It is written when the order first moves, and again whenever it moves or is deleted:
-- placing writes nothing here, so reports add the orders that never moved. Times are of the first claim and the first completion.
create table order_figures (
  order_id          int primary key,
  service_id        int not null references services on delete cascade,
  -- The team to which it was handed over.
  team_id           int,
  -- The day of the office on which it was placed, in the zone of that time.
  day               date not null,
  status            text not null,
  -- How a cancelled order was refused by its approvers.
  refusal           text check (refusal in ('denied', 'lapsed')),
  reopen_count      int not null default 0,
  calendar_id       int,
  -- The working time of the calendar at the placing.
  started           bigint,
  received_at       timestamptz,
  completed_at      timestamptz,
  -- Working time without pauses.
  receive_time      bigint,
  complete_time     bigint,
  received_in_time  boolean,
  completed_in_time boolean,
  -- Of an order that is gone: whether it was late. Until then its targets tell.
  was_late          boolean not null default false
) with (fillfactor = 85);
create index on order_figures (service_id);
create index on order_figures using brin (day) with (pages_per_range = 16);
create trigger refuse_emptying before truncate on order_figures execute function refuse_emptying();

create function office_day(at timestamptz) returns date language sql stable
  return (select (at at time zone usable_time_zone(time_zone))::date from settings);

-- Writes the figures of orders as they are now.
create function note_figures(ids int[], are_going boolean default false) returns void language sql as $$
  insert into order_figures as known (order_id, service_id, team_id, day, status, refusal, reopen_count, calendar_id, started, received_at, completed_at,
    receive_time, complete_time, received_in_time, completed_in_time, was_late)
  select o.id, o.service_id, o.team_id, office_day(o.created_at), o.status,
    -- MERGE approvals: 'denied' or 'lapsed', where the order was refused. Until there are approvals, no order is.
    null,
    coalesce(details.reopen_count, 0), clock.calendar_id, clock.started, moment.received_at, moment.completed_at,
    coalesce(before.receive_time, case when moment.received_at is not null then
      working_time(clock.calendar_id, moment.received_at) - clock.started end),
    coalesce(before.complete_time, case when moment.completed_at is not null then
      coalesce(details.used_time, working_time(clock.calendar_id, moment.completed_at) - clock.started) end),
    coalesce(details.received_in_time, before.received_in_time), coalesce(details.completed_in_time, before.completed_in_time),
    are_going and details.due is not null and coalesce(next_by(details) <= clock_timestamp(), false)
  from orders as o left join order_details as details on details.order_id = o.id left join order_figures as before on before.order_id = o.id
    left join service_handlings as handling on handling.service_id = o.service_id
    left join service_teams as team on team.id = coalesce(o.team_id, handling.team_id)
    cross join lateral (
      select coalesce(details.calendar_id, before.calendar_id, team.calendar_id, (select id from working_calendars where is_default)) as calendar_id
      ) as calendar
    cross join lateral (
      select calendar.calendar_id, coalesce(details.started, before.started, working_time(calendar.calendar_id, o.created_at)) as started) as clock
    cross join lateral (
      select
        coalesce(before.received_at, details.received_at, case when o.status in ('received', 'preparing', 'completed') then clock_timestamp() end)
          as received_at,
        coalesce(before.completed_at, details.completed_at, case when o.status = 'completed' then clock_timestamp() end) as completed_at) as moment
  where o.id = any(ids) order by o.id
  on conflict (order_id) do update set
    team_id = excluded.team_id, status = excluded.status, refusal = excluded.refusal, reopen_count = excluded.reopen_count, calendar_id = excluded.calendar_id,
    started = excluded.started, received_at = excluded.received_at, completed_at = excluded.completed_at, receive_time = excluded.receive_time,
    complete_time = excluded.complete_time, received_in_time = excluded.received_in_time, completed_in_time = excluded.completed_in_time,
    was_late = excluded.was_late
$$;

create function note_figures_of_moved() returns trigger language plpgsql as $$
begin
  perform note_figures(array(select id from moved));
  return null;
end $$;
create trigger note_figures_of_moved after update on orders
  referencing new table as moved for each statement execute function note_figures_of_moved();

-- Before its details go.
create function note_figures_of_going() returns trigger language plpgsql as $$
begin
  perform note_figures(array[old.id], true);
  return old;
end $$;
create trigger note_figures_of_going before delete on orders for each row execute function note_figures_of_going();

-- Orders that never moved keep their day when the office moves to another zone.
create function keep_days_of_orders() returns trigger language plpgsql as $$
begin
  insert into order_figures (order_id, service_id, team_id, day, status)
  select id, service_id, team_id, office_day(created_at), status from orders where status = 'pending' order by id
  on conflict (order_id) do nothing;
  return new;
end $$;
create trigger keep_days_of_orders before update of time_zone on settings for each row
  when (old.time_zone is distinct from new.time_zone) execute function keep_days_of_orders();

-- Orders that moved before there were figures. Working time is known only since their calendar was laid out.
insert into order_figures (order_id, service_id, team_id, day, status, reopen_count, calendar_id, started, received_at, completed_at,
  receive_time, complete_time, received_in_time, completed_in_time)
select o.id, o.service_id, o.team_id, office_day(o.created_at), o.status, coalesce(details.reopen_count, 0), calendar.id,
  coalesce(details.started, working_time(calendar.id, o.created_at)), moment.received_at, moment.completed_at,
  case when calendar.created_at <= o.created_at and moment.received_at is not null then
    working_time(calendar.id, moment.received_at) - working_time(calendar.id, o.created_at) end,
  coalesce(details.used_time, case when calendar.created_at <= o.created_at and moment.completed_at is not null then
    working_time(calendar.id, moment.completed_at) - working_time(calendar.id, o.created_at) end),
  details.received_in_time, details.completed_in_time
from orders as o left join order_details as details on details.order_id = o.id
  left join service_handlings as handling on handling.service_id = o.service_id
  left join service_teams as team on team.id = coalesce(o.team_id, handling.team_id)
  left join working_calendars as calendar on calendar.id
    = coalesce(details.calendar_id, team.calendar_id, (select id from working_calendars where is_default))
  left join (
    select target_id, min(at) filter (where facts ->> 'to' in ('received', 'preparing', 'completed')) as received_at,
      min(at) filter (where facts ->> 'to' = 'completed') as completed_at
    from ledger where target_type = 'order' and kind = 'order.moved' group by target_id) as moment on moment.target_id = o.id
where o.status <> 'pending' or moment.target_id is not null;
