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
    when o.cancelled_at >= clock_timestamp() - interval '15 seconds' then o.cancelled_at + interval '15 seconds'
  end as undo_until,
  o.cancelled_at >= clock_timestamp() - interval '15 seconds'
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
        and receiver.kind = 'person'
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
    when o.cancelled_at >= clock_timestamp() - interval '15 seconds' then o.cancelled_at + interval '15 seconds'
  end as undo_until,
  o.cancelled_at >= clock_timestamp() - interval '15 seconds'
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
        and receiver.kind = 'person'
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
    when o.cancelled_at >= clock_timestamp() - interval '15 seconds' then o.cancelled_at + interval '15 seconds'
  end as undo_until,
  o.cancelled_at >= clock_timestamp() - interval '15 seconds'
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
        and receiver.kind = 'person'
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
    when o.cancelled_at >= clock_timestamp() - interval '15 seconds' then o.cancelled_at + interval '15 seconds'
  end as undo_until,
  o.cancelled_at >= clock_timestamp() - interval '15 seconds'
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
        and receiver.kind = 'person'
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
      json_to_recordset($1::json) as line(place int, "userId" int, "serviceId" int, notes text, version int)
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
      and not exists (
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
      notes
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
        order by
          place
      ) as known
  ),
  written as (
    insert into
      orders (id, service_id, user_id, notes)
    overriding system value
    select
      id,
      "serviceId",
      "userId",
      notes
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
      receive_minutes is not null
      or complete_minutes is not null
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
        when o.cancelled_at >= clock_timestamp() - interval '15 seconds' then o.cancelled_at + interval '15 seconds'
      end as undo_until,
      o.cancelled_at >= clock_timestamp() - interval '15 seconds'
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
            and receiver.kind = 'person'
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
      left join users as requester on requester.id = o.user_id
      left join users as assignee on assignee.id = o.assigned_to
  ) as seen using (place)
order by
  known.place;

