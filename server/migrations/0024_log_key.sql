-- The key of the hashes that stand for names in the log, the same for all instances.

create table log_key (
  only_row boolean primary key default true check (only_row),
  value    text not null default gen_random_uuid()::text || gen_random_uuid()::text
);
insert into log_key default values;
