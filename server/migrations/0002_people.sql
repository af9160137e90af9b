-- People, what they may do, and the versions that tell a cached answer from a stale one.

create table users (
  id              int primary key generated always as identity,
  username        text not null,
  email           text not null,
  password_hash   text not null,
  display_name_ar text,
  display_name_en text,
  preferred_language text not null default 'ar' check (preferred_language in ('ar', 'en')),
  clock_style     text,
  clock_hour12    boolean,
  avatar_url      text,
  is_active       boolean not null default true,
  notification_sound_order   text not null default 'ding',
  notification_sound_meeting text not null default 'chime',
  notification_sound_note    text not null default 'pop',
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
  constraint username_taken unique (username_key),
  constraint email_taken unique (email_key)
);
create index users_search on users using gin (search gin_trgm_ops);

create table roles (
  id             int primary key generated always as identity,
  name           text not null,
  description_ar text,
  description_en text,
  is_system      boolean not null default false,
  created_at     timestamptz not null default now()
);
create unique index role_name_taken on roles (lower(name));

create table permissions (
  id             int primary key generated always as identity,
  name           text not null constraint permission_name_taken unique,
  description_ar text,
  description_en text,
  is_system      boolean not null default false
);

create table groups (
  id             int primary key generated always as identity,
  name           text not null,
  description_ar text,
  description_en text,
  is_system      boolean not null default false,
  created_at     timestamptz not null default now(),
  name_key       text not null generated always as (lower(name collate "und-x-icu")) stored constraint group_name_taken unique,
  search         text not null generated always as (portal_fold(name || E'\x01'
                   || coalesce(description_ar, '') || E'\x01' || coalesce(description_en, ''))) stored
);
create index groups_search on groups using gin (search gin_trgm_ops);

create table role_permissions (
  role_id       int not null references roles on delete cascade,
  permission_id int not null references permissions,
  primary key (role_id, permission_id)
);
create index on role_permissions (permission_id);

create table user_roles (
  user_id int not null references users on delete cascade,
  role_id int not null references roles,
  primary key (user_id, role_id)
);
create index on user_roles (role_id);

create table group_users (
  group_id int not null references groups on delete cascade,
  user_id  int not null references users on delete cascade,
  primary key (user_id, group_id)
);
create index on group_users (group_id, user_id);

create table group_roles (
  group_id int not null references groups on delete cascade,
  role_id  int not null references roles,
  primary key (group_id, role_id)
);
create index on group_roles (role_id);

-- A role a person holds, directly or through a group.
create view effective_roles as
  select user_id, role_id from user_roles
  union
  select gu.user_id, gr.role_id from group_users gu join group_roles gr using (group_id);

-- An ended session keeps its row for a while, so that its open streams learn why they close.
create table sessions (
  id           int primary key generated always as identity,
  token_hash   text not null unique,
  user_id      int not null references users on delete cascade,
  created_at   timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at   timestamptz not null,
  user_agent   text,
  ip           text,
  ended_at     timestamptz
);
create index on sessions (user_id);

-- At most one link is good for a person at a time.
create table password_resets (
  user_id    int primary key references users on delete cascade,
  token_hash text not null unique,
  expires_at timestamptz not null
);

create table rate_limits (
  key    varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);

create table settings (
  only_row          boolean primary key default true check (only_row),
  site_name_ar      text not null default 'بوابة',
  site_name_en      text not null default 'Bawaba',
  registration_open boolean not null default true,
  footer_text_ar    text not null default 'البوابة الداخلية',
  footer_text_en    text not null default 'Internal portal',
  updated_at        timestamptz
);
insert into settings default values;

create table notifications (
  id           int primary key generated always as identity,
  user_id      int not null references users on delete cascade,
  title_ar     text not null,
  title_en     text not null,
  body_ar      text,
  body_en      text,
  type         text not null check (type in ('order', 'note', 'meeting', 'system')),
  related_id   int,
  related_type text,
  is_read      boolean not null default false,
  created_at   timestamptz not null default now()
);
create index on notifications (user_id, id desc);

-- An answer cached under (user, version, epoch) is never asked for again once either has moved.
create table access_epoch (only_row boolean primary key default true check (only_row), value bigint not null default 1);
insert into access_epoch default values;
-- `is_active` follows the person's, so that admitting a request reads one table less.
create table user_access (
  user_id   int primary key references users on delete cascade,
  is_active boolean not null,
  version   bigint not null default 1
);

create function open_user_access() returns trigger language plpgsql as $$
begin
  insert into user_access (user_id, is_active) select id, is_active from touched;
  return null;
end $$;
create trigger open_user_access after insert on users
  referencing new table as touched for each statement execute function open_user_access();

create function bump_epoch() returns trigger language plpgsql as $$
begin
  update access_epoch set value = value + 1;
  return null;
end $$;

-- The argument is the column with the person's id. Rows are taken in order, so that two bumps cannot wait for each other.
create function bump_users() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'users' then
    perform from user_access where user_id in (select id from touched) order by user_id for update;
    update user_access set version = version + 1, is_active = touched.is_active from touched where user_id = touched.id;
  else
    perform from user_access where user_id in (select user_id from touched) order by user_id for update;
    update user_access set version = version + 1 where user_id in (select user_id from touched);
  end if;
  return null;
