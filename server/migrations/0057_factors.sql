-- Factors: passkeys and TOTP, by which people show who they are beside their password or instead of it.

-- What passkeys call a person: random, never the id or an address. Made with the first passkey, and kept.
alter table users add column handle bytea unique;

create table passkeys (
  id            int generated always as identity primary key,
  user_id       int not null references users on delete cascade,
  name          text not null,
  credential_id bytea not null unique,
  public_key    bytea not null,
  -- The greatest that it has sent; passkeys that are synchronised send 0.
  counter       bigint not null,
  transports    text[] not null,
  -- The backup flags of its last use: whether it may be synchronised, and whether it is.
  may_sync      boolean not null,
  is_synced     boolean not null,
  created_at    timestamptz not null default now(),
  last_used_at  timestamptz
);
create index on passkeys (user_id);

create table totp (
  user_id    int primary key references users on delete cascade,
  -- Null: its key was lost.
  secret     secret,
  -- The time step of the last code that was used; null until a code has proven the secret.
  last_step  bigint,
  created_at timestamptz not null default now(),
  proven_at  timestamptz,
  check ((last_step is null) = (proven_at is null))
);
create index on totp (created_at) where proven_at is null;

create table recovery_codes (
  user_id int not null references users on delete cascade,
  hash    text not null,
  used_at timestamptz,
  primary key (user_id, hash)
);

-- Until when a browser is not asked for a second factor.
alter table devices add column trusted_until timestamptz;

create constraint trigger demand_change after insert or update or delete on passkeys
  deferrable initially deferred for each row execute function demand_change('user', 'user_id');
create constraint trigger demand_change after insert or update or delete on totp
  deferrable initially deferred for each row execute function demand_change('user', 'user_id');
create constraint trigger demand_change after insert or update or delete on recovery_codes
  deferrable initially deferred for each row execute function demand_change('user', 'user_id');
create trigger refuse_emptying before truncate on passkeys execute function refuse_emptying();
create trigger refuse_emptying before truncate on totp execute function refuse_emptying();
create trigger refuse_emptying before truncate on recovery_codes execute function refuse_emptying();

-- As before, but people can have factors now.
create or replace function has_factor(person int) returns boolean language sql stable as $$
  select exists (select from passkeys where user_id = person)
    or exists (select from totp where user_id = person and proven_at is not null)
$$;
