-- People and their programs, and the versions that tell a cached answer from a stale one.

-- An account is a person's or, with the kind `service`, a program's: a statement that lists, counts or chooses people says which it means.
-- Invited people have no password until they choose one with the link of the invitation.
--
-- `is_exception`: an administrator who can sign in by password where others cannot. `has_exception_password`: since then, they have chosen
-- one that is long enough for that.
--
-- `handle` is what passkeys call a person: random, never the id or an address. It is made with the first passkey, and kept.
--
-- `email_vouched`: an administrator gave the account its address, or a link mailed there was used. At registration people write any address.
-- `is_proven`: somebody other than its holder has said whose the account is, though its address may still be anybody's: an administrator
-- with a link, or a provider that speaks for the address. `email_vouched` says as much, and vouches for the address, too.
create table users (
  id              int primary key generated always as identity,
  username        text not null,
  email           text not null,
  password_hash   text,
  display_name_ar text,
  display_name_en text,
  preferred_language text not null default 'ar' check (preferred_language in ('ar', 'en')),
  clock_style     text check (clock_style in ('full', 'digital', 'digital-no-seconds', 'analog', 'minimal')),
  clock_hour12    boolean,
  avatar_url      text,
  is_active       boolean not null default true,
  notification_sound_order   text not null default 'ding'
    check (notification_sound_order in ('ding', 'chime', 'bell', 'knock', 'pop', 'alert', 'beep', 'soft')),
  notification_sound_meeting text not null default 'chime'
    check (notification_sound_meeting in ('ding', 'chime', 'bell', 'knock', 'pop', 'alert', 'beep', 'soft')),
  notification_sound_note    text not null default 'pop'
    check (notification_sound_note in ('ding', 'chime', 'bell', 'knock', 'pop', 'alert', 'beep', 'soft')),
  notify_orders_enabled      boolean not null default true,
  notify_meetings_enabled    boolean not null default true,
  notify_notes_enabled       boolean not null default true,
  vibration_enabled_order    boolean not null default true,
  vibration_enabled_meeting  boolean not null default true,
  vibration_enabled_note     boolean not null default true,
  notifications_muted        boolean not null default false,
  created_at      timestamptz not null default now(),
  username_key    text not null generated always as (lower(username collate "und-x-icu")) stored,
  email_key       text not null generated always as (lower(email collate "und-x-icu")) stored,
  search          text not null generated always as (portal_fold(username || E'\x01' || email || E'\x01'
                    || coalesce(display_name_ar, '') || E'\x01' || coalesce(display_name_en, ''))) stored,
  invitation      text check (invitation in ('pending', 'accepted')),
  kind            text not null default 'person' check (kind in ('person', 'service')),
  is_exception           boolean not null default false,
  has_exception_password boolean not null default false,
  handle          bytea unique,
  email_vouched   boolean not null default false,
  is_proven       boolean not null default false,
  constraint username_taken unique (username_key),
  constraint email_taken unique (email_key),
  check (kind = 'person' or password_hash is null),
  check (is_exception or not has_exception_password)
);
create index users_search on users using gin (search gin_trgm_ops);
-- Finds people by a whole username, e-mail address or name.
create index users_parts on users using gin (string_to_array(search, E'\x01'));
-- Everyone by the name that readers of either language see, whether active or not: lists are read in this order.
create index users_named_ar on users
  ((coalesce(nullif(display_name_ar, ''), nullif(display_name_en, ''), username) collate "ar-x-icu"), id);
create index users_named_en on users
  ((coalesce(nullif(display_name_en, ''), nullif(display_name_ar, ''), username) collate "en-x-icu"), id);
create index users_exceptions on users (id) where is_exception;
create index users_programs on users (id) where kind = 'service';
create constraint trigger demand_change after insert or update or delete on users
  deferrable initially deferred for each row execute function demand_change('user', 'id');
create trigger refuse_emptying before truncate on users execute function refuse_emptying();

-- What usernames look like, by the skeletons of UTS 39. The portal fills it in: the database does not know which letters look alike.
create table username_looks (
  look    text not null,
  user_id int not null references users on delete cascade,
  primary key (look, user_id)
);
create index on username_looks (user_id);

-- Changes that a person makes over and over, such as of preferences: those of one kind within a minute are one row of the ledger, the first.
-- `since` is when its minute began, `last` when it was added to.
create table gathered_changes (
  user_id int references users on delete cascade,
  kind    text,
  since   timestamptz not null,
  last    timestamptz not null,
  primary key (user_id, kind)
);

-- What a service account has besides its row of `users`.
create table service_accounts (
  user_id         int primary key references users on delete cascade,
  contact_user_id int references users on delete set null
);
create index on service_accounts (contact_user_id);
create constraint trigger demand_change after insert or update or delete on service_accounts
  deferrable initially deferred for each row execute function demand_change('user', 'user_id', 'user', 'contact_user_id');
create trigger refuse_emptying before truncate on service_accounts execute function refuse_emptying();

