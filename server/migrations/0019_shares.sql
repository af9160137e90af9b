-- What each person takes of what all share, counted where it is written, so that no race exceeds it.

-- Refuses what goes beyond a share: its name, what is used of it, and what is allowed.
create function refuse_excess(quota text, used bigint, allowed bigint) returns void language plpgsql as $$
begin
  raise exception 'the share is used up' using errcode = 'BW003',
    detail = json_build_object('quota', quota, 'used', used, 'allowed', allowed);
end $$;

alter table note_versions add column notes int not null default 0;
alter table note_versions add column bytes bigint not null default 0;
insert into note_versions (user_id, notes, bytes)
  select user_id, count(*), sum(octet_length(title) + octet_length(content)) from notes group by user_id
  on conflict (user_id) do update set notes = excluded.notes, bytes = excluded.bytes;

create function count_notes() returns trigger language plpgsql as $$
declare
  excess record;
begin
  if tg_op = 'INSERT' then
    with more as (
      select user_id, count(*) as notes, sum(octet_length(title) + octet_length(content)) as bytes from added group by user_id order by user_id
    ), counted as (
      insert into note_versions (user_id, notes, bytes) select * from more
      on conflict (user_id) do update set version = note_versions.version + 1,
        notes = note_versions.notes + excluded.notes, bytes = note_versions.bytes + excluded.bytes
      returning user_id, notes, bytes
    )
    select counted.notes as notes, counted.notes - more.notes as notes_before, counted.bytes - more.bytes as bytes_before into excess
    from counted join more using (user_id) where counted.notes > 10000 or counted.bytes > 67108864 limit 1;
    if excess.notes > 10000 then perform refuse_excess('notes', excess.notes_before, 10000); end if;
  elsif tg_op = 'UPDATE' then
    with more as (
      select user_id, sum(bytes) as bytes from (
        select user_id, octet_length(title) + octet_length(content) as bytes from added
        union all
        select user_id, -octet_length(title) - octet_length(content) from removed) as moved group by user_id
    ), counted as (
      update note_versions set version = version + 1, bytes = note_versions.bytes + more.bytes
      from more where note_versions.user_id = more.user_id
      returning note_versions.bytes, more.bytes as growth
    )
    select bytes - growth as bytes_before into excess from counted where bytes > 67108864 and growth > 0 limit 1;
  else
    update note_versions set version = version + 1, notes = note_versions.notes - less.notes, bytes = note_versions.bytes - less.bytes
    from (select user_id, count(*) as notes, sum(octet_length(title) + octet_length(content)) as bytes from removed group by user_id) as less
    where note_versions.user_id = less.user_id;
    return null;
  end if;
  if found then perform refuse_excess('note_bytes', excess.bytes_before, 67108864); end if;
  return null;
end $$;

drop trigger bump_notes_added on notes;
drop trigger bump_notes_moved on notes;
drop trigger bump_notes_removed on notes;
create trigger count_notes_added after insert on notes
  referencing new table as added for each statement execute function count_notes();
create trigger count_notes_moved after update on notes
  referencing old table as removed new table as added for each statement execute function count_notes();
create trigger count_notes_removed after delete on notes
  referencing old table as removed for each statement execute function count_notes();

create or replace function bump_notes() returns trigger language plpgsql as $$
begin
  insert into note_versions (user_id)
    select distinct notes.user_id from touched join notes on notes.id = note_id order by notes.user_id
    on conflict (user_id) do update set version = note_versions.version + 1;
  return null;
end $$;

-- The bytes of a person's uploads; slots that are open count besides, while they are.
create table object_shares (
  user_id int primary key references users on delete cascade,
  bytes   bigint not null default 0
);
insert into object_shares (user_id, bytes) select owner_id, sum(size) from objects where uploaded_at is not null and owner_id is not null group by 1;

create function count_objects() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.uploaded_at is not null and old.owner_id is not null then
    update object_shares set bytes = bytes - old.size where user_id = old.owner_id;
  end if;
  if tg_op <> 'DELETE' and new.uploaded_at is not null and new.owner_id is not null then
    insert into object_shares (user_id, bytes) values (new.owner_id, new.size)
      on conflict (user_id) do update set bytes = object_shares.bytes + excluded.bytes;
  end if;
  return null;
end $$;
create trigger count_objects after insert or update or delete on objects for each row execute function count_objects();
create index objects_awaited on objects (owner_id, expires_at) where uploaded_at is null;
