-- What people may do: permissions, roles, groups, who has them and until when, and the duties that come with roles. The built-in ones are
-- inserted before their tables have triggers, because no change records them.

create table permissions (
  id             int primary key generated always as identity,
  name           text not null constraint permission_name_taken unique,
  description_ar text,
  description_en text,
  is_system      boolean not null default false,
  search         text not null generated always as (portal_fold(name || E'\x01'
                   || coalesce(description_ar, '') || E'\x01' || coalesce(description_en, ''))) stored
);
create index permissions_named_ar on permissions ((name collate "ar-x-icu"), id);
create index permissions_named_en on permissions ((name collate "en-x-icu"), id);

-- The last two are what service accounts may be allowed without being administrators. They mean nothing for people.
insert into permissions (name, description_ar, description_en, is_system) values
  ('orders.receive', 'استلام طلبات الخدمات', 'Receive service orders', true),
  ('executive_meetings.read', 'الاطلاع على الاجتماعات التنفيذية', 'Read executive meetings', true),
  ('executive_meetings.mutate', 'تعديل الاجتماعات التنفيذية', 'Change executive meetings', true),
  ('executive_meetings.approve', 'اعتماد طلبات الاجتماعات', 'Approve meeting requests', true),
  ('executive_meetings.request', 'تقديم طلبات الاجتماعات', 'Submit meeting requests', true),
  ('executive_meetings.audit', 'الاطلاع على سجل الاجتماعات', 'Read the meetings audit log', true),
  ('portal.staff', 'موظفو المنظمة', 'Staff', true),
  ('portal.manager', 'المديرون', 'Managers', true),
  ('portal.it', 'تقنية المعلومات', 'Information technology', true),
  ('portal.hr', 'الموارد البشرية', 'Human resources', true),
  ('portal.finance', 'المالية', 'Finance', true),
  ('directory.read', 'الاطلاع على الأشخاص والمجموعات والأدوار، لحسابات الخدمة وحدها', 'Read people, groups and roles; for service accounts alone', true),
  ('audit.read', 'الاطلاع على سجل التدقيق، لحسابات الخدمة وحدها', 'Read the audit log; for service accounts alone', true);

create trigger bump_epoch after insert or update or delete on permissions execute function bump_epoch();
create constraint trigger demand_change after insert or update or delete on permissions
  deferrable initially deferred for each row execute function demand_change('permission', 'id');
create trigger refuse_emptying before truncate on permissions execute function refuse_emptying();

create table roles (
  id             int primary key generated always as identity,
  name           text not null,
  description_ar text,
  description_en text,
  is_system      boolean not null default false,
  created_at     timestamptz not null default now(),
  search         text not null generated always as (portal_fold(name || E'\x01'
                   || coalesce(description_ar, '') || E'\x01' || coalesce(description_en, ''))) stored
);
create unique index role_name_taken on roles (lower(name));
create index roles_named_ar on roles ((name collate "ar-x-icu"), id);
create index roles_named_en on roles ((name collate "en-x-icu"), id);

insert into roles (name, description_ar, description_en, is_system) values
  ('admin', 'مدير البوابة', 'Portal administrator', true),
  ('user', 'مستخدم', 'User', true),
  ('order_receiver', 'مستلم الطلبات', 'Order receiver', true),
  ('executive_ceo', 'الرئيس التنفيذي', 'Chief executive', true),
  ('executive_office_manager', 'مدير مكتب الرئيس التنفيذي', 'Executive office manager', true),
  ('executive_coord_lead', 'رئيس المنسقين', 'Lead coordinator', true),
  ('executive_coordinator', 'منسق', 'Coordinator', true),
  ('executive_viewer', 'مطّلع على الاجتماعات', 'Executive viewer', true);

create trigger bump_epoch after insert or update or delete on roles execute function bump_epoch();
create constraint trigger demand_change after insert or update or delete on roles
  deferrable initially deferred for each row execute function demand_change('role', 'id');
create trigger refuse_emptying before truncate on roles execute function refuse_emptying();

