-- readLog, without a filter
select
  "id",
  "action",
  "target_type",
  "target_id",
  "at",
  "facts",
  "place",
  case
    when page.actor_id is not null then (
      select
        json_build_object(
          'id',
          page.actor_id,
          'username',
          coalesce(u.username, page.actor_username),
          'displayNameAr',
          u.display_name_ar,
          'displayNameEn',
          u.display_name_en,
          'avatarUrl',
          u.avatar_url
        )
      from
        (
          select
        ) as one
        left join users u on u.id = page.actor_id
    )
  end as "actor"
from
  (
    select
      "id",
      "action",
      "target_type",
      "target_id",
      "at",
      "facts",
      at::text as "place",
      "actor_id",
      "actor_username"
    from
      "ledger"
    where
      "action" is not null
    order by
      "at" desc,
      "id" desc
    limit
      $1
    offset
      $2
  ) as "page"
order by
  "at" desc,
  "id" desc;

-- readLog, by names
select
  "id",
  "action",
  "target_type",
  "target_id",
  "at",
  "facts",
  "place",
  case
    when page.actor_id is not null then (
      select
        json_build_object(
          'id',
          page.actor_id,
          'username',
          coalesce(u.username, page.actor_username),
          'displayNameAr',
          u.display_name_ar,
          'displayNameEn',
          u.display_name_en,
          'avatarUrl',
          u.avatar_url
        )
      from
        (
          select
        ) as one
        left join users u on u.id = page.actor_id
    )
  end as "actor"
from
  (
    select
      "id",
      "action",
      "target_type",
      "target_id",
      "at",
      "facts",
      at::text as "place",
      "actor_id",
      "actor_username"
    from
      "ledger"
    where
      "action" is not null
      and (ledger.at, ledger.id) in (
        select
          at,
          id
        from
          audit_names
        where
          audit_names.names like $1
      )
    order by
      "at" desc,
      "id" desc
    limit
      $2
    offset
      $3
  ) as "page"
order by
  "at" desc,
  "id" desc;

-- readLog, by everything else, after an entry
select
  "id",
  "action",
  "target_type",
  "target_id",
  "at",
  "facts",
  "place",
  case
    when page.actor_id is not null then (
      select
        json_build_object(
          'id',
          page.actor_id,
          'username',
          coalesce(u.username, page.actor_username),
          'displayNameAr',
          u.display_name_ar,
          'displayNameEn',
          u.display_name_en,
          'avatarUrl',
          u.avatar_url
        )
      from
        (
          select
        ) as one
        left join users u on u.id = page.actor_id
    )
  end as "actor"
from
  (
    select
      "id",
      "action",
      "target_type",
      "target_id",
      "at",
      "facts",
      at::text as "place",
      "actor_id",
      "actor_username"
    from
      "ledger"
    where
      "action" is not null
      and "action" = any ($1::text[])
      and action like '%.force_delete'
      and "actor_id" = $2
      and "target_type" = $3
      and "target_id" = $4
      and "at" >= $5
      and "at" < $6
      and at <= $7::timestamptz
      and (at, id) < ($8::timestamptz, $9)
    order by
      "at" desc,
      "id" desc
    limit
      $10
    offset
      $11
  ) as "page"
order by
  "at" desc,
  "id" desc;

-- pageLogRows
select
  "id",
  "action",
  "target_type",
  "target_id",
  "at",
  "facts",
  at::text as "place",
  case
    when ledger.actor_id is not null then (
      select
        json_build_object(
          'id',
          ledger.actor_id,
          'username',
          coalesce(u.username, ledger.actor_username),
          'displayNameAr',
          u.display_name_ar,
          'displayNameEn',
          u.display_name_en,
          'avatarUrl',
          u.avatar_url
        )
      from
        (
          select
        ) as one
        left join users u on u.id = ledger.actor_id
    )
  end as "actor"
from
  "ledger"
where
  "action" is not null
order by
  "at" desc,
  "id" desc
limit
  $1;

-- countDays, from stored counts
select
  date::date::text as date,
  coalesce(count, 0) as count
from
  generate_series($1::date::timestamp, $2::date::timestamp, interval '1 day') as date
  left join (
    (
      select
        "day",
        sum(count)::bigint as "count"
      from
        "audit_counts"
      where
        "actor_id" = $3
        and "day" > $4
        and "day" >= $5
        and "day" <= $6
      group by
        "day"
    )
  ) as days on days.day = date::date
