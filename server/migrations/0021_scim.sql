-- Directories that provision people and groups by SCIM 2.0.

-- A source acts as a service account, which opens nothing else. `allowance`: how many deactivations an administrator lets through although
-- they would be held. `held_at`, `held_count`: since when its deactivations are held, and how many were refused.
create table provisioning_sources (
  id              int primary key generated always as identity,
  user_id         int not null unique references users on delete cascade,
  name            text not null constraint source_name_taken unique check (name ~ '^[a-z0-9-]{1,40}$'),
  is_active       boolean not null default false,
  adopt_people    boolean not null default true,
  adopt_groups    boolean not null default true,
  name_language   text not null default 'auto' check (name_language in ('auto', 'ar', 'en')),
  may_grant_admin boolean not null default false,
  invite          boolean not null default false,
  allowance       int not null default 0 check (allowance between 0 and 100000),
  held_at         timestamptz,
  held_count      int not null default 0,
  created_at      timestamptz not null default now()
);
-- How many deactivations are held or let through follows from its calls.
create constraint trigger demand_change
  after insert or delete or update of user_id, name, is_active, adopt_people, adopt_groups, name_language, may_grant_admin, invite
  on provisioning_sources
  deferrable initially deferred for each row execute function demand_change('source', 'id', 'user', 'user_id');
create trigger refuse_emptying before truncate on provisioning_sources execute function refuse_emptying();

-- A person of a source. `attributes`: what the source sent, as it sent it. `facets`: the values that a filter compares whole, each as
-- `attribute:value` in lower case. `switched_off`: the source deactivated them. `removed_at`: the source deleted them, so they are nobody's,
-- and come back under the same id if it creates them again.
create table provisioned_users (
  user_id       int primary key references users on delete cascade,
  source_id     int not null references provisioning_sources on delete cascade,
  external_id   text check (char_length(external_id) <= 255),
  user_name     text not null,
  user_name_key text not null generated always as (lower(user_name collate "und-x-icu")) stored,
  attributes    jsonb not null,
  facets        text[] not null default '{}',
  switched_off  boolean not null default false,
  modified_at   timestamptz not null default now(),
  removed_at    timestamptz
);
create unique index provisioned_name_taken on provisioned_users (source_id, user_name_key) where removed_at is null;
create unique index provisioned_id_taken on provisioned_users (source_id, external_id) where removed_at is null;
create index provisioned_removed on provisioned_users (source_id, user_name_key) where removed_at is not null;
create index provisioned_listed on provisioned_users (source_id, user_id) where removed_at is null;
create index provisioned_facets on provisioned_users using gin (facets);
create constraint trigger demand_change after insert or update or delete on provisioned_users
  deferrable initially deferred for each row execute function demand_change('user', 'user_id', 'source', 'source_id');
create trigger refuse_emptying before truncate on provisioned_users execute function refuse_emptying();

-- Others may switch a person on or off, too.
create function see_provisioned() returns trigger language plpgsql as $$
begin
  update provisioned_users set modified_at = now() where user_id = new.id;
  return null;
end $$;
create trigger see_provisioned after update of is_active on users
  for each row when (old.is_active <> new.is_active) execute function see_provisioned();

-- A group whose members a source manages. `version` increases with each change that SCIM shows. `removed_at`: the source deleted it, so
-- nobody manages it any more.
create table provisioned_groups (
  group_id    int primary key references groups on delete cascade,
  source_id   int not null references provisioning_sources on delete cascade,
  external_id text check (char_length(external_id) <= 255),
  version     int not null default 1,
  modified_at timestamptz not null default now(),
  removed_at  timestamptz
);
create unique index provisioned_group_id_taken on provisioned_groups (source_id, external_id) where removed_at is null;
create index provisioned_groups_listed on provisioned_groups (source_id, group_id) where removed_at is null;
-- Its version follows from other changes.
create constraint trigger demand_change after insert or delete or update of source_id, external_id, removed_at on provisioned_groups
  deferrable initially deferred for each row execute function demand_change('group', 'group_id', 'source', 'source_id');
create trigger refuse_emptying before truncate on provisioned_groups execute function refuse_emptying();

-- Administrators rename a group; members leave with their account, and as its grants end; exceptions are hidden.
create function bump_provisioned_groups(ids int[]) returns void language sql as $$
  update provisioned_groups set version = version + 1, modified_at = now()
  where group_id = any(array(
    select group_id from provisioned_groups where group_id = any(ids) and removed_at is null order by group_id for no key update))
$$;
create function see_members() returns trigger language plpgsql as $$
begin
  perform bump_provisioned_groups(array(select distinct group_id from touched));
  return null;
end $$;
create trigger see_members_added after insert on memberships referencing new table as touched
  for each statement execute function see_members();
create trigger see_members_removed after delete on memberships referencing old table as touched
  for each statement execute function see_members();
create function see_group_name() returns trigger language plpgsql as $$
begin
  perform bump_provisioned_groups(array[new.id]);
  return null;
end $$;
create trigger see_group_name after update of name on groups
  for each row when (old.name <> new.name) execute function see_group_name();
create function see_exception() returns trigger language plpgsql as $$
begin
  perform bump_provisioned_groups(array(select group_id from memberships where user_id = new.id));
  return null;
end $$;
create trigger see_exception after update of is_exception on users
  for each row when (old.is_exception <> new.is_exception) execute function see_exception();

-- The deactivations of each source within the last hour, each with how many of its people were active before it.
create table source_deactivations (
  id            bigint primary key generated always as identity,
  source_id     int not null references provisioning_sources on delete cascade,
  at            timestamptz not null default clock_timestamp(),
  active_before int not null
);
create index on source_deactivations (source_id, at);
create index on source_deactivations (at);
create trigger refuse_emptying before truncate on source_deactivations execute function refuse_emptying();

-- The calls of each source that were refused last, without their values.
create table source_refusals (
  id        bigint primary key generated always as identity,
  source_id int not null references provisioning_sources on delete cascade,
  at        timestamptz not null default clock_timestamp(),
  call      text not null,
  code      text not null
);
create index on source_refusals (source_id, id);
create trigger refuse_emptying before truncate on source_refusals execute function refuse_emptying();

-- Groups whose members follow from elsewhere: from the claims of a provider, or from a source. Nobody can ask to join them.
create view groups_from_elsewhere as
  select group_id from provider_group_rules
  union all
  select group_id from provisioned_groups where removed_at is null;

-- Reviews skip them.
do $$
declare
  definition text := pg_get_viewdef('review_fates'::regclass);
begin
  if definition !~ 'from provider_group_rules|FROM provider_group_rules' then raise exception 'review_fates has changed'; end if;
  execute 'create or replace view review_fates as ' || regexp_replace(
    definition, 'SELECT provider_group_rules\.group_id\s+FROM provider_group_rules', 'select group_id from groups_from_elsewhere');
end $$;