create table role_permissions (
  role_id       int not null references roles on delete cascade,
  permission_id int not null references permissions,
  primary key (role_id, permission_id)
);
create index on role_permissions (permission_id);

insert into role_permissions (role_id, permission_id)
select r.id, p.id
from (values
  ('orders.receive', array['admin', 'order_receiver']),
  ('executive_meetings.read', array['admin', 'executive_ceo', 'executive_office_manager', 'executive_coord_lead', 'executive_coordinator', 'executive_viewer']),
  ('executive_meetings.mutate', array['admin', 'executive_office_manager', 'executive_coord_lead', 'executive_coordinator']),
  ('executive_meetings.approve', array['admin', 'executive_ceo', 'executive_office_manager']),
  ('executive_meetings.request', array['admin', 'executive_ceo', 'executive_office_manager', 'executive_coord_lead', 'executive_coordinator']),
  ('executive_meetings.audit', array['admin', 'executive_ceo', 'executive_office_manager'])
) as grants (permission, holders)
join permissions p on p.name = grants.permission
join roles r on r.name = any (grants.holders);

create trigger bump_epoch after insert or update or delete on role_permissions execute function bump_epoch();
create constraint trigger demand_change after insert or update or delete on role_permissions
  deferrable initially deferred for each row execute function demand_change('role', 'role_id');
create constraint trigger demand_history after insert or update or delete on role_permissions
  deferrable initially deferred for each row execute function demand_history('role.permissions', 'role_id');
create trigger refuse_emptying before truncate on role_permissions execute function refuse_emptying();

-- `managed_by_provider`: the provider from whose claims the members follow.
create table groups (
  id             int primary key generated always as identity,
  name           text not null,
  description_ar text,
  description_en text,
  is_system      boolean not null default false,
  created_at     timestamptz not null default now(),
  name_key       text not null generated always as (lower(name collate "und-x-icu")) stored constraint group_name_taken unique,
  search         text not null generated always as (portal_fold(name || E'\x01'
                   || coalesce(description_ar, '') || E'\x01' || coalesce(description_en, ''))) stored,
  managed_by_provider int references sign_in_providers on delete set null
);
create index groups_search on groups using gin (search gin_trgm_ops);
create index groups_named_ar on groups ((name collate "ar-x-icu"), id);
create index groups_named_en on groups ((name collate "en-x-icu"), id);
create index on groups (managed_by_provider) where managed_by_provider is not null;

insert into groups (name, description_ar, description_en, is_system) values ('Everyone', 'جميع المستخدمين', 'All users', true);

create trigger bump_epoch after insert or update or delete on groups execute function bump_epoch();
create constraint trigger demand_change after insert or update or delete on groups
  deferrable initially deferred for each row execute function demand_change('group', 'id');
create trigger refuse_emptying before truncate on groups execute function refuse_emptying();

create table group_roles (
  group_id int not null references groups on delete cascade,
  role_id  int not null references roles,
  primary key (group_id, role_id)
);
create index on group_roles (role_id);
create trigger bump_epoch after insert or update or delete on group_roles execute function bump_epoch();
create constraint trigger demand_change after insert or update or delete on group_roles
  deferrable initially deferred for each row execute function demand_change('group', 'group_id');
create constraint trigger demand_history after insert or update or delete on group_roles
  deferrable initially deferred for each row execute function demand_history('group.roles', 'group_id');
create trigger refuse_emptying before truncate on group_roles execute function refuse_emptying();

-- A person with the value among their groups at the provider is a member of the group.
create table provider_group_rules (
  provider_id  int not null references sign_in_providers on delete cascade,
  value        text not null,
  group_id     int not null references groups on delete cascade,
  grants_admin boolean not null default false,
  primary key (provider_id, value, group_id)
);
create index on provider_group_rules (group_id);
create constraint trigger demand_change after insert or update or delete on provider_group_rules
  deferrable initially deferred for each row execute function demand_change('provider', 'provider_id');
create trigger refuse_emptying before truncate on provider_group_rules execute function refuse_emptying();

