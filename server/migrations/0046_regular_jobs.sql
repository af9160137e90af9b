-- When each regular job was last added.
create table regular_jobs (
  name    text primary key,
  last_at timestamptz not null
);
create trigger refuse_emptying before truncate on regular_jobs execute function refuse_emptying();
