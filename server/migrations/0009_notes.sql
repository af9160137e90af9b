-- Notes: what people write for themselves, what they send each other, and the answers.

create table note_folders (
  id         int primary key generated always as identity,
  user_id    int not null references users on delete cascade,
  name       text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on note_folders (user_id);

create table note_labels (
  id         int primary key generated always as identity,
  user_id    int not null references users on delete cascade,
  name       text not null,
  color      text not null default 'default' check (color in ('default', 'yellow', 'green', 'blue', 'pink', 'purple', 'orange', 'gray')),
  created_at timestamptz not null default now()
);
create index on note_labels (user_id);

create table notes (
  id          int primary key generated always as identity,
  user_id     int not null references users,
  title       text not null default '',
  content     text not null default '',
  color       text not null default 'default' check (color in ('default', 'yellow', 'green', 'blue', 'pink', 'purple', 'orange', 'gray')),
  is_pinned   boolean not null default false,
  is_archived boolean not null default false,
  folder_id   int references note_folders on delete set null,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  search      text not null generated always as (portal_fold(title || E'\x01' || content)) stored,
  check (title <> '' or content <> '')
);
-- Only ever one person's notes are searched: they are read by this, rather than everyone's by what they say.
create index notes_in_order on notes (user_id, is_archived, is_pinned, id);
create index on notes (folder_id) where folder_id is not null;

create table note_label_links (
  note_id  int not null references notes on delete cascade,
  label_id int not null references note_labels on delete cascade,
  primary key (note_id, label_id)
);
create index on note_label_links (label_id);

-- A note in the hands of someone it was sent to. `status_before` is what an archived one returns to.
create table note_recipients (
  id            int primary key generated always as identity,
  note_id       int not null references notes on delete cascade,
  recipient_id  int not null references users on delete cascade,
  status        text not null default 'unread' check (status in ('unread', 'read', 'replied', 'archived')),
  status_before text check (status_before in ('unread', 'read', 'replied')),
  folder_id     int references note_folders on delete set null,
  sent_at       timestamptz not null default now(),
  read_at       timestamptz,
  archived_at   timestamptz,
  unique (note_id, recipient_id),
  check ((status = 'archived') = (status_before is not null) and (status = 'archived') = (archived_at is not null))
);
create index on note_recipients (recipient_id, id);
create index on note_recipients (folder_id) where folder_id is not null;

-- What the owner of a note and one of its recipients answer each other; no other recipient sees it.
create table note_replies (
  id            int primary key generated always as identity,
  note_id       int not null,
  recipient_id  int not null,
  is_from_owner boolean not null,
  content       text not null,
  created_at    timestamptz not null default now(),
  foreign key (note_id, recipient_id) references note_recipients (note_id, recipient_id) on delete cascade
);
create index on note_replies (note_id, recipient_id, id);
create index on note_replies (note_id, id);

create constraint trigger demand_change after insert or update or delete on note_folders
  deferrable initially deferred for each row execute function demand_change('note_folder', 'id', 'user', 'user_id');
create constraint trigger demand_change after insert or update or delete on note_labels
  deferrable initially deferred for each row execute function demand_change('note_label', 'id', 'user', 'user_id');
create constraint trigger demand_change after insert or update or delete on notes
  deferrable initially deferred for each row execute function demand_change('note', 'id');
create constraint trigger demand_change after insert or update or delete on note_label_links
  deferrable initially deferred for each row execute function demand_change('note', 'note_id', 'note_label', 'label_id');
create constraint trigger demand_change after insert or update or delete on note_recipients
  deferrable initially deferred for each row execute function demand_change('note', 'note_id', 'user', 'recipient_id');
create constraint trigger demand_change after insert or update or delete on note_replies
  deferrable initially deferred for each row execute function demand_change('note', 'note_id', 'user', 'recipient_id');

create trigger refuse_emptying before truncate on note_folders execute function refuse_emptying();
create trigger refuse_emptying before truncate on note_labels execute function refuse_emptying();
create trigger refuse_emptying before truncate on notes execute function refuse_emptying();
create trigger refuse_emptying before truncate on note_label_links execute function refuse_emptying();
create trigger refuse_emptying before truncate on note_recipients execute function refuse_emptying();
create trigger refuse_emptying before truncate on note_replies execute function refuse_emptying();

-- How often what a person's own notes show has moved: a list kept in memory is still true while this stands still.
create table note_versions (
  user_id int primary key references users on delete cascade,
  version bigint not null default 1
);

create function bump_notes() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'notes' then
    insert into note_versions (user_id) select distinct user_id from touched order by user_id
      on conflict (user_id) do update set version = note_versions.version + 1;
  else
    insert into note_versions (user_id)
      select distinct notes.user_id from touched join notes on notes.id = note_id order by notes.user_id
      on conflict (user_id) do update set version = note_versions.version + 1;
  end if;
  return null;
end $$;

create trigger bump_notes_added after insert on notes
  referencing new table as touched for each statement execute function bump_notes();
create trigger bump_notes_moved after update on notes
  referencing new table as touched for each statement execute function bump_notes();
create trigger bump_notes_removed after delete on notes
  referencing old table as touched for each statement execute function bump_notes();
create trigger bump_notes_added after insert on note_label_links
  referencing new table as touched for each statement execute function bump_notes();
create trigger bump_notes_moved_from after update on note_label_links
  referencing old table as touched for each statement execute function bump_notes();
create trigger bump_notes_moved_to after update on note_label_links
  referencing new table as touched for each statement execute function bump_notes();
create trigger bump_notes_removed after delete on note_label_links
  referencing old table as touched for each statement execute function bump_notes();

-- Everyone active, by the name that readers of either language see: whom a note may be sent to.
create index users_named_ar on users
  ((coalesce(nullif(display_name_ar, ''), nullif(display_name_en, ''), username) collate "ar-x-icu"), id) where is_active;
create index users_named_en on users
  ((coalesce(nullif(display_name_en, ''), nullif(display_name_ar, ''), username) collate "en-x-icu"), id) where is_active;
