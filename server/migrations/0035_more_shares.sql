-- More of what each person takes of what all share.

-- A lock until the transaction ends: the share is counted from rows, so additions to one share of one person take turns.
create function take_turn(quota text, person int) returns void language sql as $$
  select pg_advisory_xact_lock(hashtext(quota), person)
$$;

-- Labels and folders, beside the notes that they order.
alter table note_versions add column labels int not null default 0, add column folders int not null default 0;
insert into note_versions (user_id, labels) select user_id, count(*) from note_labels group by user_id order by user_id
  on conflict (user_id) do update set labels = excluded.labels;
insert into note_versions (user_id, folders) select user_id, count(*) from note_folders group by user_id order by user_id
  on conflict (user_id) do update set folders = excluded.folders;

create function count_labels() returns trigger language plpgsql as $$
declare
  used bigint;
begin
  if tg_op = 'DELETE' then
    update note_versions set labels = note_versions.labels - less.count
    from (select user_id, count(*) from removed group by user_id) as less where note_versions.user_id = less.user_id;
    return null;
  end if;
  with more as (select user_id, count(*) from added group by user_id order by user_id),
    counted as (
      insert into note_versions (user_id, labels) select * from more
      on conflict (user_id) do update set labels = note_versions.labels + excluded.labels returning user_id, labels)
  select counted.labels - more.count into used from counted join more using (user_id) where counted.labels > 500 limit 1;
  if found then perform refuse_excess('labels', used, 500); end if;
  return null;
end $$;
create trigger count_labels_added after insert on note_labels
  referencing new table as added for each statement execute function count_labels();
create trigger count_labels_removed after delete on note_labels
  referencing old table as removed for each statement execute function count_labels();

create function count_folders() returns trigger language plpgsql as $$
declare
  used bigint;
begin
  if tg_op = 'DELETE' then
    update note_versions set folders = note_versions.folders - less.count
    from (select user_id, count(*) from removed group by user_id) as less where note_versions.user_id = less.user_id;
    return null;
  end if;
  with more as (select user_id, count(*) from added group by user_id order by user_id),
    counted as (
      insert into note_versions (user_id, folders) select * from more
      on conflict (user_id) do update set folders = note_versions.folders + excluded.folders returning user_id, folders)
  select counted.folders - more.count into used from counted join more using (user_id) where counted.folders > 500 limit 1;
  if found then perform refuse_excess('folders', used, 500); end if;
  return null;
end $$;
create trigger count_folders_added after insert on note_folders
  referencing new table as added for each statement execute function count_folders();
create trigger count_folders_removed after delete on note_folders
  referencing old table as removed for each statement execute function count_folders();

-- Objects by their number, too; and by no fewer bytes than a small one takes on a disk.
create function object_cost(size bigint) returns bigint language sql immutable parallel safe return greatest(size, 4096);
alter table object_shares add column objects int not null default 0;
update object_shares set (objects, bytes) = (
  select count(*), coalesce(sum(object_cost(size)), 0) from objects where owner_id = user_id and uploaded_at is not null);

create or replace function count_objects() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.uploaded_at is not null and old.owner_id is not null then
    update object_shares set objects = objects - 1, bytes = bytes - object_cost(old.size) where user_id = old.owner_id;
  end if;
  if tg_op <> 'DELETE' and new.uploaded_at is not null and new.owner_id is not null then
    insert into object_shares (user_id, objects, bytes) values (new.owner_id, 1, object_cost(new.size))
      on conflict (user_id) do update set objects = object_shares.objects + 1, bytes = object_shares.bytes + excluded.bytes;
  end if;
  return null;
end $$;

-- Orders that wait to be received. Only placing is checked: an order that comes back is never refused.
create index orders_waiting_of on orders (user_id) where status = 'pending';
create function pending_orders_of(person int) returns bigint language sql stable
  return (select count(*) from orders where user_id = person and status = 'pending');
create function check_pending_orders() returns trigger language plpgsql as $$
declare
  more record;
  pending bigint;
