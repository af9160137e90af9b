-- recount
select
  key::text,
  coalesce(counted.count, 0)::bigint as counted,
  coalesce(there.count, 0)::bigint as there,
  count(*) over () as differences
from
  (
    select
      day as key,
      sum(count) as count
    from
      day_counts
    where
      what = 'signups'
    group by
      1
  ) as counted
  full join (
    select
      utc_day (created_at) as key,
      count(*) as count
    from
      users
    where
      kind = 'person'
    group by
      1
  ) as there using (key)
where
  coalesce(counted.count, 0) <> coalesce(there.count, 0)
order by
  key
limit
  $1;

-- recount
select
  key::text,
  coalesce(counted.count, 0)::bigint as counted,
  coalesce(there.count, 0)::bigint as there,
  count(*) over () as differences
from
  (
    select
      day as key,
      sum(count) as count
    from
      day_counts
    where
      what = 'services_created'
    group by
      1
  ) as counted
  full join (
    select
      utc_day (created_at) as key,
      count(*) as count
    from
      services
    group by
      1
  ) as there using (key)
where
  coalesce(counted.count, 0) <> coalesce(there.count, 0)
order by
  key
limit
  $1;

-- recount
select
  key::text,
  coalesce(counted.count, 0)::bigint as counted,
  coalesce(there.count, 0)::bigint as there,
  count(*) over () as differences
from
  (
    select
      day as key,
      sum(count) as count
    from
      day_counts
    where
      what = 'app_opens'
    group by
      1
  ) as counted
  full join (
    select
      day as key,
      sum(count) as count
    from
      (
        select
          app_id,
          utc_day (created_at) as day,
          count(*) as count
        from
          app_opens
        group by
          1,
          2
        union all
        select
          app_id,
          day,
          forgotten
        from
          app_open_days
      ) as opens
    group by
      1
  ) as there using (key)
where
  coalesce(counted.count, 0) <> coalesce(there.count, 0)
order by
  key
limit
  $1;

-- recount
select
  key::text,
  coalesce(counted.count, 0)::bigint as counted,
  coalesce(there.count, 0)::bigint as there,
  count(*) over () as differences
from
  (
    select
      what as key,
      sum(count) as count
    from
      state_counts
    group by
      1
  ) as counted
  full join (
    select
      'active_users' as key,
      count(*) as count
    from
      users
    where
      is_active
      and kind = 'person'
    union all
    select
      service_state (is_available),
      count(*)
    from
      services
    group by
      1
  ) as there using (key)
where
  coalesce(counted.count, 0) <> coalesce(there.count, 0)
order by
  key
limit
  $1;

-- recount
select
  key::text,
  coalesce(counted.count, 0)::bigint as counted,
  coalesce(there.count, 0)::bigint as there,
  count(*) over () as differences
from
  (
    select
      (app_id, day) as key,
      count
    from
      app_open_days
  ) as counted
  full join (
    select
      (app_id, day) as key,
      sum(count) as count
    from
      (
        select
          app_id,
          utc_day (created_at) as day,
          count(*) as count
        from
          app_opens
        group by
          1,
          2
        union all
        select
          app_id,
          day,
          forgotten
        from
          app_open_days
      ) as opens
      join apps on apps.id = app_id
    group by
      app_id,
      day
  ) as there using (key)
where
  coalesce(counted.count, 0) <> coalesce(there.count, 0)
order by
  key
limit
  $1;

-- recount
select
  key::text,
  coalesce(counted.count, 0)::bigint as counted,
  coalesce(there.count, 0)::bigint as there,
  count(*) over () as differences
from
  (
    select
      (app_id, month) as key,
      count
    from
      app_open_months
  ) as counted
  full join (
    select
      (app_id, month_of (day)) as key,
      sum(count) as count
    from
      (
        select
          app_id,
          utc_day (created_at) as day,
          count(*) as count
        from
          app_opens
        group by
          1,
          2
        union all
        select
          app_id,
          day,
          forgotten
        from
          app_open_days
      ) as opens
      join apps on apps.id = app_id
    group by
      app_id,
      month_of (day)
  ) as there using (key)