-- claimOrders
with
  line as materialized (
    select distinct
      on (id) id,
      "receiverId"
    from
      rows
    from
      (json_to_recordset($1::json) as (id int, "receiverId" int)) with ordinality as line(id, "receiverId", place)
    order by
      id,
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
        when first.is_claim then time < details.receive_due
        else details.received_in_time
      end,
      completed_at = case
        when first.is_completion then now
        else details.completed_at
      end,
      completed_in_time = case
        when first.is_completion then time < details.complete_due
        else details.completed_in_time
      end,
      used_time = case
        when first.is_completion then time - details.started
        else details.used_time
      end,
      due = case
        when written.status in ('completed', 'cancelled')
        or details.completed_at is not null then null
        when written.status = 'pending'
        and details.received_at is null then coalesce(details.receive_due, details.complete_due)
        else details.complete_due
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
          working_time (known.calendar_id, now) as time
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
      and details.calendar_id is not null
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
    when o.cancelled_at >= clock_timestamp() - interval '15 seconds' then o.cancelled_at + interval '15 seconds'
  end as undo_until,
  o.cancelled_at >= clock_timestamp() - interval '15 seconds'
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
        and receiver.kind = 'person'
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
      and receiver.kind = 'person'
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
  written as o
  join services on services.id = o.service_id
  left join service_handlings as handling on handling.service_id = o.service_id
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
    when o.cancelled_at >= clock_timestamp() - interval '15 seconds' then o.cancelled_at + interval '15 seconds'
  end as undo_until,
  o.cancelled_at >= clock_timestamp() - interval '15 seconds'
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
        and receiver.kind = 'person'
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
        when first.is_claim then time < details.receive_due
        else details.received_in_time
      end,
      completed_at = case
        when first.is_completion then now
        else details.completed_at
      end,
      completed_in_time = case
        when first.is_completion then time < details.complete_due
        else details.completed_in_time
      end,
      used_time = case
        when first.is_completion then time - details.started
        else details.used_time
      end,
      due = case
        when written.status in ('completed', 'cancelled')
        or details.completed_at is not null then null
        when written.status = 'pending'
        and details.received_at is null then coalesce(details.receive_due, details.complete_due)
        else details.complete_due
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
          working_time (known.calendar_id, now) as time
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
      and details.calendar_id is not null
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
    when o.cancelled_at >= clock_timestamp() - interval '15 seconds' then o.cancelled_at + interval '15 seconds'
  end as undo_until,
  o.cancelled_at >= clock_timestamp() - interval '15 seconds'
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
        and receiver.kind = 'person'
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
      and receiver.kind = 'person'
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
  written as o
  join services on services.id = o.service_id
  left join service_handlings as handling on handling.service_id = o.service_id
  left join users as requester on requester.id = o.user_id
  left join users as assignee on assignee.id = o.assigned_to
order by
  o.id;

-- releaseOrder
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
        when first.is_claim then time < details.receive_due
        else details.received_in_time
      end,
      completed_at = case
        when first.is_completion then now
        else details.completed_at
      end,
      completed_in_time = case
        when first.is_completion then time < details.complete_due
        else details.completed_in_time
      end,
      used_time = case
        when first.is_completion then time - details.started
        else details.used_time
      end,
      due = case
        when written.status in ('completed', 'cancelled')
        or details.completed_at is not null then null
        when written.status = 'pending'
        and details.received_at is null then coalesce(details.receive_due, details.complete_due)
        else details.complete_due
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
          working_time (known.calendar_id, now) as time
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
      and details.calendar_id is not null
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
    when o.cancelled_at >= clock_timestamp() - interval '15 seconds' then o.cancelled_at + interval '15 seconds'
  end as undo_until,
  o.cancelled_at >= clock_timestamp() - interval '15 seconds'
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
        and receiver.kind = 'person'
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
      and receiver.kind = 'person'
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
  written as o
  join services on services.id = o.service_id
  left join service_handlings as handling on handling.service_id = o.service_id
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
        when first.is_claim then time < details.receive_due
        else details.received_in_time
      end,
      completed_at = case
        when first.is_completion then now
        else details.completed_at
      end,
      completed_in_time = case
        when first.is_completion then time < details.complete_due
        else details.completed_in_time
      end,
      used_time = case
        when first.is_completion then time - details.started
        else details.used_time
      end,
      due = case
        when written.status in ('completed', 'cancelled')
        or details.completed_at is not null then null
        when written.status = 'pending'
        and details.received_at is null then coalesce(details.receive_due, details.complete_due)
        else details.complete_due
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
          working_time (known.calendar_id, now) as time
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
      and details.calendar_id is not null
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
    when o.cancelled_at >= clock_timestamp() - interval '15 seconds' then o.cancelled_at + interval '15 seconds'
  end as undo_until,
  o.cancelled_at >= clock_timestamp() - interval '15 seconds'
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
        and receiver.kind = 'person'
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
      and receiver.kind = 'person'
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
  written as o
  join services on services.id = o.service_id
  left join service_handlings as handling on handling.service_id = o.service_id
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
        when first.is_claim then time < details.receive_due
        else details.received_in_time
      end,
      completed_at = case
        when first.is_completion then now
        else details.completed_at
      end,
      completed_in_time = case
        when first.is_completion then time < details.complete_due
        else details.completed_in_time
      end,
      used_time = case
        when first.is_completion then time - details.started
        else details.used_time
      end,
      due = case
        when written.status in ('completed', 'cancelled')
        or details.completed_at is not null then null
        when written.status = 'pending'
        and details.received_at is null then coalesce(details.receive_due, details.complete_due)
        else details.complete_due
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
          working_time (known.calendar_id, now) as time
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
      and details.calendar_id is not null
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
    when o.cancelled_at >= clock_timestamp() - interval '15 seconds' then o.cancelled_at + interval '15 seconds'
  end as undo_until,
  o.cancelled_at >= clock_timestamp() - interval '15 seconds'
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
        and receiver.kind = 'person'
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
      and receiver.kind = 'person'
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
  written as o
  join services on services.id = o.service_id
  left join service_handlings as handling on handling.service_id = o.service_id
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
        when first.is_claim then time < details.receive_due
        else details.received_in_time
      end,
      completed_at = case
        when first.is_completion then now
        else details.completed_at
      end,
      completed_in_time = case
        when first.is_completion then time < details.complete_due
        else details.completed_in_time
      end,
      used_time = case
        when first.is_completion then time - details.started
        else details.used_time
      end,
      due = case
        when written.status in ('completed', 'cancelled')
        or details.completed_at is not null then null
        when written.status = 'pending'
        and details.received_at is null then coalesce(details.receive_due, details.complete_due)
        else details.complete_due
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
          working_time (known.calendar_id, now) as time
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
      and details.calendar_id is not null
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
    when o.cancelled_at >= clock_timestamp() - interval '15 seconds' then o.cancelled_at + interval '15 seconds'
  end as undo_until,
  o.cancelled_at >= clock_timestamp() - interval '15 seconds'
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
        and receiver.kind = 'person'
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
      and receiver.kind = 'person'
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
  written as o
  join services on services.id = o.service_id
  left join service_handlings as handling on handling.service_id = o.service_id
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
        when first.is_claim then time < details.receive_due
        else details.received_in_time
      end,
      completed_at = case
        when first.is_completion then now
        else details.completed_at
      end,
      completed_in_time = case
        when first.is_completion then time < details.complete_due
        else details.completed_in_time
      end,
      used_time = case
        when first.is_completion then time - details.started
        else details.used_time
      end,
      due = case
        when written.status in ('completed', 'cancelled')
        or details.completed_at is not null then null
        when written.status = 'pending'
        and details.received_at is null then coalesce(details.receive_due, details.complete_due)
        else details.complete_due
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
          working_time (known.calendar_id, now) as time
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
      and details.calendar_id is not null
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
    when o.cancelled_at >= clock_timestamp() - interval '15 seconds' then o.cancelled_at + interval '15 seconds'
  end as undo_until,
  o.cancelled_at >= clock_timestamp() - interval '15 seconds'
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
        and receiver.kind = 'person'
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
      and receiver.kind = 'person'
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
  written as o
  join services on services.id = o.service_id
  left join service_handlings as handling on handling.service_id = o.service_id
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
  )