-- Versions of access never come again, not even after the database was set back to the state of a standby or a backup: they follow the clock.
-- So no process honours a lost right that it remembers under its version. A person's version also increases when one of their grants ends,
-- before its row is deleted: steps of 1,000 leave room for these. It uses the clock itself, because a command compares versions after it has
-- waited for locks.
create function next_version(previous bigint) returns bigint language sql volatile as $$
  select greatest(previous + 1000, (extract(epoch from clock_timestamp()) * 1000000)::bigint)
$$;

-- An answer cached under (user, version, epoch) is never asked for again once either has increased.
create table access_epoch (only_row boolean primary key default true check (only_row), value bigint not null default 1);
insert into access_epoch (value) values (next_version(0));

create function bump_epoch() returns trigger language plpgsql as $$
begin
  update access_epoch set value = next_version(value);
  return null;
end $$;

-- `is_active` follows the person's, so that admitting a request reads one table less. `must_enrol_at`: since when the person must have a
-- second factor, because one of their roles demands it, or null. Triggers keep it in step with what was granted; `owed_by` decides when it
-- is asked whether the grant still holds.
create table user_access (
  user_id       int primary key references users on delete cascade,
  is_active     boolean not null,
  version       bigint not null default next_version(0),
  must_enrol_at timestamptz
);
create index user_access_must_enrol on user_access (user_id) where must_enrol_at is not null;

create function open_user_access() returns trigger language plpgsql as $$
begin
  insert into user_access (user_id, is_active) select id, is_active from touched;
  return null;
end $$;
create trigger open_user_access after insert on users
  referencing new table as touched for each statement execute function open_user_access();

-- The argument is the column with the person's id. Rows are locked in order, so that two transactions cannot wait for each other.
create function bump_users() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'users' then
    perform from user_access where user_id in (select id from touched) order by user_id for update;
    update user_access set version = next_version(version), is_active = touched.is_active from touched where user_id = touched.id;
  else
    perform from user_access where user_id in (select user_id from touched) order by user_id for update;
    update user_access set version = next_version(version) where user_id in (select user_id from touched);
  end if;
  return null;
end $$;
create trigger bump_users_updated after update on users
  referencing new table as touched for each statement execute function bump_users();

-- Counts the people who signed up and those who are active.
create function count_users() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform count_for_day('signups', day, count)
    from (select utc_day(created_at) as day, count(*) from after where kind = 'person' group by 1 order by 1) as days;
    perform count_state('active_users', count)
    from (select count(*) from after where is_active and kind = 'person' having count(*) > 0) as states;
  elsif tg_op = 'DELETE' then
    perform count_for_day('signups', day, -count)
    from (select utc_day(created_at) as day, count(*) from before where kind = 'person' group by 1 order by 1) as days;
    perform count_state('active_users', -count)
    from (select count(*) from before where is_active and kind = 'person' having count(*) > 0) as states;
  else
    perform count_for_day('signups', day, sum) from (
      select day, sum(step) from (
        select utc_day(created_at) as day, 1 as step from after where kind = 'person'
        union all select utc_day(created_at), -1 from before where kind = 'person') as steps
      group by day having sum(step) <> 0 order by day) as days;
    perform count_state('active_users', sum) from (
      select sum(step) from (
        select 1 as step from after where is_active and kind = 'person'
        union all select -1 from before where is_active and kind = 'person') as steps
      having sum(step) <> 0) as states;
  end if;
  return null;
end $$;
create trigger count_users_added after insert on users
  referencing new table as after for each statement execute function count_users();
create trigger count_users_updated after update on users
  referencing old table as before new table as after for each statement execute function count_users();
create trigger count_users_removed after delete on users
  referencing old table as before for each statement execute function count_users();

-- When somebody was last here, to the hour. Sessions are forgotten soon after they end; this stays.
create table last_seen (
  user_id int primary key references users on delete cascade,
  at      timestamptz not null
);

-- The answer to a call that was sent with an `Idempotency-Key`, for a day. Only the key itself, which is not stored, opens the answer and
-- shows which call it answered: some answers contain secret links, some calls contain passwords.
create table idempotency_keys (
  user_id     int not null references users on delete cascade,
  key_hash    bytea not null,
  fingerprint bytea not null,
  answer      bytea not null,
  created_at  timestamptz not null default now(),
  primary key (user_id, key_hash)
);
create index on idempotency_keys (created_at);
-- The answers that are still kept, of each person. An empty one is no longer kept, but its call is still known to have been carried out.
create index kept_answers on idempotency_keys (user_id, created_at) where answer <> '';

-- Who has a record open, which pages report every 20 seconds. A row that was not renewed for 45 seconds no longer counts, so a crash loses
-- nothing.
create unlogged table presences (
  place      text not null,
  user_id    int not null references users on delete cascade,
  is_editing boolean not null,
  since      timestamptz not null,
  seen_at    timestamptz not null,
  primary key (place, user_id)
);
create index on presences (user_id, seen_at);
create index on presences (seen_at);
create trigger refuse_emptying before truncate on presences execute function refuse_emptying();
