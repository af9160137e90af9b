-- writeMeetings, of few meetings, twice
-- writeMeetings, of too many to be cached
with
  seen as materialized (
    select
      (
        select
          case
            when count(*) <= $1 then coalesce(
              string_agg(
                concat_ws('.', id, written, attendee, attended),
                ' '
                order by
                  id,
                  place
              ),
              ''
            )
          end
        from
          (
            select
              m.id,
              m.xmin as written,
              a.id as attendee,
              a.xmin as attended,
              a.place
            from
              meetings as m
              left join meeting_attendees as a on a.meeting_id = m.id
            where
              m.date between $2::date and $3::date
            limit
              $4
          ) as shown
      ) as version
  )
select
  version,
  m.*,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', a.id, 'name', a.name, 'title', a.title, 'kind', a.kind, 'userId', a.user_id)
          order by
            a.place
        )
      from
        meeting_attendees as a
      where
        a.meeting_id = m.id
    ),
    '[]'
  ) as attendees
from
  seen
  left join meetings as m on version is not null
  and m.date between $5::date and $6::date
order by
  m.date,
  m.sort_order,
  m.start_time nulls last,
  m.id;

-- writeMeetings, of few meetings, twice
select
  (
    select
      case
        when count(*) <= $1 then coalesce(
          string_agg(
            concat_ws('.', id, written, attendee, attended),
            ' '
            order by
              id,
              place
          ),
          ''
        )
      end
    from
      (
        select
          m.id,
          m.xmin as written,
          a.id as attendee,
          a.xmin as attended,
          a.place
        from
          meetings as m
          left join meeting_attendees as a on a.meeting_id = m.id
        where
          m.date between $2::date and $3::date
        limit
          $4
      ) as shown
  ) as "version";

-- addMeeting
with
  added as (
    insert into
      meeting_attendees (meeting_id, place, name, title, kind, user_id)
    select
      $1::int,
      place,
      name,
      title,
      kind,
      user_id
    from
      rows
    from
      (json_to_recordset($2::json) as (name text, title text, kind text, "userId" int)) with ordinality as line(name, title, kind, user_id, place)
    returning
      *
  )
select
  json_agg(
    json_build_object('id', a.id, 'name', a.name, 'title', a.title, 'kind', a.kind, 'userId', a.user_id)
    order by
      a.place
  ) as attendees
from
  added as a;
