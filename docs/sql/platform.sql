-- meansOf
select
  password_hash is not null as has_password,
  has_factor (users.id) as has_factor,
  settings.passwords = 'everyone'
  or is_exception as is_open,
  settings.confirm_administration as is_asked_of_administrators,
  exists (
    select
    from
      passkeys
    where
      user_id = users.id
    offset
      0
  ) as has_passkey,
  exists (
    select
    from
      totp
    where
      user_id = users.id
      and proven_at is not null
      and secret is not null
    offset
      0
  ) as has_totp,
  known.has_identity,
  known.confirms
  or known.has_identity
  and not has_factor (users.id) as has_provider
from
  users
  cross join sign_in_settings as settings
  cross join lateral (
    select
      count(*) > 0 as has_identity,
      coalesce(bool_or(provider.second_factor <> 'own'), false) as confirms
    from
      identities
      join sign_in_providers as provider on provider.id = provider_id
      and provider.is_active
    where
      user_id = users.id
  ) as known
where
  users.id = $1;

-- keepProgramsFromAdministering
select
from
  users
where
  kind = 'service'
  and (
    exists (
      select
      from
        user_roles as own
      where
        own.user_id = users.id
        and own.role_id = (
          select
            id
          from
            roles
          where
            name = 'admin'
        )
    )
    or exists (
      select
      from
        group_users as own
        join group_roles using (group_id)
      where
        own.user_id = users.id
        and role_id = (
          select
            id
          from
            roles
          where
            name = 'admin'
        )
    )
  )
limit
  1;

-- requireAdministrator
select
  "users"."id"
from
  "effective_roles"
  inner join "users" on "users"."id" = "effective_roles"."user_id"
where
  "effective_roles"."role_id" = (
    select
      "roles"."id"
    from
      "roles"
    where
      "roles"."name" = $1
  )
  and "users"."is_active" = $2
  and "users"."kind" = $3
  and "users"."id" = $4;

-- takeDeleted
with
  entry as (
    select
      *
    from
      ledger
    where
      id = $1
  ),
  taken as (
    delete from deletions using entry
    where
      (deletions.target_type, deletions.target_id, deletions.at) = (entry.target_type, entry.target_id, entry.at)
      and deleted_at >= clock_timestamp() - interval '30 seconds'
    returning
      deletions.rows
  )
select
  action,
  target_type,
  target_id,
  (
    select
      rows
    from
      taken
  ) as rows
from
  entry;

-- remember
with
  line as materialized (
    select
      *
    from
      unnest($1::int[], $2::bytea[], $3::bytea[], $4::bytea[]) as line(owner, hash, fingerprint, sealed)
  ),
  kept as (
    select
      user_id,
      k.key_hash,
      octet_length(sealed) as more,
      row_number() over newest as place,
      sum(octet_length(answer)) over newest as bytes
    from
      line
      join idempotency_keys as k on user_id = owner
      and answer <> ''
      and key_hash <> hash
    window
      newest as (
        partition by
          user_id
        order by
          created_at desc
      )
  ),
  beyond as (
    select
      user_id,
      key_hash
    from
      idempotency_keys as k
      join kept using (user_id, key_hash)
    where
      place >= $5
      or bytes > $6 - more
    for update of
      k skip locked
  ),
  forgotten as (
    update idempotency_keys as k
    set
      answer = ''
    from
      beyond
    where
      (k.user_id, k.key_hash) = (beyond.user_id, beyond.key_hash)
  )
insert into
  idempotency_keys (user_id, key_hash, fingerprint, answer)
select
  owner,
  hash,
  fingerprint,
  sealed
from
  line
order by
  owner
on conflict (user_id, key_hash) do update
set
  fingerprint = excluded.fingerprint,
  answer = excluded.answer,
  created_at = excluded.created_at
where
  idempotency_keys.created_at <= now() - interval '24 hours'
returning
  true;

-- tablesOfMonths
select
  relname as name
from
  pg_partitioned_table
  join pg_class on oid = partrelid
where
  relnamespace = 'public'::regnamespace
order by
  name;

-- forgetExcessKeys
with
  beyond as materialized (
    select
      user_id,
      (
        select
          created_at
        from
          idempotency_keys as one
        where
          one.user_id = many.user_id
        order by
          created_at desc
        offset
          $1
        limit
          1
      ) as last
    from
      (
        select
          user_id
        from
          idempotency_keys
        group by
          user_id
        having
          count(*) > $2
      ) as many
  )
