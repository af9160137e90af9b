-- The record: the ledger of every change with its seals, the histories of sets of permissions, the events that tell of changes, and the
-- triggers by which no row changes without a change in the ledger.

create extension if not exists pg_trgm;

-- Folds a text for searching: compatibility forms, case, Arabic marks, tatweel, bidi marks, letter forms and digits.
create function portal_fold(t text) returns text
  language sql immutable strict parallel safe
  return lower(translate(
    regexp_replace(normalize(t, nfkc),
      '[\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E8\u06EA-\u06ED\u08D3-\u08FF\u0640\u061C\u200B-\u200F\u202A-\u202E\u2066-\u2069\uFEFF]',
      '', 'g'),
    'أإآٱٲٳىیېۍےئکڪګگةۃۀہھە٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹',
    'اااااايييييئكككگهههههه01234567890123456789') collate "und-x-icu");

create function refuse_rewriting() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;

-- Creates the partition of a month. It runs as the owner of the tables, because the portal may have a role that owns nothing.
create function ensure_month(parent text, month date) returns void language plpgsql
  security definer set search_path = public, pg_temp as $$
declare
  first date := date_trunc('month', month);
  part text := parent || to_char(first, '_YYYY_MM');
begin
  if to_regclass(part) is null then
    execute format('create table %I partition of %I for values from (%L) to (%L)',
      part, parent, first::timestamp at time zone 'UTC', (first + interval '1 month') at time zone 'UTC');
    -- Partitions inherit the triggers of rows, but not this one.
    if parent = 'ledger' then
      execute format('create trigger append_only_whole before truncate on %I execute function refuse_rewriting()', part);
    end if;
  end if;
end $$;
revoke execute on function ensure_month(text, date) from public;

-- One row for each change. `action` is its name in the audit log, or null if the log does not list it.
create table ledger (
  id             bigint generated always as identity,
  at             timestamptz not null default now(),
  tx             xid8 not null default pg_current_xact_id(),
  kind           text not null,
  target_type    text not null,
  target_id      int not null,
  actor_id       int,
  actor_username text,
  action         text,
  facts          jsonb not null,
  primary key (at, id)
) partition by range (at);
create index ledger_of_target_id on ledger (target_type, target_id, at);
create index ledger_by_id on ledger (id);

-- The orders in which the audit log is read, for each of its filters.
create index ledger_of_action on ledger (action, at, id) where action is not null;
create index ledger_of_actor on ledger (actor_id, at, id) where action is not null;
create index ledger_of_log on ledger (at, id) where action is not null;
create index ledger_of_force on ledger (at, id) where action like '%.force_delete';
create index ledger_of_target_type on ledger (target_type, at, id) where action is not null;
create index ledger_of_target on ledger (target_id, at, id) where action is not null;
create index ledger_of_target_type_and_target on ledger (target_type, target_id, at, id) where action is not null;
create index ledger_of_actor_and_action on ledger (actor_id, action, at, id) where action is not null;

