-- listWebhooks
select
  "webhooks"."id",
  "name",
  "url",
  "types",
  "webhooks"."is_active",
  "paused_because",
  "failing_since",
  "has_skipped" as "skipped",
  "webhooks"."created_by" as "maker_id",
  "users"."username" as "maker",
  "webhooks"."created_at",
  case
    when webhooks.is_active
    and rests_until > now() then rests_until
  end as "rests_until",
  case
    when former_until > now()
    and former_secret is not null then former_until
  end as "former_secret_until",
  (
    select
      count(*)
    from
      webhook_deliveries
    where
      webhook_id = webhooks.id
      and state = 'waiting'
  ) + case
    when webhooks.is_active then 0
    else (
      select
        count(*)
      from
        (
          select
            id,
            kind
          from
            ledger
          where
            id > place
            and at >= now() - make_interval(days => $1)
          order by
            id
          limit
            10000
        ) as missed
      where
        kind = any ($2::text[])
        and (
          missed.id > begun_after
          or missed.id = any (under_way)
        )
    )
  end as "behind"
from
  "webhooks"
  left join "users" on "users"."id" = "webhooks"."created_by"
order by
  "webhooks"."name" collate "ar-x-icu",
  "webhooks"."id";

-- readWebhook
select
  "webhooks"."id",
  "name",
  "url",
  "types",
  "webhooks"."is_active",
  "paused_because",
  "failing_since",
  "has_skipped" as "skipped",
  "webhooks"."created_by" as "maker_id",
  "users"."username" as "maker",
  "webhooks"."created_at",
  case
    when webhooks.is_active
    and rests_until > now() then rests_until
  end as "rests_until",
  case
    when former_until > now()
    and former_secret is not null then former_until
  end as "former_secret_until",
  (
    select
      count(*)
    from
      webhook_deliveries
    where
      webhook_id = webhooks.id
      and state = 'waiting'
  ) + case
    when webhooks.is_active then 0
    else (
      select
        count(*)
      from
        (
          select
            id,
            kind
          from
            ledger
          where
            id > place
            and at >= now() - make_interval(days => $1)
          order by
            id
          limit
            10000
        ) as missed
      where
        kind = any ($2::text[])
        and (
          missed.id > begun_after
          or missed.id = any (under_way)
        )
    )
  end as "behind"
from
  "webhooks"
  left join "users" on "users"."id" = "webhooks"."created_by"
where
  "webhooks"."id" = $3;

-- resume
with
  begun as materialized (
    select
      greatest(
        (
          select
            settled
          from
            webhook_horizon
        ),
        (
          select
            last_id
          from
            audit_seals
          order by
            id desc
          limit
            1
        )
      ) as place,
      coalesce(pg_sequence_last_value ('ledger_id_seq'), 0) as after
  )
select
  place,
  after as begun_after,
  array(
    select
      generate_series(place + 1, after)
    except
    select
      id
    from
      ledger
    where
      id > place
      and id <= after
    order by
      1
  ) as under_way
from
  begun;

-- handOut
insert into
  webhook_deliveries (webhook_id, sequence, part, type, body, event_at)
select
  w.id,
  m.sequence,
  m.part,
  m.type,
  m.body,
  m.at
from
  webhooks w
  cross join json_to_recordset($1::json) as m (sequence bigint, part int, type text, choices text[], "webhookId" int, body text, at timestamptz)
where
  w.id = any ($2::int[])
  and m.sequence > w.place
  and (
    m.sequence > w.begun_after
    or m.sequence = any (w.under_way)
  )
  and case
    when m."webhookId" is null then w.types && m.choices
    else w.id = m."webhookId"
  end
on conflict do nothing;

-- noteTries
with
  line as (
    select
      line.*
    from
      json_to_recordset($1::json) as line(
        "webhookId" int,
        url text,
        sequence bigint,
        part int,
        tries int,
        "isDelivered" boolean,
        status int,
        error text,
        ms int,
        "afterMs" float8,
        "restMs" float8,
        "isBusy" boolean
      )
      join webhooks on webhooks.id = "webhookId"
      and (
        webhooks.url = line.url
        or "isDelivered"
      )
  ),
  noted as (
    update webhook_deliveries as d
    set
      tries = line.tries + 1,
      last_status = line.status,
      last_error = line.error,
      last_ms = line.ms,
      state = case
        when "isDelivered" then 'delivered'
        when "afterMs" is null then 'dead'
        else 'waiting'
      end,
      next_at = case
        when "afterMs" is not null then now() + make_interval(secs => "afterMs" / 1000)
      end,
      settled_at = case
        when "afterMs" is null then now()
      end
    from
      line
    where
      (d.webhook_id, d.sequence, d.part) = ("webhookId", line.sequence, line.part)
      and d.state = 'waiting'
      and d.tries = line.tries
  ),
  heard as (
    select
      "webhookId" as id,
      bool_or("isDelivered") as is_working,
      max("restMs") as rest_ms,
      bool_or("isBusy") as is_busy
    from
      line
    group by
      1
  ),
  -- Of messages that were on their way together, only the first that finds the receiver busy begins a rest.
  counted as (
    select
      w.id,
      w.failing_since,
      is_working,
      rest_ms,
      is_busy
      and coalesce(rests_until <= now(), true) as begins,
      case
        when is_working then 0
        else rests
      end as rests,
      rests as former
    from
      webhooks w
      join heard using (id)
  ),
  known as (
    select
      counted.*,
      least(rests + begins::int, $2) as counts
    from
      counted
    where
      (failing_since is null) <> is_working
      or rest_ms is not null
      or begins
      or rests <> former
  ),
  moved as (
    update webhooks as w
    set
      failing_since = case
        when not is_working then coalesce(w.failing_since, now())
      end,
      told = case
        when is_working then 0
        else w.told
      end,
      rests = counts,
      rests_until = greatest(
        w.rests_until,
        now() + make_interval(secs => rest_ms / 1000),
        case
          when begins then now() + make_interval(secs => least(exp(counts), $3))
        end
      )
    from
      known
    where
      w.id = known.id
    returning
      w.id,
      known.failing_since as before,
      w.failing_since as after
  )
select
  id
from
  moved
where
  (before is null) <> (after is null);
