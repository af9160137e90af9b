-- findPush
select
  "notifications"."user_id",
  "type",
  "title_ar",
  "title_en",
  "body_ar",
  "body_en",
  case
    when is_open then related_type
  end as "related_type",
  case
    when is_open
    and case related_type
      when 'order' then exists (
        select
        from
          orders as record
        where
          record.id = related_id
        offset
          0
      )
      when 'note' then exists (
        select
        from
          notes as record
        where
          record.id = related_id
        offset
          0
      )
      when 'meeting' then exists (
        select
        from
          meetings as record
        where
          record.id = related_id
        offset
          0
      )
      when 'meeting_request' then exists (
        select
        from
          meeting_requests as record
        where
          record.id = related_id
        offset
          0
      )
      when 'meeting_task' then exists (
        select
        from
          meeting_tasks as record
        where
          record.id = related_id
        offset
          0
      )
      when 'user' then exists (
        select
        from
          users as record
        where
          record.id = related_id
        offset
          0
      )
      when 'group' then exists (
        select
        from
          groups as record
        where
          record.id = related_id
        offset
          0
      )
      when 'role' then exists (
        select
        from
          roles as record
        where
          record.id = related_id
        offset
          0
      )
      when 'access_request' then exists (
        select
        from
          access_requests as record
        where
          record.id = related_id
        offset
          0
      )
      when 'access_review' then exists (
        select
        from
          access_reviews as record
        where
          record.id = related_id
        offset
          0
      )
      else false
    end then related_id
  end as "related_id",
  "endpoint",
  "p256dh",
  "auth",
  "preferred_language",
  "notifications_muted",
  "notify_orders_enabled",
  "notify_meetings_enabled",
  "notify_notes_enabled",
  "notification_sound_order",
  "notification_sound_meeting",
  "notification_sound_note",
  "vibration_enabled_order",
  "vibration_enabled_meeting",
  "vibration_enabled_note",
  floor(
    extract(
      epoch
      from
        notifications.created_at + interval '24 hours' - now()
    )
  )::int as "seconds_left"
from
  "notifications"
  inner join "push_subscriptions" on "push_subscriptions"."user_id" = "notifications"."user_id"
  inner join "sessions" on "sessions"."id" = "push_subscriptions"."session_id"
  inner join "users" on "users"."id" = "notifications"."user_id"
  cross join lateral (
    select
      case related_type
        when 'order' then notifications.user_id = any (order_openers (related_id, array[notifications.user_id]))
        or notifications.user_id = any (
          (
            select
              active_in_roles (array['admin'])
          )::int[]
        )
        when 'note' then true
        when 'meeting' then notifications.user_id = any (
          (
            select
              active_in_roles (array['admin', 'executive_ceo', 'executive_office_manager', 'executive_coord_lead', 'executive_coordinator', 'executive_viewer'])
          )::int[]
        )
        when 'meeting_request' then notifications.user_id = any (
          (
            select
              active_in_roles (array['admin', 'executive_ceo', 'executive_office_manager', 'executive_coord_lead', 'executive_coordinator', 'executive_viewer'])
          )::int[]
        )
        when 'meeting_task' then notifications.user_id = any (
          (
            select
              active_in_roles (array['admin', 'executive_ceo', 'executive_office_manager', 'executive_coord_lead', 'executive_coordinator', 'executive_viewer'])
          )::int[]
        )
        when 'user' then notifications.user_id = any (
          (
            select
              active_in_roles (array['admin'])
          )::int[]
        )
        when 'group' then true
        when 'role' then true
        when 'access_request' then notifications.user_id = any (
          (
            select
              active_in_roles (array['admin'])
          )::int[]
        )
        or reads_access_request (related_id, notifications.user_id)
        when 'access_review' then notifications.user_id = any (
          (
            select
              active_in_roles (array['admin'])
          )::int[]
        )
        or exists (
          select
          from
            scopes_of_reviewer (related_id, notifications.user_id)
        )
        else true
      end as is_open
    offset
      0
  ) as "access"
where
  "notifications"."id" = $1
  and "push_subscriptions"."id" = $2
  and "users"."is_active" = $3
  and (
    sessions.ended_at is null
    and sessions.expires_at > now()
  )
  and "notifications"."created_at" > now() - interval '24 hours';

-- handOver
with
  due as (
    select
      notification_id,
      subscription_id
    from
      pushes
    limit
      1000
    for update
      skip locked
  ),
  taken as (
    delete from pushes using due
    where
      (pushes.notification_id, pushes.subscription_id) = (due.notification_id, due.subscription_id)
    returning
      pushes.notification_id,
      pushes.subscription_id
  ),
  bundles as (
    select
      min(place) as place,
      json_agg(json_build_object('notificationId', notification_id, 'subscriptionId', subscription_id)) as pushes
    from
      (
        select
          *,
          row_number() over (
            order by
              notification_id,
              subscription_id
          ) - 1 as place
        from
          taken
      ) as numbered
    group by
      place / 20
  ),
  specs as (
    select
      array_agg(
        ('send_push', pushes, null, null, 13, null, null, null)::graphile_worker.job_spec
        order by
          place
      ) as all
    from
      bundles
    having
      count(*) > 0
  ),
  added as (
    select
      count(*)
    from
      specs,
      graphile_worker.add_jobs (specs.all)
  )
select
  count(*) as count
from
  taken
where
  (
    select
      count
    from
      added
  ) >= 0;
