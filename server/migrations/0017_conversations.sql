-- Conversations about orders, their files, the time for which orders wait for somebody, and the moments for which they are wanted.

-- The messages of a conversation and the notes of its team. Their ids begin above those of the ledger, with whose rows they make up one
-- timeline. Their authors stand in the ledger.
create sequence order_message_ids start 1000000000000;

create table order_messages (
  id         bigint primary key default nextval('order_message_ids'),
  order_id   int not null references orders on delete cascade,
  text       text not null,
  -- False where it was written with something else, such as a hand-over: it does not count towards the limit.
  is_counted boolean not null default true,
  created_at timestamptz not null default clock_timestamp()
);
create index on order_messages (order_id, created_at);
create constraint trigger demand_change after insert or update or delete on order_messages
  deferrable initially deferred for each row execute function demand_change('order', 'order_id');
create trigger refuse_emptying before truncate on order_messages execute function refuse_emptying();

create table order_internal_notes (
  id         bigint primary key default nextval('order_message_ids'),
  order_id   int not null references orders on delete cascade,
  text       text not null,
  is_counted boolean not null default true,
  created_at timestamptz not null default clock_timestamp()
);
create index on order_internal_notes (order_id, created_at);
create constraint trigger demand_change after insert or update or delete on order_internal_notes
  deferrable initially deferred for each row execute function demand_change('order', 'order_id');
create trigger refuse_emptying before truncate on order_internal_notes execute function refuse_emptying();

-- A private object is served by the record that uses it, and never under /objects.
alter table objects add is_private boolean not null default false;

-- The private objects that orders use, each once: in a message, in a note, or else in an answer.
create table order_files (
  object_id  int primary key references objects on delete cascade,
  order_id   int not null references orders on delete cascade,
  message_id bigint references order_messages on delete cascade,
  note_id    bigint references order_internal_notes on delete cascade,
  check (num_nonnulls(message_id, note_id) < 2)
);
create index on order_files (order_id);
create index on order_files (message_id) where message_id is not null;
create index on order_files (note_id) where note_id is not null;
create constraint trigger demand_change after insert or update or delete on order_files
  deferrable initially deferred for each row execute function demand_change('order', 'order_id');
create trigger refuse_emptying before truncate on order_files execute function refuse_emptying();

create or replace function hold_object() returns trigger language plpgsql as $$
declare
  path text := to_jsonb(new) ->> tg_argv[0];
  media_type text;
begin
  if path !~ '^/objects/' or (tg_op = 'UPDATE' and path = to_jsonb(old) ->> tg_argv[0]) then return null; end if;
  if path ~ '^/objects/uploads/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    select content_type into media_type from objects
      where uuid = right(path, 36)::uuid and uploaded_at is not null and not is_private for key share;
  end if;
  if media_type is null then
    raise exception 'there is no such object' using errcode = 'BW002', column = tg_argv[0];
  end if;
  if media_type !~* '^image/(png|jpeg|gif|webp|avif|bmp) *(;|$)' then
    raise exception 'the object is not a picture' using errcode = 'BW004', column = tg_argv[0];
  end if;
  return null;
end $$;

-- The pause of an order that waits for somebody. `paused_from` is the working time at which it began, `paused` the working time of all earlier
-- pauses. A pause ends at `waiting_until`, whether or not a job has run; until one has, `due` lacks this pause. `due` of an order that is wanted
-- at a moment only says that it is open.
alter table order_details
  add waiting_for   text check (waiting_for in ('requester', 'third_party')),
  add waiting_text  text,
  add waiting_since timestamptz,
  add waiting_until timestamptz,
  add paused_from   bigint,
  add paused        bigint not null default 0,
  add reopen_count  int not null default 0,
  add check (num_nulls(waiting_for, waiting_text, waiting_since) in (0, 3));
create index order_details_waiting on order_details (waiting_until) where waiting_since is not null;

create function is_waiting(details order_details) returns boolean language sql stable as $$
  select details.waiting_since is not null and coalesce(details.waiting_until > statement_timestamp(), true)
$$;

-- The same hour of the last earlier day of the office on which teams of the calendar work; null before its first.
create function working_day_before(calendar int, at timestamptz) returns timestamptz language sql stable as $$
  select ((span.starts_at at time zone zone)::date + (at at time zone zone)::time) at time zone zone
  from (select usable_time_zone(time_zone) as zone from settings) as office cross join lateral (
    select starts_at from working_spans
    where calendar_id = calendar and starts_at < (at at time zone zone)::date::timestamp at time zone zone
    order by starts_at desc limit 1) as span
$$;

-- The moments of the targets of an order. A wanted moment is one of the real clock, which pauses do not move. While an order waits for
-- an unknown time, the target that was not missed before is unknown as well.
create function receive_by(details order_details) returns timestamptz language sql stable as $$
  select case when details.receive_due is not null then greatest(
    working_moment(details.calendar_id, details.receive_due),
    case when details.wanted_at is not null then working_day_before(details.calendar_id, details.wanted_at) end) end
$$;
create function complete_by(details order_details) returns timestamptz language sql stable as $$
  select case
    when details.wanted_at is not null then greatest(details.wanted_at, working_moment(details.calendar_id, details.complete_due))
    when details.paused_from is null or details.complete_due <= details.paused_from then working_moment(details.calendar_id, details.complete_due)
    when details.waiting_until is not null then working_moment(details.calendar_id,
      details.complete_due + working_time(details.calendar_id, details.waiting_until) - details.paused_from) end
$$;
-- The next target that is not met; it has been missed once that moment has come.
create function next_by(details order_details) returns timestamptz language sql stable as $$
  select case
    when details.due is null then null
    when details.received_at is null and details.receive_due is not null then receive_by(details)
    else complete_by(details) end
$$;
-- Whether nobody needs to think of an order yet: it is wanted later than on the next working day.
create function is_for_later(details order_details) returns boolean language sql stable as $$
  select coalesce(details.due is not null and details.wanted_at is not null
    and statement_timestamp() < working_day_before(details.calendar_id, complete_by(details)), false)
$$;

-- The readers of the internal notes of an order. Its beneficiary is never among them.
create function order_note_readers(of_order int) returns int[] language sql stable as $$
  select array(select unnest(order_readers(of_order)) except select user_id from orders where id = of_order)
$$;
