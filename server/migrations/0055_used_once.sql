-- The hashes of what opens something once, such as a challenge, until it is refused for its age anyway.
create table used_once (
  hash  text primary key,
  until timestamptz not null
);
create index on used_once (until);
create trigger refuse_emptying before truncate on used_once execute function refuse_emptying();
