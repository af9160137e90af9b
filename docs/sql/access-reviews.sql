-- openReview
with
  held as materialized (
    select
      *,
      coalesce(group_id, - role_id) as key
    from
      (
        select
          user_id,
          group_id,
          null::int as role_id,
          changed_at,
          expires_at
        from
          memberships
        where
          group_id = any ($1::int[])
          and (
            expires_at is null
            or expires_at > statement_timestamp()
          )
        union all
        select
          user_id,
          null,
          role_id,
          changed_at,
          expires_at
        from
          direct_roles
        where
          role_id = any ($2::int[])
          and (
            expires_at is null
            or expires_at > statement_timestamp()
          )
      ) as grants
  ),
  -- The last entry of the histories that gave each grant.
  entries as (
    select
      h.id,
      member as user_id,
      h.target_id as key,
      h.at,
      h.actor_id,
      h.actor_username
    from
      permission_history as h
      cross join unnest(h.added) as member
    where
      h.kind = 'group.users'
      and h.target_id = any ($3::int[])
    union all
    select
      h.id,
      h.target_id,
      - role,
      h.at,
      h.actor_id,
      h.actor_username
    from
      permission_history as h
      cross join unnest(h.added) as role
    where
      h.kind = 'user.roles'
      and role = any ($4::int[])
  ),
  given as materialized (
    select distinct
      on (user_id, key) user_id,
      key,
      at,
      actor_id,
      actor_username
    from
      entries
    order by
      user_id,
      key,
      entries.id desc
  ),
  -- The keys to each app that is not open to everyone.
  opened as materialized (
    select
      app_id,
      role_id,
      group_id
    from
      app_openings
  ),
  shown as (
    select
      app_id,
      key
    from
      (
        select
          app_id,
          - role_id as key
        from
          opened
        where
          role_id is not null
        union
        select
          app_id,
          group_id
        from
          opened
        where
          group_id is not null
        union
        select
          app_id,
          gr.group_id
        from
          opened
          join group_roles as gr using (role_id)
      ) as keyed
    where
      app_id not in (
        select
          app_id
        from
          opened
        where
          role_id is null
          and group_id is null
      )
  ),
  keyed_apps as (
    select
      app_id,
      array_agg(
        key
        order by
          key
      ) as keys
    from
      shown
    group by
      app_id
  ),
  classes as materialized (
    select
      row_number() over () as class,
      keys,
      array_agg(
        app_id
        order by
          app_id
      ) as app_ids
    from
      keyed_apps
    where
      keys && (
        $5::int[] || array(
          select
            - one
          from
            unnest($6::int[]) as one
        )
      )
    group by
      keys
  ),
  class_keys as materialized (
    select
      class,
      unnest(keys) as key
    from
      classes
  ),
  -- The classes that a person sees by one key only.
  holdings as (
    select
      user_id,
      key
    from
      (
        select
          user_id,
          group_id as key
        from
          group_users
        union all
        select
          user_id,
          - role_id
        from
          user_roles
      ) as every
    where
      user_id in (
        select
          user_id
        from
          held
      )
      and key in (
        select
          key
        from
          class_keys
      )
  ),
  single as materialized (
    select
      user_id,
      class,
      min(key) as key
    from
      holdings
      join class_keys using (key)
    group by
      user_id,
      class
    having
      count(*) = 1
  ),
  own_apps as (
    select
      user_id,
      key,
      array_agg(
        app_id
        order by
          app_id
      ) as app_ids
    from
      single
      join classes using (class)
      cross join unnest(app_ids) as app_id
    group by
      user_id,
      key
  ),
  class_apps as (
    select
      unnest(app_ids) as app_id,
      class
    from
      classes
  ),
  used as (
    select
      o.user_id,
      single.key,
      max(o.created_at) as at
    from
      app_opens as o
      join class_apps using (app_id)
      join single on single.user_id = o.user_id
      and single.class = class_apps.class
    group by
      o.user_id,
      single.key
  )
insert into
  access_review_items (
    review_id,
    user_id,
    username,
    name_ar,
    name_en,
    group_id,
    role_id,
    target_name,
    granted_at,
    expires_at,
    since,
    granted_by,
    granted_by_username,
    app_ids,
    last_used_at,
    decided_with
  )