begin
  for more in select user_id, count(*) from added where status = 'pending' group by user_id order by user_id loop
    perform take_turn('pending_orders', more.user_id);
    pending := pending_orders_of(more.user_id);
    if pending > 100 then perform refuse_excess('pending_orders', pending - more.count, 100); end if;
  end loop;
  return null;
end $$;
create trigger check_pending_orders after insert on orders
  referencing new table as added for each statement execute function check_pending_orders();

-- How many notices each person's notes and replies caused, by the minute; an hour is kept.
create table notices_caused (
  user_id int references users on delete cascade,
  minute  timestamptz,
  count   int not null,
  primary key (user_id, minute)
);
-- A minute counts until its last second is an hour ago.
create function notices_caused_by(person int) returns bigint language sql stable
  return (select coalesce(sum(count), 0) from notices_caused where user_id = person and minute > clock_timestamp() - interval '61 minutes');
create function count_notices(person int, more int) returns void language plpgsql as $$
declare
  used bigint;
begin
  perform take_turn('notices', person);
  used := notices_caused_by(person);
  if used + more > 5000 then perform refuse_excess('notices', used, 5000); end if;
  delete from notices_caused where user_id = person and minute <= clock_timestamp() - interval '61 minutes';
  insert into notices_caused values (person, date_trunc('minute', clock_timestamp()), more)
    on conflict (user_id, minute) do update set count = notices_caused.count + excluded.count;
end $$;
create function count_sendings() returns trigger language plpgsql as $$
begin
  perform count_notices(user_id, count) from (
    select notes.user_id, count(*)::int from added join notes on notes.id = note_id group by notes.user_id order by notes.user_id) as sent;
  return null;
end $$;
create trigger count_sendings after insert on note_recipients
  referencing new table as added for each statement execute function count_sendings();
create function count_replies() returns trigger language plpgsql as $$
begin
  perform count_notices(author, count) from (
    select case when is_from_owner then notes.user_id else recipient_id end as author, count(*)::int
    from added join notes on notes.id = note_id group by 1 order by 1) as written;
  return null;
end $$;
create trigger count_replies after insert on note_replies
  referencing new table as added for each statement execute function count_replies();

-- Changes that a person makes over and over, such as of preferences: those of one kind within a minute are one row of the ledger, the first.
-- `since` is when its minute began, `last` when it was added to.
create table gathered_changes (
  user_id int references users on delete cascade,
  kind    text,
  since   timestamptz not null,
  last    timestamptz not null,
  primary key (user_id, kind)
);

-- As before, and a change that was gathered is recorded.
create or replace function demand_change() returns trigger language plpgsql as $$
declare
  -- An update answers for the row as it was, too: it may have moved from one target to another. A column that a reference emptied
  -- answers as it was.
  lines jsonb[] := case tg_op when 'INSERT' then array[to_jsonb(new)] when 'DELETE' then array[to_jsonb(old)]
                              else array[to_jsonb(old), to_jsonb(old) || jsonb_strip_nulls(to_jsonb(new))] end;
  line jsonb;
  target int;
  is_recorded boolean;
begin
  foreach line in array lines loop
    is_recorded := false;
    for i in 0 .. tg_nargs - 2 by 2 loop
      target := case when line ? tg_argv[i + 1] then (line ->> tg_argv[i + 1])::int else tg_argv[i + 1]::int end;
      is_recorded := exists (select from ledger
          where at = now() and tx = pg_current_xact_id() and target_type = tg_argv[i] and target_id = target)
        or tg_argv[i] = 'user' and exists (select from gathered_changes where user_id = target and last = now());
      exit when is_recorded;
    end loop;
    if not is_recorded then
      raise exception '% of % without a recorded change about % %', lower(tg_op), tg_table_name, tg_argv[0],
        coalesce(line ->> tg_argv[1], tg_argv[1])
        using errcode = 'BW001';
    end if;
  end loop;
  return null;
end $$;
