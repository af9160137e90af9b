-- followManagers
select
  u.id
from
  users u
  join provisioned_users p on p.user_id = u.id
where
  source_id = $1
  and removed_at is null
  and (
    user_id = $2
    or external_id = $3
    or user_name_key = lower(($4::text) collate "und-x-icu") collate "default"
  )
order by
  user_id is not distinct from $5 desc,
  external_id is not distinct from $6 desc,
  user_id
limit
  1
for key share of
  u;

-- followManagers
-- setManagers
with
  line as materialized (
    select
      "userId" as user_id,
      "managerId" as manager_id
    from
      json_to_recordset($1::json) as line("userId" int, "managerId" int)
  ),
  moved as materialized (
    select
      line.*,
      managers.manager_id as former_id
    from
      line
      left join managers using (user_id)
    where
      line.manager_id is distinct from managers.manager_id
  ),
  gone as (
    delete from managers
    where
      user_id in (
        select
          user_id
        from
          moved
        where
          manager_id is null
      )
  ),
  kept as (
    insert into
      managers (user_id, manager_id)
    select
      user_id,
      manager_id
    from
      moved
    where
      manager_id is not null
    on conflict (user_id) do update
    set
      manager_id = excluded.manager_id
  )
select
  *
from
  moved
order by
  user_id;

-- followManagers
select
  u.id
from
  users u
  join provisioned_users p on p.user_id = u.id
where
  source_id = $1
  and removed_at is null
  and facets && $2::text[]
  and u.id <> $3
  and not exists (
    select
    from
      managers
      join users on users.id = manager_id
    where
      managers.user_id = u.id
  )
order by
  u.id
for key share of
  u;

-- findManager
select
  u.id as user_id,
  case
    when u.id is not null then json_build_object('id', u.id, 'username', u.username, 'displayNameAr', u.display_name_ar, 'displayNameEn', u.display_name_en, 'avatarUrl', u.avatar_url)
  end as manager
from
  managers
  join users as u on u.id = manager_id
where
  managers.user_id = $1
  and (
    u.is_active
    or not $2
  );

-- findManagerIds
select
  user_id,
  manager_id
from
  managers
  join users on users.id = manager_id
where
  user_id = any ($1::int[]);

-- findNamedElsewhere
select
  p.user_id,
  s.id,
  s.name
from
  provisioned_users p
  join provisioning_sources s on s.id = p.source_id
where
  p.user_id = any ($1::int[])
  and p.removed_at is null
  and exists (
    select
    from
      unnest(p.facets) as facet
    where
      facet like 'manager:%'
  );
