-- The key of encrypted cookies and of the hashes in the log, where there is no SECRETS_KEY: the same for all instances. Base backups and
-- dumps without unlogged data do not have it; after a crash of the database, an instance that knows it puts it back.
create unlogged table made_key (
  only_row boolean primary key default true check (only_row),
  value    bytea not null
);
create trigger refuse_emptying before truncate on made_key execute function refuse_emptying();

drop table log_key, cookie_key;
