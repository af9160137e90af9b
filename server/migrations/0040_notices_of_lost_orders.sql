-- Whether a notice about an order may lead a person there: whether they read the order, or it is gone. A receiver who lost the right reads
-- orders without a team no more either.
create or replace function order_is_open_to(order_id int, person int) returns boolean language sql stable as $$
  select not exists (
    select from orders left join service_handlings as handling using (service_id)
      left join service_teams as team on team.id = coalesce(orders.team_id, handling.team_id)
      left join order_details as details on details.order_id = orders.id
    where orders.id = order_is_open_to.order_id
      and orders.user_id <> person and details.beneficiary_id is distinct from person
      and not (hold is null and (coalesce(person = any(team.lead_user_ids), false)
        or (coalesce(orders.team_id, handling.team_id) is null
            or exists (select from group_users where user_id = person and group_id = any(team.group_ids)))
          and exists (
            select from effective_roles join role_permissions using (role_id) join permissions on permissions.id = permission_id
            where user_id = person and permissions.name = 'orders.receive')))
      and not (coalesce(needs_approval, false) and decides_order(orders.id, person)))
$$;