end $$;

create trigger bump_users_updated after update on users
  referencing new table as touched for each statement execute function bump_users();
create trigger bump_users_added after insert on user_roles
  referencing new table as touched for each statement execute function bump_users();
create trigger bump_users_removed after delete on user_roles
  referencing old table as touched for each statement execute function bump_users();
create trigger bump_users_moved_from after update on user_roles
  referencing old table as touched for each statement execute function bump_users();
create trigger bump_users_moved_to after update on user_roles
  referencing new table as touched for each statement execute function bump_users();
create trigger bump_users_added after insert on group_users
  referencing new table as touched for each statement execute function bump_users();
create trigger bump_users_removed after delete on group_users
  referencing old table as touched for each statement execute function bump_users();
create trigger bump_users_moved_from after update on group_users
  referencing old table as touched for each statement execute function bump_users();
create trigger bump_users_moved_to after update on group_users
  referencing new table as touched for each statement execute function bump_users();

create trigger bump_epoch after insert or update or delete on roles execute function bump_epoch();
create trigger bump_epoch after insert or update or delete on permissions execute function bump_epoch();
create trigger bump_epoch after insert or update or delete on role_permissions execute function bump_epoch();
create trigger bump_epoch after insert or update or delete on groups execute function bump_epoch();
create trigger bump_epoch after insert or update or delete on group_roles execute function bump_epoch();

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
  ('portal.finance', 'المالية', 'Finance', true);

insert into roles (name, description_ar, description_en, is_system) values
  ('admin', 'مدير البوابة', 'Portal administrator', true),
  ('user', 'مستخدم', 'User', true),
  ('order_receiver', 'مستلم الطلبات', 'Order receiver', true),
  ('executive_ceo', 'الرئيس التنفيذي', 'Chief executive', true),
  ('executive_office_manager', 'مدير مكتب الرئيس التنفيذي', 'Executive office manager', true),
  ('executive_coord_lead', 'رئيس المنسقين', 'Lead coordinator', true),
  ('executive_coordinator', 'منسق', 'Coordinator', true),
  ('executive_viewer', 'مطّلع على الاجتماعات', 'Executive viewer', true);

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

insert into groups (name, description_ar, description_en, is_system) values ('Everyone', 'جميع المستخدمين', 'All users', true);

create constraint trigger demand_change after insert or update or delete on users
  deferrable initially deferred for each row execute function demand_change('user', 'id');
create constraint trigger demand_change after insert or update or delete on roles
  deferrable initially deferred for each row execute function demand_change('role', 'id');
create constraint trigger demand_change after insert or update or delete on permissions
  deferrable initially deferred for each row execute function demand_change('permission', 'id');
create constraint trigger demand_change after insert or update or delete on groups
  deferrable initially deferred for each row execute function demand_change('group', 'id');
create constraint trigger demand_change after insert or update or delete on role_permissions
  deferrable initially deferred for each row execute function demand_change('role', 'role_id');
create constraint trigger demand_history after insert or update or delete on role_permissions
  deferrable initially deferred for each row execute function demand_history('role.permissions', 'role_id');
create constraint trigger demand_change after insert or update or delete on user_roles
  deferrable initially deferred for each row execute function demand_change('user', 'user_id');
create constraint trigger demand_history after insert or update or delete on user_roles
  deferrable initially deferred for each row execute function demand_history('user.roles', 'user_id');
create constraint trigger demand_change after insert or update or delete on group_users
  deferrable initially deferred for each row execute function demand_change('user', 'user_id', 'group', 'group_id');
create constraint trigger demand_history after insert or update or delete on group_users
  deferrable initially deferred for each row execute function demand_history('user.groups', 'user_id', 'group.users', 'group_id');
create constraint trigger demand_change after insert or update or delete on group_roles
  deferrable initially deferred for each row execute function demand_change('group', 'group_id');
create constraint trigger demand_history after insert or update or delete on group_roles
  deferrable initially deferred for each row execute function demand_history('group.roles', 'group_id');
create constraint trigger demand_change after insert or update or delete on password_resets
  deferrable initially deferred for each row execute function demand_change('user', 'user_id');
create constraint trigger demand_change after insert or update or delete on settings
  deferrable initially deferred for each row execute function demand_change('settings', '1');

create trigger refuse_emptying before truncate on users execute function refuse_emptying();
create trigger refuse_emptying before truncate on roles execute function refuse_emptying();
create trigger refuse_emptying before truncate on permissions execute function refuse_emptying();
create trigger refuse_emptying before truncate on groups execute function refuse_emptying();
create trigger refuse_emptying before truncate on role_permissions execute function refuse_emptying();
create trigger refuse_emptying before truncate on user_roles execute function refuse_emptying();
create trigger refuse_emptying before truncate on group_users execute function refuse_emptying();
create trigger refuse_emptying before truncate on group_roles execute function refuse_emptying();
create trigger refuse_emptying before truncate on password_resets execute function refuse_emptying();
create trigger refuse_emptying before truncate on settings execute function refuse_emptying();
