-- listOrdersOf
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
  o.user_id = $1
order by
  o.id desc
limit
  $2;

-- listIncoming
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
    (
      select
        o.*
      from
        orders as o
        left join service_handlings as handling using (service_id)
      where
        status = 'pending'
        and hold is null
        and (
          coalesce(o.team_id, handling.team_id) is null
          or exists (
            select
            from
              service_teams
            where
              id = coalesce(o.team_id, handling.team_id)
              and group_ids && $1::int[]
          )
        )
        and id > $2
      order by
        id
      limit
        $3
    )
    union all
    (
      select
        o.*
      from
        orders as o
        left join service_handlings as handling using (service_id)
      where
        assigned_to = $4
        and status in ('received', 'preparing')
        and hold is null
        and (
          coalesce(o.team_id, handling.team_id) is null
          or exists (
            select
            from
              service_teams
            where
              id = coalesce(o.team_id, handling.team_id)
              and group_ids && $5::int[]
          )
        )
        and id > $6
      order by
        id
      limit
        $7
    )
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
  o.id
limit
  $8;

-- readOrder
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
  o.id = $1;

-- lockOrder
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
  o.id = $1
for update of
  o;

-- placeOrders
with
  line as materialized (
    select
      *
    from
      json_to_recordset($1::json) as line(place int, "userId" int, "forUserId" int, "serviceId" int, notes text, version int, steps jsonb, "isHeld" boolean)
  ),
  available as materialized (
    select
      id
    from
      services
    where
      id = any (
        array(
          select
            "serviceId"
          from
            line
        )
      )
      and is_available
    order by
      id
    for key share
  ),
  known as materialized (
    select
      line.*,
      pending_orders_of ("userId")::int as pending,
      available.id is not null
      and (
        "forUserId" is not null
        or not exists (
          select
          from
            service_handlings
          where
            service_id = "serviceId"
            and audience = 'groups'
            and not exists (
              select
              from
                group_users
              where
                user_id = "userId"
                and group_id = any (audience_group_ids)
            )
        )
      ) as is_available,
      (
        select
          json_build_object('noticeAr', notice_ar, 'noticeEn', notice_en, 'until', until)
        from
          service_notices
        where
          service_id = "serviceId"
          and paused
          and (
            until is null
            or until > clock_timestamp()
          )
      ) as pause
    from
      line
      left join available on available.id = "serviceId"
  ),
  chosen as materialized (
    select
      nextval('orders_id_seq')::int as id,
      place,
      "serviceId",
      "userId",
      notes,
      case
        when "isHeld" then 'waiting'
      end as hold
    from
      (
        select
          *
        from
          known
        where
          is_available
          and pause is null
          and pending < 100
          and version is not distinct from (
            select
              max(service_forms.version)
            from
              service_forms
            where
              service_id = "serviceId"
          )
          and coalesce(steps, '[]') = coalesce(
            (
              select
                service_handlings.steps
              from
                service_handlings
              where
                service_id = "serviceId"
            ),
            '[]'
          )
          and (
            "forUserId" is null
            or not exists (
              select
              from
                service_handlings
              where
                service_id = "serviceId"
                and audience = 'groups'
                and not exists (
                  select
                  from
                    group_users
                  where
                    user_id = "forUserId"
                    and group_id = any (audience_group_ids)
                )
            )
            and exists (
              select
              from
                users
              where
                id = "forUserId"
                and is_active
            )
          )
        order by
          place
      ) as known
  ),
  written as (
    insert into
      orders (id, service_id, user_id, notes, hold)
    overriding system value
    select
      id,
      "serviceId",
      "userId",
      notes,
      hold
    from
      chosen
    order by
      place
    returning
      *
  ),
  timed as (
    insert into
      order_details (order_id, calendar_id, started, receive_due, complete_due, due)
    select
      written.id,
      calendar.id,
      start.time,
      start.time + "receive_minutes" * 60000000::bigint,
      start.time + "complete_minutes" * 60000000::bigint,
      start.time + coalesce("receive_minutes" * 60000000::bigint, "complete_minutes" * 60000000::bigint)
    from
      written
      join service_handlings using (service_id)
      left join service_teams as team on team.id = service_handlings.team_id
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
          working_time (calendar.id, written.created_at) as time
      ) as start
    where
      (
        receive_minutes is not null
        or complete_minutes is not null
      )
      and written.hold is null
  )
select
  is_available,
  pause,
  pending,
  seen.*
from
  known
  left join (
    select
      chosen.place,
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
      written as o
      join chosen using (id)
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
  ) as seen using (place)
order by
  known.place;

