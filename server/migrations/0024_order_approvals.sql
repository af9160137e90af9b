-- Approvals before work, and orders for somebody else.

-- Who may order the service for somebody else, and its steps: {key, nameAr, nameEn, manager, userIds, groupIds, needed, when}.
alter table service_handlings
  add on_behalf text not null default 'nobody' check (on_behalf in ('nobody', 'groups', 'everyone')),
  add on_behalf_group_ids int[] not null default '{}',
  add steps jsonb not null default '[]';

-- An order waits for its approvals, or did not get them. Until it is released, nobody begins with it.
alter table orders
  add hold text check (hold in ('waiting', 'refused')),
  add constraint nothing_begun_while_held check (hold is null or status in ('pending', 'cancelled'));
create index orders_held on orders (id) where hold = 'waiting' and status = 'pending';

-- For whom it is, where that is not its requester, with their username of then; and why it did not get its approvals.
alter table order_details
  add beneficiary_id       int,
  add beneficiary_username text,
  add needs_approval       boolean not null default false,
  add lapse_reason         text check (lapse_reason in ('undecided', 'requester_gone')),
  add check ((beneficiary_id is null) = (beneficiary_username is null));
create index order_details_beneficiary on order_details (beneficiary_id) where beneficiary_id is not null;

-- The steps of an order as its service had them at the placing. Ids of deleted groups and people may stay; they count as nobody.
create table order_steps (
  order_id  int not null references orders on delete cascade,
  place     int not null,
  key       text not null,
  name_ar   text not null,
  name_en   text not null,
  manager   boolean not null,
  user_ids  int[] not null,
  group_ids int[] not null,
  needed    int not null,
  opened_at timestamptz,
  done_at   timestamptz,
  primary key (order_id, place)
);
create index order_steps_open on order_steps (opened_at) where opened_at is not null and done_at is null;
-- What waits for somebody is found by their name, by their groups, and by whom they manage.
create index order_steps_of_people on order_steps using gin (user_ids) where opened_at is not null and done_at is null;
create index order_steps_of_groups on order_steps using gin (group_ids) where opened_at is not null and done_at is null;
create constraint trigger demand_change after insert or update or delete on order_steps
  deferrable initially deferred for each row execute function demand_change('order', 'order_id');
create trigger refuse_emptying before truncate on order_steps execute function refuse_emptying();

-- Who approved a step, or denied it.
create table order_approvals (
  order_id          int not null,
  place             int not null,
  approver_id       int not null,
  approver_username text not null,
  -- As an administrator who is no approver of the step.
  as_admin          boolean not null,
  is_denial         boolean not null default false,
  note              text,
  at                timestamptz not null,
  primary key (order_id, place, approver_id),
  foreign key (order_id, place) references order_steps on delete cascade
);
create index on order_approvals (approver_id);
create constraint trigger demand_change after insert or update or delete on order_approvals
  deferrable initially deferred for each row execute function demand_change('order', 'order_id');
create trigger refuse_emptying before truncate on order_approvals execute function refuse_emptying();

-- The active people who approve a step, those named first; never its requester or the person for whom it is.
create function approvers_among(manager boolean, people int[], its_groups int[], requester int, beneficiary int)
  returns table (id int, place int) language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
    select users.id, min(person.place)
    from (
      select unnest(people), 0
      union all
      select manager_id, 0 from managers where approvers_among.manager and managers.user_id = beneficiary
      union all
      select members.user_id, 1
      from unnest(its_groups) as one (id) cross join lateral (select user_id from group_users where group_id = one.id) as members) as person (id, place)
    join users on users.id = person.id
    where users.is_active and users.kind = 'person' and users.id not in (requester, beneficiary)
    group by users.id;
end $$;

create function step_approvers(of_order int, its_place int) returns table (id int, place int) language sql stable as $$
  select approver.id, approver.place
  from order_steps as step join orders on orders.id = step.order_id left join order_details as details on details.order_id = step.order_id
    cross join lateral approvers_among(step.manager, step.user_ids, step.group_ids, orders.user_id, coalesce(details.beneficiary_id, orders.user_id))
      as approver
  where step.order_id = of_order and step.place = its_place
