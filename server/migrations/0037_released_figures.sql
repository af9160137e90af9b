-- The figures of orders that waited for approvals, and of those that are deleted before their target.

-- Of an order that is gone: when it missed its next target, or would have missed it. Until then its targets tell.
alter table order_figures add late_at timestamptz;
update order_figures set late_at = '-infinity' where was_late;
alter table order_figures drop was_late;

-- Writes the figures of orders as they are now, with how their approvers refused them. A held order has no clock. That of one without targets
-- starts at its placing, or at its release: this is the move that first notes it without a hold. Its calendar is that of its service's team.
create or replace function note_figures(ids int[], are_going boolean default false) returns void language sql as $$
  insert into order_figures as known (order_id, service_id, team_id, day, status, refusal, reopen_count, calendar_id, started, received_at, completed_at,
    receive_time, complete_time, received_in_time, completed_in_time, late_at, is_held)
  select o.id, o.service_id, o.team_id, office_day(o.created_at), o.status,
    case when o.hold = 'refused' then case when details.lapse_reason is null then 'denied' else 'lapsed' end end,
    coalesce(details.reopen_count, 0), clock.calendar_id, clock.started, moment.received_at, moment.completed_at,
    coalesce(before.receive_time, case when moment.received_at is not null then
      working_time(clock.calendar_id, moment.received_at) - clock.started end),
    coalesce(before.complete_time, case when moment.completed_at is not null then
      coalesce(details.used_time, working_time(clock.calendar_id, moment.completed_at) - clock.started) end),
    coalesce(details.received_in_time, before.received_in_time), coalesce(details.completed_in_time, before.completed_in_time),
    case when are_going then next_by(details) end, o.hold is not null
  from orders as o left join order_details as details on details.order_id = o.id left join order_figures as before on before.order_id = o.id
    left join service_handlings as handling on handling.service_id = o.service_id
    left join service_teams as team on team.id = handling.team_id
    cross join lateral (
      select coalesce(details.calendar_id, before.calendar_id,
        case when o.hold is null then coalesce(team.calendar_id, (select id from working_calendars where is_default)) end) as calendar_id
      ) as calendar
    cross join lateral (
      select calendar.calendar_id, case when calendar.calendar_id is not null then coalesce(details.started, before.started,
        working_time(calendar.calendar_id, case when details.needs_approval then o.updated_at else o.created_at end)) end as started) as clock
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
    late_at = excluded.late_at, is_held = excluded.is_held
$$;

-- What was written before: held orders have no clock yet, and released ones were counted from their placing.
update order_figures set calendar_id = null, started = null from orders where orders.id = order_id and orders.hold is not null;
alter table order_details disable trigger demand_change;
with released as (
    select target_id as order_id, min(at) as at from ledger where target_type = 'order' and kind = 'order.released' group by target_id),
  counted as (
    select order_id, working_time(calendar_id, at) - started as waited from released join order_figures using (order_id)),
  figures as (
    update order_figures as figures
    set started = started + waited, receive_time = receive_time - waited, complete_time = complete_time - waited
    from counted where counted.order_id = figures.order_id and waited > 0 returning figures.order_id, waited)
update order_details as details set started = started + waited, used_time = used_time - waited
from figures where figures.order_id = details.order_id and started is not null and num_nonnulls(receive_due, complete_due, wanted_at) = 0;
alter table order_details enable trigger demand_change;
