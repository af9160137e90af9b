-- readApprovals
select
  o.id as order_id,
  waiting.key as step,
  (
    select
      json_agg(
        json_build_object(
          'key',
          key,
          'nameAr',
          name_ar,
          'nameEn',
          name_en,
          'needed',
          case
            when done_at is null then greatest(
              1,
              least(
                needed,
                (
                  select
                    count(*)
                  from
                    step_approvers (step.order_id, step.place)
                )
              )
            )
            else needed
          end,
          'approvals',
          (
            select
              coalesce(
                json_agg(
                  json_build_object(
                    'by',
                    (
                      select
                        json_build_object(
                          'id',
                          approver_id,
                          'username',
                          coalesce(u.username, approver_username),
                          'displayNameAr',
                          u.display_name_ar,
                          'displayNameEn',
                          u.display_name_en,
                          'avatarUrl',
                          u.avatar_url
                        )
                      from
                        (
                          select
                        ) as one
                        left join users u on u.id = approver_id
                    ),
                    'asAdmin',
                    as_admin,
                    'note',
                    note,
                    'at',
                    to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
                  )
                  order by
                    at,
                    approver_id
                ),
                '[]'
              )
            from
              order_approvals as given
            where
              (given.order_id, given.place) = (step.order_id, step.place)
              and not is_denial
          ),
          'doneAt',
          to_char(done_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        )
        order by
          step.place
      )
    from
      order_steps as step
    where
      step.order_id = o.id
  ) as steps,
  waiting.opened_at + interval '336 hours' as lapses_at,
  case
    when waiting.key is null then '[]'::json
    else (
      select
        coalesce(
          json_agg(
            json_build_object('id', u.id, 'username', u.username, 'displayNameAr', u.display_name_ar, 'displayNameEn', u.display_name_en, 'avatarUrl', u.avatar_url)
            order by
              one.place,
              u.id
          ),
          '[]'
        )
      from
        (
          select
            *
          from
            step_waits_for (waiting.order_id, waiting.place)
          order by
            place,
            id
          limit
            20
        ) as one
        join users as u on u.id = one.id
    )
  end as waits_for,
  case
    when o.hold is null then 'approved'
    when o.hold = 'waiting'
    and not isOver then 'waiting'
    when lapse_reason is null
    and not isOver then 'denied'
    else 'lapsed'
  end as state,
  case
    when isOver is not true then lapse_reason
    when exists (
      select
      from
        users
      where
        id = coalesce(details.beneficiary_id, o.user_id)
        and is_active
    ) then 'undecided'
    else 'requester_gone'
  end as lapse_reason,
  (
    select
      note
    from
      order_approvals
    where
      order_id = o.id
      and is_denial
  ) as denial
from
  orders as o
  join order_details as details on details.order_id = o.id
  left join order_steps as waiting on waiting.order_id = o.id
  and waiting.opened_at is not null
  and waiting.done_at is null
  and is_open (waiting)
  cross join lateral (
    select
      o.hold = 'waiting'
      and o.status = 'pending'
      and waiting.key is null as isOver
  ) as ended
where
  o.id = any ($1::int[])
  and needs_approval;

-- findDeciding
select
  asked.id,
  decides_order (asked.id, $1) as is_decider,
  step.order_id is not null as is_open,
  step.order_id is not null
  and approves_step (step, $2) as is_approver
from
  unnest($3::int[]) as asked (id)
  left join order_steps as step on step.order_id = asked.id
  and step.opened_at is not null
  and step.done_at is null
  and is_open (step);

-- findAsked
with
  step as materialized (
    select
      *
    from
      json_to_recordset($1::json) as step (id int, "userId" int, place int)
    order by
      "userId"
  ),
  noted as (
    insert into
      reminders (kind, subject_id, object_id)
    select
      $2,
      id,
      -1 - place
    from
      step
    where
      not exists (
        select
        from
          step_approvers (step.id, step.place)
      )
    on conflict do nothing
  )
select
  step.id,
  asked.ids[:share_notices ("userId", cardinality(asked.ids))] as ids
from
  step
  cross join lateral (
    select
      array(
        select
          waiting.id
        from
          step_waits_for (step.id, step.place) as waiting
        order by
          waiting.place,
          waiting.id
        limit
          $3
      ) as ids
    offset
      0
  ) as asked;

-- release
with
  written as (
    update orders
    set
      hold = null,
      updated_at = clock_timestamp()
    where
      id = $1
    returning
      *
  ),
  noted as (
    update order_details as details
    set
      received_at = case
        when first.is_claim then now
        else details.received_at
      end,
      received_in_time = case
        when not first.is_claim then details.received_in_time
        when known.receive_due is not null then coalesce(now < receive_by (known), true)
      end,
      completed_at = case
        when first.is_completion then now
        else details.completed_at
      end,
      completed_in_time = case
        when not first.is_completion then details.completed_in_time
        when num_nonnulls (known.complete_due, known.wanted_at) > 0 then coalesce(now < complete_by (known), true)
      end,
      used_time = case
        when first.is_completion then time - details.started - details.paused - pause
        else details.used_time
      end,
      paused = details.paused + pause,
      complete_due = details.complete_due + case
        when known.wanted_at is null then pause
        else 0
      end,
      waiting_for = null,
      waiting_text = null,
      waiting_since = null,
      waiting_until = null,
      paused_from = null,
      due = case
        when written.status in ('completed', 'cancelled')
        or details.completed_at is not null then null
        when known.wanted_at is not null then known.started
        when written.status = 'pending'
        and details.received_at is null then coalesce(details.receive_due, details.complete_due)
        else details.complete_due + pause
      end
    from
      written
      join order_details as known on known.order_id = written.id
      cross join lateral (
        select
          clock_timestamp() as now
      ) as clock
      cross join lateral (
        select
          working_time (known.calendar_id, now) as time,
          case
            when known.paused_from is null then 0
            else working_time (known.calendar_id, least(now, known.waiting_until)) - known.paused_from
          end as pause
      ) as worked
      cross join lateral (
        select
          known.received_at is null
          and written.status in ('received', 'preparing', 'completed') as is_claim,
          known.completed_at is null
          and written.status = 'completed' as is_completion
      ) as first
    where
      details.order_id = written.id
      and (
        details.calendar_id is not null
        or details.waiting_since is not null
      )
    returning
      details.order_id,
      known.waiting_since is not null
      and coalesce(known.waiting_until > now, true) as was_waiting
  )
select
  o.id,
  o.service_id,
  o.user_id,
  o.assigned_to,
  o.notes,
  o.status,
  o.created_at,
  o.updated_at,
  o.hold,
  known.beneficiary_id,
  coalesce(known.needs_approval, false) as needs_approval,
  case
    when known.beneficiary_id is not null then (
      select
        json_build_object(
          'isAdmin',
          exists (
            select
            from
              effective_roles
              join roles on roles.id = role_id
            where
              user_id = one.id
              and roles.name = 'admin'
            offset
              0
          ),
          'isReceiver',
          exists (
            select
            from
              users as receiver
              join effective_roles on user_id = receiver.id
              join role_permissions using (role_id)
              join permissions on permissions.id = permission_id
            where
              receiver.id = one.id
              and receiver.is_active
              and permissions.name = 'orders.receive'
            offset
              0
          )
          and (
            coalesce(o.team_id, handling.team_id) is null
            or exists (
              select
              from
                group_users
              where
                user_id = one.id
                and group_id = any (
                  array(
                    select
                      unnest(group_ids)
                    from
                      service_teams
                    where
                      id = coalesce(o.team_id, handling.team_id)
                  )
                )
            )
          ),
          'isLead',
          exists (
            select
            from
              service_teams
            where
              id = coalesce(o.team_id, handling.team_id)
              and one.id = any (lead_user_ids)
          )
        )
      from
        users as one
      where
        one.id = known.beneficiary_id
        and one.is_active
    )
  end as beneficiary,
  json_build_object('id', services.id, 'nameAr', services.name_ar, 'nameEn', services.name_en, 'imageUrl', services.image_url) as service,
  case
    when requester.id is not null then json_build_object(
      'id',
      requester.id,
      'username',
      requester.username,
      'displayNameAr',
      requester.display_name_ar,
      'displayNameEn',
      requester.display_name_en,
      'avatarUrl',
      requester.avatar_url
    )
  end as requester,
  case
    when assignee.id is not null then json_build_object(
      'id',
      assignee.id,
      'username',
      assignee.username,
      'displayNameAr',
      assignee.display_name_ar,
      'displayNameEn',
      assignee.display_name_en,
      'avatarUrl',
      assignee.avatar_url
    )
  end as assignee,
  case
    when o.cancelled_at >= clock_timestamp() - interval '15 seconds'
    and o.hold is distinct from 'refused' then o.cancelled_at + interval '15 seconds'
  end as undo_until,
  o.cancelled_at >= clock_timestamp() - interval '15 seconds'
  and o.hold is distinct from 'refused'
  and not (
    exists (
      select
      from
        users as receiver
        join effective_roles on user_id = receiver.id
        join role_permissions using (role_id)
        join permissions on permissions.id = permission_id
      where
        receiver.id = o.assigned_to
        and receiver.is_active
        and permissions.name = 'orders.receive'
      offset
        0
    )
    and (
      coalesce(o.team_id, handling.team_id) is null
      or exists (
        select
        from
          group_users
        where
          user_id = o.assigned_to
          and group_id = any (
            array(
              select
                unnest(group_ids)
              from
                service_teams
              where
                id = coalesce(o.team_id, handling.team_id)
            )
          )
      )
    )
  ) as is_abandoned,
  case
    when coalesce(o.team_id, handling.team_id) is not null then (
      select
        json_build_object('id', coalesce(o.team_id, handling.team_id), 'groupIds', coalesce(max(group_ids), '{}'), 'leadUserIds', coalesce(max(lead_user_ids), '{}'))
      from
        service_teams
      where
        id = coalesce(o.team_id, handling.team_id)
    )
  end as team,
  exists (
    select
    from
      effective_roles
      join roles on roles.id = role_id
    where
      user_id = o.user_id
      and roles.name = 'admin'
    offset
      0
  ) as is_admin,
  exists (
    select
    from
      users as receiver
      join effective_roles on user_id = receiver.id
      join role_permissions using (role_id)
      join permissions on permissions.id = permission_id
    where
      receiver.id = o.user_id
      and receiver.is_active
      and permissions.name = 'orders.receive'
    offset
      0
  )
  and (
    coalesce(o.team_id, handling.team_id) is null
    or exists (
      select
      from
        group_users
      where
        user_id = o.user_id
        and group_id = any (
          array(
            select
              unnest(group_ids)
            from
              service_teams
            where
              id = coalesce(o.team_id, handling.team_id)
          )
        )
    )
  ) as is_receiver,
  exists (
    select
    from
      service_teams
    where
      id = coalesce(o.team_id, handling.team_id)
      and o.user_id = any (lead_user_ids)
  ) as is_lead,
  exists (
    select
    from
      noted
    where
      order_id = o.id
      and was_waiting
  ) as was_waiting
from
  written as o
  join services on services.id = o.service_id
  left join service_handlings as handling on handling.service_id = o.service_id
  left join lateral (
    select
      beneficiary_id,
      needs_approval
    from
      order_details
    where
      order_id = o.id
    offset
      0
  ) as known on true
  left join users as requester on requester.id = o.user_id
  left join users as assignee on assignee.id = o.assigned_to
order by
  o.id;

-- release
insert into
  order_details as details (order_id, calendar_id, started, receive_due, complete_due, due)
select
  orders.id,
  calendar.id,
  start.time,
  start.time + "receive_minutes" * 60000000::bigint,
  start.time + "complete_minutes" * 60000000::bigint,
  start.time + coalesce("receive_minutes" * 60000000::bigint, "complete_minutes" * 60000000::bigint)
from
  orders
  left join service_handlings using (service_id)
  left join service_teams as team on team.id = service_handlings.team_id
  left join order_details as known on known.order_id = orders.id
  cross join lateral (
    select
      coalesce(
        "team"."calendar_id",
        (
          select
            id
          from
            working_calendars
          where
            is_default
        )
      ) as id
  ) as calendar
  cross join lateral (
    select
      working_time (calendar.id, orders.updated_at) as time
  ) as start
where
  orders.id = $1
  and num_nonnulls (receive_minutes, complete_minutes, known.wanted_at) > 0
on conflict (order_id) do update
set
  calendar_id = excluded.calendar_id,
  started = excluded.started,
  receive_due = excluded.receive_due,
  complete_due = excluded.complete_due,
  due = case
    when details.wanted_at is null then excluded.due
    else excluded.started
  end;

-- readWritten
select
  o.id,
  o.service_id,
  o.user_id,
  o.assigned_to,
  o.notes,
  o.status,
  o.created_at,
  o.updated_at,
  o.hold,
  known.beneficiary_id,
  coalesce(known.needs_approval, false) as needs_approval,
  case
    when known.beneficiary_id is not null then (
      select
        json_build_object(
          'isAdmin',
          exists (
            select
            from
              effective_roles
              join roles on roles.id = role_id
            where
              user_id = one.id
              and roles.name = 'admin'
            offset
              0
          ),
          'isReceiver',
          exists (
            select
            from
              users as receiver
              join effective_roles on user_id = receiver.id
              join role_permissions using (role_id)
              join permissions on permissions.id = permission_id
            where
              receiver.id = one.id
              and receiver.is_active
              and permissions.name = 'orders.receive'
            offset
              0
          )
          and (
            coalesce(o.team_id, handling.team_id) is null
            or exists (
              select
              from
                group_users
              where
                user_id = one.id
                and group_id = any (
                  array(
                    select
                      unnest(group_ids)
                    from
                      service_teams
                    where
                      id = coalesce(o.team_id, handling.team_id)
                  )
                )
            )
          ),
          'isLead',
          exists (
            select
            from
              service_teams
            where
              id = coalesce(o.team_id, handling.team_id)
              and one.id = any (lead_user_ids)
          )
        )
      from
        users as one
      where
        one.id = known.beneficiary_id
        and one.is_active
    )
  end as beneficiary,
  json_build_object('id', services.id, 'nameAr', services.name_ar, 'nameEn', services.name_en, 'imageUrl', services.image_url) as service,
  case
    when requester.id is not null then json_build_object(
      'id',
      requester.id,
      'username',
      requester.username,
      'displayNameAr',
      requester.display_name_ar,
      'displayNameEn',
      requester.display_name_en,
      'avatarUrl',
      requester.avatar_url
    )
  end as requester,
  case
    when assignee.id is not null then json_build_object(
      'id',
      assignee.id,
      'username',
      assignee.username,
      'displayNameAr',
      assignee.display_name_ar,
      'displayNameEn',
      assignee.display_name_en,
      'avatarUrl',
      assignee.avatar_url
    )
  end as assignee,
  case
    when o.cancelled_at >= clock_timestamp() - interval '15 seconds'
    and o.hold is distinct from 'refused' then o.cancelled_at + interval '15 seconds'
  end as undo_until,
  o.cancelled_at >= clock_timestamp() - interval '15 seconds'
  and o.hold is distinct from 'refused'
  and not (
    exists (
      select
      from
        users as receiver
        join effective_roles on user_id = receiver.id
        join role_permissions using (role_id)
        join permissions on permissions.id = permission_id
      where
        receiver.id = o.assigned_to
        and receiver.is_active
        and permissions.name = 'orders.receive'
      offset
        0
    )
    and (
      coalesce(o.team_id, handling.team_id) is null
      or exists (
        select
        from
          group_users
        where
          user_id = o.assigned_to
          and group_id = any (
            array(
              select
                unnest(group_ids)
              from
                service_teams
              where
                id = coalesce(o.team_id, handling.team_id)
            )
          )
      )
    )
  ) as is_abandoned,
  case
    when coalesce(o.team_id, handling.team_id) is not null then (
      select
        json_build_object('id', coalesce(o.team_id, handling.team_id), 'groupIds', coalesce(max(group_ids), '{}'), 'leadUserIds', coalesce(max(lead_user_ids), '{}'))
      from
        service_teams
      where
        id = coalesce(o.team_id, handling.team_id)
    )
  end as team,
  exists (
    select
    from
      effective_roles
      join roles on roles.id = role_id
    where
      user_id = o.user_id
      and roles.name = 'admin'
    offset
      0
  ) as is_admin,
  exists (
    select
    from
      users as receiver
      join effective_roles on user_id = receiver.id
      join role_permissions using (role_id)
      join permissions on permissions.id = permission_id
    where
      receiver.id = o.user_id
      and receiver.is_active
      and permissions.name = 'orders.receive'
    offset
      0
  )
  and (
    coalesce(o.team_id, handling.team_id) is null
    or exists (
      select
      from
        group_users
      where
        user_id = o.user_id
        and group_id = any (
          array(
            select
              unnest(group_ids)
            from
              service_teams
            where
              id = coalesce(o.team_id, handling.team_id)
          )
        )
    )
  ) as is_receiver,
  exists (
    select
    from
      service_teams
    where
      id = coalesce(o.team_id, handling.team_id)
      and o.user_id = any (lead_user_ids)
  ) as is_lead
from
  orders as o
  join services on services.id = o.service_id
  left join service_handlings as handling on handling.service_id = o.service_id
  left join lateral (
    select
      beneficiary_id,
      needs_approval
    from
      order_details
    where
      order_id = o.id
    offset
      0
  ) as known on true
  left join users as requester on requester.id = o.user_id
  left join users as assignee on assignee.id = o.assigned_to
where
  o.id = any ($1::int[])
order by
  o.id;

-- viewsOf
select
  o.id,
  o.service_id,
  o.user_id,
  o.assigned_to,
  o.notes,
  o.status,
  o.created_at,
  o.updated_at,
  o.hold,
  known.beneficiary_id,
  coalesce(known.needs_approval, false) as needs_approval,
  case
    when known.beneficiary_id is not null then (
      select
        json_build_object(
          'isAdmin',
          exists (
            select
            from
              effective_roles
              join roles on roles.id = role_id
            where
              user_id = one.id
              and roles.name = 'admin'
            offset
              0
          ),
          'isReceiver',
          exists (
            select
            from
              users as receiver
              join effective_roles on user_id = receiver.id
              join role_permissions using (role_id)
              join permissions on permissions.id = permission_id
            where
              receiver.id = one.id
              and receiver.is_active
              and permissions.name = 'orders.receive'
            offset
              0
          )
          and (
            coalesce(o.team_id, handling.team_id) is null
            or exists (
              select
              from
                group_users
              where
                user_id = one.id
                and group_id = any (
                  array(
                    select
                      unnest(group_ids)
                    from
                      service_teams
                    where
                      id = coalesce(o.team_id, handling.team_id)
                  )
                )
            )
          ),
          'isLead',
          exists (
            select
            from
              service_teams
            where
              id = coalesce(o.team_id, handling.team_id)
              and one.id = any (lead_user_ids)
          )
        )
      from
        users as one
      where
        one.id = known.beneficiary_id
        and one.is_active
    )
  end as beneficiary,
  json_build_object('id', services.id, 'nameAr', services.name_ar, 'nameEn', services.name_en, 'imageUrl', services.image_url) as service,
  case
    when requester.id is not null then json_build_object(
      'id',
      requester.id,
      'username',
      requester.username,
      'displayNameAr',
      requester.display_name_ar,
      'displayNameEn',
      requester.display_name_en,
      'avatarUrl',
      requester.avatar_url
    )
  end as requester,
  case
    when assignee.id is not null then json_build_object(
      'id',
      assignee.id,
      'username',
      assignee.username,
      'displayNameAr',
      assignee.display_name_ar,
      'displayNameEn',
      assignee.display_name_en,
      'avatarUrl',
      assignee.avatar_url
    )
  end as assignee,
  case
    when o.cancelled_at >= clock_timestamp() - interval '15 seconds'
    and o.hold is distinct from 'refused' then o.cancelled_at + interval '15 seconds'
  end as undo_until,
  o.cancelled_at >= clock_timestamp() - interval '15 seconds'
  and o.hold is distinct from 'refused'
  and not (
    exists (
      select
      from
        users as receiver
        join effective_roles on user_id = receiver.id
        join role_permissions using (role_id)
        join permissions on permissions.id = permission_id
      where
        receiver.id = o.assigned_to
        and receiver.is_active
        and permissions.name = 'orders.receive'
      offset
        0
    )
    and (
      coalesce(o.team_id, handling.team_id) is null
      or exists (
        select
        from
          group_users
        where
          user_id = o.assigned_to
          and group_id = any (
            array(
              select
                unnest(group_ids)
              from
                service_teams
              where
                id = coalesce(o.team_id, handling.team_id)
            )
          )
      )
    )
  ) as is_abandoned,
  case
    when coalesce(o.team_id, handling.team_id) is not null then (
      select
        json_build_object('id', coalesce(o.team_id, handling.team_id), 'groupIds', coalesce(max(group_ids), '{}'), 'leadUserIds', coalesce(max(lead_user_ids), '{}'))
      from
        service_teams
      where
        id = coalesce(o.team_id, handling.team_id)
    )
  end as team
from
  orders as o
  join services on services.id = o.service_id
  left join service_handlings as handling on handling.service_id = o.service_id
  left join lateral (
    select
      beneficiary_id,
      needs_approval
    from
      order_details
    where
      order_id = o.id
    offset
      0
  ) as known on true
  left join users as requester on requester.id = o.user_id
  left join users as assignee on assignee.id = o.assigned_to
where
  o.id = any ($1::int[]);

-- keepTerms
insert into
  order_details (order_id, beneficiary_id, beneficiary_username, needs_approval)
select
  "orderId",
  users.id,
  users.username,
  "isHeld"
from
  json_to_recordset($1::json) as line("orderId" int, "forUserId" int, "isHeld" boolean)
  left join lateral (
    select
      id,
      username
    from
      users
    where
      id = "forUserId"
    offset
      0
  ) as users on true
on conflict (order_id) do update
set
  beneficiary_id = excluded.beneficiary_id,
  beneficiary_username = excluded.beneficiary_username,
  needs_approval = excluded.needs_approval;

-- findOrdering
select
  not exists (
    select
    from
      service_handlings
      left join service_teams on service_teams.id = team_id
    where
      service_id = services.id
      and audience = 'groups'
      and not "audience_group_ids" && $1::int[]
      and not (
        on_behalf = 'everyone'
        or on_behalf = 'groups'
        and "on_behalf_group_ids" && $2::int[]
        or coalesce(
          $3 = any (lead_user_ids)
          or $4
          and "group_ids" && $5::int[],
          false
        )
      )
  ) as is_known,
  exists (
    select
    from
      service_handlings
      left join service_teams on service_teams.id = team_id
    where
      service_id = services.id
      and (
        on_behalf = 'everyone'
        or on_behalf = 'groups'
        and "on_behalf_group_ids" && $6::int[]
        or coalesce(
          $7 = any (lead_user_ids)
          or $8
          and "group_ids" && $9::int[],
          false
        )
      )
  ) as may_order_for_others
from
  services
where
  id = $10;

-- passOn
with
  held as materialized (
    select
      id
    from
      orders
    where
      user_id = $1
      and exists (
        select
        from
          order_details
          join users on users.id = beneficiary_id
        where
          order_id = "orders"."id"
          and users.id <> all ($2::int[])
      )
    order by
      id
    for update
  ),
  passed as (
    update orders
    set
      user_id = beneficiary_id,
      updated_at = case
        when status in ('completed', 'cancelled') then updated_at
        else clock_timestamp()
      end
    from
      order_details as details
    where
      details.order_id = orders.id
      and orders.id = any (
        array(
          select
            id
          from
            held
        )
      )
    returning
      orders.id
  ),
  noted as (
    update order_details
    set
      beneficiary_id = null,
      beneficiary_username = null
    where
      order_id = any (
        array(
          select
            id
          from
            passed
        )
      )
  )
select
  id
from
  passed;

-- pageOrderDetails, of its approvers
select
  step.order_id as id
from
  (
    select
      *
    from
      order_steps as step
    where
      step.opened_at is not null
      and step.done_at is null
      and user_ids @> array[$1]::int[]
    union all
    select
      *
    from
      order_steps as step
    where
      step.opened_at is not null
      and step.done_at is null
      and group_ids && $2::int[]
    union all
    select
      *
    from
      order_steps as step
    where
      step.opened_at is not null
      and step.done_at is null
      and manager
      and order_id = any (
        array(
          select
            orders.id
          from
            managers
            join orders on orders.user_id = managers.user_id
          where
            manager_id = $3
            and hold = 'waiting'
          union all
          select
            order_id
          from
            managers
            join order_details on beneficiary_id = managers.user_id
          where
            manager_id = $4
        )
      )
  ) as mine
  join order_steps as step using (order_id, place)
where
  is_open (step)
  and approves_step (step, $5);

-- pageOrderDetails, of its approvers
-- pageOrderDetails, of administrators
select
  count(*) filter (
    where
      o.hold = 'waiting'
  ) as "held",
  count(*) filter (
    where
      is_waiting (details)
  ) as "waiting",
  count(*) filter (
    where
      case
        when details.wanted_at is null
        and details.paused_from is null then details.due <= clock.now
        else case
          when details.due is not null then next_by (details)
        end <= statement_timestamp()
      end
  ) as "late",
  count(*) filter (
    where
      case
        when details.wanted_at is null
        and details.paused_from is null then details.due > clock.now
        and (
          details.due < clock.tonight
          or details.due = clock.tonight
          and case
            when details.due is not null then next_by (details)
          end < (
            select
              end_of_day ((statement_timestamp() at time zone usable_time_zone (time_zone))::date)
            from
              settings
          )
        )
        else not is_waiting (details)
        and case
          when details.due is not null then next_by (details)
        end > statement_timestamp()
        and case
          when details.due is not null then next_by (details)
        end < (
          select
            end_of_day ((statement_timestamp() at time zone usable_time_zone (time_zone))::date)
          from
            settings
        )
      end
  ) as "due_today",
  count(*) filter (
    where
      is_for_later (details)
  ) as "later"
from
  orders as o
  left join service_handlings as handling using (service_id)
  left join order_details as details on order_id = o.id
  left join (
    select
      id,
      working_time (id, statement_timestamp()) as now,
      working_time (
        id,
        (
          select
            end_of_day ((statement_timestamp() at time zone usable_time_zone (time_zone))::date)
          from
            settings
        )
      ) as tonight
    from
      working_calendars
    offset
      0
  ) as clock on clock.id = details.calendar_id
where
  o.id = any ($1::int[])
  and (
    o.status = 'pending'
    or o.status in ('received', 'preparing')
  );

-- pageOrderDetails, of its approvers
-- pageOrderDetails, of administrators
select
  count(*)
from
  orders as o
  left join service_handlings as handling using (service_id)
  left join order_details as details on order_id = o.id
  left join (
    select
      id,
      working_time (id, statement_timestamp()) as now,
      working_time (
        id,
        (
          select
            end_of_day ((statement_timestamp() at time zone usable_time_zone (time_zone))::date)
          from
            settings
        )
      ) as tonight
    from
      working_calendars
    offset
      0
  ) as clock on clock.id = details.calendar_id
where
  o.id = any ($1::int[]);

-- pageOrderDetails, of its approvers
-- pageOrderDetails, of administrators
select
  o.id,
  o.service_id,
  o.user_id,
  o.assigned_to,
  o.notes,
  o.status,
  o.created_at,
  o.updated_at,
  o.hold,
  known.beneficiary_id,
  coalesce(known.needs_approval, false) as needs_approval,
  case
    when known.beneficiary_id is not null then (
      select
        json_build_object(
          'isAdmin',
          exists (
            select
            from
              effective_roles
              join roles on roles.id = role_id
            where
              user_id = one.id
              and roles.name = 'admin'
            offset
              0
          ),
          'isReceiver',
          exists (
            select
            from
              users as receiver
              join effective_roles on user_id = receiver.id
              join role_permissions using (role_id)
              join permissions on permissions.id = permission_id
            where
              receiver.id = one.id
              and receiver.is_active
              and permissions.name = 'orders.receive'
            offset
              0
          )
          and (
            coalesce(o.team_id, handling.team_id) is null
            or exists (
              select
              from
                group_users
              where
                user_id = one.id
                and group_id = any (
                  array(
                    select
                      unnest(group_ids)
                    from
                      service_teams
                    where
                      id = coalesce(o.team_id, handling.team_id)
                  )
                )
            )
          ),
          'isLead',
          exists (
            select
            from
              service_teams
            where
              id = coalesce(o.team_id, handling.team_id)
              and one.id = any (lead_user_ids)
          )
        )
      from
        users as one
      where
        one.id = known.beneficiary_id
        and one.is_active
    )
  end as beneficiary,
  json_build_object('id', services.id, 'nameAr', services.name_ar, 'nameEn', services.name_en, 'imageUrl', services.image_url) as service,
  case
    when requester.id is not null then json_build_object(
      'id',
      requester.id,
      'username',
      requester.username,
      'displayNameAr',
      requester.display_name_ar,
      'displayNameEn',
      requester.display_name_en,
      'avatarUrl',
      requester.avatar_url
    )
  end as requester,
  case
    when assignee.id is not null then json_build_object(
      'id',
      assignee.id,
      'username',
      assignee.username,
      'displayNameAr',
      assignee.display_name_ar,
      'displayNameEn',
      assignee.display_name_en,
      'avatarUrl',
      assignee.avatar_url
    )
  end as assignee,
  case
    when o.cancelled_at >= clock_timestamp() - interval '15 seconds'
    and o.hold is distinct from 'refused' then o.cancelled_at + interval '15 seconds'
  end as undo_until,
  o.cancelled_at >= clock_timestamp() - interval '15 seconds'
  and o.hold is distinct from 'refused'
  and not (
    exists (
      select
      from
        users as receiver
        join effective_roles on user_id = receiver.id
        join role_permissions using (role_id)
        join permissions on permissions.id = permission_id
      where
        receiver.id = o.assigned_to
        and receiver.is_active
        and permissions.name = 'orders.receive'
      offset
        0
    )
    and (
      coalesce(o.team_id, handling.team_id) is null
      or exists (
        select
        from
          group_users
        where
          user_id = o.assigned_to
          and group_id = any (
            array(
              select
                unnest(group_ids)
              from
                service_teams
              where
                id = coalesce(o.team_id, handling.team_id)
            )
          )
      )
    )
  ) as is_abandoned,
  case
    when coalesce(o.team_id, handling.team_id) is not null then (
      select
        json_build_object('id', coalesce(o.team_id, handling.team_id), 'groupIds', coalesce(max(group_ids), '{}'), 'leadUserIds', coalesce(max(lead_user_ids), '{}'))
      from
        service_teams
      where
        id = coalesce(o.team_id, handling.team_id)
    )
  end as team
from
  (
    select
      o.*,
      null::timestamptz as next_at
    from
      orders as o
      left join service_handlings as handling using (service_id)
      left join order_details as details on order_id = o.id
      left join (
        select
          id,
          working_time (id, statement_timestamp()) as now,
          working_time (
            id,
            (
              select
                end_of_day ((statement_timestamp() at time zone usable_time_zone (time_zone))::date)
              from
                settings
            )
          ) as tonight
        from
          working_calendars
        offset
          0
      ) as clock on clock.id = details.calendar_id
    where
      o.id = any ($1::int[])
    order by
      id
    limit
      $2
    offset
      $3
  ) as o
  join services on services.id = o.service_id
  left join service_handlings as handling on handling.service_id = o.service_id
  left join lateral (
    select
      beneficiary_id,
      needs_approval
    from
      order_details
    where
      order_id = o.id
    offset
      0
  ) as known on true
  left join users as requester on requester.id = o.user_id
  left join users as assignee on assignee.id = o.assigned_to
order by
  o.id;

-- pageOrderDetails, of its approvers
-- pageOrderDetails, of administrators
select
  o.id as order_id,
  team.id as team_id,
  team.name_ar as team_name_ar,
  team.name_en as team_name_en,
  case
    when beneficiary_id is not null then (
      select
        json_build_object(
          'id',
          beneficiary_id,
          'username',
          coalesce(u.username, beneficiary_username),
          'displayNameAr',
          u.display_name_ar,
          'displayNameEn',
          u.display_name_en,
          'avatarUrl',
          u.avatar_url
        )
      from
        (
          select
        ) as one
        left join users u on u.id = beneficiary_id
    )
  end as beneficiary,
  form_version,
  fields,
  answers,
  wanted_at,
  receive_by (details) as receive_by,
  complete_by (details) as complete_by,
  coalesce(details.received_at, figures.received_at) as received_at,
  coalesce(details.completed_at, figures.completed_at) as completed_at,
  details.received_in_time,
  details.completed_in_time,
  coalesce(next_by (details) <= statement_timestamp(), false) as is_late,
  coalesce(
    details.used_time,
    figures.complete_time,
    case
      when exists (
        select
        from
          working_calendars
        where
          id = details.calendar_id
      ) then working_time (details.calendar_id, coalesce(o.cancelled_at, statement_timestamp())) - details.started - details.paused - (
        case
          when details.paused_from is null then 0
          else working_time (details.calendar_id, least(statement_timestamp(), details.waiting_until)) - details.paused_from
        end
      )
    end
  ) / 60000000 as minutes_used,
  o.status in ('completed', 'cancelled')
  and o.updated_at + make_interval(days => 14) <= statement_timestamp() as is_closed,
  coalesce(is_waiting (details), false) as is_waiting,
  coalesce(transfer_count, 0) as transfer_count,
  coalesce(details.reopen_count, 0) as reopen_count,
  exists (
    select
    from
      order_figures as figures
      join service_handlings as set_for using (service_id)
    where
      figures.order_id = o.id
      and clock_timestamp() <= figures.completed_at + make_interval(days => reopen_days)
      and reopen_days > 0
  ) as is_in_time,
  (
    select
      count(*)
    from
      order_messages
    where
      order_id = o.id
      and is_counted
  ) as message_count,
  (
    select
      count(*)
    from
      order_internal_notes
    where
      order_id = o.id
      and is_counted
  ) as note_count,
  coalesce(is_for_later (details), false) as is_for_later,
  waiting_for,
  waiting_text,
  waiting_since,
  waiting_until,
  cancel_reason,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', uuid, 'name', name, 'size', size, 'contentType', content_type)
          order by
            object_id
        )
      from
        order_files as used
        join objects on objects.id = object_id
      where
        used.order_id = o.id
        and message_id is null
        and note_id is null
    ),
    '[]'
  ) as files,
  (
    select
      max(created_at)
    from
      order_messages
    where
      order_id = o.id
  ) as last_message_at,
  exists (
    select
    from
      notifications
    where
      user_id = $1
      and related_type = 'order'
      and related_id = o.id
      and template = 'order_message'
      and read_at is null
  ) as unread
