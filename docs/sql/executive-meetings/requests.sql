-- pageRequests, without a filter
select
  r.id,
  r.meeting_id,
  r.type,
  r.details,
  r.reason,
  r.status,
  r.review_notes,
  r.requester_id,
  r.reviewed_at,
  r.created_at,
  r.updated_at,
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
    when reviewer.id is not null then json_build_object(
      'id',
      reviewer.id,
      'username',
      reviewer.username,
      'displayNameAr',
      reviewer.display_name_ar,
      'displayNameEn',
      reviewer.display_name_en,
      'avatarUrl',
      reviewer.avatar_url
    )
  end as reviewer,
  case
    when about.id is not null then json_build_object('id', about.id, 'date', about.date, 'startTime', about.start_time, 'endTime', about.end_time, 'titleAr', about.title_ar, 'titleEn', about.title_en)
  end as meeting,
  coalesce(met.conflicts, '[]') as conflicts
from
  (
    select
      *
    from
      meeting_requests
    where
      id in (
        (
          select
            "id"
          from
            "meeting_requests"
          order by
            "id" desc
          limit
            $1
          offset
            $2
        )
      )
  ) as r
  left join users as requester on requester.id = r.requester_id
  left join users as reviewer on reviewer.id = r.reviewer_id
  left join meetings as about on about.id = r.meeting_id
  left join lateral (
    select
      (
        case
          when r.details ? 'date' then r.details ->> 'date'
          else about.date::text
        end
      )::date as date,
      case
        when r.details ? 'startTime' then r.details ->> 'startTime'
        else about.start_time::text
      end as start_time,
      case
        when r.details ? 'endTime' then r.details ->> 'endTime'
        else about.end_time::text
      end as end_time,
      case
        when r.details ? 'status' then r.details ->> 'status'
        else about.status::text
      end as status
    where
      r.status in ('pending', 'needs_edit')
      and r.type in ('create', 'reschedule', 'edit')
  ) as proposal on true
  left join lateral (
    select
      json_agg(
        json_build_object('id', first.id, 'date', first.date, 'startTime', first.start_time, 'endTime', first.end_time, 'titleAr', first.title_ar, 'titleEn', first.title_en)
        order by
          first.start_time,
          first.id
      ) as conflicts
    from
      (
        select
          m.*
        from
          meetings as m
        where
          coalesce(proposal.status, 'scheduled') = 'scheduled'
          and m.id is distinct from r.meeting_id
          and m.date = "proposal"."date"
          and m.status = 'scheduled'
          and (
            m.end_time > "proposal"."start_time"
            or m.end_time is null
            and m.start_time >= "proposal"."start_time"
          )
          and (
            m.start_time < "proposal"."end_time"
            or "proposal"."end_time" is null
            and m.start_time <= "proposal"."start_time"
          )
        order by
          m.start_time,
          m.id
        limit
          $3
      ) as first
  ) as met on true
order by
  r.id desc;

-- pageRequests, with all filters
select
  r.id,
  r.meeting_id,
  r.type,
  r.details,
  r.reason,
  r.status,
  r.review_notes,
  r.requester_id,
  r.reviewed_at,
  r.created_at,
  r.updated_at,
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
    when reviewer.id is not null then json_build_object(
      'id',
      reviewer.id,
      'username',
      reviewer.username,
      'displayNameAr',
      reviewer.display_name_ar,
      'displayNameEn',
      reviewer.display_name_en,
      'avatarUrl',
      reviewer.avatar_url
    )
  end as reviewer,
  case
    when about.id is not null then json_build_object('id', about.id, 'date', about.date, 'startTime', about.start_time, 'endTime', about.end_time, 'titleAr', about.title_ar, 'titleEn', about.title_en)
  end as meeting,
  coalesce(met.conflicts, '[]') as conflicts
