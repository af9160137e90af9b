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

-- findEnding
select
  "api_tokens"."id",
  "api_tokens"."user_id",
  "api_tokens"."name",
  "api_tokens"."last_four",
  "api_tokens"."expires_at"
from
  "api_tokens"
  inner join "sessions" on "sessions"."id" = "api_tokens"."session_id"
where
  (
    sessions.ended_at is null
    and sessions.expires_at > now()
  )
  and "api_tokens"."id" in ($1)
order by
  "api_tokens"."id";

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

-- noteDue
with
  last as (
    select distinct
      on (subject_id, object_id) subject_id,
      object_id,
      deadline,
      days,
      due_at
    from
      (
        select
          t.id as subject_id,
          0 as object_id,
          'infinity'::timestamptz as deadline,
          days,
          due_at
        from
          api_tokens as t
          join sessions on sessions.id = t.session_id
          and sessions.ended_at is null
          join access_versions as a on a.user_id = t.user_id
          and a.is_active
          cross join (
            values
              (14),
              (3)
          ) as stage (days)
          cross join lateral (
            select
              t.expires_at - make_interval(days => days) as due_at
          ) as moment
        where
          t.expires_at > statement_timestamp()
          and t.expires_at <= statement_timestamp() + interval '14 days'
          and t.created_at < due_at
      ) as planned
    where
      due_at <= statement_timestamp()
    order by
      subject_id,
      object_id,
      due_at desc
  ),
  due as materialized (
    select
      *
    from
      last
    where
      not exists (
        select
        from
          reminders as sent
        where
          sent.kind = $1
          and sent.subject_id = last.subject_id
          and sent.object_id = last.object_id
          and sent.deadline = last.deadline
          and sent.days = last.days
        offset
          0
      )
  )
insert into
  reminders (kind, subject_id, object_id, deadline, days)
select
  $2,
  subject_id,
  object_id,
  deadline,
  days
from
  due
where
  true
order by
  due_at,
  subject_id,
  object_id
limit
  $3
on conflict do nothing
returning
  subject_id,
  object_id,
  deadline,
  days;

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
  "source"."id" as "source_id",
  "users"."display_name_ar",
  "users"."display_name_en"
from
  "api_tokens"
  inner join "sessions" on "sessions"."id" = "api_tokens"."session_id"
  inner join "users" on "users"."id" = "api_tokens"."user_id"
  left join "provisioning_sources" as "source" on "source"."user_id" = "users"."id"
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
  inner join "users" on "users"."id" = "api_tokens"."user_id"
  left join "provisioning_sources" as "source" on "source"."user_id" = "users"."id"
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
  "source"."id" as "source_id",
  "users"."display_name_ar",
  "users"."display_name_en"
from
  "api_tokens"
  inner join "sessions" on "sessions"."id" = "api_tokens"."session_id"
  inner join "users" on "users"."id" = "api_tokens"."user_id"
  left join "provisioning_sources" as "source" on "source"."user_id" = "users"."id"
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
  inner join "users" on "users"."id" = "api_tokens"."user_id"
  left join "provisioning_sources" as "source" on "source"."user_id" = "users"."id"
where
  (
    sessions.ended_at is null
    and sessions.expires_at > now()
  )
  and "api_tokens"."user_id" = $1
  and "api_tokens"."expires_at" <= now() + make_interval(days => $2::int);
