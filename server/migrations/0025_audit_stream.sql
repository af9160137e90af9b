-- The audit stream: security events, and one order over them, the audit log and the seals of the ledger, in which all of it is sent to a
-- collector outside.

-- What the log says under `security`, for 30 days. `fields`: those of the line in the log.
create table security_events (
  id             bigint primary key generated always as identity,
  at             timestamptz not null,
  event          text not null,
  actor_id       int,
  actor_username text,
  target_type    text,
  target_id      int,
  ip             text,
  fields         jsonb not null
);
create index on security_events (at);
create trigger refuse_emptying before truncate on security_events execute function refuse_emptying();

-- Keeps a group of events. One group at a time is written, so that ids are committed in their order.
create function keep_security_events(lines json) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('security events', 0));
  insert into security_events (at, event, actor_id, actor_username, target_type, target_id, ip, fields)
    select line.at, event, "actorId", (select username from users where id = "actorId"), "targetType", "targetId", ip, fields
    from rows from (json_to_recordset(lines)
        as (at timestamptz, event text, "actorId" int, "targetType" text, "targetId" int, ip text, fields jsonb))
      with ordinality as line (at, event, "actorId", "targetType", "targetId", ip, fields, n)
    order by n;
end $$;

-- The place of each entry. `id` and `at` are those of its row. A `note` is about the stream itself, and has its line's event and facts.
create table audit_stream_places (
  place  bigint primary key,
  source text not null check (source in ('ledger', 'security', 'seal', 'note')),
  id     bigint not null,
  at     timestamptz not null,
  note   jsonb check ((source = 'note') = (note is not null))
);
create unique index audit_stream_places_of_event on audit_stream_places (id) where source = 'security';
create index audit_stream_places_of_note on audit_stream_places (place) where source = 'note';
create trigger refuse_emptying before truncate on audit_stream_places execute function refuse_emptying();

-- How far rows have places: the last id of each source. `run`: in which run of the database (server/platform/database/runs.ts) the last
-- place was given.
create table audit_stream_horizon (
  only_row   boolean primary key default true check (only_row),
  last_place bigint not null default 0,
  ledger_id  bigint not null default 0,
  event_id   bigint not null default 0,
  seal_id    bigint not null default 0,
  run        text
);
insert into audit_stream_horizon default values;

-- How sending goes. `place`: the last one that was acknowledged. `marks`: what the place was at some moments of the last half minute of
-- sending, as `[{place, at}]`. `refused_since`: since when the entry after `place`, sent alone, has been refused. `told`: whether
-- administrators know that it is an hour behind.
create table audit_stream (
  only_row      boolean primary key default true check (only_row),
  is_on         boolean not null default false,
  started_at    timestamptz,
  place         bigint not null default 0,
  sent_at       timestamptz,
  marks         jsonb not null default '[]',
  failing_since timestamptz,
  last_error    text check (last_error in ('refused', 'address', 'dns', 'tls', 'timeout', 'closed', 'status')),
  last_status   int,
  refused_since timestamptz,
  told          boolean not null default false
);
insert into audit_stream default values;

-- Gives places to what has none: at most `most` rows of each source, those of the ledger first, then security events, then the seals whose
-- rows all have places. Null while another instance does it. One at a time gives places, to rows before which no other can come any more:
-- so no entry ever appears behind one that was sent. In another run of the database, places that were given may be lost, and the portal
-- does not know what a collector has: the next ones leap to the milliseconds since 1970, and a note says so.
create function place_audit_entries(run_now text, most int, out placed bigint, out has_more boolean) returns record
  language plpgsql as $$
declare
  h        audit_stream_horizon;
  settled  bigint;
  is_full  boolean;
  unsettled boolean;
  upto     bigint;
