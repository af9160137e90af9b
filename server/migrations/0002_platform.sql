-- What the portal needs before it has people: settings, secrets, limits, leases, jobs, and counters.

create function utc_day(moment timestamptz) returns date language sql immutable strict parallel safe
  return (moment at time zone 'UTC')::date;

create function month_of(day date) returns date language sql immutable strict parallel safe
  return date_trunc('month', day::timestamp)::date;

-- The settings: one row. Prices are in `currency`, an ISO 4217 code; without one they are shown as written. The office tells time in
-- `time_zone`, which PostgreSQL, Node and browsers must understand alike: to PostgreSQL, the abbreviation ART is Argentina's time, and to the
-- others Cairo's.
create table settings (
  only_row          boolean primary key default true check (only_row),
  site_name_ar      text not null default 'بوابة',
  site_name_en      text not null default 'Bawaba',
  registration_open boolean not null default true,
  footer_text_ar    text not null default 'البوابة الداخلية',
  footer_text_en    text not null default 'Internal portal',
  updated_at        timestamptz,
  time_zone         text not null default 'UTC',
  currency          text
);
insert into settings default values;
create constraint trigger demand_change after insert or update or delete on settings
  deferrable initially deferred for each row execute function demand_change('settings', '1');
create trigger refuse_emptying before truncate on settings execute function refuse_emptying();

-- The zone, or UTC if this server does not know it: a server with newer zones may have stored it.
create function usable_time_zone(zone text) returns text language plpgsql stable as $$
begin
  perform now() at time zone zone;
  return zone;
exception when invalid_parameter_value then
  return 'UTC';
end $$;

-- The end of a day in the office's time zone.
create function end_of_day(day date) returns timestamptz language sql stable as $$
  select (day + 1)::timestamp at time zone (select usable_time_zone(time_zone) from settings)
$$;

-- Secrets that the portal must be able to read again, encrypted with SECRETS_KEY. A column of this type is nullable, in a table whose
-- primary key is one column: without the key, null takes the place of a secret.
create domain secret as bytea;

-- Shows which key encrypts the secrets, and reveals nothing of it. No row: none is known yet.
create table secrets_key (
  only_row    boolean primary key default true check (only_row),
  check_value bytea not null
);
create trigger refuse_emptying before truncate on secrets_key execute function refuse_emptying();

-- Whether an update of a row changes only its secrets.
create function is_same_but_secrets(of_table oid, old_row jsonb, new_row jsonb) returns boolean language sql stable as $$
  with secrets (names) as (
    select array_agg(attname::text) from pg_attribute where attrelid = of_table and atttypid = 'secret'::regtype)
  select coalesce(old_row - names = new_row - names, false) from secrets
$$;

-- The key of encrypted cookies and of the hashes in the log, where there is no SECRETS_KEY: the same for all instances. Base backups and
-- dumps without unlogged data do not have it; after a crash of the database, an instance that knows it puts it back.
create unlogged table made_key (
  only_row boolean primary key default true check (only_row),
  value    bytea not null
);
create trigger refuse_emptying before truncate on made_key execute function refuse_emptying();

-- The hashes of what opens something once, such as a challenge, until its age alone would make it invalid.
create table used_once (
  hash  text primary key,
  until timestamptz not null
);
create index on used_once (until);
create trigger refuse_emptying before truncate on used_once execute function refuse_emptying();

-- How many tries were counted and how many are under way, until the window ends at `expires_at`.
create table rate_limits (
  key        text primary key,
  counted    int not null,
  under_way  int not null,
  expires_at timestamptz not null
);

-- Refuses more than a share: its name, how much of it is used, and how much is allowed.
create function refuse_excess(quota text, used bigint, allowed bigint) returns void language plpgsql as $$
begin
  raise exception 'the share is used up' using errcode = 'BW003',
    detail = json_build_object('quota', quota, 'used', used, 'allowed', allowed);
end $$;

-- A lock until the transaction ends: the share is counted from rows, so additions to one share of one person take turns.
create function take_turn(quota text, person int) returns void language sql as $$
  select pg_advisory_xact_lock(hashtext(quota), person)
$$;

