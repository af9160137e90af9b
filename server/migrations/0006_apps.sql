-- The launcher: the apps, who sees them, who saw them at any past moment, and how often they are opened.

create table apps (
  id             int primary key generated always as identity,
  slug           text not null constraint slug_taken unique,
  name_ar        text not null,
  name_en        text not null,
  description_ar text,
  description_en text,
  icon_name      text not null,
  image_url      text,
  route          text not null,
  external_url   text,
  open_mode      text not null default 'internal' check (open_mode in ('internal', 'external_tab', 'external_iframe')),
  color          text not null,
  is_active      boolean not null default true,
  is_system      boolean not null default false,
  sort_order     int not null default 0,
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now(),
  search         text not null generated always as (portal_fold(slug || E'\x01' || name_ar || E'\x01' || name_en || E'\x01'
                   || coalesce(description_ar, '') || E'\x01' || coalesce(description_en, ''))) stored
);
create index on apps (sort_order, id);
create trigger bump_epoch after insert or update or delete on apps execute function bump_epoch();
create constraint trigger demand_change after insert or update or delete on apps
  deferrable initially deferred for each row execute function demand_change('app', 'id');
create trigger refuse_emptying before truncate on apps execute function refuse_emptying();

create table app_permissions (
  app_id        int not null references apps on delete cascade,
  permission_id int not null references permissions,
  primary key (app_id, permission_id)
);
create index on app_permissions (permission_id);
create trigger bump_epoch after insert or update or delete on app_permissions execute function bump_epoch();
create constraint trigger demand_change after insert or update or delete on app_permissions
  deferrable initially deferred for each row execute function demand_change('app', 'app_id');
create constraint trigger demand_history after insert or update or delete on app_permissions
  deferrable initially deferred for each row execute function demand_history('app.permissions', 'app_id');
create trigger refuse_emptying before truncate on app_permissions execute function refuse_emptying();

create table group_apps (
  group_id int not null references groups on delete cascade,
  app_id   int not null references apps on delete cascade,
  primary key (group_id, app_id)
);
create index on group_apps (app_id);
create trigger bump_epoch after insert or update or delete on group_apps execute function bump_epoch();
create constraint trigger demand_change after insert or update or delete on group_apps
  deferrable initially deferred for each row execute function demand_change('group', 'group_id', 'app', 'app_id');
create constraint trigger demand_history after insert or update or delete on group_apps
  deferrable initially deferred for each row execute function demand_history('group.apps', 'group_id');
create trigger refuse_emptying before truncate on group_apps execute function refuse_emptying();

-- The order in which a person has put their apps.
create table app_orders (
  user_id int primary key references users on delete cascade,
  app_ids int[] not null
);
create trigger bump_users_added after insert on app_orders
  referencing new table as touched for each statement execute function bump_users();
create trigger bump_users_updated after update on app_orders
  referencing new table as touched for each statement execute function bump_users();
create trigger bump_users_removed after delete on app_orders
  referencing old table as touched for each statement execute function bump_users();
create constraint trigger demand_change after insert or update or delete on app_orders
  deferrable initially deferred for each row execute function demand_change('user', 'user_id');
create trigger refuse_emptying before truncate on app_orders execute function refuse_emptying();

-- Who sees an active app: active people who have one of its keys. `keysOf` in server/work/apps/rules.ts is the same rule for one person; tests
-- with random organisations compare the two.

-- The keys of an app that asks for these permissions and is granted to these groups. Each is a role to hold or a group to be in; a key that
-- is neither is everyone's.
create function app_keys(asked int[], granted int[]) returns table (role_id int, group_id int) language sql stable as $$
  select id, null::int from roles where name = 'admin'
  union
  select null, null where cardinality(asked) = 0
  union
  select role_id, null from role_permissions where permission_id = any(asked)
  union
  select null, unnest(granted)
$$;

-- The keys of each active app as it is.
create function keys_of_apps() returns table (app_id int, role_id int, group_id int) language sql stable as $$
  select apps.id, keys.role_id, keys.group_id
  from apps cross join app_keys(
    array(select permission_id from app_permissions where app_id = apps.id),
    array(select group_id from group_apps where app_id = apps.id)) as keys
  where is_active
$$;

-- The active people who have a key of such an app.
create function app_viewers(asked int[], granted int[]) returns setof int language sql stable as $$
  with keys as materialized (select * from app_keys(asked, granted))
  select id from users
  where is_active and kind = 'person' and (
    exists (select from keys where role_id is null and group_id is null)
    or id in (
      select user_id from effective_roles where role_id = any(array(select role_id from keys))
      union
      select user_id from group_users where group_id = any(array(select group_id from keys))))
$$;

