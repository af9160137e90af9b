-- The ledger: every change, the histories of permission sets, and the events that tell of them.

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

-- One row for each change that was made. `action` is its name in the audit log; null where the log does not list it.
create table changes (
  id             bigint generated always as identity,
  at             timestamptz not null default now(),
  tx             xid8 not null default pg_current_xact_id(),
  kind           text not null,
  about          text not null,
  subject        int not null,
  actor_id       int,
  actor_username text,
  action         text,
  facts          jsonb not null,
  primary key (at, id)
) partition by range (at);
create index changes_of_subject on changes (about, subject, at);
create index changes_of_action on changes (action, at, id) where action is not null;
create index changes_of_actor on changes (actor_id, at, id) where action is not null;

-- What was added to a set of ids and what was taken out of it. The sets before and after are today's set walked back.
create table permission_history (
  id             bigint primary key generated always as identity,
  at             timestamptz not null default now(),
  kind           text not null check (kind in
    ('role.permissions', 'user.roles', 'user.groups', 'group.users', 'group.roles', 'group.apps', 'app.permissions')),
  target_id      int not null,
  added          int[] not null,
  removed        int[] not null,
  actor_id       int,
  actor_username text
);
create index permission_history_of_target on permission_history (kind, target_id, at, id);

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

create function refuse_rewriting() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;

create function ensure_month(parent text, month date) returns void language plpgsql as $$
declare
  first date := date_trunc('month', month);
  part text := parent || to_char(first, '_YYYY_MM');
begin
  if to_regclass(part) is null then
    execute format('create table %I partition of %I for values from (%L) to (%L)',
      part, parent, first::timestamp at time zone 'UTC', (first + interval '1 month') at time zone 'UTC');
    -- Partitions inherit the triggers of rows, but not this one.
    if parent = 'changes' then
      execute format('create trigger append_only_whole before truncate on %I execute function refuse_rewriting()', part);
    end if;
  end if;
end $$;

-- Rows of a month nobody prepared go to the default partition, so that no write is lost to a missed job.
create table changes_default partition of changes default;
select ensure_month('changes', (now() at time zone 'UTC')::date),
       ensure_month('changes', ((now() at time zone 'UTC') + interval '1 month')::date);

create trigger append_only before update or delete on changes for each row execute function refuse_rewriting();
create trigger append_only_whole before truncate on changes execute function refuse_rewriting();
create trigger append_only_whole before truncate on changes_default execute function refuse_rewriting();
create trigger append_only before update or delete on permission_history for each row execute function refuse_rewriting();
create trigger append_only_whole before truncate on permission_history execute function refuse_rewriting();
revoke update, delete, truncate on changes, permission_history from current_user;

-- A row of an audited table commits only beside a change about its subject.
-- Arguments: pairs of what the change is about and the column with the subject's id (a number stands for itself); one pair is enough.
create function demand_change() returns trigger language plpgsql as $$
declare
  -- An update answers for the row as it was, too: it may have moved from one subject to another.
  lines jsonb[] := case tg_op when 'INSERT' then array[to_jsonb(new)] when 'DELETE' then array[to_jsonb(old)]
                              else array[to_jsonb(old), to_jsonb(new)] end;
  line jsonb;
  is_recorded boolean;
begin
  foreach line in array lines loop
    is_recorded := false;
    for i in 0 .. tg_nargs - 2 by 2 loop
      is_recorded := is_recorded or exists (select from changes
        where at = now() and tx = pg_current_xact_id() and about = tg_argv[i]
          and subject = coalesce(line ->> tg_argv[i + 1], tg_argv[i + 1])::int);
    end loop;
    if not is_recorded then
      raise exception '% of % without a recorded change about % %', lower(tg_op), tg_table_name, tg_argv[0],
        coalesce(line ->> tg_argv[1], tg_argv[1])
        using errcode = 'BW001';
    end if;
  end loop;
  return null;
end $$;

-- Emptying a table at once would pass the locks on its rows.
create function refuse_emptying() returns trigger language plpgsql as $$
begin
  raise exception 'the rows of % go one by one, each with its change', tg_table_name using errcode = 'insufficient_privilege';
end $$;

-- A row of a set of grants commits only beside the history of each set it belongs to.
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