from
  orders as o
  left join service_handlings as handling using (service_id)
  left join lateral named_team (coalesce(o.team_id, handling.team_id)) as team on true
  left join order_details as details on details.order_id = o.id
  left join order_figures as figures on figures.order_id = o.id
  left join service_forms as form on form.service_id = o.service_id
  and form.version = form_version
where
  o.id = any ($2::int[]);

-- pageOrderDetails, of administrators
select
  step.order_id as id
from
  (
    select
      *
    from
      order_steps as step
    where
      step.opened_at is not null
      and step.done_at is null
      and user_ids @> array[$1]::int[]
    union all
    select
      *
    from
      order_steps as step
    where
      step.opened_at is not null
      and step.done_at is null
      and group_ids && $2::int[]
    union all
    select
      *
    from
      order_steps as step
    where
      step.opened_at is not null
      and step.done_at is null
      and manager
      and order_id = any (
        array(
          select
            orders.id
          from
            managers
            join orders on orders.user_id = managers.user_id
          where
            manager_id = $3
            and hold = 'waiting'
          union all
          select
            order_id
          from
            managers
            join order_details on beneficiary_id = managers.user_id
          where
            manager_id = $4
        )
      )
  ) as mine
  join order_steps as step using (order_id, place)
where
  is_open (step)
  and approves_step (step, $5)