order by
  1;

-- countDays, of a record
select
  date::date::text as date,
  coalesce(count, 0) as count
from
  generate_series($1::date::timestamp, $2::date::timestamp, interval '1 day') as date
  left join (
    (
      select
        (at at time zone 'UTC')::date as "day",
        count(*) as "count"
      from
        "ledger"
      where
        "action" is not null
        and "target_type" = $3
        and "target_id" = $4
        and "at" >= $5
        and "at" < $6
      group by
        1
    )
  ) as days on days.day = date::date
order by
  1;

-- pageLogAbout
select
  id,
  action,
  target_type as "targetType",
  target_id as "targetId",
  at,
  at::text as place,
  facts,
  case
    when page.actor_id is not null then (
      select
        json_build_object(
          'id',
          page.actor_id,
          'username',
          coalesce(u.username, page.actor_username),
          'displayNameAr',
          u.display_name_ar,
          'displayNameEn',
          u.display_name_en,
          'avatarUrl',
          u.avatar_url
        )
      from
        (
          select
        ) as one
        left join users u on u.id = page.actor_id
    )
  end as actor
from
  (
    select
      *
    from
      (
        (
          (
            select
              "id",
              "action",
              "target_type",
              "target_id",
              "at",
              "facts",
              "actor_id",
              "actor_username"
            from
              "ledger"
            where
              "action" is not null
              and "action" = any ($1::text[])
              and "target_type" = $2
            order by
              "at" desc,
              "id" desc
            limit
              $3
          )
        )
        union all
        (
          (
            select
              "id",
              "action",
              "target_type",
              "target_id",
              "at",
              "facts",
              "actor_id",
              "actor_username"
            from
              "ledger"
            where
              "action" is not null
              and "action" = any ($4::text[])
              and "target_type" = $5
            order by
              "at" desc,
              "id" desc
            limit
              $6
          )
        )
      ) as newest
    order by
      at desc,
      id desc
    limit
      $7
    offset
      $8
  ) as page
order by
  at desc,
  id desc;

-- namesAt, of people
with
  wanted as (
    select
      *
    from
      jsonb_to_recordset($1::jsonb) as wanted (place int, at timestamptz, id int)
  ),
  known as (
    select
      wanted.*,
      coalesce(
        (
          select
            jsonb_build_object('username', one.username, 'displayNameAr', one.display_name_ar, 'displayNameEn', one.display_name_en)
          from
            "users" as one
          where
            one.id = wanted.id
        ),
        (
          select
            jsonb_build_object('username', facts -> 'username', 'displayNameAr', facts -> 'displayNameAr', 'displayNameEn', facts -> 'displayNameEn')
          from
            ledger
          where
            target_type = $2
            and target_id = wanted.id
            and action is not null
            and kind = any ($3)
          order by
            at desc,
            ledger.id desc
          limit
            1
        )
      ) as name
    from
      wanted
  )
select
  place,
  id,
  name || coalesce(
    (
      select
        jsonb_object_agg(
          key,
          value -> 'from'
          order by
            ledger.at desc,
            ledger.id desc
        )
      from
        ledger,
        jsonb_each(
          case jsonb_typeof(facts -> 'changed')
            when 'object' then facts -> 'changed'
            else '{}'
          end
        )
      where
        target_type = $4
        and target_id = known.id
        and ledger.at > known.at
        and key = any ($5::text[])
    ),
    '{}'
  ) as name
from
  known
where
  name is not null;

-- namesAt, of apps
with
  wanted as (
    select
      *
    from
      jsonb_to_recordset($1::jsonb) as wanted (place int, at timestamptz, id int)
  ),
  known as (
    select
      wanted.*,
      coalesce(
        (
          select
            jsonb_build_object('slug', one.slug, 'nameAr', one.name_ar, 'nameEn', one.name_en)
          from
            "apps" as one
          where
            one.id = wanted.id
        ),
        (
          select
            jsonb_build_object('slug', facts -> 'slug', 'nameAr', facts -> 'nameAr', 'nameEn', facts -> 'nameEn')
          from
            ledger
          where
            target_type = $2
            and target_id = wanted.id
            and action is not null
            and kind = any ($3)
          order by
            at desc,
            ledger.id desc
          limit
            1
        )
      ) as name
    from
      wanted
  )
