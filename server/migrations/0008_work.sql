-- What people work with: files, notices, orders and notes.

-- Stored objects: what was asked for, and what was uploaded. The bytes are in the object store, under `key`.
create table objects (
  id           int primary key generated always as identity,
  uuid         uuid not null unique default gen_random_uuid(),
  owner_id     int references users on delete set null,
  name         text not null,
  size         bigint not null check (size > 0),
  content_type text not null,
  token_hash   text unique,
  created_at   timestamptz not null default now(),
  expires_at   timestamptz not null default now() + interval '15 minutes',
  uploaded_at  timestamptz,
  key          text unique,
  etag         text,
  check ((uploaded_at is null) = (token_hash is not null)),
  check ((uploaded_at is null) = (key is null) and (uploaded_at is null) = (etag is null))
);
create index on objects (owner_id);
create index objects_by_age on objects (coalesce(uploaded_at, expires_at));
create index objects_awaited on objects (owner_id, expires_at) where uploaded_at is null;
create constraint trigger demand_change after insert or update or delete on objects
  deferrable initially deferred for each row execute function demand_change('object', 'id', 'user', 'owner_id');
create trigger refuse_emptying before truncate on objects execute function refuse_emptying();

-- How much of the store each person has, by the number of objects and their bytes; open slots are counted separately.
create table object_shares (
  user_id int primary key references users on delete cascade,
  bytes   bigint not null default 0,
  objects int not null default 0
);
-- A small object counts as many bytes as it takes on a disk.
create function object_cost(size bigint) returns bigint language sql immutable parallel safe return greatest(size, 4096);

create function count_objects() returns trigger language plpgsql as $$
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
create trigger count_objects after insert or update or delete on objects for each row execute function count_objects();

-- A picture is an https address or an uploaded file that exists and is an image. A row that refers to a file locks it until the commit.
-- Argument: the column with the path.
create function hold_object() returns trigger language plpgsql as $$
declare
  path text := to_jsonb(new) ->> tg_argv[0];
  media_type text;
begin
  if path !~ '^/objects/' or (tg_op = 'UPDATE' and path = to_jsonb(old) ->> tg_argv[0]) then return null; end if;
  if path ~ '^/objects/uploads/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    select content_type into media_type from objects
      where uuid = right(path, 36)::uuid and uploaded_at is not null for key share;
  end if;
  if media_type is null then
    raise exception 'there is no such object' using errcode = 'BW002', column = tg_argv[0];
  end if;
  if media_type !~* '^image/(png|jpeg|gif|webp|avif|bmp) *(;|$)' then
    raise exception 'the object is not a picture' using errcode = 'BW004', column = tg_argv[0];
  end if;
  return null;
end $$;
create trigger hold_object after insert or update of avatar_url on users
  for each row when (new.avatar_url is not null) execute function hold_object('avatar_url');
create trigger hold_object after insert or update of image_url on apps
  for each row when (new.image_url is not null) execute function hold_object('image_url');

-- Which rows refer to an object is asked before it is deleted.
create index on users (avatar_url) where avatar_url like '/objects/%';
create index on apps (image_url) where image_url like '/objects/%';

-- `template`: the text from which the notice was made, by which it is found once it is settled. How long a notice is kept counts from when
-- it was read.
create table notifications (
  id           int primary key generated always as identity,
  user_id      int not null references users on delete cascade,
  title_ar     text not null,
  title_en     text not null,
  body_ar      text,
  body_en      text,
  type         text not null check (type in ('order', 'note', 'meeting', 'system')),
  related_id   int,
  related_type text check (related_type in
    ('order', 'note', 'meeting', 'meeting_request', 'meeting_task', 'user', 'group', 'role', 'access_request', 'access_review')),
  created_at   timestamptz not null default now(),
  read_at      timestamptz,
  is_read      boolean not null generated always as (read_at is not null) stored,
  template     text
);
create index on notifications (user_id, id desc);
create index notifications_unread on notifications (user_id, id desc) where read_at is null;
create index notifications_read on notifications (read_at) where read_at is not null;
-- What still leads to a record while it is unread.
create index notifications_unread_about on notifications (related_type, related_id) where read_at is null;
-- Who was notified of a request.
create index notifications_of_access_requests on notifications (related_id) where related_type = 'access_request';

-- The browsers that are told of notices, each for as long as the session lives that subscribed it.
create table push_subscriptions (
  id         int primary key generated always as identity,
  user_id    int not null references users on delete cascade,
  endpoint   text not null unique,
  p256dh     text not null,
  auth       text not null,
  created_at timestamptz not null default now(),
  session_id int not null references sessions on delete cascade
);
create index on push_subscriptions (user_id, id);
create index on push_subscriptions (session_id);
create constraint trigger demand_change after insert or update or delete on push_subscriptions
  deferrable initially deferred for each row execute function demand_change('user', 'user_id');
create trigger refuse_emptying before truncate on push_subscriptions execute function refuse_emptying();

