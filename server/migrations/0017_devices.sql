-- The browsers in which people signed in before, by the hash of their tokens; several people may share one.

create table devices (
  token_hash text not null,
  user_id    int not null references users on delete cascade,
  known_at   timestamptz not null default now(),
  primary key (token_hash, user_id)
);
create index on devices (user_id, known_at);