select
  place,
  id,
  name || coalesce(
    (
      select
        jsonb_object_agg(
          key,
          value -> 'from'
          order by
            ledger.at desc,
            ledger.id desc
        )
      from
        ledger,
        jsonb_each(
          case jsonb_typeof(facts -> 'changed')
            when 'object' then facts -> 'changed'
            else '{}'
          end
        )
      where
        target_type = $4
        and target_id = known.id
        and ledger.at > known.at
        and key = any ($5::text[])
    ),
    '{}'
  ) as name
from
  known
where
  name is not null;

-- readHistory
select
  "id",
  "kind",
  "target_id",
  "added",
  "removed",
  ends as "ends",
  "at",
  at::text as "moment",
  case
    when permission_history.actor_id is not null then (
      select
        json_build_object(
          'id',
          permission_history.actor_id,
          'username',
          coalesce(u.username, permission_history.actor_username),
          'displayNameAr',
          u.display_name_ar,
          'displayNameEn',
          u.display_name_en,
          'avatarUrl',
          u.avatar_url
        )
      from
        (
          select
        ) as one
        left join users u on u.id = permission_history.actor_id
    )
  end as "actor",
  revert_of as "revert_of"
from
  "permission_history"
where
  "kind" in ($1, $2)
  and "target_id" = $3
  and "at" >= $4
  and "at" < $5
order by
  "id" desc
limit
  $6
offset
  $7;

-- pageHistoryRows
select
  "id",
  "at",
  case
    when permission_history.actor_id is not null then (
      select
        json_build_object(
          'id',
          permission_history.actor_id,
          'username',
          coalesce(u.username, permission_history.actor_username),
          'displayNameAr',
          u.display_name_ar,
          'displayNameEn',
          u.display_name_en,
          'avatarUrl',
          u.avatar_url
        )
      from
        (
          select
        ) as one
        left join users u on u.id = permission_history.actor_id
    )
  end as "actor",
  (
    select
      string_agg(
        case kind
          when 'user.roles' then coalesce(
            (
              select
                name
              from
                roles
              where
                roles.id = one
            ),
            (
              select
                facts ->> 'name'
              from
                ledger
              where
                target_type = 'role'
                and target_id = one
                and action is not null
                and kind in ('role.deleted')
              order by
                at desc,
                ledger.id desc
              limit
                1
            ),
            '#' || one
          )
          when 'user.groups' then coalesce(
            (
              select
                name
              from
                groups
              where
                groups.id = one
            ),
            (
              select
                facts ->> 'name'
              from
                ledger
              where
                target_type = 'group'
                and target_id = one
                and action is not null
                and kind in ('group.deleted')
              order by
                at desc,
                ledger.id desc
              limit
                1
            ),
            '#' || one
          )
        end,
        '; '
        order by
          one
      )
    from
      unnest("added") as one
  ) as "gained",
  (
    select
      string_agg(
        case kind
          when 'user.roles' then coalesce(
            (
              select
                name
              from
                roles
              where
                roles.id = one
            ),
            (
              select
                facts ->> 'name'
              from
                ledger
              where
                target_type = 'role'
                and target_id = one
                and action is not null
                and kind in ('role.deleted')
              order by
                at desc,
                ledger.id desc
              limit
                1
            ),
            '#' || one
          )
          when 'user.groups' then coalesce(
            (
              select
                name
              from
                groups
              where
                groups.id = one
            ),
            (
              select
                facts ->> 'name'
              from
                ledger
              where
                target_type = 'group'
                and target_id = one
                and action is not null
                and kind in ('group.deleted')
              order by
                at desc,
                ledger.id desc
              limit
                1
            ),
            '#' || one
          )
        end,
        '; '
        order by
          one
      )
    from
      unnest("removed") as one
  ) as "lost"
from
  "permission_history"
where
  "kind" in ($1, $2)
  and "target_id" = $3
order by
  "id" desc
limit
  $4;

-- verifySeals, which names a wrong row
-- verifySeals, which names a misdated row
with
  numbers as (
    select
      generate_series(
        $1::bigint,
        least(
          $2::bigint + $3::int - 1,
          (
            select
              max(id)
            from
              audit_seals
          )
        )
      ) as id
  )