union
select
  id
from
  (
    select
      step.order_id as id,
      step.place,
      step.opened_at,
      orders.user_id,
      beneficiary.id as beneficiary_id
    from
      order_steps as step
      join orders on orders.id = step.order_id
      left join order_details as details on details.order_id = orders.id
      join users as beneficiary on beneficiary.id = coalesce(details.beneficiary_id, orders.user_id)
      and beneficiary.is_active
    where
      step.opened_at is not null
      and step.done_at is null
      and hold = 'waiting'
      and status = 'pending'
      and opened_at > statement_timestamp() - interval '336 hours'
      and not exists (
        select
        from
          users
        where
          users.id = any (user_ids)
          and users.is_active
          and users.kind = 'person'
          and users.id not in (orders.user_id, beneficiary.id)
          and not exists (
            select
            from
              order_approvals as given
            where
              (given.order_id, given.place, given.approver_id) = (step.order_id, step.place, users.id)
            offset
              0
          )
      )
      and not exists (
        select
        from
          group_users
          cross join lateral (
            select
              *
            from
              users
            where
              id = group_users.user_id
            offset
              0
          ) as users
        where
          group_id = any (group_ids)
          and users.is_active
          and users.kind = 'person'
          and users.id not in (orders.user_id, beneficiary.id)
          and not exists (
            select
            from
              order_approvals as given
            where
              (given.order_id, given.place, given.approver_id) = (step.order_id, step.place, users.id)
            offset
              0
          )
      )
      and not (
        manager
        and exists (
          select
          from
            managers
            join users on users.id = manager_id
          where
            managers.user_id = beneficiary.id
            and users.is_active
            and users.kind = 'person'
            and users.id not in (orders.user_id, beneficiary.id)
            and not exists (
              select
              from
                order_approvals as given
              where
                (given.order_id, given.place, given.approver_id) = (step.order_id, step.place, users.id)
              offset
                0
            )
        )
      )
  ) as step
