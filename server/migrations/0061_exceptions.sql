-- Whether the session began by a passkey: it stays when passwords are for exceptions alone.
alter table sessions add column by_passkey boolean not null default false;

-- The exceptions who could sign in where a provider is required: lasting administrators with a long password and a factor.
create view ready_exceptions as
  select users.id as user_id from users join lasting_administrators as admins on admins.user_id = users.id
  where users.kind = 'person' and is_exception and has_exception_password and has_factor(users.id);

-- Whether a person has just confirmed in this session through an active provider.
create function has_proven_provider(session int) returns boolean language sql stable as $$
  select exists (
    select from sessions join sign_in_providers as provider on provider.id = confirmed_provider_id
    where sessions.id = session and sessions.kind = 'browser' and provider.is_active and confirmed_at > now() - interval '15 minutes')
$$;
