-- People from CSV files: what a file would change, row by row, and how far it is done.

-- `problem`: why it failed. `groups`: which groups gain and lose how many. `done` of `total` rows are settled. `links_taken_at`: when the
-- links of the new people were handed out, which happens once.
create table user_imports (
  id                  int primary key generated always as identity,
  created_by          int not null references users on delete cascade,
  state               text not null default 'previewed' check (state in ('previewed', 'applying', 'applied', 'failed', 'discarded')),
  problem             text check (problem in ('not_administrator', 'error')),
  file_name           text,
  encoding            text not null check (encoding in ('utf-8', 'utf-16le', 'utf-16be', 'windows-1256')),
  delimiter           text not null,
  columns             text[] not null,
  ignored_columns     text[] not null,
  counts              jsonb not null default '{}',
  groups              jsonb not null default '[]',
  done                int not null default 0,
  total               int not null default 0,
  deactivates_missing boolean not null default false,
  invites             boolean not null default false,
  links_taken_at      timestamptz,
  created_at          timestamptz not null default now(),
  expires_at          timestamptz not null default now() + interval '7 days',
  check ((state = 'failed') = (problem is not null))
);
-- One import of a person is under way.
create unique index user_imports_living on user_imports (created_by) where state in ('previewed', 'applying');
create index on user_imports (created_by);
create index on user_imports (expires_at);
-- How far it is done is no change, nor that it is deleted once its time is over.
create constraint trigger demand_change after insert or update of created_by, state, links_taken_at on user_imports
  deferrable initially deferred for each row execute function demand_change('import', 'id', 'user', 'created_by');
create trigger refuse_emptying before truncate on user_imports execute function refuse_emptying();

-- A row of a file or, with the verdict `deactivate` and without a line, an active person whom the file does not name. `cells`: what the file
-- says, by column, without empty cells. `user_id`: whom it names, who may be gone. `details`: what is wrong, or to be known. `is_settled`: it is done, or left as it is.
create table user_import_rows (
  import_id  int not null references user_imports on delete cascade,
  place      int not null,
  line       int,
  cells      jsonb not null default '{}',
  verdict    text not null check (verdict in ('create', 'update', 'unchanged', 'refused', 'deactivate', 'changed_since')),
  user_id    int,
  username   text,
  changes    jsonb not null default '{}',
  details    jsonb not null default '[]',
  is_new     boolean not null generated always as (verdict = 'create') stored,
  is_settled boolean not null default false,
  primary key (import_id, place)
);
create index user_import_rows_of_verdict on user_import_rows (import_id, verdict, place);
create index user_import_rows_open on user_import_rows (import_id, is_new, place) where not is_settled;
create trigger refuse_emptying before truncate on user_import_rows execute function refuse_emptying();
