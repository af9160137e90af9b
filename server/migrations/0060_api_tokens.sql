-- A row for each API token, beside its session, which says whether it is valid and what it may do. It goes with the session.
create table api_tokens (
  id            int primary key generated always as identity,
  session_id    int not null unique references sessions on delete cascade,
  user_id       int not null references users on delete cascade,
  name          text not null,
  last_four     text not null,
  created_by    int references users on delete set null,
  created_at    timestamptz not null default now(),
  expires_at    timestamptz not null,
  last_used_at  timestamptz,
  last_used_ip  text,
  -- How many days before the end its owner was last reminded.
  reminded_days int
);
create index on api_tokens (user_id);
create index on api_tokens (created_by);
create index on api_tokens (expires_at);
-- Not of deletions: a token that is over is forgotten with its session, which are not recorded either.
create constraint trigger demand_change after insert or update of session_id, user_id, name, last_four, created_by, expires_at on api_tokens
  deferrable initially deferred for each row execute function demand_change('user', 'user_id', 'user', 'created_by');
create trigger refuse_emptying before truncate on api_tokens execute function refuse_emptying();

-- What a service account has besides its row of `users`.
create table service_accounts (
  user_id         int primary key references users on delete cascade,
  contact_user_id int references users on delete set null
);
create index on service_accounts (contact_user_id);
create constraint trigger demand_change after insert or update or delete on service_accounts
  deferrable initially deferred for each row execute function demand_change('user', 'user_id', 'user', 'contact_user_id');
create trigger refuse_emptying before truncate on service_accounts execute function refuse_emptying();

create index users_programs on users (id) where kind = 'service';

-- What service accounts may be allowed without being administrators. To people, both mean nothing. They come with the portal, like the
-- other built-in permissions, so no change records them.
alter table permissions disable trigger demand_change;
insert into permissions (name, description_ar, description_en, is_system) values
  ('directory.read', 'الاطلاع على الأشخاص والمجموعات والأدوار، لحسابات الخدمة وحدها', 'Read people, groups and roles; for service accounts alone', true),
  ('audit.read', 'الاطلاع على سجل التدقيق، لحسابات الخدمة وحدها', 'Read the audit log; for service accounts alone', true)
on conflict (name) do update set is_system = true;
alter table permissions enable trigger demand_change;

-- People whom a token of their own has let in are asked again once these are switched off.
create trigger bump_epoch after update of personal_tokens on sign_in_settings
  for each row when (old.personal_tokens <> new.personal_tokens) execute function bump_epoch();