-- claimOrders
with
  claim as materialized (
    select
      *
    from
      rows
    from
      (json_to_recordset($1::json) as (id int, "receiverId" int)) with ordinality as claim (id, "receiverId", place)
  ),
  line as materialized (
    select distinct
      on (o.id) o.id,
      "receiverId"
    from
      claim
      cross join lateral (
        select
          id,
          service_id,
          team_id
        from
          orders
        where
          id = claim.id
        offset
          0
      ) as o
      left join service_handlings as handling using (service_id)
    where
      (
        coalesce(o.team_id, handling.team_id) is null
        or exists (
          select
          from
            group_users
          where
            user_id = "receiverId"
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
    order by
      o.id,
      place
  ),
  waiting as materialized (
    select
      o.id
    from
      orders as o
      join line using (id)
      left join service_handlings as handling using (service_id)
    where
      status = 'pending'
      and hold is null
      and assigned_to is null
      and (
        coalesce(o.team_id, handling.team_id) is null
        or exists (
          select
          from
            group_users
          where
            user_id = "receiverId"
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
    order by
      o.id
    for update of
      o
  ),
  written as (
    update orders
    set
      status = 'received',
      assigned_to = line."receiverId",
      updated_at = clock_timestamp()
    from
      line
      join waiting using (id)
    where
      orders.id = line.id
    returning
      orders.*
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

-- claimOrders
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

-- giveOrder
with
  written as (
    update orders
    set
      status = 'received',
      assigned_to = $1,
      updated_at = clock_timestamp()
    where
      id = $2
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

-- releaseOrder
-- reopenOrder, to all receivers
with
  written as (
    update orders
    set
      status = 'pending',
      assigned_to = null,
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

-- setStatus, to cancelled
with
  written as (
    update orders
    set
      status = $1,
      cancelled_at = clock_timestamp(),
      updated_at = clock_timestamp()
    where
      id = $2
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

-- setStatus, to another
with
  written as (
    update orders
    set
      status = $1,
      cancelled_at = null,
      updated_at = clock_timestamp()
    where
      id = $2
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

-- restoreOrder, to pending
with
  written as (
    update orders
    set
      status = $1,
      cancelled_at = null,
      assigned_to = null,
      updated_at = clock_timestamp()
    where
      id = $2
      and hold is distinct from 'refused'
      and cancelled_at >= clock_timestamp() - interval '15 seconds'
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

-- restoreOrder, to its receiver
with
  written as (
    update orders
    set
      status = $1,
      cancelled_at = null,
      updated_at = clock_timestamp()
    where
      id = $2
      and hold is distinct from 'refused'
      and cancelled_at >= clock_timestamp() - interval '15 seconds'
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

-- checkReopening
select
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
  coalesce(reopen_count, 0) as reopen_count
from
  orders as o
  left join order_details on order_id = o.id
where
  o.id = $1;

-- reopenOrder, to its receiver
-- reopenOrder, to all receivers
select
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
  ) as is_received
from
  orders as o
  left join service_handlings as handling using (service_id)
where
  o.id = $1;

-- reopenOrder, to its receiver
with
  written as (
    update orders
    set
      status = 'received',
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

-- lockOrders
select
  o.id,
  o.status,
  o.user_id,
  o.assigned_to,
  o.hold,
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
  left join service_handlings as handling using (service_id)
where
  o.id = any ($1::int[])
order by
  o.id
for update of
  o;

-- removeOrders
with
  gone as (
    delete from orders
    where
      id = any (
        array(
          select
            id
          from
            orders
          where
            id = any ($1::int[])
          order by
            id
          for update
        )
      )
    returning
      *
  ),
  files as (
    select
      order_id,
      object_id
    from
      order_files
    where
      order_id = any (
        array(
          select
            id
          from
            gone
        )
      )
  ),
  removed as (
    delete from objects
    where
      id = any (
        array(
          select
            object_id
          from
            files
        )
      )
    returning
      id,
      uuid
  )
select
  o.id,
  o.status,
  o.user_id,
  o.assigned_to,
  o.hold,
  coalesce(o.team_id, handling.team_id) as team_id,
  beneficiary_id,
  case
    when needs_approval then order_deciders (o.id)
  end as deciders,
  (
    select
      json_agg(json_build_object('id', removed.id, 'uuid', uuid))
    from
      files
      join removed on removed.id = object_id
    where
      order_id = o.id
  ) as files
from
  gone as o
  left join service_handlings as handling using (service_id)
  left join order_details as details on details.order_id = o.id
order by
  o.id;

-- transferOrder
with
  written as (
    update orders
    set
      status = 'pending',
      assigned_to = null,
      team_id = $1,
      updated_at = clock_timestamp()
    where
      id = $2
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

-- findUnentitled
with
  o as materialized (
    select distinct
      assigned_to,
      service_id,
      team_id
    from
      orders
    where
      status in ('received', 'preparing')
  )
select
  assigned_to as id
from
  (
    select distinct
      assigned_to
    from
      o
  ) as worker
where
  not (
    exists (
      select
      from
        users as receiver
        join effective_roles on user_id = receiver.id
        join role_permissions using (role_id)
        join permissions on permissions.id = permission_id
      where
        receiver.id = worker.assigned_to
        and receiver.is_active
        and permissions.name = 'orders.receive'
      offset
        0
    )
    and (
      null is null
      or exists (
        select
        from
          group_users
        where
          user_id = worker.assigned_to
          and group_id = any (
            array(
              select
                unnest(group_ids)
              from
                service_teams
              where
                id = null
            )
          )
      )
    )
  )
union
select
  o.assigned_to
from
  o
  left join service_handlings as handling using (service_id)
where
  coalesce(o.team_id, handling.team_id) is not null
  and not (
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
order by
  id;

-- returnForeignOrders
select
  o.id
from
  orders as o
  left join service_handlings as handling using (service_id)
where
  status in ('received', 'preparing')
  and o.assigned_to = any ($1::int[])
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
  );

-- returnForeignOrders
-- returnOrdersOf
with
  written as (
    update orders
    set
      status = 'pending',
      assigned_to = null,
      updated_at = clock_timestamp()
    where
      id = any ($1::int[])
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

-- lockReceiver
select
  id,
  exists (
    select
    from
      users as receiver
      join effective_roles on user_id = receiver.id
      join role_permissions using (role_id)
      join permissions on permissions.id = permission_id
    where
      receiver.id = users.id
      and receiver.is_active
      and permissions.name = 'orders.receive'
    offset
      0
  )
  and (
    null is null
    or exists (
      select
      from
        group_users
      where
        user_id = users.id
        and group_id = any (
          array(
            select
              unnest(group_ids)
            from
              service_teams
            where
              id = null
          )
        )
    )
  ) as receives
from
  users
where
  id = $1
  and is_active
  and kind = 'person'
for key share;

-- findReturned, for want of a right
select
  o.id as order_id,
  json_build_object('id', services.id, 'nameAr', services.name_ar, 'nameEn', services.name_en) as service,
  json_build_object(
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
  ) as user,
  count(*) over () as count
from
  orders as o
  join services on services.id = o.service_id
  join users as assignee on assignee.id = o.assigned_to
  left join service_handlings as handling on handling.service_id = o.service_id
where
  o.status in ('received', 'preparing')
  and (
    o.assigned_to not in (
      select
        unnest(active_holders ('orders.receive'))
    )
    or false
  )
  and (
    o.user_id <> all ($1::int[])
    or exists (
      select
      from
        order_details
        join users on users.id = beneficiary_id
      where
        order_id = "o"."id"
        and users.id <> all ($2::int[])
    )
  )
  and true
order by
  o.id
limit
  $3;

-- findReturned, from deleted people
select
  o.id as order_id,
  json_build_object('id', services.id, 'nameAr', services.name_ar, 'nameEn', services.name_en) as service,
  json_build_object(
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
  ) as user,
  count(*) over () as count
from
  orders as o
  join services on services.id = o.service_id
  join users as assignee on assignee.id = o.assigned_to
  left join service_handlings as handling on handling.service_id = o.service_id
where
  o.status in ('received', 'preparing')
  and (
    o.assigned_to = any ($1::int[])
    or coalesce(o.team_id, handling.team_id) is not null
    and not exists (
      select
      from
        service_teams as team,
        (
          select
            user_id,
            group_id
          from
            group_users
          where
            user_id = o.assigned_to
            and (user_id, group_id) not in (
              select
                unnest($2::int[]),
                unnest($3::int[])
            )
          union all
          select
            unnest($4::int[]),
            unnest($5::int[])
        ) as kept (user_id, group_id)
      where
        team.id = coalesce(o.team_id, handling.team_id)
        and kept.user_id = o.assigned_to
        and kept.group_id = any (team.group_ids)
    )
  )
  and (
    o.user_id <> all ($6::int[])
    or exists (
      select
      from
        order_details
        join users on users.id = beneficiary_id
      where
        order_id = "o"."id"
        and users.id <> all ($7::int[])
    )
  )
  and true
order by
  o.id
limit
  $8;

-- countLapsed
select
  count(*)
from
  orders as o
  left join order_details on order_id = o.id
where
  o.hold = 'waiting'
  and o.status = 'pending'
  and coalesce(beneficiary_id, o.user_id) = any ($1::int[])
  and not (
    beneficiary_id is null
    and o.user_id = any ($2::int[])
  );

-- pageOrders, without a filter
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
      *
    from
      orders as o
    where
      true
    order by
      id desc
    limit
      $1
    offset
      $2
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
  o.id desc;

-- pageOrders, with all filters
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
      *
    from
      orders as o
    where
      true
      and o.assigned_to = $1
      and o.service_id = $2
      and o.user_id = $3
      and o.created_at >= $4
      and o.created_at < $5
      and o.status = 'pending'
      and o.created_at <= now() - make_interval(mins => $6)
      and (
        o.notes is not null
        and portal_fold (o.notes) like $7
        or o.service_id = any (
          array(
            select
              id
            from
              services
            where
              portal_fold (name_ar || E'\x01' || name_en) like $8
          )
        )
        or "o"."user_id" = any (
          array(
            select
              id
            from
              users
            where
              search like $9
          )
        )
      )
      and o.status = $10
    order by
      id desc
    limit
      $11
    offset
      $12
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
  o.id desc;

-- orderReminders
with
  last as (
    select distinct
      on (
        subject_id,
        object_id,
        days = 1
        and due_at > statement_timestamp() - interval '5 minutes'
      ) subject_id,
      object_id,
      deadline,
      days,
      due_at
    from
      (
        select
          order_id as subject_id,
          0 as object_id,
          'infinity'::timestamptz as deadline,
          stage.number as days,
          stage.at - (3 - stage.number) * interval '1 microsecond' as due_at
        from
          (
            select
              id,
              working_time (id, statement_timestamp()) as now
            from
              working_calendars
            where
              is_working (id, statement_timestamp())
            offset
              0
          ) as calendar
          join order_details on calendar_id = calendar.id
          and due is not null
          cross join lateral (
            select
              case
                when order_details.paused_from is null then 0
                else working_time (order_details.calendar_id, least(statement_timestamp(), order_details.waiting_until)) - order_details.paused_from
              end as pause
          ) as running
          cross join lateral (
            values
              (
                1,
                case
                  when received_at is not null then null
                  when wanted_at is null then statement_timestamp() - (now - (receive_due)) * interval '1 microsecond'
                  else receive_by (order_details)
                end
              ),
              (
                2,
                case
                  when wanted_at is null then statement_timestamp() - (now - (complete_due + pause - (complete_due - started - paused) / 4)) * interval '1 microsecond'
                  else complete_by (order_details) - interval '1 hour'
                end
              ),
              (
                3,
                case
                  when wanted_at is null then statement_timestamp() - (now - (complete_due + pause)) * interval '1 microsecond'
                  else complete_by (order_details)
                end
              )
          ) as stage (number, at)
        where
          stage.at <= statement_timestamp()
          and not is_waiting (order_details)
      ) as planned
    where
      due_at <= statement_timestamp()
    order by
      subject_id,
      object_id,
      days = 1
      and due_at > statement_timestamp() - interval '5 minutes',
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

-- orderReminders.changes
select
  o.id,
  o.assigned_to is not null as is_claimed,
  case
    when exists (
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
    ) then o.assigned_to
  end as receiver_id,
  coalesce(o.team_id, handling.team_id) as team_id,
  array(
    select
      id
    from
      users
    where
      id = any (lead_user_ids)
      and is_active
    order by
      id
  ) as leads,
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
  end as requester
from
  orders as o
  join services on services.id = o.service_id
  left join service_handlings as handling on handling.service_id = o.service_id
  left join service_teams as team on team.id = coalesce(o.team_id, handling.team_id)
  left join users as requester on requester.id = o.user_id
where
  o.id = any ($1::int[])
  and o.status in ('pending', 'received', 'preparing')
order by
  o.id
for update of
  o;

-- judgeSent
select
  service.id as service_id,
  coalesce(form.version, 0) as version,
  coalesce(fields, '[]') as fields,
  created_at as updated_at,
  coalesce(off_options, '{}') as off_options,
  (clock_timestamp() at time zone usable_time_zone (time_zone))::date::text as today
from
  unnest($1::int[]) as service (id)
  cross join settings
  left join lateral (
    select
      version,
      fields,
      created_at
    from
      service_forms
    where
      service_id = service.id
    order by
      version desc
    limit
      1
  ) as form on true
  left join service_notices as notice on notice.service_id = service.id
  and (
    until is null
    or until > clock_timestamp()
  );

-- judgeWantedAt
select
  case
    when wanted < now
    or working_time (calendar.id, wanted) - working_time (calendar.id, now) < $1::bigint * 60000000 then 'early'
    when wanted > now + make_interval(days => $2::int) then 'late'
    when $3
    and not is_working (calendar.id, wanted) then 'closed'
  end as rule
from
  (
    select
      statement_timestamp() as now,
      $4::timestamptz as wanted
  ) as moments
  left join service_handlings on service_id = $5
  left join service_teams as team on team.id = team_id
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
  ) as calendar;

-- readDetailsOf
-- pageOrderDetails, of teams
-- pageOrderDetails, of a receiver
-- pageOrderDetails, of a receiver, by ids
-- pageOrderDetails, with all filters
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

-- pageOrderDetails, of teams
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
  o.hold is null
  and (
    o.team_id = any ($1::int[])
    or o.team_id is null
    and o.service_id = any (
      array(
        select
          service_id
        from
          service_handlings
        where
          team_id = any ($2::int[])
      )
    )
  )
  and o.status = $3
  and (
    o.status = 'pending'
    or o.status in ('received', 'preparing')
  );

-- pageOrderDetails, of teams
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
  o.hold is null
  and (
    o.team_id = any ($1::int[])
    or o.team_id is null
    and o.service_id = any (
      array(
        select
          service_id
        from
          service_handlings
        where
          team_id = any ($2::int[])
      )
    )
  )
  and o.status = $3;

-- pageOrderDetails, of teams
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
      case
        when details.due is not null then next_by (details)
      end as next_at
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
      o.hold is null
      and (
        o.team_id = any ($1::int[])
        or o.team_id is null
        and o.service_id = any (
          array(
            select
              service_id
            from
              service_handlings
            where
              team_id = any ($2::int[])
          )
        )
      )
      and o.status = $3
    order by
      next_at nulls last,
      id
    limit
      $4
    offset
      $5
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
  o.next_at nulls last,
  o.id;

-- pageOrderDetails, of a receiver
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
  (
    o.status = 'pending'
    or o.assigned_to = $1
    and o.status in ('received', 'preparing')
  )
  and o.hold is null
  and (
    coalesce(o.team_id, handling.team_id) is null
    or exists (
      select
      from
        service_teams
      where
        id = coalesce(o.team_id, handling.team_id)
        and group_ids && $2::int[]
    )
  )
  and (
    o.status = 'pending'
    or o.status in ('received', 'preparing')
  );

-- pageOrderDetails, of a receiver
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
  (
    o.status = 'pending'
    or o.assigned_to = $1
    and o.status in ('received', 'preparing')
  )
  and o.hold is null
  and (
    coalesce(o.team_id, handling.team_id) is null
    or exists (
      select
      from
        service_teams
      where
        id = coalesce(o.team_id, handling.team_id)
        and group_ids && $2::int[]
    )
  );

-- pageOrderDetails, of a receiver
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
      case
        when details.due is not null then next_by (details)
      end as next_at
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
      (
        o.status = 'pending'
        or o.assigned_to = $1
        and o.status in ('received', 'preparing')
      )
      and o.hold is null
      and (
        coalesce(o.team_id, handling.team_id) is null
        or exists (
          select
          from
            service_teams
          where
            id = coalesce(o.team_id, handling.team_id)
            and group_ids && $2::int[]
        )
      )
    order by
      next_at nulls last,
      id
    limit
      $3
    offset
      $4
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
  o.next_at nulls last,
  o.id;

-- pageOrderDetails, of a receiver, by ids
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
  (
    o.status = 'pending'
    or o.assigned_to = $1
    and o.status in ('received', 'preparing')
  )
  and o.hold is null
  and (
    coalesce(o.team_id, handling.team_id) is null
    or exists (
      select
      from
        service_teams
      where
        id = coalesce(o.team_id, handling.team_id)
        and group_ids && $2::int[]
    )
  )
  and o.id = any ($3::int[])
  and (
    o.status = 'pending'
    or o.status in ('received', 'preparing')
  );

-- pageOrderDetails, of a receiver, by ids
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
  (
    o.status = 'pending'
    or o.assigned_to = $1
    and o.status in ('received', 'preparing')
  )
  and o.hold is null
  and (
    coalesce(o.team_id, handling.team_id) is null
    or exists (
      select
      from
        service_teams
      where
        id = coalesce(o.team_id, handling.team_id)
        and group_ids && $2::int[]
    )
  )
  and o.id = any ($3::int[]);

-- pageOrderDetails, of a receiver, by ids
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
      case
        when details.due is not null then next_by (details)
      end as next_at
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
      (
        o.status = 'pending'
        or o.assigned_to = $1
        and o.status in ('received', 'preparing')
      )
      and o.hold is null
      and (
        coalesce(o.team_id, handling.team_id) is null
        or exists (
          select
          from
            service_teams
          where
            id = coalesce(o.team_id, handling.team_id)
            and group_ids && $2::int[]
        )
      )
      and o.id = any ($3::int[])
    order by
      next_at nulls last,
      id
    limit
      $4
    offset
      $5
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
  o.next_at nulls last,
  o.id;

-- pageOrderDetails, with all filters
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
  (
    o.user_id = $1
    or o.id = any (
      array(
        select
          order_id
        from
          order_details
        where
          beneficiary_id = $2
      )
    )
  )
  and o.service_id = $3
  and o.assigned_to = $4::bigint
  and o.created_at >= $5
  and o.created_at < $6
  and (
    (
      o.notes is not null
      and portal_fold (o.notes) like $7
      or o.service_id = any (
        array(
          select
            id
          from
            services
          where
            portal_fold (name_ar || E'\x01' || name_en) like $8
        )
      )
      or "o"."user_id" = any (
        array(
          select
            id
          from
            users
          where
            split_part(search, E'\x01', 1) like $9
            or split_part(search, E'\x01', 3) like $10
            or split_part(search, E'\x01', 4) like $11
        )
      )
      or "details"."beneficiary_id" = any (
        array(
          select
            id
          from
            users
          where
            split_part(search, E'\x01', 1) like $12
            or split_part(search, E'\x01', 3) like $13
            or split_part(search, E'\x01', 4) like $14
        )
      )
    )
    or details.said like $15
  )
  and (
    o.status = 'pending'
    or o.status in ('received', 'preparing')
  );

-- pageOrderDetails, with all filters
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
  (
    o.user_id = $1
    or o.id = any (
      array(
        select
          order_id
        from
          order_details
        where
          beneficiary_id = $2
      )
    )
  )
  and o.service_id = $3
  and o.assigned_to = $4::bigint
  and o.created_at >= $5
  and o.created_at < $6
  and (
    (
      o.notes is not null
      and portal_fold (o.notes) like $7
      or o.service_id = any (
        array(
          select
            id
          from
            services
          where
            portal_fold (name_ar || E'\x01' || name_en) like $8
        )
      )
      or "o"."user_id" = any (
        array(
          select
            id
          from
            users
          where
            split_part(search, E'\x01', 1) like $9
            or split_part(search, E'\x01', 3) like $10
            or split_part(search, E'\x01', 4) like $11
        )
      )
      or "details"."beneficiary_id" = any (
        array(
          select
            id
          from
            users
          where
            split_part(search, E'\x01', 1) like $12
            or split_part(search, E'\x01', 3) like $13
            or split_part(search, E'\x01', 4) like $14
        )
      )
    )
    or details.said like $15
  )
  and (
    o.status = 'pending'
    or o.status in ('received', 'preparing')
  )
  and case
    when details.wanted_at is null
    and details.paused_from is null then details.due <= clock.now
    else case
      when details.due is not null then next_by (details)
    end <= statement_timestamp()
  end;

-- pageOrderDetails, with all filters
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
      (
        o.user_id = $1
        or o.id = any (
          array(
            select
              order_id
            from
              order_details
            where
              beneficiary_id = $2
          )
        )
      )
      and o.service_id = $3
      and o.assigned_to = $4::bigint
      and o.created_at >= $5
      and o.created_at < $6
      and (
        (
          o.notes is not null
          and portal_fold (o.notes) like $7
          or o.service_id = any (
            array(
              select
                id
              from
                services
              where
                portal_fold (name_ar || E'\x01' || name_en) like $8
            )
          )
          or "o"."user_id" = any (
            array(
              select
                id
              from
                users
              where
                split_part(search, E'\x01', 1) like $9
                or split_part(search, E'\x01', 3) like $10
                or split_part(search, E'\x01', 4) like $11
            )
          )
          or "details"."beneficiary_id" = any (
            array(
              select
                id
              from
                users
              where
                split_part(search, E'\x01', 1) like $12
                or split_part(search, E'\x01', 3) like $13
                or split_part(search, E'\x01', 4) like $14
            )
          )
        )
        or details.said like $15
      )
      and (
        o.status = 'pending'
        or o.status in ('received', 'preparing')
      )
      and case
        when details.wanted_at is null
        and details.paused_from is null then details.due <= clock.now
        else case
          when details.due is not null then next_by (details)
        end <= statement_timestamp()
      end
    order by
      id desc
    limit
      $16
    offset
      $17
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
  o.id desc;

-- keepAnswers
insert into
  order_details as details (order_id, form_version, answers, said, wanted_at, calendar_id, started, due)
select
  "orderId",
  version,
  answers,
  answers_said (
    answers,
    (
      select
        fields
      from
        service_forms
        join orders using (service_id)
      where
        orders.id = "orderId"
        and service_forms.version = line.version
    )
  ),
  "wantedAt",
  clock.calendar_id,
  clock.started,
  clock.started
from
  json_to_recordset($1::json) as line("orderId" int, version int, answers jsonb, "wantedAt" timestamptz)
  left join lateral (
    select
      calendar.id as calendar_id,
      working_time (calendar.id, orders.created_at) as started
    from
      orders
      left join service_handlings using (service_id)
      left join service_teams as team on team.id = service_handlings.team_id
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
    where
      orders.id = "orderId"
      and "wantedAt" is not null
      and hold is null
    offset
      0
  ) as clock on true
on conflict (order_id) do update
set
  form_version = excluded.form_version,
  answers = excluded.answers,
  said = excluded.said,
  wanted_at = excluded.wanted_at,
  due = case
    when excluded.wanted_at is null then details.due
    else details.started
  end;

-- readProgress
select
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
  coalesce(waiting_for = 'requester', false) as waits_for_requester
from
  orders as o
  left join order_details as details on order_id = o.id
where
  o.id = $1;

-- findFile
select
  key,
  etag,
  name,
  size,
  content_type,
  uploaded_at as stored_at
from
  objects
  left join order_files on object_id = objects.id
where
  uuid = $1
  and is_private
  and key is not null
  and case
    when object_id is null then owner_id = $2
    when order_id <> $3 then false
    when note_id is not null then $4
    when message_id is not null then $5
    else true
  end;

-- letWait
insert into
  order_details as details (order_id, calendar_id, started, received_at, completed_at, used_time, waiting_for, waiting_text, waiting_since, waiting_until, paused_from)
select
  order_id,
  calendar_id,
  started,
  received_at,
  completed_at,
  complete_time,
  $1,
  $2,
  now,
  $3::timestamptz,
  case
    when completed_at is null then working_time (calendar_id, now)
  end
from
  order_figures
  cross join (
    select
      clock_timestamp() as now
  ) as clock
where
  order_id = $4
on conflict (order_id) do update
set
  calendar_id = coalesce(details.calendar_id, excluded.calendar_id),
  started = coalesce(details.started, excluded.started),
  received_at = coalesce(details.received_at, excluded.received_at),
  completed_at = coalesce(details.completed_at, excluded.completed_at),
  used_time = coalesce(details.used_time, excluded.used_time),
  waiting_for = excluded.waiting_for,
  waiting_text = excluded.waiting_text,
  waiting_until = excluded.waiting_until,
  waiting_since = coalesce(details.waiting_since, excluded.waiting_since),
  paused_from = case
    when coalesce(details.completed_at, excluded.completed_at) is null then coalesce(details.paused_from, working_time (coalesce(details.calendar_id, excluded.calendar_id), excluded.waiting_since))
  end;

-- resume
update order_details as details
set
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
    when known.wanted_at is null then details.due + pause
    else details.due
  end
from
  order_details as known
  cross join lateral (
    select
      case
        when known.paused_from is null then 0
        else working_time (known.calendar_id, least(clock_timestamp(), known.waiting_until)) - known.paused_from
      end as pause
  ) as running
where
  details.order_id = known.order_id
  and known.waiting_since is not null
  and details.order_id = $1
returning
  details.order_id;

-- endWaits
select
  o.id
from
  orders as o
  join order_details as details on order_id = o.id
where
  waiting_since is not null
  and waiting_until <= statement_timestamp()
order by
  waiting_until
limit
  $1
for update of
  o skip locked;

-- endWaits
with
  ended as (
    update order_details as details
    set
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
        when known.wanted_at is null then details.due + pause
        else details.due
      end
    from
      order_details as known
      cross join lateral (
        select
          case
            when known.paused_from is null then 0
            else working_time (known.calendar_id, least(clock_timestamp(), known.waiting_until)) - known.paused_from
          end as pause
      ) as running
    where
      details.order_id = known.order_id
      and known.waiting_since is not null
      and details.order_id = any ($1::int[])
      and known.waiting_until <= statement_timestamp()
    returning
      details.order_id
  )
select
  o.id as order_id,
  case
    when exists (
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
    ) then o.assigned_to
  end as receiver_id,
  json_build_object('nameAr', services.name_ar, 'nameEn', services.name_en) as service,
  json_build_object('username', username, 'displayNameAr', display_name_ar, 'displayNameEn', display_name_en) as requester
from
  orders as o
  join services on services.id = o.service_id
  join users on users.id = o.user_id
  left join service_handlings as handling on handling.service_id = o.service_id
where
  o.id in (
    select
      order_id
    from
      ended
  )
order by
  o.id;

-- pageTimeline
with
  entry as materialized (
    select
      coalesce(message.id, note.id, ledger.id) as id,
      ledger.id as place,
      coalesce(message.created_at, note.created_at, ledger.at) as at,
      case ledger.kind
        when 'order.placed' then 'placed'
        when 'order.approved' then 'approval'
        when 'order.denied' then 'denial'
        when 'order.lapsed' then 'lapse'
        when 'order.released' then 'released'
        when 'order.transferred' then 'transferred'
        when 'order.messaged' then 'message'
        when 'order.noted' then 'internal_note'
        when 'order.waited' then 'waiting'
        when 'order.resumed' then 'resumed'
        when 'order.reopened' then 'reopened'
        when 'order.moved' then case
          when facts ->> 'from' = 'cancelled' then 'restored'
          when facts ->> 'to' = 'cancelled' then 'cancelled'
          when facts ->> 'to' = 'pending' then 'given_back'
          when facts ->> 'from' = 'pending'
          and (facts ->> 'assignedTo')::int = actor_id then 'claimed'
          when facts ->> 'assignedTo' is distinct from facts ->> 'wasAssignedTo' then 'assigned'
          else 'moved'
        end
      end as kind,
      actor_id,
      actor_username,
      facts,
      coalesce(message.text, note.text, decision.note) as text,
      message.id as message_id,
      note.id as note_id
    from
      ledger
      left join order_messages as message on ledger.kind = 'order.messaged'
      and message.id = (facts ->> 'messageId')::bigint
      left join order_internal_notes as note on ledger.kind = 'order.noted'
      and note.id = (facts ->> 'noteId')::bigint
      left join order_approvals as decision on ledger.kind in ('order.approved', 'order.denied')
      and decision.order_id = $1
      and decision.approver_id = actor_id
      and decision.at = (facts ->> 'at')::timestamptz
    where
      target_type = 'order'
      and target_id = $2
  ),
  seen as (
    select
      *
    from
      entry
    where
      kind is not null
      and kind <> 'internal_note'
  )
select
  count(*) as total,
  coalesce(bool_or(id = $3), false) as is_there,
  count(*) filter (
    where
      place >= (
        select
          place
        from
          seen
        where
          id = $4
      )
  ) as newer
from
  seen;

-- pageTimeline
with
  entry as materialized (
    select
      coalesce(message.id, note.id, ledger.id) as id,
      ledger.id as place,
      coalesce(message.created_at, note.created_at, ledger.at) as at,
      case ledger.kind
        when 'order.placed' then 'placed'
        when 'order.approved' then 'approval'
        when 'order.denied' then 'denial'
        when 'order.lapsed' then 'lapse'
        when 'order.released' then 'released'
        when 'order.transferred' then 'transferred'
        when 'order.messaged' then 'message'
        when 'order.noted' then 'internal_note'
        when 'order.waited' then 'waiting'
        when 'order.resumed' then 'resumed'
        when 'order.reopened' then 'reopened'
        when 'order.moved' then case
          when facts ->> 'from' = 'cancelled' then 'restored'
          when facts ->> 'to' = 'cancelled' then 'cancelled'
          when facts ->> 'to' = 'pending' then 'given_back'
          when facts ->> 'from' = 'pending'
          and (facts ->> 'assignedTo')::int = actor_id then 'claimed'
          when facts ->> 'assignedTo' is distinct from facts ->> 'wasAssignedTo' then 'assigned'
          else 'moved'
        end
      end as kind,
      actor_id,
      actor_username,
      facts,
      coalesce(message.text, note.text, decision.note) as text,
      message.id as message_id,
      note.id as note_id
    from
      ledger
      left join order_messages as message on ledger.kind = 'order.messaged'
      and message.id = (facts ->> 'messageId')::bigint
      left join order_internal_notes as note on ledger.kind = 'order.noted'
      and note.id = (facts ->> 'noteId')::bigint
      left join order_approvals as decision on ledger.kind in ('order.approved', 'order.denied')
      and decision.order_id = $1
      and decision.approver_id = actor_id
      and decision.at = (facts ->> 'at')::timestamptz
    where
      target_type = 'order'
      and target_id = $2
  ),
  seen as (
    select
      *
    from
      entry
    where
      kind is not null
      and kind <> 'internal_note'
  ),
  shown as (
    select
      *
    from
      seen
    order by
      place desc
    limit
      $3
    offset
      $4
  )
select
  id,
  at,
  kind,
  (
    select
      json_build_object(
        'id',
        actor_id,
        'username',
        coalesce(one.username, gone.facts ->> 'username', actor_username, ''),
        'displayNameAr',
        coalesce(one.display_name_ar, gone.facts ->> 'displayNameAr'),
        'displayNameEn',
        coalesce(one.display_name_en, gone.facts ->> 'displayNameEn'),
        'avatarUrl',
        one.avatar_url
      )
    from
      (
        select
      ) as asked
      left join users as one on one.id = actor_id
      left join lateral (
        select
          facts
        from
          ledger as last
        where
          one.id is null
          and last.target_type = 'user'
          and last.target_id = actor_id
          and last.action is not null
          and last.kind in ('user.deleted', 'service_account.deleted')
        order by
          last.at desc,
          last.id desc
        limit
          1
      ) as gone on true
    where
      actor_id is not null
  ) as by,
  text,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', uuid, 'name', name, 'size', size, 'contentType', content_type)
          order by
            object_id
        )
      from
        order_files
        join objects on objects.id = object_id
      where
        order_files.message_id = shown.message_id
        or order_files.note_id = shown.note_id
    ),
    '[]'
  ) as files,
  case kind
    when 'transferred' then coalesce(
      (
        select
          coalesce(former.facts ->> 'to', 'pending')
        from
          entry as former
        where
          former.place < shown.place
          and (
            former.kind = 'transferred'
            or former.facts ? 'to'
          )
        order by
          former.place desc
        limit
          1
      ),
      'pending'
    )
    else facts ->> 'from'
  end as
from
,
  case kind
    when 'transferred' then 'pending'
    else facts ->> 'to'
  end as to,
  case
    when kind = 'lapse' then facts ->> 'reason'
    when kind = 'denial' then text
    when kind = 'cancelled'
    and place = (
      select
        max(place)
      from
        entry
      where
        kind = 'cancelled'
    ) then (
      select
        cancel_reason
      from
        order_details
      where
        order_id = $5
    )
  end as reason,
  case
    when kind in ('claimed', 'assigned') then (
      select
        json_build_object(
          'id',
          (facts ->> 'assignedTo')::int,
          'username',
          coalesce(one.username, gone.facts ->> 'username', null, ''),
          'displayNameAr',
          coalesce(one.display_name_ar, gone.facts ->> 'displayNameAr'),
          'displayNameEn',
          coalesce(one.display_name_en, gone.facts ->> 'displayNameEn'),
          'avatarUrl',
          one.avatar_url
        )
      from
        (
          select
        ) as asked
        left join users as one on one.id = (facts ->> 'assignedTo')::int
        left join lateral (
          select
            facts
          from
            ledger as last
          where
            one.id is null
            and last.target_type = 'user'
            and last.target_id = (facts ->> 'assignedTo')::int
            and last.action is not null
            and last.kind in ('user.deleted', 'service_account.deleted')
          order by
            last.at desc,
            last.id desc
          limit
            1
        ) as gone on true
      where
        (facts ->> 'assignedTo')::int is not null
    )
  end as assignee,
  case
    when kind = 'transferred' then (
      select
        json_build_object('id', id, 'nameAr', name_ar, 'nameEn', name_en)
      from
        named_team ((facts ->> 'toTeamId')::int)
    )
  end as team,
  facts ->> 'for' as for,
  (facts ->> 'until')::timestamptz as until
from
  shown
order by
  place desc;

-- pageOrdersOf
select
  "orders"."id",
  "orders"."status",
  "orders"."notes",
  "orders"."created_at",
  "orders"."service_id",
  "services"."name_ar" as "service_name_ar",
  "services"."name_en" as "service_name_en"
from
  "orders"
  inner join "services" on "services"."id" = "orders"."service_id"
where
  "orders"."user_id" = $1
  and not exists (
    select
    from
      order_details
      join users on users.id = beneficiary_id
    where
      order_id = "orders"."id"
      and users.id <> all ($2::int[])
  )
order by
  "orders"."id" desc
limit
  $3
offset
  $4;

-- pageOrdersOf
select
  count(*) as "count"
from
  "orders"
  inner join "services" on "services"."id" = "orders"."service_id"
where
  "orders"."user_id" = $1
  and not exists (
    select
    from
      order_details
      join users on users.id = beneficiary_id
    where
      order_id = "orders"."id"
      and users.id <> all ($2::int[])
  );