where
  $6 not in (user_id, beneficiary_id);

-- addText
with
  approving as materialized (
    select
      approver.id,
      approver.place
    from
      order_steps as step
      cross join lateral step_approvers (step.order_id, step.place) as approver
    where
      step.order_id = $1
      and is_open (step)
  )
select
  array(
    select
      id
    from
      approving
    order by
      place,
      id
    limit
      $2
  ) as ids
where
  exists (
    select
    from
      ledger
    where
      target_type = 'order'
      and target_id = $3
      and kind = 'order.messaged'
      and actor_id in (
        select
          id
        from
          approving
      )
  );

-- approvalReminders
with
  last as (
    select distinct
      on (subject_id, object_id) subject_id,
      object_id,
      deadline,
      days,
      due_at
    from
      (
        select
          o.id as subject_id,
          step.place as object_id,
          'infinity'::timestamptz as deadline,
          stage.days,
          working_day_after (calendar.id, step.opened_at, stage.days) as due_at
        from
          order_steps as step
          cross join lateral (
            select
              id,
              service_id,
              team_id
            from
              orders
            where
              id = step.order_id
            offset
              0
          ) as o
          left join service_handlings as handling using (service_id)
          left join service_teams as team on team.id = coalesce(o.team_id, handling.team_id)
          cross join lateral (
            select
              coalesce(
                "team"."calendar_id",
                (
                  select
                    id
                  from
                    working_calendars
                  where
                    is_default
                )
              ) as id
          ) as calendar
          cross join (
            values
              (1),
              (3)
          ) as stage (days)
        where
          step.opened_at <= statement_timestamp() - interval '12 hours'
          and step.done_at is null
          and is_open (step)
        union all
        select
          id,
          -1 - place,
          'infinity',
          0,
          opened_at
        from
          (
            select
              step.order_id as id,
              step.place,
              step.opened_at,
              orders.user_id,
              beneficiary.id as beneficiary_id
            from
              order_steps as step
              join orders on orders.id = step.order_id
              left join order_details as details on details.order_id = orders.id
              join users as beneficiary on beneficiary.id = coalesce(details.beneficiary_id, orders.user_id)
              and beneficiary.is_active
            where
              step.opened_at is not null
              and step.done_at is null
              and hold = 'waiting'
              and status = 'pending'
              and opened_at > statement_timestamp() - interval '336 hours'
              and not exists (
                select
                from
                  users
                where
                  users.id = any (user_ids)
                  and users.is_active
                  and users.kind = 'person'
                  and users.id not in (orders.user_id, beneficiary.id)
                  and not exists (
                    select
                    from
                      order_approvals as given
                    where
                      (given.order_id, given.place, given.approver_id) = (step.order_id, step.place, users.id)
                    offset
                      0
                  )
              )
              and not exists (
                select
                from
                  group_users
                  cross join lateral (
                    select
                      *
                    from
                      users
                    where
                      id = group_users.user_id
                    offset
                      0
                  ) as users
                where
                  group_id = any (group_ids)
                  and users.is_active
                  and users.kind = 'person'
                  and users.id not in (orders.user_id, beneficiary.id)
                  and not exists (
                    select
                    from
                      order_approvals as given
                    where
                      (given.order_id, given.place, given.approver_id) = (step.order_id, step.place, users.id)
                    offset
                      0
                  )
              )
              and not (
                manager
                and exists (
                  select
                  from
                    managers
                    join users on users.id = manager_id
                  where
                    managers.user_id = beneficiary.id
                    and users.is_active
                    and users.kind = 'person'
                    and users.id not in (orders.user_id, beneficiary.id)
                    and not exists (
                      select
                      from
                        order_approvals as given
                      where
                        (given.order_id, given.place, given.approver_id) = (step.order_id, step.place, users.id)
                      offset
                        0
                    )
                )
              )
          ) as step
      ) as planned
    where
      due_at <= statement_timestamp()
    order by
      subject_id,
      object_id,
      due_at desc
  ),
  due as materialized (
    select
      *
    from
      last
    where
      not exists (
        select
        from
          reminders as sent
        where
          sent.kind = $1
          and sent.subject_id = last.subject_id
          and sent.object_id = last.object_id
          and sent.deadline = last.deadline
          and sent.days = last.days
        offset
          0
      )
  )
insert into
  reminders (kind, subject_id, object_id, deadline, days)
select
  $2,
  subject_id,
  object_id,
  deadline,
  days
from
  due
where
  true
order by
  due_at,
  subject_id,
  object_id
limit
  $3
on conflict do nothing
returning
  subject_id,
  object_id,
  deadline,
  days;

-- approvalReminders.changes
select
  o.id,
  step.place,
  o.user_id,
  json_build_object('nameAr', services.name_ar, 'nameEn', services.name_en) as service,
  case
    when requester.id is not null then json_build_object(
      'id',
      requester.id,
      'username',
      requester.username,
      'displayNameAr',
      requester.display_name_ar,
      'displayNameEn',
      requester.display_name_en,
      'avatarUrl',
      requester.avatar_url
    )
  end as requester,
  array(
    select
      id
    from
      step_waits_for (step.order_id, step.place)
    order by
      place,
      id
    limit
      $1
  ) as asked
from
  order_steps as step
  join orders as o on o.id = step.order_id
  join services on services.id = o.service_id
  left join users as requester on requester.id = o.user_id
where
  o.id = any ($2::int[])
  and is_open (step)
order by
  o.user_id,
  o.id;