$$;

-- The people for whom a step waits: its approvers who have not approved it, those named first; where none is left, the administrators who
-- are no party.
create function step_waits_for(of_order int, its_place int) returns table (id int, place int) language sql stable as $$
  with left_over as materialized (
    select approver.id, approver.place from step_approvers(of_order, its_place) as approver
    where not exists (
      select from order_approvals as given where (given.order_id, given.place, given.approver_id) = (of_order, its_place, approver.id)))
  select left_over.id, left_over.place from left_over
  union all
  select administrator.id, 0
  from unnest(active_in_roles(array['admin'])) as administrator (id) join orders on orders.id = of_order
    left join order_details as details on details.order_id = orders.id
  where not exists (select from left_over) and administrator.id not in (orders.user_id, coalesce(details.beneficiary_id, orders.user_id))
$$;

-- Whether a person approves a step.
create function approves_step(step order_steps, person int) returns boolean language sql stable as $$
  select exists (
    select from users join orders on orders.id = step.order_id left join order_details as details on details.order_id = step.order_id
    where users.id = person and users.is_active and users.kind = 'person'
      and person not in (orders.user_id, coalesce(details.beneficiary_id, orders.user_id))
      and (person = any(step.user_ids)
        or exists (select from group_users where user_id = person and group_id = any(step.group_ids))
        or step.manager and exists (
          select from managers where manager_id = person and managers.user_id = coalesce(details.beneficiary_id, orders.user_id))))
$$;

-- Whether a person approves a step that was opened, or decided one.
create function decides_order(of_order int, person int) returns boolean language sql stable as $$
  select exists (select from order_steps as step where order_id = of_order and opened_at is not null and approves_step(step, person))
    or exists (select from order_approvals where order_id = of_order and approver_id = person)
$$;

-- The approvers of the steps that were opened, and those who decided.
create function order_deciders(of_order int) returns int[] language sql stable as $$
  select array(
    select approver.id from order_steps as step cross join lateral step_approvers(order_id, place) as approver
    where order_id = of_order and opened_at is not null
    union select approver_id from order_approvals join users on users.id = approver_id and users.is_active where order_id = of_order)
$$;

-- The same hour of a later day of the office, of those on which teams of the calendar work: the first, the second and so on.
create function working_day_after(calendar int, at timestamptz, days int) returns timestamptz language sql stable as $$
  select (day + (at at time zone zone)::time) at time zone zone
  from (select usable_time_zone(time_zone) as zone from settings) as office cross join lateral (
    select distinct (starts_at at time zone zone)::date as day from working_spans
    where calendar_id = calendar and starts_at >= ((at at time zone zone)::date + 1)::timestamp at time zone zone
    order by day limit 1 offset days - 1) as span
$$;

-- As many of these notices as a person may still cause; they are counted.
create function share_notices(person int, wanted int) returns int language plpgsql as $$
declare
  granted int;
begin
  perform take_turn('notices', person);
  granted := greatest(0, least(wanted, 5000 - notices_caused_by(person)));
  perform count_notices(person, granted);
  return granted;
end $$;

-- Whether a step of an order waits for approvals now. A step that nobody decided on in 14 days is over from that very moment, and so is one
-- whose beneficiary is gone.
create function is_open(step order_steps) returns boolean language sql stable as $$
  select step.opened_at is not null and step.done_at is null and step.opened_at > statement_timestamp() - interval '336 hours'
    and exists (
      select from orders left join order_details as details on details.order_id = orders.id
        join users on users.id = coalesce(details.beneficiary_id, orders.user_id) and users.is_active
      where orders.id = step.order_id and hold = 'waiting' and status = 'pending')
$$;

-- The receivers of an order and the leads of its team. For them, it does not exist before it is released.
create function order_staff(of_order int) returns int[] language sql stable as $$
  select array(
    select unnest(team.lead_user_ids)
    union select unnest(case when known.team_id is null then active_holders('orders.receive') else team_receivers(known.team_id) end))
  from (
    select coalesce(orders.team_id, handling.team_id) as team_id from orders left join service_handlings as handling using (service_id)
    where orders.id = of_order and hold is null) as known
    left join service_teams as team on team.id = known.team_id