select
  o.id,
  o.status,
  o.user_id,
  o.assigned_to,
  coalesce(o.team_id, handling.team_id) as team_id
from
  gone as o
  left join service_handlings as handling using (service_id)
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
        when first.is_claim then time < details.receive_due
        else details.received_in_time
      end,
      completed_at = case
        when first.is_completion then now
        else details.completed_at
      end,
      completed_in_time = case
        when first.is_completion then time < details.complete_due
        else details.completed_in_time
      end,
      used_time = case
        when first.is_completion then time - details.started
        else details.used_time
      end,
      due = case
        when written.status in ('completed', 'cancelled')
        or details.completed_at is not null then null
        when written.status = 'pending'
        and details.received_at is null then coalesce(details.receive_due, details.complete_due)
        else details.complete_due
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
          working_time (known.calendar_id, now) as time
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
      and details.calendar_id is not null
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
    when o.cancelled_at >= clock_timestamp() - interval '15 seconds' then o.cancelled_at + interval '15 seconds'
  end as undo_until,
  o.cancelled_at >= clock_timestamp() - interval '15 seconds'
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
        and receiver.kind = 'person'
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
      and receiver.kind = 'person'
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
  written as o
  join services on services.id = o.service_id
  left join service_handlings as handling on handling.service_id = o.service_id
  left join users as requester on requester.id = o.user_id
  left join users as assignee on assignee.id = o.assigned_to
order by
  o.id;

-- findUnentitled
(
  select distinct
    assigned_to as id
  from
    orders
  where
    status in ('received', 'preparing')
  except
  select
    unnest(active_holders ('orders.receive'))
)
union
select
  o.assigned_to
from
  orders as o
  left join service_handlings as handling using (service_id)
