-- readImport
select
  "user_imports".*,
  "users"."username" as "maker",
  (
    select
      count(*)
    from
      user_import_rows
    where
      import_id = user_imports.id
      and verdict = 'changed_since'
  ) as "changed_since",
  (
    select
      count(*)
    from
      user_import_rows
    where
      import_id = user_imports.id
      and verdict = 'create'
      and is_settled
      and user_id is not null
  ) as "newcomers",
  counts as "row_counts",
  groups as "group_counts"
from
  "user_imports"
  inner join "users" on "users"."id" = "user_imports"."created_by"
where
  "user_imports"."id" = $1;

-- insertMissing
insert into
  user_import_rows (import_id, place, verdict, user_id, username, changes)
select
  $1,
  $2 + row_number() over (
    order by
      id
  ),
  'deactivate',
  id,
  username,
  '{"active": {"from": true, "to": false}}'
from
  (
    select
      u.id,
      u.username
    from
      users u
    where
      u.kind = 'person'
      and u.is_active
      and not u.is_exception
      and u.id <> $3
      and u.id not in (
        select
          user_id
        from
          user_import_rows
        where
          import_id = $4
          and line is not null
          and user_id is not null
        union all
        select
          named.id
        from
          user_import_rows
          join users named on named.username_key = lower((cells ->> 'username') collate "und-x-icu") collate "default"
        where
          import_id = $5
          and line is not null
        union all
        select
          named.id
        from
          user_import_rows
          join users named on named.email_key = lower((cells ->> 'email') collate "und-x-icu") collate "default"
        where
          import_id = $6
          and line is not null
      )
      and not exists (
        select
        from
          provisioned_users p
        where
          p.user_id = u.id
          and p.removed_at is null
      )
      and not exists (
        select
        from
          effective_roles e
        where
          e.user_id = u.id
          and e.role_id = (
            select
              id
            from
              roles
            where
              name = 'admin'
          )
        offset
          0
      )
  ) as missing;

-- findMissing
select
  id
from
  (
    select
      u.id,
      u.username
    from
      users u
    where
      u.kind = 'person'
      and u.is_active
      and not u.is_exception
      and u.id <> $1
      and u.id not in (
        select
          user_id
        from
          user_import_rows
        where
          import_id = $2
          and line is not null
          and user_id is not null
        union all
        select
          named.id
        from
          user_import_rows
          join users named on named.username_key = lower((cells ->> 'username') collate "und-x-icu") collate "default"
        where
          import_id = $3
          and line is not null
        union all
        select
          named.id
        from
          user_import_rows
          join users named on named.email_key = lower((cells ->> 'email') collate "und-x-icu") collate "default"
        where
          import_id = $4
          and line is not null
      )
      and not exists (
        select
        from
          provisioned_users p
        where
          p.user_id = u.id
          and p.removed_at is null
      )
      and not exists (
        select
        from
          effective_roles e
        where
          e.user_id = u.id
          and e.role_id = (
            select
              id
            from
              roles
            where
              name = 'admin'
          )
        offset
          0
      )
  ) as missing
where
  id = any ($5::int[]);

-- findBeingApplied
select
  i.id,
  i.created_by,
  u.username,
  i.invites,
  i.mails_invitations,
  i.deactivates_missing
from
  user_imports i
  join users u on u.id = i.created_by
where
  i.id = $1
  and i.state = 'applying';

-- findAccounts
with
  sent as materialized (
    select
      place,
      lower(("username") collate "und-x-icu") collate "default" as username_key,
      lower(("email") collate "und-x-icu") collate "default" as email_key
    from
      unnest($1::text[], $2::text[]) with ordinality as sent (username, email, place)
  )
select
  username_key,
  email_key,
  (
    select
      id
    from
      users as u
    where
      u.username_key = sent.username_key
  ) as named_id,
  (
    select
      id
    from
      users as u
    where
      u.email_key = sent.email_key
  ) as mailed_id
from
  sent
order by
  place;

-- findKnown
select
  id,
  kind,
  username,
  username_key,
  email,
  email_key,
  display_name_ar,
  display_name_en,
  preferred_language,
  is_active,
  email_vouched,
  is_proven,
  is_exception,
  (
    select
      coalesce(json_agg(json_build_object('groupId', group_id, 'isLasting', expires_at is null)), '[]')
    from
      (
        select
          0 as group_id,
          user_id,
          role_id,
          expires_at
        from
          user_roles
        union all
        select
          group_id,
          user_id,
          role_id,
          expires_at
        from
          group_users
          join group_roles using (group_id)
      ) as held
    where
      user_id = u.id
      and role_id = (
        select
          id
        from
          roles
        where
          name = 'admin'
      )
  ) as administers,
  (
    select
      s.name
    from
      provisioned_users p
      join provisioning_sources s on s.id = p.source_id
    where
      p.user_id = u.id
      and p.removed_at is null
  ) as source,
  exists (
    select
    from
      provisioned_users p
    where
      p.user_id = u.id
      and p.removed_at is null
      and p.switched_off
  ) as switched_off,
  array(
    select
      group_id
    from
      group_users
    where
      user_id = u.id
    order by
      group_id
  ) as group_ids,
  (
    select
      m.username
    from
      managers
      join users m on m.id = manager_id
    where
      managers.user_id = u.id
  ) as manager,
  exists (
    select
    from
      provisioned_users p
    where
      p.user_id = u.id
      and p.removed_at is null
      and exists (
        select
        from
          unnest(p.facets) as facet
        where
          facet like 'manager:%'
      )
  ) as is_manager_named
from
  users u
where
  id = any ($1::int[]);

-- findGroups
select
  g.id,
  g.name,
  g.is_system,
  g.description_ar,
  g.description_en,
  exists (
    select
    from
      group_roles r
    where
      r.group_id = g.id
      and r.role_id = (
        select
          id
        from
          roles
        where
          name = 'admin'
      )
  ) as gives_admin,
  coalesce(
    (
      select
        slug
      from
        sign_in_providers
      where
        id = g.managed_by_provider
    ),
    (
      select
        s.name
      from
        provisioned_groups p
        join provisioning_sources s on s.id = p.source_id
      where
        p.group_id = g.id
        and p.removed_at is null
    )
  ) as manager
from
  groups g
order by
  g.id;

-- issueLinks
select
  u.id,
  r.line,
  u.username,
  u.email
from
  users u
  join user_import_rows r on r.user_id = u.id
where
  r.import_id = $1
  and r.verdict = 'create'
  and r.is_settled
  and u.kind = 'person'
  and u.invitation = 'pending'
  and u.is_active
order by
  u.id
for no key update of
  u;
