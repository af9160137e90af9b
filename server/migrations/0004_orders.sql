-- Services, and the orders of them.

create table service_categories (
  id         int primary key generated always as identity,
  name_ar    text not null,
  name_en    text not null,
  sort_order int not null default 0,
  created_at timestamptz not null default now()
);

create table services (
  id             int primary key generated always as identity,
  category_id    int references service_categories,
  name_ar        text not null,
  name_en        text not null,
  description_ar text,
  description_en text,
  image_url      text,
  price          text,
  is_available   boolean not null default true,
  sort_order     int not null default 0,
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now()
);
create index on services (category_id);

create table orders (
  id           int primary key generated always as identity,
  service_id   int not null references services,
  user_id      int not null references users,
  assigned_to  int references users on delete set null,
  notes        text,
  status       text not null default 'pending' check (status in ('pending', 'received', 'preparing', 'completed', 'cancelled')),
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  cancelled_at timestamptz,
  constraint assigned_while_worked_on check (
    case status when 'pending' then assigned_to is null when 'received' then assigned_to is not null
                when 'preparing' then assigned_to is not null else true end),
  constraint cancelled_at_a_time check ((status = 'cancelled') = (cancelled_at is not null))
);
create index on orders (user_id, id);
create index on orders (service_id, id);
create index on orders (assigned_to) where assigned_to is not null;
create index orders_waiting on orders (id) where status = 'pending';
create index orders_in_work on orders (assigned_to, id) where status in ('received', 'preparing');

-- The active people who hold a permission. Asked with every order: so it goes from the roles to those who hold them by index alone,
-- where the planner, who knows how many hold a role on the average, would read all memberships.
create index on user_roles (role_id, user_id);
drop index user_roles_role_id_idx;
create function active_holders(permission text) returns int[]
  language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  granting int[] := array(
    select role_id from role_permissions join permissions on permissions.id = permission_id where permissions.name = permission);
begin
  return array(
    select users.id from users where is_active and users.id in (
      select user_id from user_roles where role_id = any(granting)
      union
      select user_id from group_users where group_id = any(array(select group_id from group_roles where role_id = any(granting))))
    order by 1);
end $$;

-- How many orders a service has, in shards: one row for each service would make all who order it take turns.
create table service_order_counts (
  service_id int not null references services on delete cascade,
  shard      int not null,
  count      int not null,
  primary key (service_id, shard)
);

create function count_orders() returns trigger language plpgsql as $$
begin
  insert into service_order_counts as counts (service_id, shard, count)
  select service_id, pg_backend_pid() % 16, case tg_op when 'INSERT' then count(*) else -count(*) end
  from touched group by service_id order by service_id
  on conflict (service_id, shard) do update set count = counts.count + excluded.count;
  return null;
end $$;
create trigger count_orders_added after insert on orders
  referencing new table as touched for each statement execute function count_orders();
create trigger count_orders_removed after delete on orders
  referencing old table as touched for each statement execute function count_orders();

create function keep_service() returns trigger language plpgsql as $$
begin
  raise exception 'an order stays with its service' using errcode = 'integrity_constraint_violation';
end $$;
create trigger keep_service before update of service_id on orders
  for each row when (old.service_id <> new.service_id) execute function keep_service();

-- As before, and a column that a reference emptied answers as it was.
create or replace function demand_change() returns trigger language plpgsql as $$
declare
  -- An update answers for the row as it was, too: it may have moved from one subject to another.
  lines jsonb[] := case tg_op when 'INSERT' then array[to_jsonb(new)] when 'DELETE' then array[to_jsonb(old)]
                              else array[to_jsonb(old), to_jsonb(old) || jsonb_strip_nulls(to_jsonb(new))] end;
  line jsonb;
  is_recorded boolean;
begin
  foreach line in array lines loop
    is_recorded := false;
    for i in 0 .. tg_nargs - 2 by 2 loop
      is_recorded := exists (select from changes
        where at = now() and tx = pg_current_xact_id() and about = tg_argv[i]
          and subject = case when line ? tg_argv[i + 1] then (line ->> tg_argv[i + 1])::int else tg_argv[i + 1]::int end);
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

create constraint trigger demand_change after insert or update or delete on service_categories
  deferrable initially deferred for each row execute function demand_change('service_category', 'id');
create constraint trigger demand_change after insert or update or delete on services
  deferrable initially deferred for each row execute function demand_change('service', 'id');
create constraint trigger demand_change after insert or update or delete on orders
  deferrable initially deferred for each row
  execute function demand_change('order', 'id', 'service', 'service_id', 'user', 'user_id', 'user', 'assigned_to');

create trigger refuse_emptying before truncate on service_categories execute function refuse_emptying();
create trigger refuse_emptying before truncate on services execute function refuse_emptying();
create trigger refuse_emptying before truncate on orders execute function refuse_emptying();