where
  status in ('received', 'preparing')
  and coalesce(o.team_id, handling.team_id) is not null
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
  and (
    not o.assigned_to = any (active_holders ('orders.receive'))
    or coalesce(o.team_id, handling.team_id) is not null
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
        when first.is_claim then time < details.receive_due
        else details.received_in_time
      end,
      completed_at = case
        when first.is_completion then now
        else details.completed_at
      end,
      completed_in_time = case
        when first.is_completion then time < details.complete_due
        else details.completed_in_time
      end,
      used_time = case
        when first.is_completion then time - details.started
        else details.used_time
      end,
      due = case
        when written.status in ('completed', 'cancelled')
        or details.completed_at is not null then null
        when written.status = 'pending'
        and details.received_at is null then coalesce(details.receive_due, details.complete_due)
        else details.complete_due
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
          working_time (known.calendar_id, now) as time
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
      and details.calendar_id is not null
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
    when o.cancelled_at >= clock_timestamp() - interval '15 seconds' then o.cancelled_at + interval '15 seconds'
  end as undo_until,
  o.cancelled_at >= clock_timestamp() - interval '15 seconds'
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
        and receiver.kind = 'person'
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
      and receiver.kind = 'person'
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
  written as o
  join services on services.id = o.service_id
  left join service_handlings as handling on handling.service_id = o.service_id
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
      and receiver.kind = 'person'
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
  and o.user_id <> all ($1::int[])
order by
  o.id
limit
  $2;

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
  and o.user_id <> all ($6::int[])
order by
  o.id
limit
  $7;

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
    when o.cancelled_at >= clock_timestamp() - interval '15 seconds' then o.cancelled_at + interval '15 seconds'
  end as undo_until,
  o.cancelled_at >= clock_timestamp() - interval '15 seconds'
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
        and receiver.kind = 'person'
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
    when o.cancelled_at >= clock_timestamp() - interval '15 seconds' then o.cancelled_at + interval '15 seconds'
  end as undo_until,
  o.cancelled_at >= clock_timestamp() - interval '15 seconds'
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
        and receiver.kind = 'person'
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
        or o.user_id = any (
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
  left join users as requester on requester.id = o.user_id
  left join users as assignee on assignee.id = o.assigned_to
order by
  o.id desc;

-- orderReminders
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
          order_id as subject_id,
          0 as object_id,
          'infinity'::timestamptz as deadline,
          stage.number as days,
          statement_timestamp() - (now - stage.at + 3 - stage.number) * interval '1 microsecond' as due_at
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
            values
              (
                1,
                case
                  when received_at is null then receive_due
                end
              ),
              (2, complete_due - (complete_due - started) / 4),
              (3, complete_due)
          ) as stage (number, at)
        where
          stage.at <= now
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

-- orderReminders.changes
select
  o.id,
  o.assigned_to,
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
-- pageTeamOrders
select
  o.id as order_id,
  team.id as team_id,
  team.name_ar as team_name_ar,
  team.name_en as team_name_en,
  form_version,
  fields,
  answers,
  wanted_at,
  working_moment (details.calendar_id, details.receive_due) as receive_by,
  working_moment (details.calendar_id, details.complete_due) as complete_by,
  details.received_at,
  details.completed_at,
  details.received_in_time,
  details.completed_in_time,
  coalesce(details.due <= working_time ("details"."calendar_id", statement_timestamp()), false) as is_late,
  coalesce(details.used_time, working_time ("details"."calendar_id", statement_timestamp()) - details.started) / 60000000 as minutes_used
from
  orders as o
  left join service_handlings as handling using (service_id)
  left join service_teams as team on team.id = coalesce(o.team_id, handling.team_id)
  left join order_details as details on order_id = o.id
  left join service_forms as form on form.service_id = o.service_id
  and form.version = form_version
where
  o.id = any ($1::int[]);

-- pageTeamOrders
select
  count(*)
from
  orders as o
  left join service_handlings as handling using (service_id)
where
  coalesce(o.team_id, handling.team_id) = any ($1::int[])
  and o.status = $2;

-- pageTeamOrders
select
  o.id,
  o.service_id,
  o.user_id,
  o.assigned_to,
  o.notes,
  o.status,
  o.created_at,
  o.updated_at,
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
    when o.cancelled_at >= clock_timestamp() - interval '15 seconds' then o.cancelled_at + interval '15 seconds'
  end as undo_until,
  o.cancelled_at >= clock_timestamp() - interval '15 seconds'
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
        and receiver.kind = 'person'
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
      o.*
    from
      orders as o
      left join service_handlings as handling using (service_id)
    where
      coalesce(o.team_id, handling.team_id) = any ($1::int[])
      and o.status = $2
    order by
      o.id
    limit
      $3
    offset
      $4
  ) as o
  join services on services.id = o.service_id
  left join service_handlings as handling on handling.service_id = o.service_id
  left join users as requester on requester.id = o.user_id
  left join users as assignee on assignee.id = o.assigned_to
order by
  o.id;

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
order by
  "orders"."id" desc
limit
  $2
offset
  $3;

-- pageOrdersOf
select
  count(*) as "count"
from
  "orders"
  inner join "services" on "services"."id" = "orders"."service_id"
where
  "orders"."user_id" = $1;