-- Who could open what at any moment. `access_past` has each row that decides on it, as it was between two moments. Triggers keep it, and
-- nothing else writes it.

-- A transaction that changes access. `began_at` is the time of its rows in the ledger and the histories, `ended_at` that of its last act
-- before the commit: where one transaction waited for another, these are in the order of the commits. Null while it is under way.
create table access_moments (
  began_at timestamptz not null default now(),
  tx       xid8 not null default pg_current_xact_id(),
  ended_at timestamptz,
  primary key (began_at, tx)
);
create trigger refuse_emptying before truncate on access_moments execute function refuse_emptying();
create trigger owner_only before insert or update or delete on access_moments for each statement execute function refuse_others();

-- `one` and `other` are the row's key, and `line` has the other columns that matter. It was so from `since` until just before `until`, the
-- `ended_at` of two transactions. While a transaction is under way, what it adds has `since` infinity, and what it ends `until` -infinity.
create table access_past (
  source text not null,
  one    int not null,
  other  int not null,
  line   jsonb not null,
  since  timestamptz not null default 'infinity',
  until  timestamptz not null default 'infinity',
  primary key (source, one, other, since)
);
create unique index access_present on access_past (source, one, other) where until = 'infinity';
create index access_under_way on access_past (source) where since = 'infinity' or until = '-infinity';
create trigger refuse_emptying before truncate on access_past execute function refuse_emptying();
create trigger owner_only before insert or update or delete on access_past for each statement execute function refuse_others();

-- What comes with the portal has been so from the start.
insert into access_past (source, one, other, line, since)
  select 'permissions', id, 0, jsonb_build_object('name', name), '-infinity'::timestamptz from permissions
  union all select 'roles', id, 0, jsonb_build_object('name', name), '-infinity' from roles
  union all select 'groups', id, 0, jsonb_build_object('name', name), '-infinity' from groups
  union all select 'role_permissions', role_id, permission_id, '{}', '-infinity' from role_permissions;

create function end_access_moment() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  over timestamptz := clock_timestamp();
begin
  update access_past set since = over where since = 'infinity';
  update access_past set until = over where until = '-infinity';
  update access_moments set ended_at = over where began_at = new.began_at and tx = new.tx;
  return null;
end $$;
create constraint trigger end_access_moment after insert or update on access_moments
  deferrable initially deferred for each row when (new.ended_at is null) execute function end_access_moment();

-- Keeps what a statement changed. Arguments: the source, the columns of its key, and the other columns that matter, separated by spaces.
create function keep_access() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  lines text := format('select %s as one, %s as other, jsonb_build_object(%s) as line from ', tg_argv[1], tg_argv[2],
    (select string_agg(format('%L, %I', name, name), ', ') from unnest(string_to_array(tg_argv[3], ' ')) as name));
  gone text := case tg_op when 'DELETE' then lines || 'removed' when 'UPDATE' then lines || 'removed except ' || lines || 'added' end;
  come text := case tg_op when 'INSERT' then lines || 'added' when 'UPDATE' then lines || 'added except ' || lines || 'removed' end;
  has_changed boolean;
