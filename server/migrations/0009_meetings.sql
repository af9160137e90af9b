-- Executive meetings: the days, requests to change them, tasks that follow, and the archived schedules.

create table meetings (
  id             int primary key generated always as identity,
  date           date not null,
  start_time     text check (start_time ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  end_time       text check (end_time ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  title_ar       text,
  title_en       text,
  location_ar    text,
  location_en    text,
  meeting_url    text,
  notes          text,
  status         text not null default 'scheduled' check (status in ('scheduled', 'completed', 'postponed', 'cancelled')),
  is_highlighted boolean not null default false,
  sort_order     int not null default 0,
  created_by     int references users on delete set null,
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now(),
  check (title_ar is not null or title_en is not null),
  check (end_time > start_time)
);
create index on meetings (date, sort_order, start_time, id);
create index on meetings (created_by) where created_by is not null;
create constraint trigger demand_change after insert or update or delete on meetings
  deferrable initially deferred for each row execute function demand_change('meeting', 'id', 'user', 'created_by');
create trigger refuse_emptying before truncate on meetings execute function refuse_emptying();

create table meeting_attendees (
  id         int primary key generated always as identity,
  meeting_id int not null references meetings on delete cascade,
  place      int not null,
  name       text not null,
  title      text,
  kind       text not null check (kind in ('internal', 'external', 'virtual')),
  user_id    int references users on delete set null,
  unique (meeting_id, place)
);
create index on meeting_attendees (user_id) where user_id is not null;
create constraint trigger demand_change after insert or update or delete on meeting_attendees
  deferrable initially deferred for each row execute function demand_change('meeting', 'meeting_id', 'user', 'user_id');
create trigger refuse_emptying before truncate on meeting_attendees execute function refuse_emptying();

-- What someone proposes to change, and why; `details` are the proposed fields. A `create` is linked to its meeting when it is approved.
create table meeting_requests (
  id           int primary key generated always as identity,
  meeting_id   int references meetings on delete cascade,
  type         text not null check (type in ('create', 'reschedule', 'edit', 'cancel', 'attendees', 'note')),
  details      jsonb not null,
  status       text not null default 'pending' check (status in ('pending', 'approved', 'rejected', 'needs_edit', 'withdrawn')),
  review_notes text,
  requester_id int references users on delete set null,
  reviewer_id  int references users on delete set null,
  reviewed_at  timestamptz,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  reason       text,
  check (type = 'create' or meeting_id is not null)
);
create index on meeting_requests (meeting_id, id);
create index on meeting_requests (status, id);
create index on meeting_requests (requester_id, id);
create index on meeting_requests (reviewer_id) where reviewer_id is not null;
create constraint trigger demand_change after insert or update or delete on meeting_requests
  deferrable initially deferred for each row
  execute function demand_change('meeting_request', 'id', 'user', 'requester_id', 'user', 'reviewer_id');
create trigger refuse_emptying before truncate on meeting_requests execute function refuse_emptying();

create table meeting_tasks (
  id          int primary key generated always as identity,
  meeting_id  int references meetings on delete set null,
  title_ar    text,
  title_en    text,
  details     text,
  assignee_id int references users on delete set null,
  due_date    date,
  status      text not null default 'open' check (status in ('open', 'in_progress', 'done', 'cancelled')),
  created_by  int references users on delete set null,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  check (title_ar is not null or title_en is not null)
);
create index on meeting_tasks (meeting_id) where meeting_id is not null;
create index on meeting_tasks (due_date, id);
create index on meeting_tasks (assignee_id, id);
create index on meeting_tasks (created_by) where created_by is not null;
create constraint trigger demand_change after insert or update or delete on meeting_tasks
  deferrable initially deferred for each row
  execute function demand_change('meeting_task', 'id', 'user', 'assignee_id', 'user', 'created_by');
create trigger refuse_emptying before truncate on meeting_tasks execute function refuse_emptying();

-- How schedules are set: everyone's if `user_id` is null, otherwise one person's own.
create table font_settings (
  id          int primary key generated always as identity,
  user_id     int unique references users on delete cascade,
  font_family text not null,
  font_size   int not null check (font_size between 8 and 48),
  font_weight int not null check (font_weight in (300, 400, 500, 600, 700)),
  alignment   text not null check (alignment in ('start', 'center', 'end')),
  updated_at  timestamptz not null default now()
);
create unique index one_font_for_all on font_settings ((user_id is null)) where user_id is null;
create constraint trigger demand_change after insert or update or delete on font_settings
  deferrable initially deferred for each row execute function demand_change('font_settings', 'id', 'user', 'user_id');
create trigger refuse_emptying before truncate on font_settings execute function refuse_emptying();

-- All that a schedule shows of its meetings, as one number: whether a day is still as it was printed.
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

-- A day's schedule as it was when it was archived (`content`), and the PDF made of it, whose bytes are in the object store under `key`.
create table pdf_archives (
  id            int primary key generated always as identity,
  uuid          uuid not null unique default gen_random_uuid(),
  date          date not null,
  language      text not null check (language in ('ar', 'en')),
  content       jsonb not null,
  meeting_count int not null,
  created_by    int references users on delete set null,
  created_at    timestamptz not null default now(),
  key           text unique,
  size          bigint,
  sha256        text,
  stored_at     timestamptz,
  print         bigint generated always as (print_of(content -> 'meetings')) stored,
  check ((key is null) = (size is null) and (key is null) = (sha256 is null) and (key is null) = (stored_at is null))
);
create index on pdf_archives (date, id);
create index on pdf_archives (created_by) where created_by is not null;
create constraint trigger demand_change after insert or update or delete on pdf_archives
  deferrable initially deferred for each row execute function demand_change('pdf_archive', 'id', 'user', 'created_by');
create trigger refuse_emptying before truncate on pdf_archives execute function refuse_emptying();
