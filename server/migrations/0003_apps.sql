-- The launcher: apps, who may see them, and each opening of one.

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
  updated_at     timestamptz not null default now()
);

create table app_permissions (
  app_id        int not null references apps on delete cascade,
  permission_id int not null references permissions,
  primary key (app_id, permission_id)
);
create index on app_permissions (permission_id);

create table group_apps (
  group_id int not null references groups on delete cascade,
  app_id   int not null references apps on delete cascade,
  primary key (group_id, app_id)
);
create index on group_apps (app_id);

create table app_orders (
  user_id int primary key references users on delete cascade,
  app_ids int[] not null
);

create table app_opens (
  id         bigint generated always as identity,
  app_id     int not null references apps on delete cascade,
  user_id    int not null references users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (created_at, id)
) partition by range (created_at);
create index on app_opens (app_id, created_at, id);
create index on app_opens (user_id, created_at, id);
create table app_opens_default partition of app_opens default;
select ensure_month('app_opens', (now() at time zone 'UTC')::date),
       ensure_month('app_opens', ((now() at time zone 'UTC') + interval '1 month')::date);

-- How often an app was opened on each UTC day, kept in step with the openings it counts.
create table app_open_days (
  app_id int not null references apps on delete cascade,
  day    date not null,
  count  int not null,
  primary key (app_id, day)
);

create function count_app_opens() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into app_open_days as days (app_id, day, count)
    select app_id, (created_at at time zone 'UTC')::date, count(*) from touched group by 1, 2 order by 1, 2
    on conflict (app_id, day) do update set count = days.count + excluded.count;
  else
    -- In the order in which openings are counted, or the two could wait for each other.
    perform from app_open_days
      where (app_id, day) in (select app_id, (created_at at time zone 'UTC')::date from touched) order by app_id, day for update;
    update app_open_days as days set count = days.count - gone.count
    from (select app_id, (created_at at time zone 'UTC')::date as day, count(*) as count from touched group by 1, 2) as gone
    where days.app_id = gone.app_id and days.day = gone.day;
  end if;
  return null;
end $$;
create trigger count_app_opens_added after insert on app_opens
  referencing new table as touched for each statement execute function count_app_opens();
create trigger count_app_opens_removed after delete on app_opens
  referencing old table as touched for each statement execute function count_app_opens();

create trigger bump_epoch after insert or update or delete on apps execute function bump_epoch();
create trigger bump_epoch after insert or update or delete on app_permissions execute function bump_epoch();
create trigger bump_epoch after insert or update or delete on group_apps execute function bump_epoch();
create trigger bump_users_added after insert on app_orders
  referencing new table as touched for each statement execute function bump_users();
create trigger bump_users_updated after update on app_orders
  referencing new table as touched for each statement execute function bump_users();
create trigger bump_users_removed after delete on app_orders
  referencing old table as touched for each statement execute function bump_users();

create constraint trigger demand_change after insert or update or delete on apps
  deferrable initially deferred for each row execute function demand_change('app', 'id');
create constraint trigger demand_change after insert or update or delete on app_permissions
  deferrable initially deferred for each row execute function demand_change('app', 'app_id');
create constraint trigger demand_history after insert or update or delete on app_permissions
  deferrable initially deferred for each row execute function demand_history('app.permissions', 'app_id');
create constraint trigger demand_change after insert or update or delete on group_apps
  deferrable initially deferred for each row execute function demand_change('group', 'group_id', 'app', 'app_id');
create constraint trigger demand_history after insert or update or delete on group_apps
  deferrable initially deferred for each row execute function demand_history('group.apps', 'group_id');
create constraint trigger demand_change after insert or update or delete on app_orders
  deferrable initially deferred for each row execute function demand_change('user', 'user_id');

create trigger refuse_emptying before truncate on apps execute function refuse_emptying();
create trigger refuse_emptying before truncate on app_permissions execute function refuse_emptying();
create trigger refuse_emptying before truncate on group_apps execute function refuse_emptying();
create trigger refuse_emptying before truncate on app_orders execute function refuse_emptying();