where
  coalesce(counted.count, 0) <> coalesce(there.count, 0)
order by
  key
limit
  $1;

-- recount
select
  key::text,
  coalesce(counted.count, 0)::bigint as counted,
  coalesce(there.count, 0)::bigint as there,
  count(*) over () as differences
from
  (
    select
      (user_id, day) as key,
      count
    from
      user_open_days
  ) as counted
  full join (
    select
      (user_id, utc_day (app_opens.created_at)) as key,
      count(*) as count
    from
      app_opens
      join users on users.id = user_id
    group by
      user_id,
      utc_day (app_opens.created_at)
  ) as there using (key)
where
  coalesce(counted.count, 0) <> coalesce(there.count, 0)
order by
  key
limit
  $1;

-- recount
select
  key::text,
  coalesce(counted.count, 0)::bigint as counted,
  coalesce(there.count, 0)::bigint as there,
  count(*) over () as differences
from
  (
    select
      (user_id, month) as key,
      count
    from
      user_open_months
  ) as counted
  full join (
    select
      (user_id, month_of (utc_day (app_opens.created_at))) as key,
      count(*) as count
    from
      app_opens
      join users on users.id = user_id
    group by
      user_id,
      month_of (utc_day (app_opens.created_at))
  ) as there using (key)
where
  coalesce(counted.count, 0) <> coalesce(there.count, 0)
order by
  key
limit
  $1;

-- recount
select
  key::text,
  coalesce(counted.count, 0)::bigint as counted,
  coalesce(there.count, 0)::bigint as there,
  count(*) over () as differences
from
  (
    select
      day as key,
      least(peak, most) as count
    from
      (
        select
          day,
          max(peak) as peak
        from
          user_open_peaks
        group by
          1
      ) as peaks
      join (
        select
          day,
          max(count) as most
        from
          user_open_days
        group by
          1
      ) as days using (day)
  ) as counted
  full join (
    select
      day as key,
      max(count) as count
    from
      user_open_days
    group by
      1
  ) as there using (key)
where
  coalesce(counted.count, 0) <> coalesce(there.count, 0)
order by
  key
limit
  $1;

-- recount
select
  key::text,
  coalesce(counted.count, 0)::bigint as counted,
  coalesce(there.count, 0)::bigint as there,
  count(*) over () as differences
from
  (
    select
      service_id as key,
      sum(count) as count
    from
      service_order_counts
    group by
      1
  ) as counted
  full join (
    select
      service_id as key,
      count(*) as count
    from
      orders
    group by
      1
  ) as there using (key)
where
  coalesce(counted.count, 0) <> coalesce(there.count, 0)
order by
  key
limit
  $1;

-- recount
select
  key::text,
  coalesce(counted.count, 0)::bigint as counted,
  coalesce(there.count, 0)::bigint as there,
  count(*) over () as differences
from
  (
    select
      service_id as key,
      sum(held) as count
    from
      service_order_counts
    group by
      1
  ) as counted
  full join (
    select
      service_id as key,
      count(hold) as count
    from
      orders
    group by
      1
  ) as there using (key)
where
  coalesce(counted.count, 0) <> coalesce(there.count, 0)
order by
  key
limit
  $1;

-- recount
select
  key::text,
  coalesce(counted.count, 0)::bigint as counted,
  coalesce(there.count, 0)::bigint as there,
  count(*) over () as differences
from
  (
    select
      user_id as key,
      notes as count
    from
      note_versions
  ) as counted
  full join (
    select
      user_id as key,
      count(*) as count
    from
      notes
    group by
      1
  ) as there using (key)
where
  coalesce(counted.count, 0) <> coalesce(there.count, 0)
order by
  key
limit
  $1;

