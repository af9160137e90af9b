-- Teams that do the orders of services, what is set for a service beyond its description, and notices about services.

-- The ids of deleted groups and people may stay in the lists; they count as nobody.
create table service_teams (
  id            int primary key generated always as identity,
  name_ar       text not null,
  name_en       text not null,
  group_ids     int[] not null,
  lead_user_ids int[] not null default '{}',
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now()
);
create unique index service_team_ar_name_taken on service_teams (lower(name_ar collate "und-x-icu"));
create unique index service_team_en_name_taken on service_teams (lower(name_en collate "und-x-icu"));
create constraint trigger demand_change after insert or update or delete on service_teams
  deferrable initially deferred for each row execute function demand_change('service_team', 'id');
create trigger refuse_emptying before truncate on service_teams execute function refuse_emptying();

-- A service without a row is ordered by everyone and done by all who receive orders.
create table service_handlings (
  service_id         int primary key references services on delete cascade,
  audience           text not null check (audience in ('everyone', 'groups')),
  audience_group_ids int[] not null default '{}',
  team_id            int references service_teams
);
create index on service_handlings (team_id) where team_id is not null;
create constraint trigger demand_change after insert or update or delete on service_handlings
  deferrable initially deferred for each row execute function demand_change('service', 'service_id');
create trigger refuse_emptying before truncate on service_handlings execute function refuse_emptying();

create table service_notices (
  service_id int primary key references services on delete cascade,
  notice_ar  text,
  notice_en  text,
  paused     boolean not null default false,
  until      timestamptz
);
create constraint trigger demand_change after insert or update or delete on service_notices
  deferrable initially deferred for each row execute function demand_change('service', 'service_id');
create trigger refuse_emptying before truncate on service_notices execute function refuse_emptying();

-- The team to which an order was handed over, without a foreign key: an order that has ended keeps it when the team is deleted.
alter table orders add team_id int;
create index orders_of_team on orders (team_id) where team_id is not null and status in ('pending', 'received', 'preparing');

-- What an order has beyond the contract, from its first use.
create table order_details (
  order_id       int primary key references orders on delete cascade,
  transfer_count int not null default 0
);
create constraint trigger demand_change after insert or update or delete on order_details
  deferrable initially deferred for each row execute function demand_change('order', 'order_id');
create trigger refuse_emptying before truncate on order_details execute function refuse_emptying();

-- The active people who receive the orders of a team; nobody, if there is no such team.
create function team_receivers(team int) returns int[] language sql stable as $$
  select array(
    select person from unnest(active_holders('orders.receive')) as person
    where exists (
      select from group_users where user_id = person and group_id = any(array(select unnest(group_ids) from service_teams where id = team)))
    order by person)
$$;

-- Whether a notice about an order may lead a person there: orders of a team are for its requester, its members and its leads. So is the
-- notice of an order that is gone.
create function order_is_open_to(order_id int, person int) returns boolean language sql stable as $$
  select not exists (
    select from orders left join service_handlings as handling using (service_id)
      left join service_teams as team on team.id = coalesce(orders.team_id, handling.team_id)
    where orders.id = order_id and coalesce(orders.team_id, handling.team_id) is not null and orders.user_id <> person
      and not coalesce(person = any(team.lead_user_ids), false)
      and not exists (select from group_users where user_id = person and group_id = any(team.group_ids)))
$$;
