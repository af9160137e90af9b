-- countTokens
select
  count(*) as "count"
from
  "api_tokens"
  inner join "sessions" on "sessions"."id" = "api_tokens"."session_id"
where
  (
    sessions.ended_at is null
    and sessions.expires_at > now()
  )
  and "api_tokens"."user_id" = $1;

-- findTokenOwner
select
  "users"."id",
  "users"."username",
  "users"."kind"
from
  "api_tokens"
  inner join "sessions" on "sessions"."id" = "api_tokens"."session_id"
  inner join "users" on "users"."id" = "api_tokens"."user_id"
where
  (
    sessions.ended_at is null
    and sessions.expires_at > now()
  )
  and "api_tokens"."id" = $1;

-- findProgram
select
  username,
  display_name_ar,
  display_name_en,
  contact_user_id
from
  users
  left join service_accounts on user_id = id
where
  id = $1
  and kind = 'service';

-- findToken
select
  "api_tokens"."id",
  "api_tokens"."user_id"
from
  "api_tokens"
  inner join "sessions" on "sessions"."id" = "api_tokens"."session_id"
where
  (
    sessions.ended_at is null
    and sessions.expires_at > now()
  )
  and "sessions"."token_hash" = $1;

-- insertToken
select
  "api_tokens"."id",
  "api_tokens"."name",
  "api_tokens"."last_four",
  "api_tokens"."created_at",
  "api_tokens"."expires_at",
  "api_tokens"."last_used_at",
  "api_tokens"."last_used_ip",
  sessions.scopes as "scopes"
from
  "api_tokens"
  inner join "sessions" on "sessions"."id" = "api_tokens"."session_id"
where
  (
    sessions.ended_at is null
    and sessions.expires_at > now()
  )
  and "api_tokens"."id" = $1
order by
  "api_tokens"."expires_at",
  "api_tokens"."id";

-- listTokens
select
  "api_tokens"."id",
  "api_tokens"."name",
  "api_tokens"."last_four",
  "api_tokens"."created_at",
  "api_tokens"."expires_at",
  "api_tokens"."last_used_at",
  "api_tokens"."last_used_ip",
  sessions.scopes as "scopes"
from
  "api_tokens"
  inner join "sessions" on "sessions"."id" = "api_tokens"."session_id"
where
  (
    sessions.ended_at is null
    and sessions.expires_at > now()
  )
  and "api_tokens"."user_id" = $1
order by
  "api_tokens"."expires_at",
  "api_tokens"."id"
limit
  $2
offset
  $3;

-- noteReminders
with
  due as (
    select
      t.id,
      stage.days
    from
      api_tokens as t
      join sessions on sessions.id = t.session_id
      and sessions.ended_at is null
      join access_versions as a on a.user_id = t.user_id
      and a.is_active
      join (
        values
          (3, interval '3 days', interval '0'),
          (14, interval '14 days', interval '3 days')
      ) as stage (days, before, until) on t.expires_at - before <= statement_timestamp()
      and t.expires_at - until > statement_timestamp()
      and t.created_at < t.expires_at - before
    where
      t.reminded_days is distinct from stage.days
    order by
      t.expires_at
    limit
      $1
    for update of
      t skip locked
  )
update api_tokens as t
set
  reminded_days = due.days
from
  due
where
  t.id = due.id
returning
  t.id,
  t.user_id,
  t.name,
  t.last_four,
  t.expires_at;

-- pageTokens
select
  "api_tokens"."id",
  "api_tokens"."name",
  "api_tokens"."last_four",
  "api_tokens"."created_at",
  "api_tokens"."expires_at",
  "api_tokens"."last_used_at",
  "api_tokens"."last_used_ip",
  sessions.scopes as "scopes",
  "users"."id" as "owner_id",
  "users"."username",
  "users"."kind",
  "users"."display_name_ar",
  "users"."display_name_en"
from
  "api_tokens"
  inner join "sessions" on "sessions"."id" = "api_tokens"."session_id"
  inner join "users" on "users"."id" = "api_tokens"."user_id"
where
  (
    sessions.ended_at is null
    and sessions.expires_at > now()
  )
order by
  "api_tokens"."expires_at",
  "api_tokens"."id"
limit
  $1
offset
  $2;

-- pageTokens
select
  count(*) as "count"
from
  "api_tokens"
  inner join "sessions" on "sessions"."id" = "api_tokens"."session_id"
where
  (
    sessions.ended_at is null
    and sessions.expires_at > now()
  );

-- pageTokens
select
  "api_tokens"."id",
  "api_tokens"."name",
  "api_tokens"."last_four",
  "api_tokens"."created_at",
  "api_tokens"."expires_at",
  "api_tokens"."last_used_at",
  "api_tokens"."last_used_ip",
  sessions.scopes as "scopes",
  "users"."id" as "owner_id",
  "users"."username",
  "users"."kind",
  "users"."display_name_ar",
  "users"."display_name_en"
from
  "api_tokens"
  inner join "sessions" on "sessions"."id" = "api_tokens"."session_id"
  inner join "users" on "users"."id" = "api_tokens"."user_id"
where
  (
    sessions.ended_at is null
    and sessions.expires_at > now()
  )
  and "api_tokens"."user_id" = $1
  and "api_tokens"."expires_at" <= now() + make_interval(days => $2::int)
order by
  "api_tokens"."expires_at",
  "api_tokens"."id"
limit
  $3
offset
  $4;

-- pageTokens
select
  count(*) as "count"
from
  "api_tokens"
  inner join "sessions" on "sessions"."id" = "api_tokens"."session_id"
where
  (
    sessions.ended_at is null
    and sessions.expires_at > now()
  )
  and "api_tokens"."user_id" = $1
  and "api_tokens"."expires_at" <= now() + make_interval(days => $2::int);