from
  (
    select
      *
    from
      meeting_requests
    where
      id in (
        (
          select
            "id"
          from
            "meeting_requests"
          where
            "requester_id" = $1
            and "meeting_id" = $2
            and "status" = $3
          order by
            "id" desc
          limit
            $4
          offset
            $5
        )
      )
  ) as r
  left join users as requester on requester.id = r.requester_id
  left join users as reviewer on reviewer.id = r.reviewer_id
  left join meetings as about on about.id = r.meeting_id
  left join lateral (
    select
      (
        case
          when r.details ? 'date' then r.details ->> 'date'
          else about.date::text
        end
      )::date as date,
      case
        when r.details ? 'startTime' then r.details ->> 'startTime'
        else about.start_time::text
      end as start_time,
      case
        when r.details ? 'endTime' then r.details ->> 'endTime'
        else about.end_time::text
      end as end_time,
      case
        when r.details ? 'status' then r.details ->> 'status'
        else about.status::text
      end as status
    where
      r.status in ('pending', 'needs_edit')
      and r.type in ('create', 'reschedule', 'edit')
  ) as proposal on true
  left join lateral (
    select
      json_agg(
        json_build_object('id', first.id, 'date', first.date, 'startTime', first.start_time, 'endTime', first.end_time, 'titleAr', first.title_ar, 'titleEn', first.title_en)
        order by
          first.start_time,
          first.id
      ) as conflicts
    from
      (
        select
          m.*
        from
          meetings as m
        where
          coalesce(proposal.status, 'scheduled') = 'scheduled'
          and m.id is distinct from r.meeting_id
          and m.date = "proposal"."date"
          and m.status = 'scheduled'
          and (
            m.end_time > "proposal"."start_time"
            or m.end_time is null
            and m.start_time >= "proposal"."start_time"
          )
          and (
            m.start_time < "proposal"."end_time"
            or "proposal"."end_time" is null
            and m.start_time <= "proposal"."start_time"
          )
        order by
          m.start_time,
          m.id
        limit
          $6
      ) as first
  ) as met on true
order by
  r.id desc;

-- readRequest
select
  r.id,
  r.meeting_id,
  r.type,
  r.details,
  r.reason,
  r.status,
  r.review_notes,
  r.requester_id,
  r.reviewed_at,
  r.created_at,
  r.updated_at,
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
    when reviewer.id is not null then json_build_object(
      'id',
      reviewer.id,
      'username',
      reviewer.username,
      'displayNameAr',
      reviewer.display_name_ar,
      'displayNameEn',
      reviewer.display_name_en,
      'avatarUrl',
      reviewer.avatar_url
    )
  end as reviewer,
  case
    when about.id is not null then json_build_object('id', about.id, 'date', about.date, 'startTime', about.start_time, 'endTime', about.end_time, 'titleAr', about.title_ar, 'titleEn', about.title_en)
  end as meeting,
  coalesce(met.conflicts, '[]') as conflicts
from
  meeting_requests as r
  left join users as requester on requester.id = r.requester_id
  left join users as reviewer on reviewer.id = r.reviewer_id
  left join meetings as about on about.id = r.meeting_id
  left join lateral (
    select
      (
        case
          when r.details ? 'date' then r.details ->> 'date'
          else about.date::text
        end
      )::date as date,
      case
        when r.details ? 'startTime' then r.details ->> 'startTime'
        else about.start_time::text
      end as start_time,
      case
        when r.details ? 'endTime' then r.details ->> 'endTime'
        else about.end_time::text
      end as end_time,
      case
        when r.details ? 'status' then r.details ->> 'status'
        else about.status::text
      end as status
    where
      r.status in ('pending', 'needs_edit')
      and r.type in ('create', 'reschedule', 'edit')
  ) as proposal on true
  left join lateral (
    select
      json_agg(
        json_build_object('id', first.id, 'date', first.date, 'startTime', first.start_time, 'endTime', first.end_time, 'titleAr', first.title_ar, 'titleEn', first.title_en)
        order by
          first.start_time,
          first.id
      ) as conflicts
    from
      (
        select
          m.*
        from
          meetings as m
        where
          coalesce(proposal.status, 'scheduled') = 'scheduled'
          and m.id is distinct from r.meeting_id
          and m.date = "proposal"."date"
          and m.status = 'scheduled'
          and (
            m.end_time > "proposal"."start_time"
            or m.end_time is null
            and m.start_time >= "proposal"."start_time"
          )
          and (
            m.start_time < "proposal"."end_time"
            or "proposal"."end_time" is null
            and m.start_time <= "proposal"."start_time"
          )
        order by
          m.start_time,
          m.id
        limit
          $1
      ) as first
  ) as met on true
where
  r.id = $2;