-- A membership of a group and a role held directly may have an end. `memberships` and `direct_roles` are what was granted. `group_users` and
-- `user_roles`, which everything reads, are the grants that hold at the clock of the statement that reads them. So nothing honours an ended
-- grant, whether or not the job that deletes its row has run. `changed_at`: when it was granted or its end last changed.
create table memberships (
  group_id   int not null references groups on delete cascade,
  user_id    int not null references users on delete cascade,
  expires_at timestamptz(3),
  changed_at timestamptz not null default statement_timestamp(),
  primary key (user_id, group_id)
);
create index on memberships (group_id, user_id);
create index memberships_ending on memberships (expires_at) where expires_at is not null;
create index memberships_ending_of_user on memberships (user_id, expires_at) where expires_at is not null;
create trigger bump_users_added after insert on memberships
  referencing new table as touched for each statement execute function bump_users();
create trigger bump_users_removed after delete on memberships
  referencing old table as touched for each statement execute function bump_users();
create trigger bump_users_moved_from after update on memberships
  referencing old table as touched for each statement execute function bump_users();
create trigger bump_users_moved_to after update on memberships
  referencing new table as touched for each statement execute function bump_users();
create constraint trigger demand_change after insert or update or delete on memberships
  deferrable initially deferred for each row execute function demand_change('user', 'user_id', 'group', 'group_id');
create constraint trigger demand_history after insert or update or delete on memberships
  deferrable initially deferred for each row execute function demand_history('user.groups', 'user_id', 'group.users', 'group_id');
create trigger refuse_emptying before truncate on memberships execute function refuse_emptying();

create table direct_roles (
  user_id    int not null references users on delete cascade,
  role_id    int not null references roles,
  expires_at timestamptz(3),
  changed_at timestamptz not null default statement_timestamp(),
  primary key (user_id, role_id)
);
create index on direct_roles (role_id, user_id);
create index direct_roles_ending on direct_roles (expires_at) where expires_at is not null;
create index direct_roles_ending_of_user on direct_roles (user_id, expires_at) where expires_at is not null;
create trigger bump_users_added after insert on direct_roles
  referencing new table as touched for each statement execute function bump_users();
create trigger bump_users_removed after delete on direct_roles
  referencing old table as touched for each statement execute function bump_users();
create trigger bump_users_moved_from after update on direct_roles
  referencing old table as touched for each statement execute function bump_users();
create trigger bump_users_moved_to after update on direct_roles
  referencing new table as touched for each statement execute function bump_users();
create constraint trigger demand_change after insert or update or delete on direct_roles
  deferrable initially deferred for each row execute function demand_change('user', 'user_id');
create constraint trigger demand_history after insert or update or delete on direct_roles
  deferrable initially deferred for each row execute function demand_history('user.roles', 'user_id');
create trigger refuse_emptying before truncate on direct_roles execute function refuse_emptying();

create view group_users as
  select group_id, user_id, expires_at from memberships where expires_at is null or expires_at > statement_timestamp();
create view user_roles as
  select user_id, role_id, expires_at from direct_roles where expires_at is null or expires_at > statement_timestamp();

-- A role a person holds, directly or through a group.
create view effective_roles as
  select user_id, role_id from user_roles
  union
  select gu.user_id, gr.role_id from group_users gu join group_roles gr using (group_id);

-- The active people who hold a permission. As it is asked with every order, it goes from the roles to their holders by indexes alone. The
-- planner, which knows only how many people hold a role on average, would read all memberships.
create function active_holders(permission text) returns int[]
  language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  granting int[] := array(
    select role_id from role_permissions join permissions on permissions.id = permission_id where permissions.name = permission);
begin
  return array(
    select users.id from users where is_active and kind = 'person' and users.id in (
      select user_id from user_roles where role_id = any(granting)
      union
      select user_id from group_users where group_id = any(array(select group_id from group_roles where role_id = any(granting))))
    order by 1);
end $$;

-- The active people with one of the roles, by indexes alone like `active_holders`.
create function active_in_roles(names text[]) returns int[]
  language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  wanted int[] := array(select id from roles where name = any(names));
begin
  return array(
    select users.id from users where is_active and kind = 'person' and users.id in (
      select user_id from user_roles where role_id = any(wanted)
      union
      select user_id from group_users where group_id = any(array(select group_id from group_roles where role_id = any(wanted))))
    order by 1);