select
  $7::int,
  u.id,
  u.username,
  coalesce(nullif(u.display_name_ar, ''), nullif(u.display_name_en, ''), u.username),
  coalesce(nullif(u.display_name_en, ''), nullif(u.display_name_ar, ''), u.username),
  held.group_id,
  held.role_id,
  coalesce(g.name, ro.name),
  held.changed_at,
  held.expires_at,
  given.at,
  given.actor_id,
  given.actor_username,
  coalesce(own_apps.app_ids, '{}'),
  used.at,
  -- A silent review that would take a grant of the role admin must be confirmed: see guardAdministration.
  case
    when $8::boolean
    and (
      select
        confirm_administration
      from
        sign_in_settings
    )
    and (
      ro.name = 'admin'
      or g.id in (
        select
          group_id
        from
          group_roles
        where
          role_id = (
            select
              id
            from
              roles
            where
              name = 'admin'
          )
      )
    ) then 'confirmation'
    else $9
  end
from
  held
  join users as u on u.id = held.user_id
  left join groups as g on g.id = held.group_id
  left join roles as ro on ro.id = held.role_id
  left join given on given.user_id = held.user_id
  and given.key = held.key
  left join own_apps on own_apps.user_id = held.user_id
  and own_apps.key = held.key
  left join used on used.user_id = held.user_id
  and used.key = held.key
order by
  u.username,
  u.id,
  held.key;

-- openReview
-- hasUnjudged
select
  exists (
    with
      judges as materialized (
        select
          scope,
          count(*) as count,
          min(user_id) as sole
        from
          access_reviewers ($1::int)
        group by
          scope
      )
    select
    from
      access_review_items as i
      join access_reviews as r on r.id = i.review_id
      left join judges on judges.scope = case
        when cardinality(r.reviewer_user_ids) > 0 then -1
        else coalesce(i.group_id, 0)
      end
    where
      i.review_id = $2::int
      and i.state = 'undecided'
      and (
        judges.scope is null
        or judges.count = 1
        and judges.sole = i.user_id
      )
  ) as has;

