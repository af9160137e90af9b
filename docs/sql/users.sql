-- lockPerson, for their rights
select
  "users".*
from
  "users"
  inner join (
    select
      "user_id"
    from
      "user_access"
    where
      "user_id" = $1
    for update
  ) as "own" on "own"."user_id" = "users"."id"
where
  "users"."id" = $2
  and "users"."kind" = $3
for no key update of
  "users";

-- lockPerson, for texts
select
  "users".*
from
  "users"
  inner join (
    select
      "user_id"
    from
      "user_access"
    where
      "user_id" = $1
    for no key update
  ) as "own" on "own"."user_id" = "users"."id"
where
  "users"."id" = $2
  and "users"."kind" = $3
for no key update of
  "users";

-- readProfile
select
  "users"."id",
  "users"."username",
  "users"."email",
  "users"."display_name_ar",
  "users"."display_name_en",
  "users"."preferred_language",
  "users"."clock_style",
  "users"."clock_hour12",
  "users"."avatar_url",
  "users"."is_active",
  "users"."created_at",
  "users"."invitation",
  array(
    select
      r.name
    from
      effective_roles er
      join roles r on r.id = er.role_id
    where
      er.user_id = users.id
    order by
      r.name
  ) as "roles",
  (
    select
      coalesce(
        json_agg(
          json_build_object('id', g.id, 'name', g.name, 'descriptionAr', g.description_ar, 'descriptionEn', g.description_en)
          order by
            g.id
        ),
        '[]'
      )
    from
      group_users gu
      join groups g on g.id = gu.group_id
    where
      gu.user_id = users.id
  ) as "groups",
  array(
    select
      role_id
    from
      user_roles
    where
      user_id = users.id
    order by
      role_id
  ) as "role_ids",
  (
    select
      at
    from
      last_seen
    where
      user_id = users.id
  ) as "last_seen_at"
from
  "users"
where
  "users"."id" = $1
  and "users"."kind" = $2;

-- countPeople, without a filter
select
  count(*) as "count"
from
  "users" as "u"
  left join "last_seen" on "last_seen"."user_id" = "u"."id"
where
  "u"."kind" = $1;

-- countPeople, with all filters
select
  count(*) as "count"
from
  "users" as "u"
  left join "last_seen" on "last_seen"."user_id" = "u"."id"
where
  "u"."kind" = $1
  and "u"."search" like $2
  and "u"."is_active" = $3
  and "u"."id" in (
    select
      "user_id"
    from
      "group_users"
    where
      "group_id" = $4
  )
  and "u"."id" in (
    select
      "user_id"
    from
      "provisioned_users"
    where
      "source_id" = $5
      and "removed_at" is null
  )
  and "u"."id" in (
    select
      user_id
    from
      user_roles
    where
      role_id = (
        select
          id
        from
          roles
        where
          lower(name) = lower($6::text)
      )
    union all
    select
      user_id
    from
      group_roles
      join group_users using (group_id)
    where
      role_id = (
        select
          id
        from
          roles
        where
          lower(name) = lower($7::text)
      )
  )
  and (
    last_seen.at is null
    or last_seen.at < date_trunc('hour', $8::timestamptz)
  )
  and "u"."id" = any ($9::int[]);

-- findPeople, by name
select
  "u"."id"
from
  "users" as "u"
  left join "last_seen" on "last_seen"."user_id" = "u"."id"
where
  "u"."kind" = $1
order by
  coalesce(nullif(u.display_name_ar, ''), nullif(u.display_name_en, ''), u.username) collate "ar-x-icu" asc,
  u.id asc
limit
  $2
offset
  $3;

-- findPeople, with all filters, by last use
select
  "u"."id"
from
  "users" as "u"
  left join "last_seen" on "last_seen"."user_id" = "u"."id"
where
  "u"."kind" = $1
  and "u"."search" like $2
  and "u"."is_active" = $3
  and "u"."id" in (
    select
      "user_id"
    from
      "group_users"
    where
      "group_id" = $4
  )
  and "u"."id" in (
    select
      "user_id"
    from
      "provisioned_users"
    where
      "source_id" = $5
      and "removed_at" is null
  )
  and "u"."id" in (
    select
      user_id
    from
      user_roles
    where
      role_id = (
        select
          id
        from
          roles
        where
          lower(name) = lower($6::text)
      )
    union all
    select
      user_id
    from
      group_roles
      join group_users using (group_id)
    where
      role_id = (
        select
          id
        from
          roles
        where
          lower(name) = lower($7::text)
      )
  )
  and (
    last_seen.at is null
    or last_seen.at < date_trunc('hour', $8::timestamptz)
  )
  and "u"."id" = any ($9::int[])
order by
  last_seen.at desc nulls last,
  u.id desc;

-- listPeople
select
  "u"."id"
from
  "users" as "u"
  left join "last_seen" on "last_seen"."user_id" = "u"."id"
where
  "u"."kind" = $1
order by
  coalesce(nullif(u.display_name_en, ''), nullif(u.display_name_ar, ''), u.username) collate "en-x-icu" asc,
  u.id asc;

-- listPeople
select
  "users"."id",
  "users"."username",
  "users"."email",
  "users"."display_name_ar",
  "users"."display_name_en",
  "users"."preferred_language",
  "users"."clock_style",
  "users"."clock_hour12",
  "users"."avatar_url",
  "users"."is_active",
  "users"."created_at",
  "users"."invitation",
  array(
    select
      r.name
    from
      effective_roles er
      join roles r on r.id = er.role_id
    where
      er.user_id = users.id
    order by
      r.name
  ) as "roles",
  (
    select
      coalesce(
        json_agg(
          json_build_object('id', g.id, 'name', g.name, 'descriptionAr', g.description_ar, 'descriptionEn', g.description_en)
          order by
            g.id
        ),
        '[]'
      )
    from
      group_users gu
      join groups g on g.id = gu.group_id
    where
      gu.user_id = users.id
  ) as "groups",
  array(
    select
      role_id
    from
      user_roles
    where
      user_id = users.id
    order by
      role_id
  ) as "role_ids",
  (
    select
      at
    from
      last_seen
    where
      user_id = users.id
  ) as "last_seen_at"
from
  "users"
where
  "users"."id" = any ($1::int[]);

-- refuseLookAlike
select
  l.look,
  u.username,
  exists (
    select
    from
      effective_roles e
      join roles r on r.id = e.role_id
    where
      e.user_id = u.id
      and r.name = 'admin'
    offset
      0
  ) as is_admin
from
  username_looks l
  cross join lateral (
    select
      id,
      username
    from
      users
    where
      id = l.user_id
    offset
      0
  ) u
where
  l.look = any ($1::text[]);

-- resolvePeople
select
  folded,
  u.id,
  u.username,
  u.display_name_ar,
  u.display_name_en,
  u.avatar_url
from
  unnest($1::text[]) as folded
  join users as u on string_to_array(u.search, E'') @> array[folded]
where
  kind = 'person'
order by
  coalesce(nullif(u.display_name_en, ''), nullif(u.display_name_ar, ''), u.username) collate "en-x-icu",
  u.id;

-- resolvePeople
select
  folded,
  u.id,
  u.username,
  u.display_name_ar,
  u.display_name_en,
  u.avatar_url
from
  unnest($1::text[], $2::text[]) as asked (folded, pattern)
  cross join lateral (
    select
      *
    from
      users
    where
      search like pattern
      and kind = 'person'
    limit
      $3
  ) as u
order by
  coalesce(nullif(u.display_name_en, ''), nullif(u.display_name_ar, ''), u.username) collate "en-x-icu",
  u.id;