-- A trigger, because sessions end in many ways, and none may forget it. The change that ends the session is its record.
create function end_pushes() returns trigger language plpgsql as $$
begin
  delete from push_subscriptions where session_id = new.id;
  return null;
end $$;
create trigger end_pushes after update of ended_at on sessions
  for each row when (new.ended_at is not null) execute function end_pushes();

-- What transactions leave here is handed to the job queue after their commit. By then, the notice and the subscription may be deleted.
create table pushes (
  notification_id int not null,
  subscription_id int not null,
  primary key (notification_id, subscription_id)
);

-- Services, and the orders of them.

create table service_categories (
  id         int primary key generated always as identity,
  name_ar    text not null,
  name_en    text not null,
  sort_order int not null default 0,
  created_at timestamptz not null default now()
);
create index on service_categories (sort_order, id);
create constraint trigger demand_change after insert or update or delete on service_categories
  deferrable initially deferred for each row execute function demand_change('service_category', 'id');
create trigger refuse_emptying before truncate on service_categories execute function refuse_emptying();

create table services (
  id             int primary key generated always as identity,
  category_id    int references service_categories,
  name_ar        text not null,
  name_en        text not null,
  description_ar text,
  description_en text,
  image_url      text,
  price          text,
  is_available   boolean not null default true,
  sort_order     int not null default 0,
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now()
);
create index on services (category_id);
create index on services (sort_order, id);
create index on services (image_url) where image_url like '/objects/%';
create trigger hold_object after insert or update of image_url on services
  for each row when (new.image_url is not null) execute function hold_object('image_url');
create constraint trigger demand_change after insert or update or delete on services
  deferrable initially deferred for each row execute function demand_change('service', 'id');
create trigger refuse_emptying before truncate on services execute function refuse_emptying();

-- Counts the services that were created and those that are available.
create function service_state(is_available boolean) returns text language sql immutable
  return case when is_available then 'available_services' else 'unavailable_services' end;

create function count_services() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform count_for_day('services_created', day, count)
    from (select utc_day(created_at) as day, count(*) from after group by 1 order by 1) as days;
    perform count_state(state, count) from (select service_state(is_available) as state, count(*) from after group by 1 order by 1) as states;
  elsif tg_op = 'DELETE' then
    perform count_for_day('services_created', day, -count)
    from (select utc_day(created_at) as day, count(*) from before group by 1 order by 1) as days;
    perform count_state(state, -count) from (select service_state(is_available) as state, count(*) from before group by 1 order by 1) as states;
  else
    perform count_for_day('services_created', day, sum) from (
      select day, sum(step) from (
        select utc_day(created_at) as day, 1 as step from after union all select utc_day(created_at), -1 from before) as steps
      group by day having sum(step) <> 0 order by day) as days;
    perform count_state(state, sum) from (
      select state, sum(step) from (
        select service_state(is_available) as state, 1 as step from after
        union all select service_state(is_available), -1 from before) as steps
      group by state having sum(step) <> 0 order by state) as states;
  end if;
  return null;
end $$;
create trigger count_services_added after insert on services
  referencing new table as after for each statement execute function count_services();
create trigger count_services_updated after update on services
  referencing old table as before new table as after for each statement execute function count_services();
create trigger count_services_removed after delete on services
  referencing old table as before for each statement execute function count_services();

create table orders (
  id           int primary key generated always as identity,
  service_id   int not null references services,
  user_id      int not null references users,
  assigned_to  int references users on delete set null,
  notes        text,
  status       text not null default 'pending' check (status in ('pending', 'received', 'preparing', 'completed', 'cancelled')),
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  cancelled_at timestamptz,
  constraint assigned_while_worked_on check (
    case status when 'pending' then assigned_to is null when 'received' then assigned_to is not null
                when 'preparing' then assigned_to is not null else true end),
  constraint cancelled_at_a_time check ((status = 'cancelled') = (cancelled_at is not null))
);
create index on orders (user_id, id);
create index on orders (service_id, id);
create index on orders (assigned_to) where assigned_to is not null;
create index orders_waiting on orders (id) where status = 'pending';
create index orders_in_work on orders (assigned_to, id) where status in ('received', 'preparing');
-- What administrators look for in the notes of orders.
create index orders_notes on orders using gin (portal_fold(notes) gin_trgm_ops) where notes is not null;
create constraint trigger demand_change after insert or update or delete on orders
  deferrable initially deferred for each row
  execute function demand_change('order', 'id', 'service', 'service_id', 'user', 'user_id', 'user', 'assigned_to');
create trigger refuse_emptying before truncate on orders execute function refuse_emptying();

create function keep_service() returns trigger language plpgsql as $$
begin
  raise exception 'an order stays with its service' using errcode = 'integrity_constraint_violation';
end $$;
create trigger keep_service before update of service_id on orders
  for each row when (old.service_id <> new.service_id) execute function keep_service();

-- How many orders a service has, in shards: with one row for each service, all who order it would take turns.
create table service_order_counts (
  service_id int not null references services on delete cascade,
  shard      int not null,
  count      int not null,
  primary key (service_id, shard)
);

