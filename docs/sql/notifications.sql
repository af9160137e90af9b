-- listNotifications
select
  "id",
  "user_id",
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
  (
    select
      meetings.meeting_url
    from
      meetings
    where
      related_type = 'meeting'
      and meetings.id = related_id
      and meetings.status = 'scheduled'
      and notifications.user_id in (
        select
          attending.user_id
        from
          meeting_attendees as attending
        where
          attending.meeting_id = meetings.id
      )
  ) as "join_url",
  "is_read",
  "created_at"
from
  "notifications"
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
  "user_id" = $1
  and "id" < $2
  and "read_at" is null
order by
  "id" desc
limit
  $3;

-- readNotification
select
  "id",
  "user_id",
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
  (
    select
      meetings.meeting_url
    from
      meetings
    where
      related_type = 'meeting'
      and meetings.id = related_id
      and meetings.status = 'scheduled'
      and notifications.user_id in (
        select
          attending.user_id
        from
          meeting_attendees as attending
        where
          attending.meeting_id = meetings.id
      )
  ) as "join_url",
  "is_read",
  "created_at"
from
  "notifications"
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
  "id" = $1
  and "user_id" = $2;
