-- Whether a day is still as it was printed: all that a schedule shows of its meetings, as one number.

create function print_of(meetings jsonb) returns bigint immutable parallel safe language sql as $$
  select hashtextextended(coalesce(jsonb_agg(jsonb_build_array(
    m -> 'startTime', m -> 'endTime', m -> 'titleAr', m -> 'titleEn', m -> 'locationAr', m -> 'locationEn', m -> 'meetingUrl', m -> 'notes',
    m -> 'status', m -> 'isHighlighted',
    (select jsonb_agg(jsonb_build_array(a -> 'name', a -> 'title', a -> 'kind') order by n)
      from jsonb_array_elements(m -> 'attendees') with ordinality as attendee (a, n))) order by n), '[]')::text, 0)
  from jsonb_array_elements(meetings) with ordinality as meeting (m, n)
$$;

-- The same of a day as it is now, in running order.
create function print_of_day(day date) returns bigint stable language sql as $$
  select print_of(jsonb_agg(jsonb_build_object('startTime', m.start_time, 'endTime', m.end_time, 'titleAr', m.title_ar, 'titleEn', m.title_en,
    'locationAr', m.location_ar, 'locationEn', m.location_en, 'meetingUrl', m.meeting_url, 'notes', m.notes, 'status', m.status,
    'isHighlighted', m.is_highlighted, 'attendees', coalesce((
      select jsonb_agg(jsonb_build_object('name', a.name, 'title', a.title, 'kind', a.kind) order by a.place)
      from meeting_attendees as a where a.meeting_id = m.id), '[]'))
    order by m.sort_order, m.start_time nulls last, m.id))
  from meetings as m where m.date = day
$$;

alter table pdf_archives add column print bigint generated always as (print_of(content -> 'meetings')) stored;

-- The changes of the meetings of a day, by the day they left and the day they came to.
create index ledger_of_day_before on ledger ((facts #>> '{before,date}'), at) where target_type = 'meeting';
create index ledger_of_day_after on ledger ((facts #>> '{after,date}'), at) where target_type = 'meeting';
