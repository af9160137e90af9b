-- How people sign in: one row. As long as nobody changes it, everything is as without it.
create table sign_in_settings (
  only_row    boolean primary key default true check (only_row),
  passwords   text not null default 'everyone' check (passwords in ('everyone', 'exceptions')),
  passkeys    text not null default 'everyone' check (passkeys in ('everyone', 'exceptions')),
  grace_days  int not null default 14 check (grace_days between 0 and 90),
  confirm_administration boolean not null default false,
  token_max_days  int not null default 365 check (token_max_days between 1 and 1095),
  personal_tokens boolean not null default true,
  trust_devices   boolean not null default false,
  updated_at  timestamptz
);
insert into sign_in_settings default values;

-- The roles whose holders must have a second factor.
create table second_factor_roles (
  role_id int primary key references roles on delete cascade
);

create constraint trigger demand_change after insert or update or delete on sign_in_settings
  deferrable initially deferred for each row execute function demand_change('sign_in_settings', '1');
create constraint trigger demand_change after insert or update or delete on second_factor_roles
  deferrable initially deferred for each row execute function demand_change('sign_in_settings', '1', 'role', 'role_id');
create trigger refuse_emptying before truncate on sign_in_settings execute function refuse_emptying();
create trigger refuse_emptying before truncate on second_factor_roles execute function refuse_emptying();

-- An administrator who can sign in by password where others cannot. `has_exception_password`: since then, they have chosen one that is
-- long enough for that.
alter table users
  add column is_exception boolean not null default false,
  add column has_exception_password boolean not null default false,
  add check (is_exception or not has_exception_password);
create index users_exceptions on users (id) where is_exception;

-- The provider by which a person last confirmed in this session; null where it was in another way.
alter table sessions add column confirmed_provider_id int;

-- Whether a person has a passkey or a proven app for codes. Nobody has yet.
create function has_factor(person int) returns boolean language sql stable as $$ select false $$;
