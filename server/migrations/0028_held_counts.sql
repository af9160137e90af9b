-- A held order is unknown to those who may not read it, so `GET /services` counts it for administrators alone.
alter table service_order_counts add column held int not null default 0;

insert into service_order_counts as counts (service_id, shard, count, held)
select service_id, 0, 0, count(*) from orders where hold is not null group by service_id
on conflict (service_id, shard) do update set held = excluded.held;

create or replace function count_orders() returns trigger language plpgsql as $$
begin
  insert into service_order_counts as counts (service_id, shard, count, held)
  select service_id, pg_backend_pid() % 16, sign * count(*), sign * count(hold)
  from touched, (select case tg_op when 'INSERT' then 1 else -1 end as sign) as way
  group by service_id, sign order by service_id
  on conflict (service_id, shard) do update set count = counts.count + excluded.count, held = counts.held + excluded.held;
  return null;
end $$;

create function count_held_orders() returns trigger language plpgsql as $$
begin
  insert into service_order_counts as counts (service_id, shard, count, held)
  values (new.service_id, pg_backend_pid() % 16, 0, num_nulls(old.hold) - num_nulls(new.hold))
  on conflict (service_id, shard) do update set held = counts.held + excluded.held;
  return null;
end $$;
create trigger count_held_orders after update of hold on orders
  for each row when ((old.hold is null) <> (new.hold is null)) execute function count_held_orders();
