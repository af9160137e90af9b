-- Who has a record open, on which pages say so every 20 seconds. What was not renewed for 45 seconds counts no more, so a crash loses nothing.
create unlogged table presences (
  place      text not null,
  user_id    int not null references users on delete cascade,
  is_editing boolean not null,
  since      timestamptz not null,
  seen_at    timestamptz not null,
  primary key (place, user_id)
);
create index on presences (user_id, seen_at);
create index on presences (seen_at);
create trigger refuse_emptying before truncate on presences execute function refuse_emptying();
