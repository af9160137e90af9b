-- readEntries
with
  p as (
    select
      *
    from
      audit_stream_places
    where
      place > $1
      and place <= $2
    order by
      place
    limit
      $3
  )
select
  p.place,
  to_char("p"."at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
  p.source,
  l.action,
  l.kind,
  l.id as sequence,
  l.actor_id,
  l.actor_username,
  l.target_type,
  l.target_id,
  null as ip,
  l.facts,
  false as is_warning,
  l.hash,
  null::bigint as last_id
from
  p
  left join lateral (
    select
      ledger.*,
      encode(
        sha256(
          convert_to(
            concat(
              "ledger"."id",
              ' ',
              (
                extract(
                  epoch
                  from
                    "ledger"."at"
                ) * 1000000
              )::bigint,
              ' ',
              "ledger"."tx",
              ' '
            ),
            'UTF8'
          ) || sha256(
            convert_to(
              jsonb_build_array("ledger"."kind", "ledger"."target_type", "ledger"."target_id", "ledger"."actor_id", "ledger"."actor_username", "ledger"."action", "ledger"."facts")::text,
              'UTF8'
            )
          )
        ),
        'hex'
      ) as hash
    from
      ledger
    where
      at = p.at
      and id = p.id
    offset
      0
  ) as l on true
where
  p.source = 'ledger'
union all
select
  p.place,
  to_char("p"."at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
  p.source,
  e.event,
  null,
  null,
  e.actor_id,
  e.actor_username,
  e.target_type,
  e.target_id,
  e.ip,
  e.fields,
  e.is_warning,
  null,
  null
from
  p
  left join security_events as e on e.id = p.id
where
  p.source = 'security'
union all
select
  p.place,
  to_char("p"."at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
  p.source,
  case
    when s.id is not null then 'ledger.sealed'
  end,
  null,
  null,
  null,
  null,
  'seal',
  p.id::int,
  null,
  jsonb_build_object('rows', cardinality(s.ids), 'unlisted', coalesce(u.unlisted, '{}'::jsonb)),
  false,
  encode(s.hash, 'hex'),
  s.last_id
from
  p
  left join audit_seals as s on s.id = p.id
  left join audit_seals as b on b.id = s.id - 1
  left join lateral (
    select
      case
        when count(*) > 0 then jsonb_build_object(
          'ids',
          jsonb_agg(
            id
            order by
              id
          ),
          'hashes',
          translate(
            encode(
              string_agg(
                sha256(
                  convert_to(
                    concat(
                      "ledger"."id",
                      ' ',
                      (
                        extract(
                          epoch
                          from
                            "ledger"."at"
                        ) * 1000000
                      )::bigint,
                      ' ',
                      "ledger"."tx",
                      ' '
                    ),
                    'UTF8'
                  ) || sha256(
                    convert_to(
                      jsonb_build_array("ledger"."kind", "ledger"."target_type", "ledger"."target_id", "ledger"."actor_id", "ledger"."actor_username", "ledger"."action", "ledger"."facts")::text,
                      'UTF8'
                    )
                  )
                ),
                ''
                order by
                  id
              ),
              'base64'
            ),
            E'\n',
            ''
          )
        )
      end as unlisted
    from
      ledger
    where
      id > coalesce(b.last_id, 0)
      and id <= s.last_id
      and action is null
  ) as u on true
where
  p.source = 'seal'
union all
select
  p.place,
  to_char("p"."at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
  p.source,
  p.note ->> 'event',
  null,
  null,
  null,
  null,
  null,
  null,
  null,
  p.note -> 'facts',
  true,
  null,
  null
from
  p
where
  p.source = 'note'
order by
  place;

-- noteFailure
with
  before as (
    select
      failing_since is null as is_first
    from
      audit_stream
  )
update audit_stream
set
  failing_since = coalesce(failing_since, now()),
  last_error = $1,
  last_status = $2,
  refused_since = case
    when $3::bigint <> coalesce(refused_place, 0) then now()
    else refused_since
  end,
  refused_place = coalesce($4::bigint, refused_place)
returning
  (
    select
      is_first
    from
      before
  );
