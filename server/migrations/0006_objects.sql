-- Stored objects: what was asked for, and what came. The bytes are in the object store, under `key`.

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

create constraint trigger demand_change after insert or update or delete on objects
  deferrable initially deferred for each row execute function demand_change('object', 'id', 'user', 'owner_id');
create trigger refuse_emptying before truncate on objects execute function refuse_emptying();

-- Who refers to an object is asked before it is removed.
create index on users (avatar_url) where avatar_url like '/objects/%';
create index on apps (image_url) where image_url like '/objects/%';
create index on services (image_url) where image_url like '/objects/%';

-- Whoever refers to an object holds it until the commit; one that is being removed at that moment can no longer be referred to.
-- Argument: the column with the path.
create function hold_object() returns trigger language plpgsql as $$
declare
  path text := to_jsonb(new) ->> tg_argv[0];
  wanted uuid;
begin
  if path !~ '^/objects/uploads/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then return null; end if;
  wanted := right(path, 36)::uuid;
  perform from objects where uuid = wanted;
  if not found then return null; end if;
  perform from objects where uuid = wanted for key share;
  if not found then
    raise exception 'the object is gone' using errcode = 'BW002', column = tg_argv[0];
  end if;
  return null;
end $$;

create trigger hold_object after insert or update of avatar_url on users
  for each row when (new.avatar_url is not null) execute function hold_object('avatar_url');
create trigger hold_object after insert or update of image_url on apps
  for each row when (new.image_url is not null) execute function hold_object('image_url');
create trigger hold_object after insert or update of image_url on services
  for each row when (new.image_url is not null) execute function hold_object('image_url');
