-- The approvers of requests, found by indexes alone, however many members their groups have.

-- As before: the active people whom the policy of a group makes approvers, by name (0) or as members of a group (1); some repeatedly.
create or replace function policy_approvers(its_group int) returns table (id int, place int)
  language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
    select users.id, person.place
    from (
      select unnest(approver_user_ids), 0 from request_policies where group_id = its_group
      union all
      select members.user_id, 1
      from request_policies as policy cross join unnest(policy.approver_group_ids) as one (id)
        cross join lateral (select user_id from group_users where group_id = one.id) as members
      where policy.group_id = its_group) as person (id, place)
    join users on users.id = person.id where users.is_active;
end $$;

-- Six of the people who may decide on requests for a group, `others` among them, or all if there are fewer: no request needs more than five
-- approvals, and one of them may be its requester. Among this many rows are six people, as one policy names nobody more than 102 times.
create function first_deciders(its_group int, others int[]) returns int[]
  language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  policy request_policies;
begin
  select * into policy from request_policies where group_id = its_group;
  return array(
    select distinct decider.id from (
      select users.id
      from (
        select unnest(policy.approver_user_ids)
        union all
        select unnest(others)
        union all
        select members.user_id
        from unnest(policy.approver_group_ids) as one (id)
          cross join lateral (select user_id from group_users where group_id = one.id) as members) as person (id)
      join users on users.id = person.id where users.is_active limit 612) as decider limit 6);
end $$;

create or replace function count_deciders(its_group int, requester int, others int[]) returns bigint language sql stable as $$
  select least(5, cardinality(array_remove(first_deciders(its_group, others), requester)))
$$;

-- Who was notified of a request.
create index notifications_of_access_requests on notifications (related_id) where related_type = 'access_request';