select
  numbers.id,
  seal.at,
  coalesce(cardinality(seal.ids), 0) as rows,
  encode(seal.hash, 'hex') as hash,
  numbers.id = 1
  or previous.id is not null as follows_one,
  coalesce(
    seal.hash = sha256(
      coalesce("previous"."hash", '') || convert_to(
        concat(
          "seal"."id",
          ' ',
          (
            extract(
              epoch
              from
                "seal"."at"
            ) * 1000000
          )::bigint,
          ' ',
          "seal"."last_id",
          ' '
        ),
        'UTF8'
      ) || "found"."hashed"
    )
    and seal.ids = found.ids
    and seal.contents = found.contents
    and seal.wholes = found.wholes
    and cardinality(seal.ids) = (
      select
        count(distinct id)
      from
        unnest(seal.ids) as id
    ),
    false
  ) as is_sound,
  coalesce(
    found.earliest >= coalesce("previous"."at" - interval '1 hour', '-infinity')
    and found.latest <= "seal"."at",
    true
  ) as is_in_time
from
  numbers
  left join audit_seals as seal using (id)
  left join audit_seals as previous on previous.id = seal.id - 1
  cross join lateral (
    select
      coalesce(
        array_agg(
          id
          order by
            id,
            at
        ),
        '{}'
      ) as ids,
      coalesce(
        array_agg(
          content_mark
          order by
            id,
            at
        ),
        '{}'
      ) as contents,
      coalesce(
        array_agg(
          whole_mark
          order by
            id,
            at
        ),
        '{}'
      ) as wholes,
      coalesce(
        string_agg(
          whole,
          ''
          order by
            id,
            at
        ),
        ''
      ) as hashed,
      min(at) as earliest,
      max(at) as latest
    from
      (
        select
          id,
          at,
          whole,
          ('x' || encode(substr("content", 1, 8), 'hex'))::bit(64)::bigint as content_mark,
          ('x' || encode(substr("whole", 1, 8), 'hex'))::bit(64)::bigint as whole_mark
        from
          (
            select
              id,
              at,
              content,
              sha256(
                convert_to(
                  concat(
                    "read"."id",
                    ' ',
                    (
                      extract(
                        epoch
                        from
                          "read"."at"
                      ) * 1000000
                    )::bigint,
                    ' ',
                    "read"."tx",
                    ' '
                  ),
                  'UTF8'
                ) || "read"."content"
              ) as whole
            from
              (
                select
                  id,
                  at,
                  tx,
                  sha256(
                    convert_to(
                      jsonb_build_array("ledger"."kind", "ledger"."target_type", "ledger"."target_id", "ledger"."actor_id", "ledger"."actor_username", "ledger"."action", "ledger"."facts")::text,
                      'UTF8'
                    )
                  ) as content
                from
                  ledger
                where
                  id > case "seal"."id"
                    when 1 then 0
                    else "previous"."last_id"
                  end
                  and id <= "seal"."last_id"
              ) as read
          ) as hashed
      ) as covered
  ) as found
order by
  numbers.id;

-- verifySeals, which names a wrong row
with
  seal as (
    select
      *
    from
      audit_seals
    where
      id = $1
  ),
  previous as (
    select
      *
    from
      audit_seals
    where
      id = $2 - 1
  ),
  found as (
    select
      rows.*
    from
      seal
      left join previous on true
      cross join lateral (
        select
          id,
          at,
          whole,
          ('x' || encode(substr("content", 1, 8), 'hex'))::bit(64)::bigint as content_mark,
          ('x' || encode(substr("whole", 1, 8), 'hex'))::bit(64)::bigint as whole_mark
        from
          (
            select
              id,
              at,
              content,
              sha256(
                convert_to(
                  concat(
                    "read"."id",
                    ' ',
                    (
                      extract(
                        epoch
                        from
                          "read"."at"
                      ) * 1000000
                    )::bigint,
                    ' ',
                    "read"."tx",
                    ' '
                  ),
                  'UTF8'
                ) || "read"."content"
              ) as whole
            from
              (
                select
                  id,
                  at,
                  tx,
                  sha256(
                    convert_to(
                      jsonb_build_array("ledger"."kind", "ledger"."target_type", "ledger"."target_id", "ledger"."actor_id", "ledger"."actor_username", "ledger"."action", "ledger"."facts")::text,
                      'UTF8'
                    )
                  ) as content
                from
                  ledger
                where
                  id > case "seal"."id"
                    when 1 then 0
                    else "previous"."last_id"
                  end
                  and id <= "seal"."last_id"
              ) as read
          ) as hashed
      ) as rows
  ),
  sealed as (
    select
      marks.*
    from
      seal
      cross join unnest(ids, contents, wholes) as marks (id, content_mark, whole_mark)
  ),
  wrong as (
    select
      coalesce(sealed.id, found.id) as id,
      found.at,
      sealed.id is null
      or found.is_double as is_new,
      found.id is null as is_gone,
      sealed.content_mark as sealed_content,
      found.content_mark as found_content
    from
      sealed
      full join (
        select
          *,
          count(*) over (
            partition by
              id
          ) > 1 as is_double
        from
          found
      ) as found using (id)
    where
      sealed.whole_mark is distinct from found.whole_mark
  )
