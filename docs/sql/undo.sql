-- restoreCategory
with
  free as (
    select
      id
    from
      services
    where
      id = any ($1::int[])
      and category_id is null
    order by
      id
    for no key update
  ),
  filled as (
    update services
    set
      category_id = $2,
      updated_at = clock_timestamp()
    where
      id in (
        select
          id
        from
          free
      )
    returning
      id
  )
select
  id
from
  filled
order by
  id;

-- restoreGroup
-- restoreRole
select
  program.id as user_id,
  was.expires_at
from
  jsonb_to_recordset($1::jsonb) as was (user_id int, expires_at timestamptz)
  join users as program on program.id = was.user_id
  and program.kind = 'service'
where
  was.expires_at is null
  or was.expires_at > statement_timestamp()
order by
  program.id
for key share of
  program;

-- restoreGroup
with
  due as materialized (
    select
      group_id,
      $1 = any (was.asker_group_ids)
      and not (
        policy.requestable
        and policy.asker_group_ids = '{}'
      ) as of_askers,
      $2 = any (was.approver_group_ids) as of_approvers,
      $3 = any (was.asker_group_ids)
      and was.requestable
      and not policy.requestable
      and policy.asker_group_ids = '{}'
      and not exists (
        select
        from
          group_roles
        where
          group_roles.group_id = policy.group_id
          and role_id = (
            select
              id
            from
              roles
            where
              name = 'admin'
          )
        union all
        select
        from
          groups_from_elsewhere as managed
        where
          managed.group_id = policy.group_id
      ) as opens
    from
      jsonb_populate_recordset(null::request_policies, $4::jsonb) as was
      join request_policies as policy using (group_id)
    order by
      group_id
    for update of
      policy
  )
update request_policies as policy
set
  requestable = policy.requestable
  or opens,
  asker_group_ids = case
    when of_askers then array(
      select
        unnest(policy."asker_group_ids")
      union
      select
        $5::int
      order by
        1
    )
    else asker_group_ids
  end,
  approver_group_ids = case
    when of_approvers then array(
      select
        unnest(policy."approver_group_ids")
      union
      select
        $6::int
      order by
        1
    )
    else approver_group_ids
  end
from
  due
where
  policy.group_id = due.group_id
  and (
    of_askers
    or of_approvers
  )
returning
  policy.group_id,
  of_askers,
  of_approvers,
  opens;