-- What running instances hold, counted over all of them: the event streams of a person, the transfer into a slot. A holder is a connection
-- that has its number locked. However the connection ends, the lock ends with it, and its rows no longer count. So they need no crash safety
-- of their own.
create unlogged table leases (
  key    text not null,
  holder int not null,
  held   int not null check (held > 0),
  primary key (key, holder)
);
create index on leases (holder);
create sequence lease_holders as int cycle;

create function is_gone(lease_holder int) returns boolean language sql as $$
  select pg_try_advisory_xact_lock_shared(hashtext('lease holder'), lease_holder)
$$;

-- Makes this connection a holder of what its process has held by another connection. No limit applies to it.
create function hold_leases(keys text[], helds int[]) returns int language plpgsql as $$
declare
  self int := nextval('lease_holders');
begin
  perform pg_advisory_lock(hashtext('lease holder'), self);
  delete from leases where holder in (select holder from leases where holder <> self group by holder having is_gone(holder)) or holder = self;
  insert into leases (key, holder, held) select one.key, self, one.held from unnest(keys, helds) as one (key, held);
  return self;
end $$;

-- Takes one more of a key if there is room, and returns whether there was.
create function take_lease(its_key text, self int, most int) returns boolean language plpgsql as $$
begin
  -- Counted by a statement that begins once the lock is there: it sees what was taken before.
  perform pg_advisory_xact_lock(hashtext('lease'), hashtext(its_key));
  if (select coalesce(sum(held), 0) from leases
      where key = its_key and case when holder = self then true else not is_gone(holder) end) >= most then
    return false;
  end if;
  insert into leases (key, holder, held) values (its_key, self, 1)
    on conflict (key, holder) do update set held = leases.held + 1;
  return true;
end $$;

create function end_lease(its_key text, self int) returns void language plpgsql as $$
begin
  delete from leases where key = its_key and holder = self and held = 1;
  if not found then
    update leases set held = held - 1 where key = its_key and holder = self;
  end if;
end $$;

-- How the portal was in the last 24 hours, noted every ten minutes.
create table health_samples (
  at               timestamptz primary key default now(),
  database_ms      real not null,
  due              int not null,
  oldest_seconds   real not null,
  given_up         int not null,
  pushes_waiting   int not null,
  streams          int not null,
  unsealed_seconds real not null
);
create trigger refuse_emptying before truncate on health_samples execute function refuse_emptying();

-- When each regular job was last added.
create table regular_jobs (
  name    text primary key,
  last_at timestamptz not null
);
create trigger refuse_emptying before truncate on regular_jobs execute function refuse_emptying();

-- The rows that deletions took along if they were not forced, kept for half a minute so that they can be undone. `at` is that of the ledger.
create table deletions (
  target_type text not null,
  target_id   int not null,
  at          timestamptz not null default now(),
  deleted_at  timestamptz not null default clock_timestamp(),
  rows        jsonb not null,
  primary key (target_type, target_id, at)
);
create index on deletions (deleted_at);
create trigger refuse_emptying before truncate on deletions execute function refuse_emptying();

-- Inserts rows as they were, with their ids.
create function restore_rows(kept_in regclass, kept jsonb) returns void language plpgsql as $$
declare
  names text := (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
    where attrelid = kept_in and attnum > 0 and not attisdropped and attgenerated = '');
begin
  execute format('insert into %s (%s) overriding system value select %s from jsonb_populate_recordset(null::%s, $1)', kept_in, names, names, kept_in)
    using kept;
end $$;

-- How many of something a UTC day has, of those that still exist. In shards: with one row for each day, all its writers would take turns.
create table day_counts (
  what  text not null check (what in ('signups', 'services_created', 'app_opens')),
  day   date not null,
  shard int not null,
  count int not null,
  primary key (what, day, shard)
);

create function count_for_day(of_what text, of_day date, step bigint) returns void language sql
begin atomic
  insert into day_counts as counts (what, day, shard, count) values (of_what, of_day, pg_backend_pid() % 16, step)
  on conflict (what, day, shard) do update set count = counts.count + excluded.count;
end;

-- How many there are now.
create table state_counts (
  what  text not null check (what in ('active_users', 'available_services', 'unavailable_services')),
  shard int not null,
  count int not null,
  primary key (what, shard)
);

create function count_state(of_what text, step bigint) returns void language sql
begin atomic
  insert into state_counts as counts (what, shard, count) values (of_what, pg_backend_pid() % 16, step)
  on conflict (what, shard) do update set count = counts.count + excluded.count;
end;