end $$;

-- `last_admin` counts only these: active people who hold the role `admin` without an end.
create view lasting_administrators as
  select id as user_id from users
  where is_active and kind = 'person' and id in (
    select user_id from direct_roles
    where expires_at is null and role_id = (select id from roles where name = 'admin')
    union
    select user_id from memberships
    where expires_at is null and group_id in (
      select group_id from group_roles where role_id = (select id from roles where name = 'admin')));

-- The exceptions who could sign in where a provider is required: lasting administrators with a long password and a factor.
create view ready_exceptions as
  select users.id as user_id from users join lasting_administrators as admins on admins.user_id = users.id
  where users.kind = 'person' and is_exception and has_exception_password and has_factor(users.id);

-- Versions with the grants that have ended since.
create view access_versions as
  select a.user_id, a.is_active, a.version
    + (select count(*) from memberships m
       where m.user_id = a.user_id and m.expires_at is not null and m.expires_at <= clock_timestamp())
    + (select count(*) from direct_roles d
       where d.user_id = a.user_id and d.expires_at is not null and d.expires_at <= clock_timestamp()) as version,
    a.must_enrol_at
  from user_access a;

-- A command commits only while its caller's session is valid and their rights are those with which it was admitted. Both are held from its
-- first statement to its commit: the person's row of user_access against everything that changes their rights, deactivates or deletes them or
-- ends their sessions, and a shared lock against changes of what roles and groups give, which take it exclusively before they commit.
--
-- It is a function because each of its statements sees what was committed when it begins: the last one, what it waited for.
--
-- `alone`: the command itself ends sessions of the caller or changes their row, so that two of them must not share it.
-- Returns `held`, `changed` if the rights have changed, or `ended` if the session has.
create function hold_caller(caller int, session int, seen_version bigint, seen_epoch bigint, alone boolean) returns text language plpgsql as $$
declare
  held text;
begin
  if alone then
    perform from user_access where user_id = caller for update;
  else
    perform from user_access where user_id = caller for key share;
  end if;
  -- Last, so that nobody who waits for a person keeps a change of access waiting.
  perform pg_advisory_xact_lock_shared(hashtext('access'), 0);
  select case when a.version = seen_version and e.value = seen_epoch then 'held' else 'changed' end into held
    from sessions s join access_versions a on a.user_id = s.user_id and a.is_active cross join access_epoch e
    where s.id = session and s.user_id = caller and s.ended_at is null and s.expires_at > now();
  return coalesce(held, 'ended');
end $$;

-- The same for several commands in one transaction, without waiting for a person whom another transaction has locked, nor longer than half a
-- second for anything else: it then fails. Returns the places, from 1, of the callers that are held. Every other command then gets a
-- transaction of its own.
create function hold_callers(callers int[], sessions int[], seen_versions bigint[], seen_epochs bigint[]) returns int[] language plpgsql as $$
declare
  free int[];
begin
  perform set_config('lock_timeout', '500ms', true);
  free := array(select user_id from user_access where user_id = any(callers) order by user_id for key share skip locked);
  -- Last, so that nobody who waits for a person keeps a change of access waiting.
  perform pg_advisory_xact_lock_shared(hashtext('access'), 0);
  return array(
    select one.place
    from unnest(callers, sessions, seen_versions, seen_epochs) with ordinality as one (caller, session, seen_version, seen_epoch, place)
      join sessions s on s.id = one.session and s.user_id = one.caller and s.ended_at is null and s.expires_at > now()
      -- `offset 0` keeps the lookup of one caller from becoming a join with all people.
      join lateral (select is_active, version from access_versions where user_id = one.caller offset 0) as a
        on a.is_active and a.version = one.seen_version
      join access_epoch e on e.value = one.seen_epoch
    where one.caller = any(free) order by one.place);
end $$;

-- The roles whose holders must have a second factor.
create table second_factor_roles (
  role_id int primary key references roles on delete cascade
);
create constraint trigger demand_change after insert or update or delete on second_factor_roles
  deferrable initially deferred for each row execute function demand_change('sign_in_settings', '1', 'role', 'role_id');