$$;

-- The people who read what an order has beyond the contract: its parties, those who decide on it, administrators, and its staff.
create or replace function order_readers(of_order int) returns int[] language sql stable as $$
  select array(
    select user_id
    union select users.id from users where users.id = beneficiary_id and is_active
    union select unnest(case when needs_approval then order_deciders(of_order) end)
    union select unnest(active_in_roles(array['admin']))
    union select unnest(order_staff(of_order)))
  from orders left join order_details as details on details.order_id = orders.id where orders.id = of_order
$$;

-- The readers of its conversation: of those who decide, only the approvers of the step that is open.
create function order_message_readers(of_order int) returns int[] language sql stable as $$
  select array(
    select user_id
    union select users.id from users where users.id = beneficiary_id and is_active
    union select approver.id from order_steps as step cross join lateral step_approvers(step.order_id, step.place) as approver
      where needs_approval and step.order_id = of_order and is_open(step)
    union select unnest(active_in_roles(array['admin']))
    union select unnest(order_staff(of_order)))
  from orders left join order_details as details on details.order_id = orders.id where orders.id = of_order
$$;

-- The readers of its internal notes. Its beneficiary is never among them, nor its requester for being an administrator.
create or replace function order_note_readers(of_order int) returns int[] language sql stable as $$
  select array(
    (select unnest(active_in_roles(array['admin'])) except select user_id union select unnest(order_staff(of_order)))
    except select coalesce(beneficiary_id, user_id))
  from orders left join order_details as details on details.order_id = orders.id where orders.id = of_order
$$;

-- Whether a notice about an order may lead a person there. An order without a team that nobody holds is open to all who were told of it; so
-- is the notice of an order that is gone.
create or replace function order_is_open_to(order_id int, person int) returns boolean language sql stable as $$
  select not exists (
    select from orders left join service_handlings as handling using (service_id)
      left join service_teams as team on team.id = coalesce(orders.team_id, handling.team_id)
      left join order_details as details on details.order_id = orders.id
    where orders.id = order_is_open_to.order_id and (hold is not null or coalesce(orders.team_id, handling.team_id) is not null)
      and orders.user_id <> person and details.beneficiary_id is distinct from person
      and not (hold is null and (coalesce(person = any(team.lead_user_ids), false)
        or exists (select from group_users where user_id = person and group_id = any(team.group_ids))))
      and not (coalesce(needs_approval, false) and decides_order(orders.id, person)))
$$;

-- Leads do not count what was never released.
alter table order_figures add is_held boolean not null default false;

-- Writes the figures of orders as they are now, with how their approvers refused them.
create or replace function note_figures(ids int[], are_going boolean default false) returns void language sql as $$
  insert into order_figures as known (order_id, service_id, team_id, day, status, refusal, reopen_count, calendar_id, started, received_at, completed_at,
    receive_time, complete_time, received_in_time, completed_in_time, was_late, is_held)
  select o.id, o.service_id, o.team_id, office_day(o.created_at), o.status,
    case when o.hold = 'refused' then case when details.lapse_reason is null then 'denied' else 'lapsed' end end,
    coalesce(details.reopen_count, 0), clock.calendar_id, clock.started, moment.received_at, moment.completed_at,
    coalesce(before.receive_time, case when moment.received_at is not null then
      working_time(clock.calendar_id, moment.received_at) - clock.started end),
    coalesce(before.complete_time, case when moment.completed_at is not null then
      coalesce(details.used_time, working_time(clock.calendar_id, moment.completed_at) - clock.started) end),
    coalesce(details.received_in_time, before.received_in_time), coalesce(details.completed_in_time, before.completed_in_time),
    are_going and details.due is not null and coalesce(next_by(details) <= clock_timestamp(), false), o.hold is not null
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
    was_late = excluded.was_late, is_held = excluded.is_held
$$;
