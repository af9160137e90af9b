-- The people whose deactivation by a source is held, and the end of what an administrator lets through.

-- `held_at`, `held_since`: when a deactivation was last held, and when the hold began. `released_at`: when `allowance` was given; what is left of
-- it ends a day later.
alter table provisioning_sources add held_since timestamptz, add released_at timestamptz, drop held_count;
update provisioning_sources set held_since = held_at, released_at = now() where held_at is not null or allowance > 0;

-- The directory tries each of them again and again. `at`: the last time.
create table held_deactivations (
  source_id int not null references provisioning_sources on delete cascade,
  user_id   int not null references users on delete cascade,
  at        timestamptz not null default now(),
  primary key (source_id, user_id)
);
create index on held_deactivations (user_id);
create index on held_deactivations (at);
create trigger refuse_emptying before truncate on held_deactivations execute function refuse_emptying();