create trigger refuse_emptying before truncate on second_factor_roles execute function refuse_emptying();

-- Whether one of the person's effective roles demands a second factor.
create function has_duty(person int) returns boolean language sql stable as $$
  select exists (select from effective_roles where user_id = person and role_id in (select role_id from second_factor_roles))
$$;

create function keep_duties(people int[]) returns void language plpgsql as $$
begin
  perform from user_access where user_id = any(people) order by user_id for no key update;
  update user_access a set must_enrol_at = case when obliged.is_so then now() end
  from (
    select users.id, users.kind = 'person' and has_duty(users.id) as is_so from users where users.id = any(people)) as obliged
  where a.user_id = obliged.id and (a.must_enrol_at is not null) <> obliged.is_so;
end $$;

-- After grants of people have changed. It costs nothing while no role demands a second factor.
create function keep_duties_of_people() returns trigger language plpgsql as $$
begin
  if exists (select from second_factor_roles) then
    perform keep_duties(array(select distinct user_id from touched));
  end if;
  return null;
end $$;
create trigger keep_duties_added after insert on direct_roles
  referencing new table as touched for each statement execute function keep_duties_of_people();
create trigger keep_duties_changed after update on direct_roles
  referencing new table as touched for each statement execute function keep_duties_of_people();
create trigger keep_duties_removed after delete on direct_roles
  referencing old table as touched for each statement execute function keep_duties_of_people();
create trigger keep_duties_added after insert on memberships
  referencing new table as touched for each statement execute function keep_duties_of_people();
create trigger keep_duties_changed after update on memberships
  referencing new table as touched for each statement execute function keep_duties_of_people();
create trigger keep_duties_removed after delete on memberships
  referencing old table as touched for each statement execute function keep_duties_of_people();

create function keep_duties_of_groups() returns trigger language plpgsql as $$
begin
  if exists (select from second_factor_roles) then
    perform keep_duties(array(select distinct user_id from memberships where group_id in (select group_id from touched)));
  end if;
  return null;
end $$;
create trigger keep_duties_added after insert on group_roles
  referencing new table as touched for each statement execute function keep_duties_of_groups();
create trigger keep_duties_removed after delete on group_roles
  referencing old table as touched for each statement execute function keep_duties_of_groups();

-- After the list of these roles has changed: everyone who has the duty or holds one of them.
create function keep_duties_of_roles() returns trigger language plpgsql as $$
begin
  perform keep_duties(array(
    select user_id from user_access where must_enrol_at is not null
    union
    select user_id from direct_roles where role_id in (select role_id from second_factor_roles)
    union
    select user_id from memberships where group_id in (
      select group_id from group_roles where role_id in (select role_id from second_factor_roles))));
  return null;
end $$;
create trigger keep_duties after insert or delete on second_factor_roles for each statement execute function keep_duties_of_roles();

-- What someone with the duty owes in a session: `enrolment` of a second factor once the grace is over; `confirmation` by the factor that they
-- have; null if nothing. Today's grace counts. A token began with a session of its person, so it owes no confirmation.
create function owed_by(person int, since timestamptz, level int, kind text) returns text language sql stable as $$
  select case
    when level = 2 or not has_duty(person) then null
    when has_factor(person) then case kind when 'browser' then 'confirmation' end
    when since + make_interval(days => (select grace_days from sign_in_settings)) <= now() then 'enrolment'
  end
$$;

-- The reminders sent before a grant ends; each end has its own.
create table grant_reminders (
  user_id    int not null references users on delete cascade,
  group_id   int references groups on delete cascade,
  role_id    int references roles on delete cascade,
  expires_at timestamptz(3) not null,
  days       int not null check (days in (1, 7)),
  check (num_nonnulls(group_id, role_id) = 1)
);
create unique index on grant_reminders (user_id, coalesce(group_id, 0), coalesce(role_id, 0), expires_at, days);
create index on grant_reminders (group_id);
create index on grant_reminders (role_id);
create index on grant_reminders (expires_at);
