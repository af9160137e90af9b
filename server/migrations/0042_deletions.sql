-- What deletions that were not forced took along, kept for half a minute so that they can be undone. `at` is that of the ledger's row.
create table deletions (
  target_type text not null,
  target_id   int not null,
  at          timestamptz not null default now(),
  deleted_at  timestamptz not null default clock_timestamp(),
  rows        jsonb not null,
  primary key (target_type, target_id, at)
);
create index on deletions (deleted_at);
create trigger refuse_emptying before truncate on deletions execute function refuse_emptying();

-- Inserts rows as they were, with their ids.
create function restore_rows(kept_in regclass, kept jsonb) returns void language plpgsql as $$
declare
  names text := (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
    where attrelid = kept_in and attnum > 0 and not attisdropped and attgenerated = '');
begin
  execute format('insert into %s (%s) overriding system value select %s from jsonb_populate_recordset(null::%s, $1)', kept_in, names, names, kept_in)
    using kept;
end $$;