-- readReview, for an administrator
select
  r.id,
  r.title_ar,
  r.title_en,
  r.group_ids,
  r.role_ids,
  r.reviewer_user_ids,
  r.due_date,
  r.if_silent,
  case
    when r.status = 'open'
    and clock_timestamp() >= end_of_day (r.due_date) then 'closing'
    else r.status
  end as status,
  (
    select
      json_strip_nulls(
        json_build_object(
          'total',
          count(*),
          'keep',
          count(*) filter (
            where
              i.state = 'keep'
          ),
          'remove',
          count(*) filter (
            where
              i.state = 'remove'
          ),
          'undecided',
          count(*) filter (
            where
              i.state = 'undecided'
          ),
          'skipped',
          count(*) filter (
            where
              i.state = 'skipped'
          ),
          'done',
          case
            when case
              when r.status = 'open'
              and clock_timestamp() >= end_of_day (r.due_date) then 'closing'
              else r.status
            end = 'closing' then count(*) - (
              select
                count(*)
              from
                access_review_items as i
              where
                i.review_id = r.id
                and i.user_id <> $1
                and true
                and i.outcome is null
            )
          end
        )
      )
    from
      access_review_items as i
    where
      i.review_id = r.id
      and i.user_id <> $2
      and true
  ) as counts,
  (
    select
      coalesce(
        json_agg(
          json_build_object(
            'roleId',
            gr.role_id,
            'groupId',
            g.id,
            'name',
            g.name,
            'memberCount',
            (
              select
                count(*)
              from
                group_users
              where
                group_id = g.id
                and user_id <> all (
                  array(
                    select
                      id
                    from
                      users
                    where
                      kind = 'service'
                  )
                )
            )
          )
          order by
            gr.role_id,
            "g"."name" collate "en-x-icu",
            g.id
        ),
        '[]'
      )
    from
      group_roles as gr
      join groups as g on g.id = gr.group_id
    where
      gr.role_id = any (r.role_ids)
      and g.id <> all (r.group_ids)
  ) as uncovered,
  (
    select
      json_build_object(
        'id',
        r.created_by,
        'username',
        coalesce(u.username, r.created_by_username),
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
      left join users u on u.id = r.created_by
  ) as created_by,
  r.created_at,
  case
    when r.closed_by is not null then (
      select
        json_build_object(
          'id',
          r.closed_by,
          'username',
          coalesce(u.username, r.closed_by_username),
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
        left join users u on u.id = r.closed_by
    )
  end as closed_by,
  r.closed_at
from
  access_reviews as r
where
  r.id = $3
  and true;

-- readReview, for a reviewer
select
  r.id,
  r.title_ar,
  r.title_en,
  r.group_ids,
  r.role_ids,
  r.reviewer_user_ids,
  r.due_date,
  r.if_silent,
  case
    when r.status = 'open'
    and clock_timestamp() >= end_of_day (r.due_date) then 'closing'
    else r.status
  end as status,
  (
    select
      json_strip_nulls(
        json_build_object(
          'total',
          count(*),
          'keep',
          count(*) filter (
            where
              i.state = 'keep'
          ),
          'remove',
          count(*) filter (
            where
              i.state = 'remove'
          ),
          'undecided',
          count(*) filter (
            where
              i.state = 'undecided'
          ),
          'skipped',
          count(*) filter (
            where
              i.state = 'skipped'
          ),
          'done',
          case
            when case
              when r.status = 'open'
              and clock_timestamp() >= end_of_day (r.due_date) then 'closing'
              else r.status
            end = 'closing' then count(*) - (
              select
                count(*)
              from
                access_review_items as i
              where
                i.review_id = r.id
                and i.user_id <> $1
                and case
                  when cardinality(r.reviewer_user_ids) > 0 then -1
                  else coalesce(i.group_id, 0)
                end = any (own.scopes)
                and i.outcome is null
            )
          end
        )
      )
    from
      access_review_items as i
    where
      i.review_id = r.id
      and i.user_id <> $2
      and case
        when cardinality(r.reviewer_user_ids) > 0 then -1
        else coalesce(i.group_id, 0)
      end = any (own.scopes)
  ) as counts,
  (
    select
      coalesce(
        json_agg(
          json_build_object(
            'roleId',
            gr.role_id,
            'groupId',
            g.id,
            'name',
            g.name,
            'memberCount',
            (
              select
                count(*)
              from
                group_users
              where
                group_id = g.id
                and user_id <> all (
                  array(
                    select
                      id
                    from
                      users
                    where
                      kind = 'service'
                  )
                )
            )
          )
          order by
            gr.role_id,
            "g"."name" collate "ar-x-icu",
            g.id
        ),
        '[]'
      )
    from
      group_roles as gr
      join groups as g on g.id = gr.group_id
    where
      gr.role_id = any (r.role_ids)
      and g.id <> all (r.group_ids)
  ) as uncovered,
  (
    select
      json_build_object(
        'id',
        r.created_by,
        'username',
        coalesce(u.username, r.created_by_username),
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
      left join users u on u.id = r.created_by
  ) as created_by,
  r.created_at,
  case
    when r.closed_by is not null then (
      select
        json_build_object(
          'id',
          r.closed_by,
          'username',
          coalesce(u.username, r.closed_by_username),
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
        left join users u on u.id = r.closed_by
    )
  end as closed_by,
  r.closed_at
from
  access_reviews as r
  cross join lateral (
    select
      case
        when $3 = any (r.reviewer_user_ids) then array[-1]
        when cardinality(r.reviewer_user_ids) > 0 then '{}'
        else array(
          select
            one
          from
            unnest(r.group_ids) as one
          where
            one = any (
              (
                select
                  array(
                    select
                      group_id
                    from
                      request_policies
                    where
                      approves (group_id, $4)
                  )
              )::int[]
            )
        )
      end as scopes
    offset
      0
  ) as own
where
  r.id = $5
  and cardinality(own.scopes) > 0;

-- pageReviews
select
  r.id,
  r.title_ar,
  r.title_en,
  r.group_ids,
  r.role_ids,
  r.reviewer_user_ids,
  r.due_date,
  r.if_silent,
  case
    when r.status = 'open'
    and clock_timestamp() >= end_of_day (r.due_date) then 'closing'
    else r.status
  end as status,
  (
    select
      json_strip_nulls(
        json_build_object(
          'total',
          count(*),
          'keep',
          count(*) filter (
            where
              i.state = 'keep'
          ),
          'remove',
          count(*) filter (
            where
              i.state = 'remove'
          ),
          'undecided',
          count(*) filter (
            where
              i.state = 'undecided'
          ),
          'skipped',
          count(*) filter (
            where
              i.state = 'skipped'
          ),
          'done',
          case
            when case
              when r.status = 'open'
              and clock_timestamp() >= end_of_day (r.due_date) then 'closing'
              else r.status
            end = 'closing' then count(*) - (
              select
                count(*)
              from
                access_review_items as i
              where
                i.review_id = r.id
                and i.user_id <> $1
                and true
                and i.outcome is null
            )
          end
        )
      )
    from
      access_review_items as i
    where
      i.review_id = r.id
      and i.user_id <> $2
      and true
  ) as counts,
  (
    select
      coalesce(
        json_agg(
          json_build_object(
            'roleId',
            gr.role_id,
            'groupId',
            g.id,
            'name',
            g.name,
            'memberCount',
            (
              select
                count(*)
              from
                group_users
              where
                group_id = g.id
                and user_id <> all (
                  array(
                    select
                      id
                    from
                      users
                    where
                      kind = 'service'
                  )
                )
            )
          )
          order by
            gr.role_id,
            "g"."name" collate "en-x-icu",
            g.id
        ),
        '[]'
      )
    from
      group_roles as gr
      join groups as g on g.id = gr.group_id
    where
      gr.role_id = any (r.role_ids)
      and g.id <> all (r.group_ids)
  ) as uncovered,
  (
    select
      json_build_object(
        'id',
        r.created_by,
        'username',
        coalesce(u.username, r.created_by_username),
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
      left join users u on u.id = r.created_by
  ) as created_by,
  r.created_at,
  case
    when r.closed_by is not null then (
      select
        json_build_object(
          'id',
          r.closed_by,
          'username',
          coalesce(u.username, r.closed_by_username),
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
        left join users u on u.id = r.closed_by
    )
  end as closed_by,
  r.closed_at
from
  access_reviews as r
where
  true
  and case
    when r.status = 'open'
    and clock_timestamp() >= end_of_day (r.due_date) then 'closing'
    else r.status
  end = $3
order by
  r.id desc
limit
  $4
offset
  $5;

-- pageItems, for an administrator
select
  i.id,
  (
    select
      json_build_object(
        'id',
        i.user_id,
        'username',
        coalesce(u.username, i.username),
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
      left join users u on u.id = i.user_id
  ) as person,
  (
    select
      true
    from
      users
    where
      id = i.user_id
      and kind = 'service'
  ) as is_service_account,
  (
    select
      id
    from
      provisioning_sources
    where
      user_id = i.user_id
  ) as source_id,
  case
    when i.group_id is null then 'role'
    else 'group'
  end as kind,
  case
    when i.group_id is not null then json_build_object('id', i.group_id, 'name', coalesce(g.name, i.target_name), 'descriptionAr', g.description_ar, 'descriptionEn', g.description_en)
  end as "group",
  case
    when i.role_id is not null then json_build_object('id', i.role_id, 'name', coalesce(ro.name, i.target_name), 'descriptionAr', ro.description_ar, 'descriptionEn', ro.description_en)
  end as role,
  i.since,
  case
    when i.granted_by is not null then (
      select
        json_build_object(
          'id',
          i.granted_by,
          'username',
          coalesce(u.username, i.granted_by_username),
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
        left join users u on u.id = i.granted_by
    )
  end as granted_by,
  i.expires_at,
  used.at as last_used_at,
  (
    select
      max(l.at)
    from
      ledger as l
    where
      l.target_type = 'user'
      and l.target_id = i.user_id
      and l.kind = 'session.started'
  ) as last_sign_in_at,
  suggested.action as suggestion,
  i.verdict,
  i.note,
  case
    when i.reviewer_id is not null then (
      select
        json_build_object(
          'id',
          i.reviewer_id,
          'username',
          coalesce(u.username, i.reviewer_username),
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
        left join users u on u.id = i.reviewer_id
    )
  end as reviewer,
  i.judged_at as at,
  i.outcome,
  i.skip_reason
from
  access_review_items as i
  join access_reviews as r on r.id = i.review_id
  left join groups as g on g.id = i.group_id
  left join roles as ro on ro.id = i.role_id
  cross join lateral (
    select
      greatest(
        i.last_used_at,
        (
          select
            max(o.created_at)
          from
            app_opens as o
          where
            o.user_id = i.user_id
            and o.app_id = any (i.app_ids)
            and o.created_at > r.created_at
            and o.created_at <= coalesce(r.ended_at, now())
        )
      ) as at
  ) as used
  cross join lateral (
    select
      case
        when used.at >= coalesce(r.ended_at, now()) - interval '90 days' then 'keep'
        when cardinality(i.app_ids) > 0
        and i.since < coalesce(r.ended_at, now()) - interval '90 days' then 'remove'
      end as action
  ) as suggested
where
  i.id in (
    select
      i.id
    from
      access_review_items as i
    where
      i.review_id = $1
    order by
      i.name_en,
      i.user_id,
      i.id
    limit
      $2
    offset
      $3
  )
order by
  i.name_en,
  i.user_id,
  i.id;

-- pageItems, for a reviewer, with all filters
select
  i.id,
  (
    select
      json_build_object(
        'id',
        i.user_id,
        'username',
        coalesce(u.username, i.username),
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
      left join users u on u.id = i.user_id
  ) as person,
  (
    select
      true
    from
      users
    where
      id = i.user_id
      and kind = 'service'
  ) as is_service_account,
  (
    select
      id
    from
      provisioning_sources
    where
      user_id = i.user_id
  ) as source_id,
  case
    when i.group_id is null then 'role'
    else 'group'
  end as kind,
  case
    when i.group_id is not null then json_build_object('id', i.group_id, 'name', coalesce(g.name, i.target_name), 'descriptionAr', g.description_ar, 'descriptionEn', g.description_en)
  end as "group",
  case
    when i.role_id is not null then json_build_object('id', i.role_id, 'name', coalesce(ro.name, i.target_name), 'descriptionAr', ro.description_ar, 'descriptionEn', ro.description_en)
  end as role,
  i.since,
  case
    when i.granted_by is not null then (
      select
        json_build_object(
          'id',
          i.granted_by,
          'username',
          coalesce(u.username, i.granted_by_username),
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
        left join users u on u.id = i.granted_by
    )
  end as granted_by,
  i.expires_at,
  used.at as last_used_at,
  (
    select
      max(l.at)
    from
      ledger as l
    where
      l.target_type = 'user'
      and l.target_id = i.user_id
      and l.kind = 'session.started'
  ) as last_sign_in_at,
  suggested.action as suggestion,
  i.verdict,
  i.note,
  case
    when i.reviewer_id is not null then (
      select
        json_build_object(
          'id',
          i.reviewer_id,
          'username',
          coalesce(u.username, i.reviewer_username),
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
        left join users u on u.id = i.reviewer_id
    )
  end as reviewer,
  i.judged_at as at,
  i.outcome,
  i.skip_reason
from
  access_review_items as i
  join access_reviews as r on r.id = i.review_id
  left join groups as g on g.id = i.group_id
  left join roles as ro on ro.id = i.role_id
  cross join lateral (
    select
      greatest(
        i.last_used_at,
        (
          select
            max(o.created_at)
          from
            app_opens as o
          where
            o.user_id = i.user_id
            and o.app_id = any (i.app_ids)
            and o.created_at > r.created_at
            and o.created_at <= coalesce(r.ended_at, now())
        )
      ) as at
  ) as used
  cross join lateral (
    select
      case
        when used.at >= coalesce(r.ended_at, now()) - interval '90 days' then 'keep'
        when cardinality(i.app_ids) > 0
        and i.since < coalesce(r.ended_at, now()) - interval '90 days' then 'remove'
      end as action
  ) as suggested
where
  i.id in (
    select
      i.id
    from
      access_review_items as i
    where
      i.review_id = $1
      and i.user_id <> $2
      and i.group_id = any ($3::int[])
      and i.state = $4
      and i.group_id = $5
      and i.role_id = $6
      and i.user_id = $7
      and i.search like $8
    order by
      i.name_ar,
      i.user_id,
      i.id
    limit
      $9
    offset
      $10
  )
order by
  i.name_ar,
  i.user_id,
  i.id;

-- judgeItems, by an administrator
with
  given as materialized (
    select
      *
    from
      jsonb_to_recordset($1::jsonb) as given (id int, verdict text, note text)
  ),
  own as materialized (
    select
      i.id
    from
      access_review_items as i
    where
      i.review_id = $2
      and i.id in (
        select
          id
        from
          given
      )
      and i.user_id <> $3
    order by
      i.id
    for update
  ),
  written as (
    update access_review_items as i
    set
      verdict = given.verdict,
      note = given.note,
      decided_with = $4,
      reviewer_id = case
        when given.verdict is not null then $5::int
      end,
      reviewer_username = case
        when given.verdict is not null then $6
      end,
      judged_at = case
        when given.verdict is not null then clock_timestamp()
      end
    from
      own
      join given using (id)
    where
      i.id = own.id
      and (
        i.verdict is distinct from given.verdict
        or given.verdict is not null
        and (
          i.note is distinct from given.note
          or i.reviewer_id <> $7
        )
      )
    returning
      i.id
  )
select
  id,
  given.verdict,
  id in (
    select
      id
    from
      written
  ) as "isChanged"
from
  own
  join given using (id);

-- judgeItems, by a reviewer
with
  given as materialized (
    select
      *
    from
      jsonb_to_recordset($1::jsonb) as given (id int, verdict text, note text)
  ),
  own as materialized (
    select
      i.id
    from
      access_review_items as i
    where
      i.review_id = $2
      and i.id in (
        select
          id
        from
          given
      )
      and i.user_id <> $3
      and i.group_id = any ($4::int[])
    order by
      i.id
    for update
  ),
  written as (
    update access_review_items as i
    set
      verdict = given.verdict,
      note = given.note,
      decided_with = $5,
      reviewer_id = case
        when given.verdict is not null then $6::int
      end,
      reviewer_username = case
        when given.verdict is not null then $7
      end,
      judged_at = case
        when given.verdict is not null then clock_timestamp()
      end
    from
      own
      join given using (id)
    where
      i.id = own.id
      and (
        i.verdict is distinct from given.verdict
        or given.verdict is not null
        and (
          i.note is distinct from given.note
          or i.reviewer_id <> $8
        )
      )
    returning
      i.id
  )
select
  id,
  given.verdict,
  id in (
    select
      id
    from
      written
  ) as "isChanged"
from
  own
  join given using (id);

-- pageReportRows
select
  i.id,
  i.username as person,
  case
    when i.group_id is null then 'role'
    else 'group'
  end as kind,
  coalesce(g.name, ro.name, i.target_name) as name,
  i.since,
  i.granted_by_username as granted_by,
  used.at as last_used_at,
  suggested.action as suggestion,
  i.verdict,
  i.reviewer_username as reviewer,
  i.note,
  i.judged_at as decided_at,
  i.outcome,
  i.skip_reason
from
  (
    select
      *
    from
      access_review_items
    where
      review_id = $1
      and id > $2
    order by
      id
    limit
      $3
  ) as i
  join access_reviews as r on r.id = i.review_id
  left join groups as g on g.id = i.group_id
  left join roles as ro on ro.id = i.role_id
  cross join lateral (
    select
      greatest(
        i.last_used_at,
        (
          select
            max(o.created_at)
          from
            app_opens as o
          where
            o.user_id = i.user_id
            and o.app_id = any (i.app_ids)
            and o.created_at > r.created_at
            and o.created_at <= coalesce(r.ended_at, now())
        )
      ) as at
  ) as used
  cross join lateral (
    select
      case
        when used.at >= coalesce(r.ended_at, now()) - interval '90 days' then 'keep'
        when cardinality(i.app_ids) > 0
        and i.since < coalesce(r.ended_at, now()) - interval '90 days' then 'remove'
      end as action
  ) as suggested
order by
  i.id;

-- noteDue, by time
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
          id as subject_id,
          0 as object_id,
          'infinity'::timestamptz as deadline,
          0 as days,
          created_at + (end_of_day (due_date) - created_at) / 2 as due_at
        from
          access_reviews as r
        where
          r.status = 'open'
          and end_of_day (r.due_date) > now()
        union all
        select
          id,
          0,
          (due_date + 1)::timestamp at time zone 'UTC',
          1,
          end_of_day (due_date) - interval '1 day'
        from
          access_reviews as r
        where
          r.status = 'open'
          and end_of_day (r.due_date) > now()
          and created_at < end_of_day (due_date) - interval '1 day'
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

-- noteDue, of items without a reviewer
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
          id as subject_id,
          0 as object_id,
          'infinity'::timestamptz as deadline,
          0 as days,
          created_at as due_at
        from
          access_reviews as r
        where
          r.status = 'open'
          and end_of_day (r.due_date) > now()
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
  exists (
    with
      judges as materialized (
        select
          scope,
          count(*) as count,
          min(user_id) as sole
        from
          access_reviewers (subject_id)
        group by
          scope
      )
    select
    from
      access_review_items as i
      join access_reviews as r on r.id = i.review_id
      left join judges on judges.scope = case
        when cardinality(r.reviewer_user_ids) > 0 then -1
        else coalesce(i.group_id, 0)
      end
    where
      i.review_id = subject_id
      and i.state = 'undecided'
      and (
        judges.scope is null
        or judges.count = 1
        and judges.sole = i.user_id
      )
  )
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

-- previewClosing, of roles
-- previewClosing, of memberships
with
  fates as materialized (
    select
      id,
      user_id,
      case
        when group_id is null then 'role'
        else 'group'
      end as kind,
      coalesce(group_id, role_id) as target_id,
      gives_admin,
      case fate
        when 'not_confirmed' then 'remove'
        else fate
      end as fate
    from
      review_fates
    where
      review_id = $1
  )
select
  count(*) filter (
    where
      fate = 'keep'
  ) as keep_count,
  count(*) filter (
    where
      fate = 'remove'
  ) as remove_count,
  coalesce(
    json_agg(
      json_build_object('itemId', id, 'reason', fate)
      order by
        id
    ) filter (
      where
        fate not in ('keep', 'remove')
    ),
    '[]'
  ) as skipped,
  coalesce(
    json_agg(
      json_build_object('id', id, 'userId', user_id, 'kind', kind, 'targetId', target_id)
      order by
        id
    ) filter (
      where
        fate = 'remove'
        and gives_admin
    ),
    '[]'
  ) as administering
from
  fates;

-- previewClosing, of roles
-- previewClosing, of memberships
-- closeSome
with
  admin as (
    select
      id
    from
      roles
    where
      name = 'admin'
  ),
  administering as (
    select
      user_id,
      'role' as kind,
      role_id as target_id
    from
      direct_roles
    where
      expires_at is null
      and role_id = (
        select
          id
        from
          admin
      )
    union all
    select
      user_id,
      'group',
      group_id
    from
      memberships
    where
      expires_at is null
      and group_id in (
        select
          group_id
        from
          group_roles
        where
          role_id = (
            select
              id
            from
              admin
          )
      )
  )
select
  user_id,
  administering.kind,
  target_id,
  user_id in (
    select
      user_id
    from
      ready_exceptions
  )
  and (
    select
      passwords
    from
      sign_in_settings
  ) = 'exceptions' as breaks_glass
from
  administering
  join users on users.id = user_id
where
  is_active
  and users.kind = 'person';

-- previewClosing, of roles
select
  o.id as order_id,
  json_build_object('id', services.id, 'nameAr', services.name_ar, 'nameEn', services.name_en) as service,
  json_build_object(
    'id',
    assignee.id,
    'username',
    assignee.username,
    'displayNameAr',
    assignee.display_name_ar,
    'displayNameEn',
    assignee.display_name_en,
    'avatarUrl',
    assignee.avatar_url
  ) as user,
  count(*) over () as count
from
  orders as o
  join services on services.id = o.service_id
  join users as assignee on assignee.id = o.assigned_to
  left join service_handlings as handling on handling.service_id = o.service_id
where
  o.status in ('received', 'preparing')
  and (
    o.assigned_to not in (
      select
        held.user_id
      from
        planned.held_roles as held
        join role_permissions using (role_id)
        join permissions on permissions.id = permission_id
      where
        permissions.name = $1
        and held.user_id = any ($2::int[])
    )
    or false
  )
  and (
    o.user_id <> all ($3::int[])
    or exists (
      select
      from
        order_details
        join users on users.id = beneficiary_id
      where
        order_id = "o"."id"
        and users.id <> all ($4::int[])
    )
  )
  and o.assigned_to = any ($5::int[])
order by
  o.id
limit
  $6;

-- previewClosing, of memberships
select
  o.id as order_id,
  json_build_object('id', services.id, 'nameAr', services.name_ar, 'nameEn', services.name_en) as service,
  json_build_object(
    'id',
    assignee.id,
    'username',
    assignee.username,
    'displayNameAr',
    assignee.display_name_ar,
    'displayNameEn',
    assignee.display_name_en,
    'avatarUrl',
    assignee.avatar_url
  ) as user,
  count(*) over () as count
from
  orders as o
  join services on services.id = o.service_id
  join users as assignee on assignee.id = o.assigned_to
  left join service_handlings as handling on handling.service_id = o.service_id
where
  o.status in ('received', 'preparing')
  and (
    o.assigned_to not in (
      select
        held.user_id
      from
        planned.held_roles as held
        join role_permissions using (role_id)
        join permissions on permissions.id = permission_id
      where
        permissions.name = $1
        and held.user_id = any ($2::int[])
    )
    or coalesce(o.team_id, handling.team_id) is not null
    and not exists (
      select
      from
        service_teams as team,
        (
          select
            user_id,
            group_id
          from
            group_users
          where
            user_id = o.assigned_to
            and (user_id, group_id) not in (
              select
                unnest($3::int[]),
                unnest($4::int[])
            )
          union all
          select
            unnest($5::int[]),
            unnest($6::int[])
        ) as kept (user_id, group_id)
      where
        team.id = coalesce(o.team_id, handling.team_id)
        and kept.user_id = o.assigned_to
        and kept.group_id = any (team.group_ids)
    )
  )
  and (
    o.user_id <> all ($7::int[])
    or exists (
      select
      from
        order_details
        join users on users.id = beneficiary_id
      where
        order_id = "o"."id"
        and users.id <> all ($8::int[])
    )
  )
  and o.assigned_to = any ($9::int[])
order by
  o.id
limit
  $10;

-- beginClosing
with
  begun as (
    update access_reviews
    set
      status = 'closing',
      ended_at = clock_timestamp(),
      closed_by = $1::int,
      closed_by_username = $2::text
    where
      id = $3
      and status = 'open'
      and clock_timestamp() >= end_of_day (due_date)
    returning
      id,
      title_ar,
      title_en
  ),
  -- Only items of administrators can lack a reviewer.
  unjudged as (
    update access_review_items
    set
      is_unjudged = true
    where
      id in (
        select
          id
        from
          review_fates
        where
          review_id = (
            select
              id
            from
              begun
          )
          and user_id = any (
            (
              select
                active_in_roles (array['admin'])
            )::int[]
          )
          and fate = 'no_reviewer'
      )
  )
select
  title_ar,
  title_en
from
  begun;

-- keepSome
update access_review_items
set
  outcome = 'kept'
where
  id in (
    select
      i.id
    from
      access_review_items as i
      join access_reviews as r on r.id = i.review_id
    where
      i.review_id = $1
      and i.outcome is null
      and (
        i.verdict = 'keep'
        or i.verdict is null
        and r.if_silent = 'keep'
      )
    order by
      i.id
    limit
      $2
    for update of
      i
  )
returning
  id;

-- closeSome
with
  gone as (
    delete from direct_roles
    where
      (user_id, role_id) in (
        select
          *
        from
          unnest($1::int[], $2::int[])
      )
    returning
      user_id,
      role_id,
      expires_at
  )
select
  user_id,
  role_id as id,
  expires_at,
  name
from
  gone
  join roles on roles.id = role_id
order by
  user_id,
  role_id;