begin
  execute format('select exists (%s)', coalesce(gone, come)) into has_changed;
  if not has_changed then return null; end if;

  insert into access_moments default values
    on conflict (began_at, tx) do update set ended_at = null where access_moments.ended_at is not null;
  if gone is not null then
    -- Nobody saw what the same transaction had written before.
    execute format('delete from access_past as kept using (%s) as gone
      where source = $1 and kept.one = gone.one and kept.other = gone.other and since = $2', gone)
      using tg_argv[0], 'infinity'::timestamptz;
    execute format('update access_past as kept set until = $2 from (%s) as gone
      where source = $1 and kept.one = gone.one and kept.other = gone.other and until = $3', gone)
      using tg_argv[0], '-infinity'::timestamptz, 'infinity'::timestamptz;
  end if;
  if come is not null then
    execute format('insert into access_past (source, one, other, line) select $1, one, other, line from (%s) as come', come)
      using tg_argv[0];
  end if;
  return null;
end $$;

do $$
declare
  kept record;
begin
  for kept in
    select * from (values
      ('users', 'users', 'id', '0', 'is_active kind'),
      ('roles', 'roles', 'id', '0', 'name'),
      ('permissions', 'permissions', 'id', '0', 'name'),
      ('groups', 'groups', 'id', '0', 'name'),
      ('apps', 'apps', 'id', '0', 'slug name_ar name_en is_active sort_order'),
      ('direct_roles', 'user_roles', 'user_id', 'role_id', 'expires_at'),
      ('memberships', 'group_users', 'user_id', 'group_id', 'expires_at'),
      ('group_roles', 'group_roles', 'group_id', 'role_id', ''),
      ('role_permissions', 'role_permissions', 'role_id', 'permission_id', ''),
      ('app_permissions', 'app_permissions', 'app_id', 'permission_id', ''),
      ('group_apps', 'group_apps', 'app_id', 'group_id', '')) as kept (base, source, one, other, columns)
    cross join (values
      ('added', 'insert', 'new table as added'),
      ('changed', 'update', 'old table as removed new table as added'),
      ('removed', 'delete', 'old table as removed')) as act (name, event, tables)
  loop
    execute format(
      'create trigger keep_access_%s after %s on %I referencing %s for each statement execute function keep_access(%L, %L, %L, %L)',
      kept.name, kept.event, kept.base, kept.tables, kept.source, kept.one, kept.other, kept.columns);
  end loop;
end $$;

-- The tables that decide on access, as they were at the moment `portal.moment`, by their own names: with `past` for a search path, the
-- statements of the present answer for the past.
create schema past;

create function past.moment() returns timestamptz language sql stable as $$ select current_setting('portal.moment')::timestamptz $$;
create view past.rows as
  select source, one, other, line from public.access_past where since <= (select past.moment()) and until > (select past.moment());

-- Rows that an early version wrote have no kind: they are persons'.
create view past.users as
  select one as id, (line ->> 'is_active')::boolean as is_active, coalesce(line ->> 'kind', 'person') as kind
  from past.rows where source = 'users';
create view past.roles as select one as id, line ->> 'name' as name from past.rows where source = 'roles';
create view past.permissions as select one as id, line ->> 'name' as name from past.rows where source = 'permissions';
create view past.groups as select one as id, line ->> 'name' as name from past.rows where source = 'groups';
create view past.apps as
  select one as id, line ->> 'slug' as slug, line ->> 'name_ar' as name_ar, line ->> 'name_en' as name_en,
    (line ->> 'is_active')::boolean as is_active, (line ->> 'sort_order')::int as sort_order
  from past.rows where source = 'apps';
create view past.group_roles as select one as group_id, other as role_id from past.rows where source = 'group_roles';
create view past.role_permissions as select one as role_id, other as permission_id from past.rows where source = 'role_permissions';
create view past.app_permissions as select one as app_id, other as permission_id from past.rows where source = 'app_permissions';
create view past.group_apps as select one as app_id, other as group_id from past.rows where source = 'group_apps';

-- A grant ends at its own time, not when its row is deleted.
create view past.user_roles as
  select * from (
    select one as user_id, other as role_id, (line ->> 'expires_at')::timestamptz(3) as expires_at
    from past.rows where source = 'user_roles') as granted
  where expires_at is null or expires_at > (select past.moment());
create view past.group_users as
  select * from (
    select other as group_id, one as user_id, (line ->> 'expires_at')::timestamptz(3) as expires_at
    from past.rows where source = 'group_users') as granted
  where expires_at is null or expires_at > (select past.moment());

-- Each opening of an app. It has no foreign keys: an app that everybody opens every day has more openings than could be deleted with it in
-- one transaction, so a job deletes them afterwards. What was opened, and by whom, is locked while an opening is written.
create table app_opens (
  id         bigint generated always as identity,
  app_id     int not null,
  user_id    int not null,
  created_at timestamptz not null default now(),
  primary key (created_at, id)
) partition by range (created_at);
create index on app_opens (app_id, created_at, id);
create index on app_opens (user_id, created_at, id);

create table app_opens_default partition of app_opens default;
select ensure_month('app_opens', (now() at time zone 'UTC')::date),
       ensure_month('app_opens', ((now() at time zone 'UTC') + interval '1 month')::date);

-- How often an app was opened on each UTC day. Days count what happened: the openings of someone who is deleted stay in the days of the app
-- as `forgotten`, and are no longer listed.
create table app_open_days (
  app_id    int not null references apps on delete cascade,
  day       date not null,
  count     int not null,
  forgotten int not null default 0,
  primary key (app_id, day)
);
create index on app_open_days (day, app_id);

-- How often an app was opened in each month, and how often a person opened apps on each UTC day and in each month: long windows consist of
-- months, and of days at their ends.
create table app_open_months (
  app_id int not null references apps on delete cascade,
  month  date not null,
  count  int not null,
  primary key (app_id, month)
);

create table user_open_days (
  user_id int not null references users on delete cascade,
  day     date not null,
  count   int not null,
  primary key (user_id, day)
);
create index on user_open_days (day, user_id);

create table user_open_months (
  user_id int not null references users on delete cascade,
  month   date not null,
  count   int not null,
  primary key (user_id, month)
);
create index on user_open_months (month, user_id);

-- The most that one person opened on a day. It is never lowered, so it may be too high but is never too low. Nobody whose days cannot reach
-- the top with these peaks needs to be added up.
create table user_open_peaks (
  day   date not null,
  shard int not null,
  peak  int not null,
  primary key (day, shard)
);

-- Increases whenever openings of a past day are added or deleted, so that sums of such days can be kept until it does.
create table past_opens (only_row boolean primary key default true check (only_row), version bigint not null default 1);
insert into past_opens default values;

-- Takes the tables, and the rows of each, always in the same order.
create function count_app_opens() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into app_open_days as days (app_id, day, count)
    select app_id, utc_day(created_at), count(*) from touched group by 1, 2 order by 1, 2
    on conflict (app_id, day) do update set count = days.count + excluded.count;
    insert into app_open_months as months (app_id, month, count)
    select app_id, month_of(utc_day(created_at)), count(*) from touched group by 1, 2 order by 1, 2
    on conflict (app_id, month) do update set count = months.count + excluded.count;
    with counted as (
      insert into user_open_days as days (user_id, day, count)
      select user_id, utc_day(created_at), count(*) from touched group by 1, 2 order by 1, 2
      on conflict (user_id, day) do update set count = days.count + excluded.count
      returning day, count)
    insert into user_open_peaks as peaks (day, shard, peak)
    select day, pg_backend_pid() % 16, max(count) from counted group by 1 order by 1
    on conflict (day, shard) do update set peak = excluded.peak where peaks.peak < excluded.peak;
    insert into user_open_months as months (user_id, month, count)
    select user_id, month_of(utc_day(created_at)), count(*) from touched group by 1, 2 order by 1, 2
    on conflict (user_id, month) do update set count = months.count + excluded.count;
    perform count_for_day('app_opens', day, count)
    from (select utc_day(created_at) as day, count(*) from touched group by 1 order by 1) as days;
  else
    perform from app_open_days
      where (app_id, day) in (select app_id, utc_day(created_at) from touched) order by app_id, day for update;
    update app_open_days as days set count = days.count - gone.taken, forgotten = days.forgotten + gone.kept
    from (
      select app_id, utc_day(created_at) as day, count(*) filter (where is_known) as taken, count(*) filter (where not is_known) as kept
      from (select *, exists (select from users where id = user_id) as is_known from touched) as touched group by 1, 2) as gone
    where days.app_id = gone.app_id and days.day = gone.day;
    perform from app_open_months
      where (app_id, month) in (select app_id, month_of(utc_day(created_at)) from touched) order by app_id, month for update;
    update app_open_months as months set count = months.count - gone.count
    from (
      select app_id, month_of(utc_day(created_at)) as month, count(*) as count from touched
      where exists (select from users where id = user_id) group by 1, 2) as gone
    where months.app_id = gone.app_id and months.month = gone.month;
    perform from user_open_days
      where (user_id, day) in (select user_id, utc_day(created_at) from touched) order by user_id, day for update;
    update user_open_days as days set count = days.count - gone.count
    from (select user_id, utc_day(created_at) as day, count(*) as count from touched group by 1, 2) as gone
    where days.user_id = gone.user_id and days.day = gone.day;
    perform from user_open_months
      where (user_id, month) in (select user_id, month_of(utc_day(created_at)) from touched) order by user_id, month for update;
    update user_open_months as months set count = months.count - gone.count
    from (select user_id, month_of(utc_day(created_at)) as month, count(*) as count from touched group by 1, 2) as gone
    where months.user_id = gone.user_id and months.month = gone.month;
    -- Of an app that is gone, nothing is left that could hold what was forgotten.
    perform count_for_day('app_opens', day, -count) from (
      select utc_day(created_at) as day, count(*) from touched
      where exists (select from users where id = user_id) or not exists (select from apps where id = app_id) group by 1 order by 1) as days;
  end if;
  if exists (select from touched where utc_day(created_at) < utc_day(clock_timestamp())) then
    update past_opens set version = version + 1;
  end if;
  return null;
end $$;
create trigger count_app_opens_added after insert on app_opens
  referencing new table as touched for each statement execute function count_app_opens();
create trigger count_app_opens_removed after delete on app_opens
  referencing old table as touched for each statement execute function count_app_opens();

-- An app takes along its forgotten openings.
create function count_forgotten() returns trigger language plpgsql as $$
begin
  perform count_for_day('app_opens', day, -count) from (
    select day, sum(forgotten)::int as count from gone group by day having sum(forgotten) > 0 order by day) as days;
  return null;
end $$;
create trigger count_forgotten after delete on app_open_days
  referencing old table as gone for each statement execute function count_forgotten();