select
  id,
  at,
  case
    when is_new then 'added'
    when sealed_content = found_content
    or exists (
      select
      from
        wrong as other
      where
        other.id <> wrong.id
        and other.found_content = wrong.sealed_content
    ) then 'reordered'
    when is_gone then 'missing'
    else 'changed'
  end as what
from
  wrong
order by
  id
limit
  1;

-- verifySeals, which names a wrong row
with
  seal as (
    select
      *
    from
      audit_seals
    where
      id = $1
  ),
  previous as (
    select
      *
    from
      audit_seals
    where
      id = $2 - 1
  ),
  found as (
    select
      rows.*
    from
      seal
      left join previous on true
      cross join lateral (
        select
          id,
          at,
          whole,
          ('x' || encode(substr("content", 1, 8), 'hex'))::bit(64)::bigint as content_mark,
          ('x' || encode(substr("whole", 1, 8), 'hex'))::bit(64)::bigint as whole_mark
        from
          (
            select
              id,
              at,
              content,
              sha256(
                convert_to(
                  concat(
                    "read"."id",
                    ' ',
                    (
                      extract(
                        epoch
                        from
                          "read"."at"
                      ) * 1000000
                    )::bigint,
                    ' ',
                    "read"."tx",
                    ' '
                  ),
                  'UTF8'
                ) || "read"."content"
              ) as whole
            from
              (
                select
                  id,
                  at,
                  tx,
                  sha256(
                    convert_to(
                      jsonb_build_array("ledger"."kind", "ledger"."target_type", "ledger"."target_id", "ledger"."actor_id", "ledger"."actor_username", "ledger"."action", "ledger"."facts")::text,
                      'UTF8'
                    )
                  ) as content
                from
                  ledger
                where
                  id > case "seal"."id"
                    when 1 then 0
                    else "previous"."last_id"
                  end
                  and id <= "seal"."last_id"
              ) as read
          ) as hashed
      ) as rows
  )
select
  id,
  max(at) as at,
  'added' as what
from
  found
group by
  id
having
  count(*) > 1
order by
  id
limit
  1;

-- verifySeals, which names a misdated row
with
  seal as (
    select
      *
    from
      audit_seals
    where
      id = $1
  ),
  previous as (
    select
      *
    from
      audit_seals
    where
      id = $2 - 1
  ),
  found as (
    select
      rows.*
    from
      seal
      left join previous on true
      cross join lateral (
        select
          id,
          at,
          whole,
          ('x' || encode(substr("content", 1, 8), 'hex'))::bit(64)::bigint as content_mark,
          ('x' || encode(substr("whole", 1, 8), 'hex'))::bit(64)::bigint as whole_mark
        from
          (
            select
              id,
              at,
              content,
              sha256(
                convert_to(
                  concat(
                    "read"."id",
                    ' ',
                    (
                      extract(
                        epoch
                        from
                          "read"."at"
                      ) * 1000000
                    )::bigint,
                    ' ',
                    "read"."tx",
                    ' '
                  ),
                  'UTF8'
                ) || "read"."content"
              ) as whole
            from
              (
                select
                  id,
                  at,
                  tx,
                  sha256(
                    convert_to(
                      jsonb_build_array("ledger"."kind", "ledger"."target_type", "ledger"."target_id", "ledger"."actor_id", "ledger"."actor_username", "ledger"."action", "ledger"."facts")::text,
                      'UTF8'
                    )
                  ) as content
                from
                  ledger
                where
                  id > case "seal"."id"
                    when 1 then 0
                    else "previous"."last_id"
                  end
                  and id <= "seal"."last_id"
              ) as read
          ) as hashed
      ) as rows
  )
select
  found.id,
  found.at,
  'added' as what
from
  found
  cross join seal
  left join previous on true
where
  found.at < coalesce("previous"."at" - interval '1 hour', '-infinity')
  or found.at > "seal"."at"
order by
  found.id
limit
  1;
