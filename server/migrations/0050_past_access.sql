-- Who could open what at any moment. `access_past` has each row that decides it, as it was between two moments. Triggers keep it, and
-- nothing else writes it.

-- A transaction that changes access. `began_at` is the time of its rows in the ledger and the histories, `ended_at` that of its last act
-- before the commit: where one transaction waited for another, these are in the order of the commits. Null while it is under way.
create table access_moments (
  began_at timestamptz not null default now(),
  tx       xid8 not null default pg_current_xact_id(),
  ended_at timestamptz,
  primary key (began_at, tx)
);
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

create trigger refuse_emptying before truncate on access_moments execute function refuse_emptying();
create trigger refuse_emptying before truncate on access_past execute function refuse_emptying();
create trigger owner_only before insert or update or delete on access_moments for each statement execute function refuse_others();
create trigger owner_only before insert or update or delete on access_past for each statement execute function refuse_others();

-- What the histories and the ledger say of the time before this migration. What was never recorded has been so from the start: what came
-- with the portal, the order of the apps, and whether an app that is deleted by now was active, unless that changed later. Transactions of
-- that time are over when they began, or when one before them was.
insert into access_moments values ('-infinity', '0', '-infinity'), ('infinity', '0', 'infinity');
insert into access_moments
  select at, tx, max(at) over (order by last_id rows unbounded preceding)
  from (
    select at, (array_agg(tx))[1] as tx, max(id) as last_id from ledger
    where target_type in ('user', 'role', 'permission', 'group', 'app')
      and (kind ~ '[.](created|registered|updated|restored|deleted)$' or at in (select at from permission_history))
    group by at) as transactions;

with sets (kind, source, is_turned) as (
    values ('user.roles', 'user_roles', false), ('user.groups', 'group_users', false), ('group.roles', 'group_roles', false),
      ('role.permissions', 'role_permissions', false), ('app.permissions', 'app_permissions', false), ('group.apps', 'group_apps', true)),
  present (source, one, other, line) as (
    select 'user_roles', user_id, role_id, jsonb_build_object('expires_at', expires_at) from direct_roles
    union all select 'group_users', user_id, group_id, jsonb_build_object('expires_at', expires_at) from memberships
    union all select 'group_roles', group_id, role_id, '{}' from group_roles
    union all select 'role_permissions', role_id, permission_id, '{}' from role_permissions
    union all select 'app_permissions', app_id, permission_id, '{}' from app_permissions
    union all select 'group_apps', app_id, group_id, '{}' from group_apps),
  -- Each entry of a history, for each member that came, went or got another end.
  moves as (
    select source, case when is_turned then member else target_id end as one, case when is_turned then target_id else member end as other,
      entry.id, entry.at, member <> all(removed) as is_held,
      case when kind in ('user.roles', 'user.groups') then jsonb_build_object('expires_at', given.expires_at) else '{}' end as line
    from permission_history as entry join sets using (kind)
      cross join lateral (
        select unnest(added || removed)
        union select (ended ->> 'id')::int from jsonb_array_elements(ends) as ended) as members (member)
      left join lateral (
        select ended ->> 'to' as expires_at from jsonb_array_elements(ends) as ended
        where (ended ->> 'id')::int = member limit 1) as given on true),
  placed as (
    select *, lead(at) over same_row as next_at, row_number() over same_row as place
    from moves window same_row as (partition by source, one, other order by id)),
  spans (source, one, other, line, since, until) as (
    select source, one, other, line, at, next_at from placed where is_held and next_at is not null
    -- It was there before the first entry.
    union all select source, one, other, line, '-infinity', at from placed where place = 1 and not is_held
    union all
    select source, one, other, present.line, coalesce(last.at, '-infinity'), 'infinity'
    from present left join (select source, one, other, at from placed where next_at is null) as last using (source, one, other))
insert into access_past
  select source, one, other, line, first.ended_at, last.ended_at
  from spans join access_moments as first on first.began_at = since join access_moments as last on last.began_at = until
  where first.ended_at < last.ended_at;

with present (source, type, id, line) as (
    select 'users', 'user', id, jsonb_build_object('is_active', is_active) from users
    union all select 'roles', 'role', id, jsonb_build_object('name', name) from roles
    union all select 'permissions', 'permission', id, jsonb_build_object('name', name) from permissions
    union all select 'groups', 'group', id, jsonb_build_object('name', name) from groups
    union all
    select 'apps', 'app', id, jsonb_build_object(
      'slug', slug, 'name_ar', name_ar, 'name_en', name_en, 'is_active', is_active, 'sort_order', sort_order)
    from apps),
  fields (type, field, name) as (
    values ('user', 'isActive', 'is_active'), ('role', 'name', 'name'), ('permission', 'name', 'name'), ('group', 'name', 'name'),
      ('app', 'slug', 'slug'), ('app', 'nameAr', 'name_ar'), ('app', 'nameEn', 'name_en'), ('app', 'isActive', 'is_active'),
      ('app', 'sortOrder', 'sort_order')),
  entries as (
    select target_type as type, target_id as id, split_part(kind, '.', 2) as what, at, ledger.id as place, facts
    from ledger
    where target_type in ('user', 'role', 'permission', 'group', 'app') and split_part(kind, '.', 1) = target_type
      and split_part(kind, '.', 2) in ('created', 'registered', 'updated', 'restored', 'deleted')),
  bounds as (
    select *, lag(at) over same_record as previous_at, lead(at) over same_record as next_at
    from entries where what <> 'updated' window same_record as (partition by type, id order by place)),
  -- From each beginning to the deletion after it, with what the record was in the end.
  lives (source, type, id, since, until, line) as (
    select source, type, id, coalesce(bounds.at, '-infinity'), 'infinity', line
    from present left join bounds using (type, id) where bounds.next_at is null
    union all
    select type || 's', type, id, coalesce(previous_at, '-infinity'), at,
      '{"is_active": true, "sort_order": 0}' || coalesce(jsonb_object_agg(name, facts -> field) filter (where facts ? field), '{}')
    from bounds join fields using (type) where what = 'deleted' group by type, id, previous_at, at),
  edits as (
    select type, id, since, at, place, name,
      facts #> array['changed', field, 'from'] as earlier, facts #> array['changed', field, 'to'] as later
    from lives join entries using (type, id) join fields using (type)
    where what = 'updated' and at > since and at < until and facts #> array['changed', field] ? 'from'),
  beginnings as (
    select source, type, id, since, until, line, since as at from lives
    union
    select source, type, id, since, until, line, at from lives join edits using (type, id, since)),
  spans as (
    select *, coalesce(lead(at) over (partition by type, id, since order by at), until) as next_at from beginnings),
  -- A value is that of the last change before, else what the first change afterwards replaced. Of equal keys, the last counts.
  valued as (
    select source, type, id, spans.at, next_at,
      line || coalesce(jsonb_object_agg(name, earlier order by edits.at desc, place desc) filter (where edits.at > spans.at), '{}')
        || coalesce(jsonb_object_agg(name, later order by edits.at, place) filter (where edits.at <= spans.at), '{}') as line
    from spans left join edits using (type, id, since) group by source, type, id, spans.at, next_at, line)
insert into access_past
  select source, id, 0, line, first.ended_at, last.ended_at
  from valued join access_moments as first on first.began_at = at join access_moments as last on last.began_at = next_at
  where first.ended_at < last.ended_at;
delete from access_moments where began_at in ('-infinity', 'infinity');

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
      ('users', 'users', 'id', '0', 'is_active'),
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

create view past.users as select one as id, (line ->> 'is_active')::boolean as is_active from past.rows where source = 'users';
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
