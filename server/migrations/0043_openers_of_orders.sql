-- The ids in `people` of the readers of an order, without administrators: to them a notice may show it. All ids if the order is gone. One
-- call answers for all receivers of a new order. Instances of the former version call `order_is_open_to` until they are replaced.
--
-- A general plan is enough. For a few people PostgreSQL estimates that a plan for exactly these is cheaper, and would make one for each
-- call, which takes longer than the call.
create function order_openers(of_order int, people int[]) returns int[] language sql stable set plan_cache_mode = force_generic_plan as $$
  select array(
    select person from unnest(people) as person where not exists (
      select from orders left join service_handlings as handling using (service_id)
        left join service_teams as team on team.id = coalesce(orders.team_id, handling.team_id)
        left join order_details as details on details.order_id = orders.id
      where orders.id = of_order
        and orders.user_id <> person and details.beneficiary_id is distinct from person
        and not (hold is null and (coalesce(person = any(team.lead_user_ids), false)
          or (coalesce(orders.team_id, handling.team_id) is null
              or exists (select from group_users where user_id = person and group_id = any(team.group_ids)))
            and exists (
              select from effective_roles join role_permissions using (role_id) join permissions on permissions.id = permission_id
              where user_id = person and permissions.name = 'orders.receive')))
        and not (coalesce(needs_approval, false) and decides_order(orders.id, person))))
$$;