-- recount
select
  key::text,
  coalesce(counted.count, 0)::bigint as counted,
  coalesce(there.count, 0)::bigint as there,
  count(*) over () as differences
from
  (
    select
      user_id as key,
      bytes as count
    from
      note_versions
  ) as counted
  full join (
    select
      user_id as key,
      sum(octet_length(title) + octet_length(content)) as count
    from
      notes
    group by
      1
  ) as there using (key)
where
  coalesce(counted.count, 0) <> coalesce(there.count, 0)
order by
  key
limit
  $1;

-- recount
select
  key::text,
  coalesce(counted.count, 0)::bigint as counted,
  coalesce(there.count, 0)::bigint as there,
  count(*) over () as differences
from
  (
    select
      user_id as key,
      labels as count
    from
      note_versions
  ) as counted
  full join (
    select
      user_id as key,
      count(*) as count
    from
      note_labels
    group by
      1
  ) as there using (key)
where
  coalesce(counted.count, 0) <> coalesce(there.count, 0)
order by
  key
limit
  $1;

-- recount
select
  key::text,
  coalesce(counted.count, 0)::bigint as counted,
  coalesce(there.count, 0)::bigint as there,
  count(*) over () as differences
from
  (
    select
      user_id as key,
      folders as count
    from
      note_versions
  ) as counted
  full join (
    select
      user_id as key,
      count(*) as count
    from
      note_folders
    group by
      1
  ) as there using (key)
where
  coalesce(counted.count, 0) <> coalesce(there.count, 0)
order by
  key
limit
  $1;

-- recount
select
  key::text,
  coalesce(counted.count, 0)::bigint as counted,
  coalesce(there.count, 0)::bigint as there,
  count(*) over () as differences
from
  (
    select
      user_id as key,
      objects as count
    from
      object_shares
  ) as counted
  full join (
    select
      owner_id as key,
      count(*) as count
    from
      objects
    where
      uploaded_at is not null
      and owner_id is not null
    group by
      1
  ) as there using (key)
where
  coalesce(counted.count, 0) <> coalesce(there.count, 0)
order by
  key
limit
  $1;

-- recount
select
  key::text,
  coalesce(counted.count, 0)::bigint as counted,
  coalesce(there.count, 0)::bigint as there,
  count(*) over () as differences
from
  (
    select
      user_id as key,
      bytes as count
    from
      object_shares
  ) as counted
  full join (
    select
      owner_id as key,
      sum(object_cost (size)) as count
    from
      objects
    where
      uploaded_at is not null
      and owner_id is not null
    group by
      1
  ) as there using (key)
where
  coalesce(counted.count, 0) <> coalesce(there.count, 0)
order by
  key
limit
  $1;

-- readOpensOfApp
select
  "app_opens"."id",
  "app_opens"."created_at",
  "users"."id" as "user_id",
  "username",
  "display_name_ar",
  "display_name_en",
  "avatar_url"
from
  "app_opens"
  inner join "users" on "users"."id" = "app_opens"."user_id"
where
  app_opens.created_at >= $1::date::timestamp at time zone 'UTC'
  and app_opens.created_at < ($2::date + 1)::timestamp at time zone 'UTC'
  and "app_opens"."app_id" = $3
order by
  "app_opens"."created_at" desc,
  "app_opens"."id" desc
limit
  $4
offset
  $5;

-- readOpensOfUser
select
  "app_opens"."id",
  "app_opens"."created_at",
  "apps"."id" as "app_id",
  "slug",
  "name_ar",
  "name_en",
  "icon_name",
  "color"
from
  "app_opens"
  inner join "apps" on "apps"."id" = "app_opens"."app_id"
where
  app_opens.created_at >= $1::date::timestamp at time zone 'UTC'
  and app_opens.created_at < ($2::date + 1)::timestamp at time zone 'UTC'
  and "app_opens"."user_id" = $3
order by
  "app_opens"."created_at" desc,
  "app_opens"."id" desc
limit
  $4
offset
  $5;
