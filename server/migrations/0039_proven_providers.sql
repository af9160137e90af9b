-- Whether a person has just confirmed in this session through an active provider whose settings have not changed since.
create or replace function has_proven_provider(session int) returns boolean language sql stable as $$
  select exists (
    select from sessions join sign_in_providers as provider on provider.id = confirmed_provider_id
    where sessions.id = session and sessions.kind = 'browser' and provider.is_active and confirmed_at > now() - interval '15 minutes'
      and confirmed_at > provider.updated_at)
$$;
