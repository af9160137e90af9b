-- The managers of people, who approve what is ordered for them.

-- A manager who is deleted counts as none; the id stays.
create table managers (
  user_id    int primary key references users on delete cascade,
  manager_id int not null check (manager_id <> user_id)
);
create index on managers (manager_id);
create constraint trigger demand_change after insert or update or delete on managers
  deferrable initially deferred for each row execute function demand_change('user', 'user_id');
create trigger refuse_emptying before truncate on managers execute function refuse_emptying();
