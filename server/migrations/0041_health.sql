-- How the portal was in the last 24 hours, noted every ten minutes.
create table health_samples (
  at               timestamptz primary key default now(),
  database_ms      real not null,
  due              int not null,
  oldest_seconds   real not null,
  given_up         int not null,
  pushes_waiting   int not null,
  streams          int not null,
  unsealed_seconds real not null
);
create trigger refuse_emptying before truncate on health_samples execute function refuse_emptying();
