-- The lists of a team also have its orders that have ended.
drop index orders_of_team;
create index orders_of_team on orders (team_id) where team_id is not null;