begin
  select * into h from audit_stream_horizon for no key update skip locked;
  if not found then return; end if;
  select s.settled, s.has_more into settled, unsettled from settle_ledger() as s;
  if not found then
    -- Another reader holds it. What is settled stays settled.
    select w.settled, true into settled, unsettled from webhook_horizon as w;
  end if;
  settled := greatest(settled, h.ledger_id);
  -- While a transaction from before is under way, the horizon does not move at all.
  unsettled := unsettled or coalesce(pg_sequence_last_value('ledger_id_seq'), 0) > settled;

  if h.run is distinct from run_now then
    if h.run is not null and h.last_place > 0 then
      placed := greatest(h.last_place + 1, (extract(epoch from clock_timestamp()) * 1000)::bigint);
      insert into audit_stream_places (place, source, id, at, note)
        values (placed, 'note', h.last_place, clock_timestamp(),
          jsonb_build_object('event', 'audit_stream.database_restored', 'facts', jsonb_build_object('lastId', h.last_place)));
      h.last_place := placed;
    end if;
    h.run := run_now;
  end if;

  select coalesce(max(id), settled), count(*) = most into upto, is_full
    from (select id from ledger where id > h.ledger_id and id <= settled order by id limit most) as part;
  if not is_full then upto := settled; end if;

  with found as (
      select 1 as rank, 'ledger' as source, id, at from ledger where id > h.ledger_id and id <= upto and action is not null
      union all
      (select 2, 'security', id, at from security_events where id > h.event_id order by id limit most)
      union all
      (select 3, 'seal', id, at from audit_seals where id > h.seal_id and last_id <= upto order by id limit most)),
    given as (
      insert into audit_stream_places (place, source, id, at)
      select h.last_place + row_number() over (order by rank, id), source, id, at from found
      returning place, source, id)
  select coalesce(max(place), h.last_place), coalesce(max(id) filter (where source = 'security'), h.event_id),
      coalesce(max(id) filter (where source = 'seal'), h.seal_id), count(*),
      is_full or count(*) filter (where source = 'security') = most or count(*) filter (where source = 'seal') = most or unsettled
    into h.last_place, h.event_id, h.seal_id, placed, has_more
    from given;
  update audit_stream_horizon
    set last_place = h.last_place, ledger_id = upto, event_id = h.event_id, seal_id = h.seal_id, run = h.run
    where (last_place, ledger_id, event_id, seal_id) is distinct from (h.last_place, upto, h.event_id, h.seal_id) or run is distinct from h.run;
end $$;

-- Deletes security events of more than 30 days with their places, at most `most`, and returns how many. What was not sent yet is summed up
-- in one note, at the last place of all of it; so is what was, for who pulls the entries.
create function forget_security_events(most int) returns int language plpgsql as $$
declare
  sent  bigint;
  gone  record;
  old   audit_stream_places;
  count_all int := 0;
begin
  select place into sent from audit_stream for no key update;
  for gone in
    with events as (
        delete from security_events where id = any(array(
          select e.id from security_events e join audit_stream_places p on p.source = 'security' and p.id = e.id
          where e.at < now() - interval '30 days' order by e.at, e.id limit most))
        returning id),
      places as (delete from audit_stream_places p using events where p.source = 'security' and p.id = events.id returning p.place, p.at)
    select place > sent as is_unsent, min(place) as first_place, max(place) as last_place, count(*)::int as lost, min(at) as since, max(at) as until
    from places group by 1
  loop
    count_all := count_all + gone.lost;
    old := null;
    delete from audit_stream_places as p using (
        select place from audit_stream_places where source = 'note' and note ->> 'event' = 'audit_stream.missing' and (place > sent) = gone.is_unsent
        order by place desc limit 1) as last
      where p.place = last.place returning p.* into old;
    insert into audit_stream_places (place, source, id, at, note) values (
      greatest(gone.last_place, old.place), 'note', gone.last_place, now(),
      jsonb_build_object('event', 'audit_stream.missing', 'facts', jsonb_build_object(
        'source', 'security',
        'count', gone.lost + coalesce((old.note #>> '{facts,count}')::int, 0),
        'from', coalesce(old.note #>> '{facts,from}', to_char(gone.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')),
        'to', greatest(old.note #>> '{facts,to}', to_char(gone.until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')),
        'firstId', least((old.note #>> '{facts,firstId}')::bigint, gone.first_place),
        'lastId', greatest((old.note #>> '{facts,lastId}')::bigint, gone.last_place))));
  end loop;
  return count_all;
end $$;
