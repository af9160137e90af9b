-- Whether a notice about an order may lead a person there: whether they read the order. One without a team and approvals is open to all who
-- were told of it, as it was before there were any; so is the notice of an order that is gone.
create or replace function order_is_open_to(order_id int, person int) returns boolean language sql stable as $$
  select not exists (
    select from orders left join service_handlings as handling using (service_id)
      left join service_teams as team on team.id = coalesce(orders.team_id, handling.team_id)
      left join order_details as details on details.order_id = orders.id
    where orders.id = order_is_open_to.order_id
      and (hold is not null or coalesce(orders.team_id, handling.team_id) is not null or coalesce(needs_approval, false))
      and orders.user_id <> person and details.beneficiary_id is distinct from person
      and not (hold is null and (coalesce(person = any(team.lead_user_ids), false)
        or (coalesce(orders.team_id, handling.team_id) is null
            or exists (select from group_users where user_id = person and group_id = any(team.group_ids)))
          and exists (
            select from effective_roles join role_permissions using (role_id) join permissions on permissions.id = permission_id
            where user_id = person and permissions.name = 'orders.receive')))
      and not (coalesce(needs_approval, false) and decides_order(orders.id, person)))
$$;

-- A team and its names; of one that is gone, those that its deletion noted. Only then the ledger is read.
create function named_team(team int) returns table (id int, name_ar text, name_en text) language plpgsql stable rows 1 as $$
#variable_conflict use_column
begin
  return query select service_teams.id, service_teams.name_ar, service_teams.name_en from service_teams where service_teams.id = team;
  if not found and team is not null then
    return query
      select target_id, facts ->> 'nameAr', facts ->> 'nameEn' from ledger
      where target_type = 'service_team' and target_id = team and ledger.kind = 'service_team.deleted';
  end if;
end $$;

-- Orders that never moved keep their day when the office moves to another zone, and leads still do not count those that were not released.
create or replace function keep_days_of_orders() returns trigger language plpgsql as $$
begin
  insert into order_figures (order_id, service_id, team_id, day, status, is_held)
  select id, service_id, team_id, office_day(created_at), status, hold is not null from orders where status = 'pending' order by id
  on conflict (order_id) do nothing;
  return new;
end $$;

update order_figures set is_held = true from orders where orders.id = order_id and hold is not null and not is_held;