-- The changes of the meetings of a day, by the day they left and the day they came to.
create index ledger_of_day_before on ledger ((facts #>> '{before,date}'), at) where target_type = 'meeting';
create index ledger_of_day_after on ledger ((facts #>> '{after,date}'), at) where target_type = 'meeting';

-- The partition of months that nobody prepared, so that no write is lost to a missed job.
create table ledger_default partition of ledger default;
select ensure_month('ledger', (now() at time zone 'UTC')::date),
       ensure_month('ledger', ((now() at time zone 'UTC') + interval '1 month')::date);

create trigger append_only before update or delete on ledger for each row execute function refuse_rewriting();
create trigger append_only_whole before truncate on ledger execute function refuse_rewriting();
create trigger append_only_whole before truncate on ledger_default execute function refuse_rewriting();
revoke update, delete, truncate on ledger from current_user;

-- Gives each row the next id, whatever id it is inserted with: nobody can repeat one in another month, or take one ahead of time.
create function number_ledger_row() returns trigger language plpgsql as $$
begin
  new.id := pg_catalog.nextval('public.ledger_id_seq');
  return new;
end $$;
create trigger number_row before insert on ledger for each row execute function number_ledger_row();

-- What was added to a set of ids and what was taken out of it. The sets before and after are today's set walked back. `revert_of`: which
-- entry this one puts back, as `{kind, entryId}`, which is also among the facts of the ledger. `ends`: the ends that a change gave, changed
-- or took, as `[{id, from, to}]`.
create table permission_history (
  id             bigint primary key generated always as identity,
  at             timestamptz not null default now(),
  kind           text not null check (kind in
    ('role.permissions', 'user.roles', 'user.groups', 'group.users', 'group.roles', 'group.apps', 'app.permissions')),
  target_id      int not null,
  added          int[] not null,
  removed        int[] not null,
  actor_id       int,
  actor_username text,
  revert_of      jsonb,
  ends           jsonb not null default '[]'
);
create index permission_history_of_target on permission_history (kind, target_id, at, id);
create trigger append_only before update or delete on permission_history for each row execute function refuse_rewriting();
create trigger append_only_whole before truncate on permission_history execute function refuse_rewriting();
revoke update, delete, truncate on permission_history from current_user;

-- `recipients` null: everyone signed in. `sessions` null: every session of the recipients.
create table events (
  id         bigint generated always as identity,
  tx         xid8 not null default pg_current_xact_id(),
  at         timestamptz not null default now(),
  event      text not null,
  data       json not null,
  recipients int[],
  sessions   int[],
  primary key (tx, id)
);
create index events_of_recipient on events using gin (recipients);
create index events_to_everyone on events (tx, id) where recipients is null;
create index events_by_age on events (at);

-- The last event removed by age, and the name of this database's run of events: a stream's id from another run does not resume.
create table event_horizon (
  only_row boolean primary key default true check (only_row),
  epoch    text not null default substr(md5(random()::text || clock_timestamp()::text), 1, 8),
  tx       xid8 not null default '0',
  id       bigint not null default 0
);
insert into event_horizon default values;

-- A row of an audited table commits only beside a row of the ledger about its target, or beside a gathered change of its person. Encrypting
-- secrets with another key is not a change.
-- Arguments: pairs of a target type and the column with the target's id (a number stands for itself); one pair is enough.
create function demand_change() returns trigger language plpgsql as $$
declare
  -- An update answers for the row as it was, too: it may have moved from one target to another. A column that a reference emptied
  -- answers as it was.
  lines jsonb[] := case tg_op when 'INSERT' then array[to_jsonb(new)] when 'DELETE' then array[to_jsonb(old)]
                              else array[to_jsonb(old), to_jsonb(old) || jsonb_strip_nulls(to_jsonb(new))] end;
  line jsonb;
  target int;
  is_recorded boolean;
begin
  if tg_op = 'UPDATE' and current_setting('portal.rewrites_secrets', true) = 'on'
    and is_same_but_secrets(tg_relid, to_jsonb(old), to_jsonb(new)) then return null; end if;
  foreach line in array lines loop
    is_recorded := false;
    for i in 0 .. tg_nargs - 2 by 2 loop
      target := case when line ? tg_argv[i + 1] then (line ->> tg_argv[i + 1])::int else tg_argv[i + 1]::int end;
      is_recorded := exists (select from ledger
          where at = now() and tx = pg_current_xact_id() and target_type = tg_argv[i] and target_id = target)
        or tg_argv[i] = 'user' and exists (select from gathered_changes where user_id = target and last = now());
      exit when is_recorded;
    end loop;
    if not is_recorded then
      raise exception '% of % without a recorded change about % %', lower(tg_op), tg_table_name, tg_argv[0],
        coalesce(line ->> tg_argv[1], tg_argv[1])
        using errcode = 'BW001';
    end if;
  end loop;
  return null;
end $$;

-- A row of a set of grants commits only beside the history of each set that it belongs to.
-- Arguments: pairs of a history's kind and the column with its target's id; every pair is needed.
create function demand_history() returns trigger language plpgsql as $$
declare
  -- An update answers for the row as it was, too: it may have moved from one subject to another.
  lines jsonb[] := case tg_op when 'INSERT' then array[to_jsonb(new)] when 'DELETE' then array[to_jsonb(old)]
                              else array[to_jsonb(old), to_jsonb(new)] end;
  line jsonb;
begin
  foreach line in array lines loop
    for i in 0 .. tg_nargs - 2 by 2 loop
      if not exists (select from permission_history
                      where at = now() and kind = tg_argv[i] and target_id = (line ->> tg_argv[i + 1])::int) then
        raise exception '% of % without history % of %', lower(tg_op), tg_table_name, tg_argv[i], line ->> tg_argv[i + 1]
          using errcode = 'BW001';
      end if;
    end loop;
  end loop;
  return null;
end $$;

-- Emptying a table at once would pass the triggers on its rows.
create function refuse_emptying() returns trigger language plpgsql as $$
begin
  raise exception 'the rows of % go one by one, each with its change', tg_table_name using errcode = 'insufficient_privilege';
end $$;

create function refuse_others() returns trigger language plpgsql as $$
begin
  if not pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'usage') then
    raise exception '% is written by its owner alone', tg_table_name using errcode = 'insufficient_privilege';
  end if;
  return null;
end $$;

-- Each seal covers the rows of the ledger whose ids lie after its predecessor's last id, up to its own. For each row, in order: its id, and
-- marks of its contents and of the whole row with its id and time; `hash` chains all of them to the seal before.
create table audit_seals (
  id       bigint primary key,
  at       timestamptz not null default now(),
  last_id  bigint not null,
  ids      bigint[] not null,
  contents bigint[] not null,
  wholes   bigint[] not null,
  hash     bytea not null
);
create trigger append_only before update or delete on audit_seals for each row execute function refuse_rewriting();
create trigger append_only_whole before truncate on audit_seals execute function refuse_rewriting();
revoke update, delete, truncate on audit_seals from current_user;
-- By this trigger, the start recognises the tables whose rows the portal's role may only read.
create trigger owner_only before insert or update or delete on audit_seals for each statement execute function refuse_others();

-- How far the ledger may be sealed once all transactions before `tx` are over: no row with an id up to `last_id` can come any more.
create table seal_horizon (
  only_row boolean primary key default true check (only_row),
  last_id  bigint not null,
  tx       xid8 not null
);
insert into seal_horizon (last_id, tx) values (0, '0');
create trigger owner_only before insert or update or delete on seal_horizon for each statement execute function refuse_others();

-- Seals the next rows, at most 1,000, and returns how many. Null: a transaction is under way that may still add some before them. 0: all up
-- to the horizon are sealed, and the horizon now includes the rows that the ledger has by now. server/record/audit/chain.ts says what is hashed.
create function seal_ledger() returns int language plpgsql security definer set search_path = public, pg_temp as $$
declare
  horizon seal_horizon;
  before  audit_seals;
  seal    audit_seals;
  newest  bigint;
begin
  -- A snapshot that does not move on would say of transactions that are over by now that they were over before an id was given out.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'the ledger is sealed in read committed transactions only' using errcode = 'active_sql_transaction';
  end if;
  select * into horizon from seal_horizon for update;
  -- In a database that was restored, a horizon from before may lie ahead of every transaction; then all its rows are there.
  if pg_snapshot_xmin(pg_current_snapshot()) < horizon.tx and horizon.tx <= pg_snapshot_xmax(pg_current_snapshot()) then return null; end if;

  select * into before from audit_seals order by id desc limit 1;
  seal.id := coalesce(before.id, 0) + 1;
  seal.at := clock_timestamp();
  seal.last_id := (select max(id) from (
    select id from ledger where id > coalesce(before.last_id, 0) and id <= horizon.last_id order by id limit 1000) as batch);
  if seal.last_id is null then
    newest := coalesce(pg_sequence_last_value('ledger_id_seq'), 0);
    -- Read by a later statement: whichever transaction took an id by then already has its own number.
    update seal_horizon set last_id = newest, tx = pg_snapshot_xmax(pg_current_snapshot()) where last_id <> newest;
    return 0;
  end if;

  select array_agg(id order by id, at), array_agg(('x' || encode(substr(content, 1, 8), 'hex'))::bit(64)::bigint order by id, at),
      array_agg(('x' || encode(substr(whole, 1, 8), 'hex'))::bit(64)::bigint order by id, at),
      sha256(coalesce(before.hash, '') || convert_to(concat(seal.id, ' ', (extract(epoch from seal.at) * 1000000)::bigint, ' ', seal.last_id, ' '), 'UTF8')
        || string_agg(whole, '' order by id, at))
    into seal.ids, seal.contents, seal.wholes, seal.hash
    from (
      select id, at, content, sha256(convert_to(concat(id, ' ', (extract(epoch from at) * 1000000)::bigint, ' ', tx, ' '), 'UTF8') || content) as whole
      from (
        select id, at, tx, sha256(convert_to(
          jsonb_build_array(kind, target_type, target_id, actor_id, actor_username, action, facts)::text, 'UTF8')) as content
        from ledger where id > coalesce(before.last_id, 0) and id <= seal.last_id) as read) as hashed;
  insert into audit_seals select seal.*;
  return cardinality(seal.ids);
end $$;
revoke execute on function seal_ledger() from public;