create function count_orders() returns trigger language plpgsql as $$
begin
  insert into service_order_counts as counts (service_id, shard, count)
  select service_id, pg_backend_pid() % 16, case tg_op when 'INSERT' then count(*) else -count(*) end
  from touched group by service_id order by service_id
  on conflict (service_id, shard) do update set count = counts.count + excluded.count;
  return null;
end $$;
create trigger count_orders_added after insert on orders
  referencing new table as touched for each statement execute function count_orders();
create trigger count_orders_removed after delete on orders
  referencing old table as touched for each statement execute function count_orders();

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

-- Notes: what people write for themselves, what they send each other, and the answers.

create table note_folders (
  id         int primary key generated always as identity,
  user_id    int not null references users on delete cascade,
  name       text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on note_folders (user_id);
create constraint trigger demand_change after insert or update or delete on note_folders
  deferrable initially deferred for each row execute function demand_change('note_folder', 'id', 'user', 'user_id');
create trigger refuse_emptying before truncate on note_folders execute function refuse_emptying();

create table note_labels (
  id         int primary key generated always as identity,
  user_id    int not null references users on delete cascade,
  name       text not null,
  color      text not null default 'default' check (color in ('default', 'yellow', 'green', 'blue', 'pink', 'purple', 'orange', 'gray')),
  created_at timestamptz not null default now()
);
create index on note_labels (user_id);
create constraint trigger demand_change after insert or update or delete on note_labels
  deferrable initially deferred for each row execute function demand_change('note_label', 'id', 'user', 'user_id');
create trigger refuse_emptying before truncate on note_labels execute function refuse_emptying();

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
-- A search reads the notes of one person by this, not everyone's by their words.
create index notes_in_order on notes (user_id, is_archived, is_pinned, id);
create index on notes (folder_id) where folder_id is not null;
create constraint trigger demand_change after insert or update or delete on notes
  deferrable initially deferred for each row execute function demand_change('note', 'id');
create trigger refuse_emptying before truncate on notes execute function refuse_emptying();

create table note_label_links (
  note_id  int not null references notes on delete cascade,
  label_id int not null references note_labels on delete cascade,
  primary key (note_id, label_id)
);
create index on note_label_links (label_id);
create constraint trigger demand_change after insert or update or delete on note_label_links
  deferrable initially deferred for each row execute function demand_change('note', 'note_id', 'note_label', 'label_id');
create trigger refuse_emptying before truncate on note_label_links execute function refuse_emptying();

-- A note in the hands of someone to whom it was sent. `status_before` is the status to which an archived one returns.
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
create constraint trigger demand_change after insert or update or delete on note_recipients
  deferrable initially deferred for each row execute function demand_change('note', 'note_id', 'user', 'recipient_id');
create trigger refuse_emptying before truncate on note_recipients execute function refuse_emptying();

-- What the owner of a note and one of its recipients answer each other; no other recipient sees it. A reply goes with its note only: what
-- someone wrote in another's thread stays when they are deleted. `recipient_id` says whose conversation it is in, even if they are gone.
create table note_replies (
  id            int primary key generated always as identity,
  note_id       int not null references notes on delete cascade,
  recipient_id  int not null,
  is_from_owner boolean not null,
  content       text not null,
  created_at    timestamptz not null default now()
);
create index on note_replies (note_id, recipient_id, id);
create index on note_replies (note_id, id);
create constraint trigger demand_change after insert or update or delete on note_replies
  deferrable initially deferred for each row execute function demand_change('note', 'note_id', 'user', 'recipient_id');
create trigger refuse_emptying before truncate on note_replies execute function refuse_emptying();

-- `version`: how often what a person's own notes show has changed: a list kept in memory is true until it increases. The rest is that
-- person's share, counted where it is written, so that no race exceeds it.
create table note_versions (
  user_id int primary key references users on delete cascade,
  version bigint not null default 1,
  notes   int not null default 0,
  bytes   bigint not null default 0,
  labels  int not null default 0,
  folders int not null default 0
);

create function bump_notes() returns trigger language plpgsql as $$
begin
  insert into note_versions (user_id)
    select distinct notes.user_id from touched join notes on notes.id = note_id order by notes.user_id
    on conflict (user_id) do update set version = note_versions.version + 1;
  return null;
end $$;
create trigger bump_notes_added after insert on note_label_links
  referencing new table as touched for each statement execute function bump_notes();
create trigger bump_notes_moved_from after update on note_label_links
  referencing old table as touched for each statement execute function bump_notes();
create trigger bump_notes_moved_to after update on note_label_links
  referencing new table as touched for each statement execute function bump_notes();
create trigger bump_notes_removed after delete on note_label_links
  referencing old table as touched for each statement execute function bump_notes();

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
create trigger count_notes_added after insert on notes
  referencing new table as added for each statement execute function count_notes();
create trigger count_notes_moved after update on notes
  referencing old table as removed new table as added for each statement execute function count_notes();
create trigger count_notes_removed after delete on notes
  referencing old table as removed for each statement execute function count_notes();

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