delete from idempotency_keys as old using beyond
where
  old.user_id = beyond.user_id
  and old.created_at <= beyond.last;

-- freeForgottenJobs
with
  freed as (
    update graphile_worker._private_jobs as job
    set
      locked_at = null,
      locked_by = null
    from
      graphile_worker._private_jobs as former
    where
      former.id = job.id
      and job.locked_at < now() - interval '15 minutes'
    returning
      job.job_queue_id as queue,
      former.locked_by as runner
  )
update graphile_worker._private_job_queues as job_queue
set
  locked_at = null,
  locked_by = null
from
  freed
where
  job_queue.id = freed.queue
  and job_queue.locked_by = freed.runner;

-- record, an audit entry, a history and events
with
  "entries" ("id", "target_type", "target_id", "action", "actor_id") as materialized (
    insert into
      ledger (kind, target_type, target_id, actor_id, actor_username, action, facts)
    select
      kind,
      "targetType",
      "targetId",
      "actorId",
      "actorUsername",
      action,
      facts
    from
      jsonb_to_recordset($1::jsonb) as entry (kind text, "targetType" text, "targetId" int, "actorId" int, "actorUsername" text, action text, facts jsonb, "isGathered" boolean, place int)
    order by
      place
    returning
      id,
      target_type,
      target_id,
      action,
      actor_id
  ),
  "histories" as materialized (
    insert into
      permission_history (kind, target_id, added, removed, actor_id, actor_username, revert_of, ends)
    select
      kind,
      target,
      added,
      removed,
      "actorId",
      "actorUsername",
      "revertOf",
      coalesce(ends, '[]')
    from
      jsonb_to_recordset($2::jsonb) as history (kind text, target int, added int[], removed int[], "actorId" int, "actorUsername" text, "revertOf" jsonb, ends jsonb)
  ),
  "people" ("place", "ids") as materialized (
    values
      (0, active_in_roles (array['admin']))
  ),
  "events_addressed" as materialized (
    insert into
      events (tx, event, data, recipients, sessions)
    select
      greatest(pg_current_xact_id(), (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8),
      event,
      data,
      recipients,
      sessions
    from
      (
        select
          0 as place,
          *
        from
          (
            select
              rank,
              event,
              data::json,
              coalesce(line.ids, "people".ids) as recipients,
              sessions
            from
              json_to_recordset($3::json) as line(rank bigint, event text, data text, sessions int[], ids int[], query int)
              left join "people" on "people".place = line.query
          ) as event
        union all
        select
          1 as place,
          *
        from
          (
            select
              id as rank,
              'admin_changed' as event,
              json_build_object('targetType', target_type, 'targetId', nullif(target_id, 0), 'action', action, 'actorId', actor_id, 'version', id) as data,
              (
                select
                  ids
                from
                  "people"
                where
                  place = $4
              ) as recipients,
              null::int[] as sessions
            from
              "entries"
            where
              action is not null
          ) as event
      ) as all_addressed
    where
      recipients is null
      or cardinality(recipients) > 0
    order by
      place,
      rank
  )
select;

-- record, a change that is kept once a minute
with
  "gathered" ("user_id", "kind", "since") as materialized (
    insert into
      gathered_changes as g (user_id, kind, since, last)
    select distinct
      "targetId",
      kind,
      now(),
      now()
    from
      jsonb_to_recordset($1::jsonb) as entry (kind text, "targetType" text, "targetId" int, "actorId" int, "actorUsername" text, action text, facts jsonb, "isGathered" boolean, place int)
    where
      "isGathered"
      and exists (
        select
        from
          users
        where
          id = "targetId"
        offset
          0
      )
    order by
      1,
      2
    on conflict (user_id, kind) do update
    set
      last = now(),
      since = case
        when g.since <= now() - interval '1 minute' then now()
        else g.since
      end
    returning
      user_id,
      kind,
      since
  ),
  "entries" ("id", "target_type", "target_id", "action", "actor_id") as materialized (
    insert into
      ledger (kind, target_type, target_id, actor_id, actor_username, action, facts)
    select
      kind,
      "targetType",
      "targetId",
      "actorId",
      "actorUsername",
      action,
      facts
    from
      jsonb_to_recordset($2::jsonb) as entry (kind text, "targetType" text, "targetId" int, "actorId" int, "actorUsername" text, action text, facts jsonb, "isGathered" boolean, place int)
    where
      not exists (
        select
        from
          "gathered" as g
        where
          g.user_id = "targetId"
          and g.kind = entry.kind
          and g.since <> now()
      )
    order by
      place
    returning
      id,
      target_type,
      target_id,
      action,
      actor_id
  ),
  "people" ("place", "ids") as materialized (
    select
      null::int,
      null::int[]
    where
      false
  ),
  "events_addressed" as materialized (
    insert into
      events (tx, event, data, recipients, sessions)
    select
      greatest(pg_current_xact_id(), (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8),
      event,
      data,
      recipients,
      sessions
    from
      (
        select
          0 as place,
          *
        from
          (
            select
              rank,
              event,
              data::json,
              coalesce(line.ids, "people".ids) as recipients,
              sessions
            from
              json_to_recordset($3::json) as line(rank bigint, event text, data text, sessions int[], ids int[], query int)
              left join "people" on "people".place = line.query
          ) as event
      ) as all_addressed
    where
      recipients is null
      or cardinality(recipients) > 0
    order by
      place,
      rank
  )
select;

-- record, notifications
with
  "entries" ("id", "target_type", "target_id", "action", "actor_id") as materialized (
    insert into
      ledger (kind, target_type, target_id, actor_id, actor_username, action, facts)
    select
      kind,
      "targetType",
      "targetId",
      "actorId",
      "actorUsername",
      action,
      facts
    from
      jsonb_to_recordset($1::jsonb) as entry (kind text, "targetType" text, "targetId" int, "actorId" int, "actorUsername" text, action text, facts jsonb, "isGathered" boolean, place int)
    order by
      place
    returning
      id,
      target_type,
      target_id,
      action,
      actor_id
  ),
  "people" ("place", "ids") as materialized (
    select
      null::int,
      null::int[]
    where
      false
  ),
  "addressed" ("user_id", "type", "title_ar", "title_en", "body_ar", "body_en", "related_type", "related_id", "template", "read_at", "mail") as materialized (
    select
      person,
      type,
      "titleAr",
      "titleEn",
      "bodyAr",
      "bodyEn",
      "relatedType",
      "relatedId",
      template,
      case
        when person = "authorId" then now()
      end,
      mail
    from
      json_to_recordset($2::json) as line(
        type text,
        "titleAr" text,
        "titleEn" text,
        "bodyAr" text,
        "bodyEn" text,
        "relatedType" text,
        "relatedId" int,
        template text,
        "authorId" int,
        mail json,
        ids int[],
        query int
      )
      left join "people" on "people".place = line.query
      cross join unnest(coalesce(line.ids, "people".ids)) as person
  ),
  "living" ("user_id") as materialized (
    select
      id
    from
      users
    where
      id = any (
        array(
          select
            user_id
          from
            "addressed"
        )
      )
      and kind = 'person'
    order by
      id
    for key share
  ),
  "notified" ("id", "user_id", "type", "title_ar", "title_en", "body_ar", "body_en", "related_type", "related_id", "template", "read_at", "is_read", "created_at") as materialized (
    insert into
      notifications (user_id, "type", "title_ar", "title_en", "body_ar", "body_en", "related_type", "related_id", "template", "read_at")
    select
      user_id,
      "type",
      "title_ar",
      "title_en",
      "body_ar",
      "body_en",
      "related_type",
      "related_id",
      "template",
      "read_at"
    from
      "addressed"
      join "living" using (user_id)
    returning
      "id",
      "user_id",
      "type",
      "title_ar",
      "title_en",
      "body_ar",
      "body_en",
      "related_type",
      "related_id",
      "template",
      "read_at",
      "is_read",
      "created_at"
  ),
  "pushed" as materialized (
    insert into
      pushes (notification_id, subscription_id)
    select
      "notified".id,
      push_subscriptions.id
    from
      "notified"
      join push_subscriptions using (user_id)
    where
      not is_read
  ),
  "events_addressed" as materialized (
    insert into
      events (tx, event, data, recipients, sessions)
    select
      greatest(pg_current_xact_id(), (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8),
      event,
      data,
      recipients,
      sessions
    from
      (
        select
          0 as place,
          *
        from
          (
            select
              id::bigint as rank,
              'notification_created' as event,
              json_build_object(
                'notification',
                json_build_object(
                  'id',
                  id,
                  'userId',
                  user_id,
                  'type',
                  type,
                  'titleAr',
                  title_ar,
                  'titleEn',
                  title_en,
                  'bodyAr',
                  body_ar,
                  'bodyEn',
                  body_en,
                  'relatedType',
                  case
                    when is_open then related_type
                  end,
                  'relatedId',
                  case
                    when is_open
                    and case related_type
                      when 'note' then exists (
                        select
                        from
                          notes as record
                        where
                          record.id = related_id
                        offset
                          0
                      )
                      else false
                    end then related_id
                  end,
                  'joinUrl',
                  null::text,
                  'isRead',
                  is_read,
                  'createdAt',
                  to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
                )
              ) as data,
              array[user_id] as recipients,
              null::int[] as sessions
            from
              "notified"
              cross join lateral (
                select
                  case related_type
                    when 'note' then true
                    else true
                  end as is_open
                offset
                  0
              ) as access
          ) as event
        union all
        select
          1 as place,
          *
        from
          (
            select
              rank,
              event,
              data::json,
              coalesce(line.ids, "people".ids) as recipients,
              sessions
            from
              json_to_recordset($3::json) as line(rank bigint, event text, data text, sessions int[], ids int[], query int)
              left join "people" on "people".place = line.query
          ) as event
      ) as all_addressed
    where
      recipients is null
      or cardinality(recipients) > 0
    order by
      place,
      rank
  )
select;

-- record, an order, with notifications of everyone who receives orders
with
  "entries" ("id", "target_type", "target_id", "action", "actor_id") as materialized (
    insert into
      ledger (kind, target_type, target_id, actor_id, actor_username, action, facts)
    select
      kind,
      "targetType",
      "targetId",
      "actorId",
      "actorUsername",
      action,
      facts
    from
      jsonb_to_recordset($1::jsonb) as entry (kind text, "targetType" text, "targetId" int, "actorId" int, "actorUsername" text, action text, facts jsonb, "isGathered" boolean, place int)
    order by
      place
    returning
      id,
      target_type,
      target_id,
      action,
      actor_id
  ),
  "people" ("place", "ids") as materialized (
    values
      (0, active_holders ('orders.receive')),
      (1, active_holders ('orders.receive'))
  ),
  "addressed" ("user_id", "type", "title_ar", "title_en", "body_ar", "body_en", "related_type", "related_id", "template", "read_at", "mail") as materialized (
    select
      person,
      type,
      "titleAr",
      "titleEn",
      "bodyAr",
      "bodyEn",
      "relatedType",
      "relatedId",
      template,
      case
        when person = "authorId" then now()
      end,
      mail
    from
      json_to_recordset($2::json) as line(
        type text,
        "titleAr" text,
        "titleEn" text,
        "bodyAr" text,
        "bodyEn" text,
        "relatedType" text,
        "relatedId" int,
        template text,
        "authorId" int,
        mail json,
        ids int[],
        query int
      )
      left join "people" on "people".place = line.query
      cross join unnest(coalesce(line.ids, "people".ids)) as person
  ),
  "living" ("user_id") as materialized (
    select
      id
    from
      users
    where
      id = any (
        array(
          select
            user_id
          from
            "addressed"
        )
      )
      and kind = 'person'
    order by
      id
    for key share
  ),
  "notified" ("id", "user_id", "type", "title_ar", "title_en", "body_ar", "body_en", "related_type", "related_id", "template", "read_at", "is_read", "created_at") as materialized (
    insert into
      notifications (user_id, "type", "title_ar", "title_en", "body_ar", "body_en", "related_type", "related_id", "template", "read_at")
    select
      user_id,
      "type",
      "title_ar",
      "title_en",
      "body_ar",
      "body_en",
      "related_type",
      "related_id",
      "template",
      "read_at"
    from
      "addressed"
      join "living" using (user_id)
    returning
      "id",
      "user_id",
      "type",
      "title_ar",
      "title_en",
      "body_ar",
      "body_en",
      "related_type",
      "related_id",
      "template",
      "read_at",
      "is_read",
      "created_at"
  ),
  "pushed" as materialized (
    insert into
      pushes (notification_id, subscription_id)
    select
      "notified".id,
      push_subscriptions.id
    from
      "notified"
      join push_subscriptions using (user_id)
    where
      not is_read
  ),
  "openers" ("order_id", "ids") as materialized (
    select
      related_id,
      order_openers (related_id, array_agg(user_id))
    from
      "notified"
    where
      related_type = 'order'
    group by
      related_id
  ),
  "events_addressed" as materialized (
    insert into
      events (tx, event, data, recipients, sessions)
    select
      greatest(pg_current_xact_id(), (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8),
      event,
      data,
      recipients,
      sessions
    from
      (
        select
          0 as place,
          *
        from
          (
            select
              id::bigint as rank,
              'notification_created' as event,
              json_build_object(
                'notification',
                json_build_object(
                  'id',
                  id,
                  'userId',
                  user_id,
                  'type',
                  type,
                  'titleAr',
                  title_ar,
                  'titleEn',
                  title_en,
                  'bodyAr',
                  body_ar,
                  'bodyEn',
                  body_en,
                  'relatedType',
                  case
                    when is_open then related_type
                  end,
                  'relatedId',
                  case
                    when is_open
                    and case related_type
                      when 'order' then exists (
                        select
                        from
                          orders as record
                        where
                          record.id = related_id
                        offset
                          0
                      )
                      else false
                    end then related_id
                  end,
                  'joinUrl',
                  null::text,
                  'isRead',
                  is_read,
                  'createdAt',
                  to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
                )
              ) as data,
              array[user_id] as recipients,
              null::int[] as sessions
            from
              "notified"
              left join "openers" on related_type = 'order'
              and openers.order_id = related_id
              cross join lateral (
                select
                  case related_type
                    when 'order' then user_id = any (openers.ids)
                    or user_id = any (
                      (
                        select
                          active_in_roles (array['admin'])
                      )::int[]
                    )
                    else true
                  end as is_open
                offset
                  0
              ) as access
          ) as event
        union all
        select
          1 as place,
          *
        from
          (
            select
              rank,
              event,
              data::json,
              coalesce(line.ids, "people".ids) as recipients,
              sessions
            from
              json_to_recordset($3::json) as line(rank bigint, event text, data text, sessions int[], ids int[], query int)
              left join "people" on "people".place = line.query
          ) as event
      ) as all_addressed
    where
      recipients is null
      or cardinality(recipients) > 0
    order by
      place,
      rank
  )
select;

-- record, notifications that are mailed
with
  "entries" ("id", "target_type", "target_id", "action", "actor_id") as materialized (
    insert into
      ledger (kind, target_type, target_id, actor_id, actor_username, action, facts)
    select
      kind,
      "targetType",
      "targetId",
      "actorId",
      "actorUsername",
      action,
      facts
    from
      jsonb_to_recordset($1::jsonb) as entry (kind text, "targetType" text, "targetId" int, "actorId" int, "actorUsername" text, action text, facts jsonb, "isGathered" boolean, place int)
    order by
      place
    returning
      id,
      target_type,
      target_id,
      action,
      actor_id
  ),
  "people" ("place", "ids") as materialized (
    select
      null::int,
      null::int[]
    where
      false
  ),
  "addressed" ("user_id", "type", "title_ar", "title_en", "body_ar", "body_en", "related_type", "related_id", "template", "read_at", "mail") as materialized (
    select
      person,
      type,
      "titleAr",
      "titleEn",
      "bodyAr",
      "bodyEn",
      "relatedType",
      "relatedId",
      template,
      case
        when person = "authorId" then now()
      end,
      mail
    from
      json_to_recordset($2::json) as line(
        type text,
        "titleAr" text,
        "titleEn" text,
        "bodyAr" text,
        "bodyEn" text,
        "relatedType" text,
        "relatedId" int,
        template text,
        "authorId" int,
        mail json,
        ids int[],
        query int
      )
      left join "people" on "people".place = line.query
      cross join unnest(coalesce(line.ids, "people".ids)) as person
  ),
  "living" ("user_id") as materialized (
    select
      id
    from
      users
    where
      id = any (
        array(
          select
            user_id
          from
            "addressed"
        )
      )
      and kind = 'person'
    order by
      id
    for key share
  ),
  "notified" ("id", "user_id", "type", "title_ar", "title_en", "body_ar", "body_en", "related_type", "related_id", "template", "read_at", "is_read", "created_at") as materialized (
    insert into
      notifications (user_id, "type", "title_ar", "title_en", "body_ar", "body_en", "related_type", "related_id", "template", "read_at")
    select
      user_id,
      "type",
      "title_ar",
      "title_en",
      "body_ar",
      "body_en",
      "related_type",
      "related_id",
      "template",
      "read_at"
    from
      "addressed"
      join "living" using (user_id)
    returning
      "id",
      "user_id",
      "type",
      "title_ar",
      "title_en",
      "body_ar",
      "body_en",
      "related_type",
      "related_id",
      "template",
      "read_at",
      "is_read",
      "created_at"
  ),
  "pushed" as materialized (
    insert into
      pushes (notification_id, subscription_id)
    select
      "notified".id,
      push_subscriptions.id
    from
      "notified"
      join push_subscriptions using (user_id)
    where
      not is_read
  ),
  "mailed" ("job") as materialized (
    select
      graphile_worker.add_job ('mail_notice', json_build_object('userId', user_id, 'template', template, 'params', mail), max_attempts => 9)
    from
      "addressed"
      join "living" using (user_id)
    where
      mail is not null
  ),
  "events_addressed" as materialized (
    insert into
      events (tx, event, data, recipients, sessions)
    select
      greatest(pg_current_xact_id(), (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8),
      event,
      data,
      recipients,
      sessions
    from
      (
        select
          0 as place,
          *
        from
          (
            select
              id::bigint as rank,
              'notification_created' as event,
              json_build_object(
                'notification',
                json_build_object(
                  'id',
                  id,
                  'userId',
                  user_id,
                  'type',
                  type,
                  'titleAr',
                  title_ar,
                  'titleEn',
                  title_en,
                  'bodyAr',
                  body_ar,
                  'bodyEn',
                  body_en,
                  'relatedType',
                  case
                    when is_open then related_type
                  end,
                  'relatedId',
                  case
                    when is_open
                    and false then related_id
                  end,
                  'joinUrl',
                  null::text,
                  'isRead',
                  is_read,
                  'createdAt',
                  to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
                )
              ) as data,
              array[user_id] as recipients,
              null::int[] as sessions
            from
              "notified"
              cross join lateral (
                select
                  true as is_open
                offset
                  0
              ) as access
          ) as event
        union all
        select
          1 as place,
          *
        from
          (
            select
              rank,
              event,
              data::json,
              coalesce(line.ids, "people".ids) as recipients,
              sessions
            from
              json_to_recordset($3::json) as line(rank bigint, event text, data text, sessions int[], ids int[], query int)
              left join "people" on "people".place = line.query
          ) as event
      ) as all_addressed
    where
      recipients is null
      or cardinality(recipients) > 0
    order by
      place,
      rank
  )
select
  (
    select
      count(*)
    from
      "mailed"
  );

-- record, notifications that are settled
with
  "entries" ("id", "target_type", "target_id", "action", "actor_id") as materialized (
    insert into
      ledger (kind, target_type, target_id, actor_id, actor_username, action, facts)
    select
      kind,
      "targetType",
      "targetId",
      "actorId",
      "actorUsername",
      action,
      facts
    from
      jsonb_to_recordset($1::jsonb) as entry (kind text, "targetType" text, "targetId" int, "actorId" int, "actorUsername" text, action text, facts jsonb, "isGathered" boolean, place int)
    order by
      place
    returning
      id,
      target_type,
      target_id,
      action,
      actor_id
  ),
  "people" ("place", "ids") as materialized (
    values
      (0, active_holders ('orders.receive'))
  ),
  "settled" ("id", "user_id") as materialized (
    update notifications
    set
      read_at = now()
    where
      read_at is null
      and id = any (
        array(
          select
            id
          from
            notifications
          where
            read_at is null
            and id = any (
              array(
                select
                  about.id
                from
                  json_to_recordset($2::json) as line("relatedType" text, "relatedId" int, template text)
                  cross join lateral (
                    select
                      id
                    from
                      notifications
                    where
                      read_at is null
                      and related_type = line."relatedType"
                      and related_id = line."relatedId"
                      and (
                        line.template is null
                        or template = line.template
                      )
                    offset
                      0
                  ) as about
              )
            )
          order by
            id
          for update
        )
      )
    returning
      id,
      user_id
  ),
  "events_addressed" as materialized (
    insert into
      events (tx, event, data, recipients, sessions)
    select
      greatest(pg_current_xact_id(), (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8),
      event,
      data,
      recipients,
      sessions
    from
      (
        select
          0 as place,
          *
        from
          (
            select
              user_id::bigint as rank,
              'notifications_read' as event,
              json_build_object(
                'ids',
                json_agg(
                  id
                  order by
                    id
                )
              ) as data,
              array[user_id] as recipients,
              null::int[] as sessions
            from
              "settled"
            group by
              user_id
          ) as event
        union all
        select
          1 as place,
          *
        from
          (
            select
              rank,
              event,
              data::json,
              coalesce(line.ids, "people".ids) as recipients,
              sessions
            from
              json_to_recordset($3::json) as line(rank bigint, event text, data text, sessions int[], ids int[], query int)
              left join "people" on "people".place = line.query
          ) as event
      ) as all_addressed
    where
      recipients is null
      or cardinality(recipients) > 0
    order by
      place,
      rank
  )
select;
