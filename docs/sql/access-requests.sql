-- readRequest
with
  page as materialized (
    select
      *
    from
      access_requests
    where
      id = $1
      and (
        $2 = any (
          (
            select
              active_in_roles (array['admin'])
          )::int[]
        )
        or reads_access_request ($3, $4)
      )
  ),
  deciding as materialized (
    select
      group_id,
      first_deciders (
        group_id,
        (
          select
            active_in_roles (array['admin'])
        )::int[]
      ) as ids
    from
      (
        select distinct
          group_id
        from
          page as r
        where
          r.status = 'pending'
          and r.created_at > statement_timestamp() - interval '336 hours'
      ) as asked
  )
select
  r.id,
  r.group_id,
  coalesce(
    (
      select
        name
      from
        groups
      where
        groups.id = r.group_id
    ),
    (
      select
        name
      from
        former_groups
      where
        former_groups.group_id = r.group_id
    )
  ) as group_name,
  groups.description_ar as group_description_ar,
  groups.description_en as group_description_en,
  r.requester_id,
  (
    select
      json_build_object(
        'id',
        r.requester_id,
        'username',
        coalesce(u.username, r.requester_username),
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
      left join users u on u.id = r.requester_id
  ) as requester,
  r.reason,
  r.days,
  case
    when is_overdue then 'lapsed'
    else r.status
  end as status,
  case
    when is_overdue then 'undecided'
    else r.lapse_reason
  end as lapse_reason,
  (
    select
      coalesce(
        json_agg(
          json_build_object(
            'approver',
            (
              select
                json_build_object(
                  'id',
                  a.approver_id,
                  'username',
                  coalesce(u.username, a.approver_username),
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
                left join users u on u.id = a.approver_id
            ),
            'note',
            a.note,
            'days',
            a.days,
            'at',
            to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
          )
          order by
            a.at,
            a.approver_id
        ),
        '[]'
      )
    from
      access_approvals as a
    where
      a.request_id = r.id
  ) as approvals,
  case
    when deciding.group_id is not null
    and not is_overdue
    and r.status = 'pending' then greatest(1, least(policy.min_approvals, cardinality(array_remove(deciding.ids, r.requester_id))))
    else r.needed_approvals
  end as needed_approvals,
  case
    when r.decided_by is not null then (
      select
        json_build_object(
          'id',
          r.decided_by,
          'username',
          coalesce(u.username, r.decided_by_username),
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
        left join users u on u.id = r.decided_by
    )
  end as decided_by,
  r.decision_note,
  case
    when is_overdue then r.created_at + interval '336 hours'
    else r.decided_at
  end as decided_at,
  r.grant_ends_at,
  r.created_at,
  case
    when is_overdue then r.created_at + interval '336 hours'
    else r.updated_at
  end as updated_at,
  r.requester_id <> $5
  and (
    approves (r.group_id, $6)
    or $7 = any (
      (
        select
          active_in_roles (array['admin'])
      )::int[]
    )
  ) as is_decider
from
  page as r
  cross join lateral (
    select
      r.status = 'pending'
      and r.created_at <= statement_timestamp() - interval '336 hours' as is_overdue
  ) as now
  left join request_policies as policy on policy.group_id = r.group_id
  left join deciding on deciding.group_id = r.group_id
  left join groups on groups.id = r.group_id;

-- pageRequests, one’s own
with
  page as materialized (
    select
      r.*
    from
      access_requests as r
    where
      r.requester_id = $1
    order by
      r.id desc
    limit
      $2
    offset
      $3
  ),
  deciding as materialized (
    select
      group_id,
      first_deciders (
        group_id,
        (
          select
            active_in_roles (array['admin'])
        )::int[]
      ) as ids
    from
      (
        select distinct
          group_id
        from
          page as r
        where
          r.status = 'pending'
          and r.created_at > statement_timestamp() - interval '336 hours'
      ) as asked
  )
select
  r.id,
  r.group_id,
  coalesce(
    (
      select
        name
      from
        groups
      where
        groups.id = r.group_id
    ),
    (
      select
        name
      from
        former_groups
      where
        former_groups.group_id = r.group_id
    )
  ) as group_name,
  groups.description_ar as group_description_ar,
  groups.description_en as group_description_en,
  r.requester_id,
  (
    select
      json_build_object(
        'id',
        r.requester_id,
        'username',
        coalesce(u.username, r.requester_username),
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
      left join users u on u.id = r.requester_id
  ) as requester,
  r.reason,
  r.days,
  case
    when is_overdue then 'lapsed'
    else r.status
  end as status,
  case
    when is_overdue then 'undecided'
    else r.lapse_reason
  end as lapse_reason,
  (
    select
      coalesce(
        json_agg(
          json_build_object(
            'approver',
            (
              select
                json_build_object(
                  'id',
                  a.approver_id,
                  'username',
                  coalesce(u.username, a.approver_username),
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
                left join users u on u.id = a.approver_id
            ),
            'note',
            a.note,
            'days',
            a.days,
            'at',
            to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
          )
          order by
            a.at,
            a.approver_id
        ),
        '[]'
      )
    from
      access_approvals as a
    where
      a.request_id = r.id
  ) as approvals,
  case
    when deciding.group_id is not null
    and not is_overdue
    and r.status = 'pending' then greatest(1, least(policy.min_approvals, cardinality(array_remove(deciding.ids, r.requester_id))))
    else r.needed_approvals
  end as needed_approvals,
  case
    when r.decided_by is not null then (
      select
        json_build_object(
          'id',
          r.decided_by,
          'username',
          coalesce(u.username, r.decided_by_username),
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
        left join users u on u.id = r.decided_by
    )
  end as decided_by,
  r.decision_note,
  case
    when is_overdue then r.created_at + interval '336 hours'
    else r.decided_at
  end as decided_at,
  r.grant_ends_at,
  r.created_at,
  case
    when is_overdue then r.created_at + interval '336 hours'
    else r.updated_at
  end as updated_at,
  r.requester_id <> $4
  and (
    approves (r.group_id, $5)
    or $6 = any (
      (
        select
          active_in_roles (array['admin'])
      )::int[]
    )
  ) as is_decider
from
  page as r
  cross join lateral (
    select
      r.status = 'pending'
      and r.created_at <= statement_timestamp() - interval '336 hours' as is_overdue
  ) as now
  left join request_policies as policy on policy.group_id = r.group_id
  left join deciding on deciding.group_id = r.group_id
  left join groups on groups.id = r.group_id
order by
  r.id desc;

-- pageRequests, those that wait
with
  short as materialized (
    select
      policy.group_id,
      policy.min_approvals - cardinality(first_deciders (policy.group_id, '{}')) as lacking
    from
      (
        select distinct
          group_id
        from
          access_requests as r
        where
          r.status = 'pending'
          and r.created_at > statement_timestamp() - interval '336 hours'
      ) as asked
      join request_policies as policy using (group_id)
    where
      $1 = any (
        (
          select
            active_in_roles (array['admin'])
        )::int[]
      )
  )
select
  count(*)
from
  access_requests as r
where
  r.status = 'pending'
  and r.created_at > statement_timestamp() - interval '336 hours'
  and r.requester_id <> $2
  and (
    r.group_id in (
      select
        policy.group_id
      from
        request_policies as policy
      where
        $3 = any (policy.approver_user_ids)
        or policy.approver_group_ids && array(
          select
            group_id
          from
            group_users
          where
            user_id = $4
        )
    )
    or r.group_id in (
      select
        group_id
      from
        short
      where
        lacking > 0
    )
    or r.group_id in (
      select
        group_id
      from
        short
      where
        lacking = 0
    )
    and approves (r.group_id, r.requester_id)
  )
  and r.status = 'pending'
  and r.created_at > statement_timestamp() - interval '336 hours';

-- pageRequests, those that wait
with
  page as materialized (
    with
      short as materialized (
        select
          policy.group_id,
          policy.min_approvals - cardinality(first_deciders (policy.group_id, '{}')) as lacking
        from
          (
            select distinct
              group_id
            from
              access_requests as r
            where
              r.status = 'pending'
              and r.created_at > statement_timestamp() - interval '336 hours'
          ) as asked
          join request_policies as policy using (group_id)
        where
          $1 = any (
            (
              select
                active_in_roles (array['admin'])
            )::int[]
          )
      )
    select
      r.*
    from
      access_requests as r
    where
      r.status = 'pending'
      and r.created_at > statement_timestamp() - interval '336 hours'
      and r.requester_id <> $2
      and (
        r.group_id in (
          select
            policy.group_id
          from
            request_policies as policy
          where
            $3 = any (policy.approver_user_ids)
            or policy.approver_group_ids && array(
              select
                group_id
              from
                group_users
              where
                user_id = $4
            )
        )
        or r.group_id in (
          select
            group_id
          from
            short
          where
            lacking > 0
        )
        or r.group_id in (
          select
            group_id
          from
            short
          where
            lacking = 0
        )
        and approves (r.group_id, r.requester_id)
      )
      and r.status = 'pending'
      and r.created_at > statement_timestamp() - interval '336 hours'
    order by
      r.id
    limit
      $5
    offset
      $6
  ),
  deciding as materialized (
    select
      group_id,
      first_deciders (
        group_id,
        (
          select
            active_in_roles (array['admin'])
        )::int[]
      ) as ids
    from
      (
        select distinct
          group_id
        from
          page as r
        where
          r.status = 'pending'
          and r.created_at > statement_timestamp() - interval '336 hours'
      ) as asked
  )
select
  r.id,
  r.group_id,
  coalesce(
    (
      select
        name
      from
        groups
      where
        groups.id = r.group_id
    ),
    (
      select
        name
      from
        former_groups
      where
        former_groups.group_id = r.group_id
    )
  ) as group_name,
  groups.description_ar as group_description_ar,
  groups.description_en as group_description_en,
  r.requester_id,
  (
    select
      json_build_object(
        'id',
        r.requester_id,
        'username',
        coalesce(u.username, r.requester_username),
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
      left join users u on u.id = r.requester_id
  ) as requester,
  r.reason,
  r.days,
  case
    when is_overdue then 'lapsed'
    else r.status
  end as status,
  case
    when is_overdue then 'undecided'
    else r.lapse_reason
  end as lapse_reason,
  (
    select
      coalesce(
        json_agg(
          json_build_object(
            'approver',
            (
              select
                json_build_object(
                  'id',
                  a.approver_id,
                  'username',
                  coalesce(u.username, a.approver_username),
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
                left join users u on u.id = a.approver_id
            ),
            'note',
            a.note,
            'days',
            a.days,
            'at',
            to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
          )
          order by
            a.at,
            a.approver_id
        ),
        '[]'
      )
    from
      access_approvals as a
    where
      a.request_id = r.id
  ) as approvals,
  case
    when deciding.group_id is not null
    and not is_overdue
    and r.status = 'pending' then greatest(1, least(policy.min_approvals, cardinality(array_remove(deciding.ids, r.requester_id))))
    else r.needed_approvals
  end as needed_approvals,
  case
    when r.decided_by is not null then (
      select
        json_build_object(
          'id',
          r.decided_by,
          'username',
          coalesce(u.username, r.decided_by_username),
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
        left join users u on u.id = r.decided_by
    )
  end as decided_by,
  r.decision_note,
  case
    when is_overdue then r.created_at + interval '336 hours'
    else r.decided_at
  end as decided_at,
  r.grant_ends_at,
  r.created_at,
  case
    when is_overdue then r.created_at + interval '336 hours'
    else r.updated_at
  end as updated_at,
  r.requester_id <> $7
  and (
    approves (r.group_id, $8)
    or $9 = any (
      (
        select
          active_in_roles (array['admin'])
      )::int[]
    )
  ) as is_decider
from
  page as r
  cross join lateral (
    select
      r.status = 'pending'
      and r.created_at <= statement_timestamp() - interval '336 hours' as is_overdue
  ) as now
  left join request_policies as policy on policy.group_id = r.group_id
  left join deciding on deciding.group_id = r.group_id
  left join groups on groups.id = r.group_id
order by
  r.id;

-- pageRequests, all, with all filters
with
  page as materialized (
    select
      r.*
    from
      access_requests as r
    where
      true
      and (
        r.status = 'lapsed'
        or r.status = 'pending'
        and r.created_at <= statement_timestamp() - interval '336 hours'
      )
      and r.group_id = $1
      and r.requester_id = $2
    order by
      r.id desc
    limit
      $3
    offset
      $4
  ),
  deciding as materialized (
    select
      group_id,
      first_deciders (
        group_id,
        (
          select
            active_in_roles (array['admin'])
        )::int[]
      ) as ids
    from
      (
        select distinct
          group_id
        from
          page as r
        where
          r.status = 'pending'
          and r.created_at > statement_timestamp() - interval '336 hours'
      ) as asked
  )
select
  r.id,
  r.group_id,
  coalesce(
    (
      select
        name
      from
        groups
      where
        groups.id = r.group_id
    ),
    (
      select
        name
      from
        former_groups
      where
        former_groups.group_id = r.group_id
    )
  ) as group_name,
  groups.description_ar as group_description_ar,
  groups.description_en as group_description_en,
  r.requester_id,
  (
    select
      json_build_object(
        'id',
        r.requester_id,
        'username',
        coalesce(u.username, r.requester_username),
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
      left join users u on u.id = r.requester_id
  ) as requester,
  r.reason,
  r.days,
  case
    when is_overdue then 'lapsed'
    else r.status
  end as status,
  case
    when is_overdue then 'undecided'
    else r.lapse_reason
  end as lapse_reason,
  (
    select
      coalesce(
        json_agg(
          json_build_object(
            'approver',
            (
              select
                json_build_object(
                  'id',
                  a.approver_id,
                  'username',
                  coalesce(u.username, a.approver_username),
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
                left join users u on u.id = a.approver_id
            ),
            'note',
            a.note,
            'days',
            a.days,
            'at',
            to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
          )
          order by
            a.at,
            a.approver_id
        ),
        '[]'
      )
    from
      access_approvals as a
    where
      a.request_id = r.id
  ) as approvals,
  case
    when deciding.group_id is not null
    and not is_overdue
    and r.status = 'pending' then greatest(1, least(policy.min_approvals, cardinality(array_remove(deciding.ids, r.requester_id))))
    else r.needed_approvals
  end as needed_approvals,
  case
    when r.decided_by is not null then (
      select
        json_build_object(
          'id',
          r.decided_by,
          'username',
          coalesce(u.username, r.decided_by_username),
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
        left join users u on u.id = r.decided_by
    )
  end as decided_by,
  r.decision_note,
  case
    when is_overdue then r.created_at + interval '336 hours'
    else r.decided_at
  end as decided_at,
  r.grant_ends_at,
  r.created_at,
  case
    when is_overdue then r.created_at + interval '336 hours'
    else r.updated_at
  end as updated_at,
  r.requester_id <> $5
  and (
    approves (r.group_id, $6)
    or $7 = any (
      (
        select
          active_in_roles (array['admin'])
      )::int[]
    )
  ) as is_decider
from
  page as r
  cross join lateral (
    select
      r.status = 'pending'
      and r.created_at <= statement_timestamp() - interval '336 hours' as is_overdue
  ) as now
  left join request_policies as policy on policy.group_id = r.group_id
  left join deciding on deciding.group_id = r.group_id
  left join groups on groups.id = r.group_id
order by
  r.id desc;

-- findAskable
select
  groups.name,
  policy.min_approvals,
  policy.max_days,
  policy.reason_required,
  exists (
    select
    from
      group_users as own
    where
      own.group_id = groups.id
      and own.user_id = $1
      and own.expires_at is null
  ) as is_member,
  (
    select
      id
    from
      access_requests as r
    where
      r.requester_id = $2
      and r.group_id = groups.id
      and r.status = 'pending'
      and r.created_at > statement_timestamp() - interval '336 hours'
    limit
      1
  ) as request_id,
  count_deciders (
    groups.id,
    $3,
    (
      select
        active_in_roles (array['admin'])
    )::int[]
  ) as deciders,
  array(
    select
      id
    from
      approvers_of (groups.id, $4)
    order by
      place,
      id
    limit
      $5
  ) as approvers,
  (
    select
      count(*)
    from
      access_requests as r
    where
      r.requester_id = $6
      and r.status = 'pending'
      and r.created_at > statement_timestamp() - interval '336 hours'
  ) as pending,
  (
    select
      count(*)
    from
      access_requests as r
    where
      r.requester_id = $7
      and r.group_id = groups.id
      and r.created_at > statement_timestamp() - interval '24 hours'
  ) as recent
from
  groups
  join request_policies as policy on policy.group_id = groups.id
where
  groups.id = $8
  and (
    policy.requestable
    and (
      policy.asker_group_ids = '{}'
      or exists (
        select
        from
          group_users
        where
          user_id = $9
          and group_id = any (policy.asker_group_ids)
      )
    )
  );

-- readGains
select
  (
    select
      coalesce(
        json_agg(
          json_build_object('id', id, 'name', name, 'descriptionAr', description_ar, 'descriptionEn', description_en)
          order by
            "name" collate "ar-x-icu",
            id
        ),
        '[]'
      )
    from
      "roles"
    where
      id in (
        select
          role_id
        from
          planned.held_roles
        where
          user_id = $1
        except
        select
          role_id
        from
          held_roles
        where
          user_id = $2
      )
  ) as roles,
  (
    select
      coalesce(
        json_agg(
          json_build_object('id', id, 'name', name, 'descriptionAr', description_ar, 'descriptionEn', description_en)
          order by
            "name" collate "ar-x-icu",
            id
        ),
        '[]'
      )
    from
      "permissions"
    where
      id in (
        select
          permission_id
        from
          planned.held_roles
          join role_permissions using (role_id)
        where
          user_id = $3
        except
        select
          permission_id
        from
          held_roles
          join role_permissions using (role_id)
        where
          user_id = $4
      )
  ) as permissions,
  (
    select
      coalesce(
        json_agg(
          json_build_object('id', apps.id, 'nameAr', apps.name_ar, 'nameEn', apps.name_en, 'iconName', apps.icon_name, 'imageUrl', apps.image_url, 'color', apps.color)
          order by
            apps.sort_order,
            apps.id
        ),
        '[]'
      )
    from
      apps
    where
      apps.id in (
        select
          app_id
        from
          planned.access_reasons
        where
          user_id = $5
        except
        select
          app_id
        from
          access_reasons
        where
          user_id = $6
      )
  ) as apps,
  (
    select
      count(*)
    from
      group_users
    where
      group_id = $7
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
  ) as member_count;

-- pageOffers, without a filter
with
  keys as materialized (
    select
      app_id,
      role_id,
      group_id
    from
      app_openings
  ),
  joined as materialized (
    select
      group_id,
      expires_at
    from
      group_users
    where
      user_id = $1
  ),
  seen as materialized (
    select distinct
      app_id
    from
      access_reasons
    where
      user_id = $2
  ),
  offered as materialized (
    select
      group_id,
      name,
      description_ar,
      description_en,
      note_ar,
      note_en,
      max_days,
      reason_required,
      groups.search || E'' || policy.search as search
    from
      request_policies as policy
      join groups on groups.id = group_id
    where
      (
        policy.requestable
        and (
          policy.asker_group_ids = '{}'
          or exists (
            select
            from
              group_users
            where
              user_id = $3
              and group_id = any (policy.asker_group_ids)
          )
        )
      )
  ),
  given as materialized (
    select
      offered.group_id,
      app_id
    from
      offered
      join keys using (group_id)
    union
    select
      offered.group_id,
      app_id
    from
      offered
      join group_roles using (group_id)
      join keys using (role_id)
  ),
  found as materialized (
    select
      *
    from
      offered
    where
      true
      and true
      and true
  ),
  page as materialized (
    select
      *
    from
      found
    order by
      "name" collate "ar-x-icu",
      group_id
    limit
      $4
    offset
      $5
  )
select
  (
    select
      count(*)
    from
      found
  ) as count,
  page.group_id,
  page.name,
  description_ar,
  description_en,
  note_ar,
  note_en,
  (
    select
      coalesce(
        json_agg(
          json_build_object('id', apps.id, 'nameAr', apps.name_ar, 'nameEn', apps.name_en, 'iconName', apps.icon_name, 'imageUrl', apps.image_url, 'color', apps.color)
          order by
            apps.sort_order,
            apps.id
        ),
        '[]'
      )
    from
      apps
    where
      apps.id in (
        select
          app_id
        from
          given
        where
          given.group_id = page.group_id
        except
        select
          app_id
        from
          seen
      )
  ) as apps,
  max_days,
  reason_required,
  case
    when pending.id is not null then 'pending'
    when joined.group_id is not null then 'member'
    else 'open'
  end as state,
  pending.id as request_id,
  joined.expires_at as member_until
from
  (
    select
  ) as one
  left join page on true
  left join joined using (group_id)
  left join lateral (
    select
      id
    from
      access_requests as r
    where
      r.requester_id = $6
      and r.group_id = page.group_id
      and r.status = 'pending'
      and r.created_at > statement_timestamp() - interval '336 hours'
    limit
      1
  ) as pending on true
order by
  "page"."name" collate "ar-x-icu",
  page.group_id;

-- pageOffers, with all filters
with
  keys as materialized (
    select
      app_id,
      role_id,
      group_id
    from
      app_openings
  ),
  joined as materialized (
    select
      group_id,
      expires_at
    from
      group_users
    where
      user_id = $1
  ),
  seen as materialized (
    select distinct
      app_id
    from
      access_reasons
    where
      user_id = $2
  ),
  offered as materialized (
    select
      group_id,
      name,
      description_ar,
      description_en,
      note_ar,
      note_en,
      max_days,
      reason_required,
      groups.search || E'' || policy.search as search
    from
      request_policies as policy
      join groups on groups.id = group_id
    where
      (
        policy.requestable
        and (
          policy.asker_group_ids = '{}'
          or exists (
            select
            from
              group_users
            where
              user_id = $3
              and group_id = any (policy.asker_group_ids)
          )
        )
      )
  ),
  given as materialized (
    select
      offered.group_id,
      app_id
    from
      offered
      join keys using (group_id)
    union
    select
      offered.group_id,
      app_id
    from
      offered
      join group_roles using (group_id)
      join keys using (role_id)
  ),
  found as materialized (
    select
      *
    from
      offered
    where
      (
        offered.search like $4
        or exists (
          select
          from
            given
            join apps on apps.id = given.app_id
          where
            given.group_id = offered.group_id
            and portal_fold (apps.name_ar || E'' || apps.name_en) like $5
        )
      )
      and (
        offered.group_id in (
          select
            group_id
          from
            given
          where
            app_id = $6
        )
        and $7 not in (
          select
            app_id
          from
            seen
        )
      )
      and (
        offered.group_id in (
          select
            group_id
          from
            given
          where
            app_id = (
              select
                id
              from
                apps
              where
                slug = $8
            )
        )
        and (
          select
            id
          from
            apps
          where
            slug = $9
        ) not in (
          select
            app_id
          from
            seen
        )
      )
  ),
  page as materialized (
    select
      *
    from
      found
    order by
      "name" collate "en-x-icu",
      group_id
    limit
      $10
    offset
      $11
  )
select
  (
    select
      count(*)
    from
      found
  ) as count,
  page.group_id,
  page.name,
  description_ar,
  description_en,
  note_ar,
  note_en,
  (
    select
      coalesce(
        json_agg(
          json_build_object('id', apps.id, 'nameAr', apps.name_ar, 'nameEn', apps.name_en, 'iconName', apps.icon_name, 'imageUrl', apps.image_url, 'color', apps.color)
          order by
            apps.sort_order,
            apps.id
        ),
        '[]'
      )
    from
      apps
    where
      apps.id in (
        select
          app_id
        from
          given
        where
          given.group_id = page.group_id
        except
        select
          app_id
        from
          seen
      )
  ) as apps,
  max_days,
  reason_required,
  case
    when pending.id is not null then 'pending'
    when joined.group_id is not null then 'member'
    else 'open'
  end as state,
  pending.id as request_id,
  joined.expires_at as member_until
from
  (
    select
  ) as one
  left join page on true
  left join joined using (group_id)
  left join lateral (
    select
      id
    from
      access_requests as r
    where
      r.requester_id = $12
      and r.group_id = page.group_id
      and r.status = 'pending'
      and r.created_at > statement_timestamp() - interval '336 hours'
    limit
      1
  ) as pending on true
order by
  "page"."name" collate "en-x-icu",
  page.group_id;

-- listOwnGrants
with
  keys as materialized (
    select
      app_id,
      role_id,
      group_id
    from
      app_openings
  ),
  joined as materialized (
    select
      group_id,
      expires_at
    from
      group_users
    where
      user_id = $1
  ),
  seen as materialized (
    select distinct
      app_id
    from
      access_reasons
    where
      user_id = $2
  ),
  own as materialized (
    select
      'group' as kind,
      groups.id,
      groups.name,
      description_ar,
      description_en,
      expires_at,
      coalesce(policy.requestable, false) as can_give_back
    from
      joined
      join groups on groups.id = joined.group_id
      left join request_policies as policy on policy.group_id = groups.id
    union all
    select
      'role',
      roles.id,
      roles.name,
      description_ar,
      description_en,
      expires_at,
      false
    from
      user_roles
      join roles on roles.id = role_id
    where
      user_id = $3
  )
select
  own.kind,
  own.id,
  own.name,
  own.description_ar,
  own.description_en,
  given.at as since,
  own.expires_at,
  asked.id as request_id,
  own.can_give_back,
  (
    select
      coalesce(
        json_agg(
          json_build_object('id', apps.id, 'nameAr', apps.name_ar, 'nameEn', apps.name_en, 'iconName', apps.icon_name, 'imageUrl', apps.image_url, 'color', apps.color)
          order by
            apps.sort_order,
            apps.id
        ),
        '[]'
      )
    from
      apps
    where
      apps.id in (
        select
          app_id
        from
          keys
        where
          own.kind = 'role'
          and keys.role_id = own.id
        union
        select
          app_id
        from
          keys
        where
          own.kind = 'group'
          and keys.group_id = own.id
        union
        select
          app_id
        from
          group_roles
          join keys using (role_id)
        where
          own.kind = 'group'
          and group_roles.group_id = own.id
      )
  ) as apps
from
  own
  left join lateral (
    select
      id,
      at
    from
      permission_history as past
    where
      past.kind = 'user.' || own.kind || 's'
      and past.target_id = $4
      and own.id = any (past.added)
    order by
      id desc
    limit
      1
  ) as given on true
  left join lateral (
    select
      r.id
    from
      access_requests as r
    where
      own.kind = 'group'
      and r.requester_id = $5
      and r.group_id = own.id
      and r.status = 'approved'
      and exists (
        select
        from
          permission_history as past
        where
          past.kind = 'user.groups'
          and past.target_id = $6
          and past.at = r.decided_at
          and past.id >= given.id
      )
    order by
      r.decided_at desc
    limit
      1
  ) as asked on true
order by
  own.expires_at nulls last,
  "own"."name" collate "en-x-icu",
  own.kind,
  own.id
limit
  $7
offset
  $8;

-- lapsePointless
with
  due as materialized (
    select
      r.id,
      case
        when not exists (
          select
          from
            groups
          where
            groups.id = r.group_id
          offset
            0
        ) then 'group_gone'
        when not exists (
          select
          from
            users
          where
            users.id = r.requester_id
            and is_active
          offset
            0
        ) then 'requester_gone'
        when not exists (
          select
          from
            request_policies as policy
          where
            policy.group_id = r.group_id
            and requestable
          offset
            0
        ) then 'not_requestable'
        when exists (
          select
          from
            group_users as own
          where
            own.group_id = r.group_id
            and own.user_id = r.requester_id
            and own.expires_at is null
          offset
            0
        ) then 'already_member'
      end as reason
    from
      access_requests as r
    where
      r.status = 'pending'
      and r.status = 'pending'
      and r.created_at > statement_timestamp() - interval '336 hours'
      and r.requester_id = any ($1::int[])
      and case
        when not exists (
          select
          from
            groups
          where
            groups.id = r.group_id
          offset
            0
        ) then 'group_gone'
        when not exists (
          select
          from
            users
          where
            users.id = r.requester_id
            and is_active
          offset
            0
        ) then 'requester_gone'
        when not exists (
          select
          from
            request_policies as policy
          where
            policy.group_id = r.group_id
            and requestable
          offset
            0
        ) then 'not_requestable'
        when exists (
          select
          from
            group_users as own
          where
            own.group_id = r.group_id
            and own.user_id = r.requester_id
            and own.expires_at is null
          offset
            0
        ) then 'already_member'
      end is not null
    order by
      r.id
    for update
  ),
  lapsed as (
    update access_requests as r
    set
      status = 'lapsed',
      lapse_reason = due.reason,
      decided_at = now(),
      updated_at = now()
    from
      due
    where
      r.id = due.id
    returning
      r.id,
      r.group_id,
      r.requester_id,
      due.reason
  ),
  approving as materialized (
    select
      policy.group_id,
      policy.min_approvals,
      array(
        select
          id
        from
          policy_approvers (policy.group_id) as one
        group by
          id
        order by
          min(place),
          id
      ) as ids
    from
      (
        select distinct
          group_id
        from
          lapsed
      ) as asked
      join request_policies as policy using (group_id)
  ),
  administering as materialized (
    select
      active_in_roles (array['admin']) as ids
  )
select
  r.id,
  r.group_id,
  coalesce(
    (
      select
        name
      from
        groups
      where
        groups.id = r.group_id
    ),
    (
      select
        name
      from
        former_groups
      where
        former_groups.group_id = r.group_id
    )
  ) as group_name,
  groups.description_ar as group_description_ar,
  groups.description_en as group_description_en,
  r.requester_id as user_id,
  r.reason,
  case
    when coalesce(
      sum(cardinality(approving.ids)) over (
        order by
          r.id rows between unbounded preceding
          and 1 preceding
      ),
      0
    ) >= $2 then null
    when approving.group_id is null then array(
      select distinct
        user_id
      from
        notifications
      where
        related_type = 'access_request'
        and related_id = r.id
        and user_id <> r.requester_id
    )
    else array(
      select
        id
      from
        unnest(
          approving.ids || case
            when cardinality(array_remove(approving.ids, r.requester_id)) < approving.min_approvals then administering.ids
          end
        ) with ordinality as one (id, place)
      where
        id <> r.requester_id
      group by
        id
      order by
        min(place)
    )
  end as approvers
from
  lapsed as r
  left join approving using (group_id)
  cross join administering
  left join groups on groups.id = r.group_id
order by
  r.id;

-- lapseOf
with
  due as materialized (
    select
      r.id,
      'requester_gone' as reason
    from
      access_requests as r
    where
      r.status = 'pending'
      and r.status = 'pending'
      and r.created_at > statement_timestamp() - interval '336 hours'
      and r.requester_id = $1
    order by
      r.id
    for update
  ),
  lapsed as (
    update access_requests as r
    set
      status = 'lapsed',
      lapse_reason = due.reason,
      decided_at = now(),
      updated_at = now()
    from
      due
    where
      r.id = due.id
    returning
      r.id,
      r.group_id,
      r.requester_id,
      due.reason
  ),
  approving as materialized (
    select
      policy.group_id,
      policy.min_approvals,
      array(
        select
          id
        from
          policy_approvers (policy.group_id) as one
        group by
          id
        order by
          min(place),
          id
      ) as ids
    from
      (
        select distinct
          group_id
        from
          lapsed
      ) as asked
      join request_policies as policy using (group_id)
  ),
  administering as materialized (
    select
      active_in_roles (array['admin']) as ids
  )
select
  r.id,
  r.group_id,
  coalesce(
    (
      select
        name
      from
        groups
      where
        groups.id = r.group_id
    ),
    (
      select
        name
      from
        former_groups
      where
        former_groups.group_id = r.group_id
    )
  ) as group_name,
  groups.description_ar as group_description_ar,
  groups.description_en as group_description_en,
  r.requester_id as user_id,
  r.reason,
  case
    when coalesce(
      sum(cardinality(approving.ids)) over (
        order by
          r.id rows between unbounded preceding
          and 1 preceding
      ),
      0
    ) >= $2 then null
    when approving.group_id is null then array(
      select distinct
        user_id
      from
        notifications
      where
        related_type = 'access_request'
        and related_id = r.id
        and user_id <> r.requester_id
    )
    else array(
      select
        id
      from
        unnest(
          approving.ids || case
            when cardinality(array_remove(approving.ids, r.requester_id)) < approving.min_approvals then administering.ids
          end
        ) with ordinality as one (id, place)
      where
        id <> r.requester_id
      group by
        id
      order by
        min(place)
    )
  end as approvers
from
  lapsed as r
  left join approving using (group_id)
  cross join administering
  left join groups on groups.id = r.group_id
order by
  r.id;

-- noteLapses
with
  due as materialized (
    select
      r.id,
      'undecided' as reason
    from
      access_requests as r
    where
      r.status = 'pending'
      and r.id in (
        select
          id
        from
          access_requests as r
        where
          r.status = 'pending'
          and r.created_at <= statement_timestamp() - interval '336 hours'
        order by
          r.created_at
        limit
          $1
      )
    order by
      r.id
    for update
  ),
  lapsed as (
    update access_requests as r
    set
      status = 'lapsed',
      lapse_reason = due.reason,
      decided_at = r.created_at + interval '336 hours',
      updated_at = r.created_at + interval '336 hours'
    from
      due
    where
      r.id = due.id
    returning
      r.id,
      r.group_id,
      r.requester_id,
      due.reason
  ),
  approving as materialized (
    select
      policy.group_id,
      policy.min_approvals,
      array(
        select
          id
        from
          policy_approvers (policy.group_id) as one
        group by
          id
        order by
          min(place),
          id
      ) as ids
    from
      (
        select distinct
          group_id
        from
          lapsed
      ) as asked
      join request_policies as policy using (group_id)
  ),
  administering as materialized (
    select
      active_in_roles (array['admin']) as ids
  )
select
  r.id,
  r.group_id,
  coalesce(
    (
      select
        name
      from
        groups
      where
        groups.id = r.group_id
    ),
    (
      select
        name
      from
        former_groups
      where
        former_groups.group_id = r.group_id
    )
  ) as group_name,
  groups.description_ar as group_description_ar,
  groups.description_en as group_description_en,
  r.requester_id as user_id,
  r.reason,
  case
    when coalesce(
      sum(cardinality(approving.ids)) over (
        order by
          r.id rows between unbounded preceding
          and 1 preceding
      ),
      0
    ) >= $2 then null
    when approving.group_id is null then array(
      select distinct
        user_id
      from
        notifications
      where
        related_type = 'access_request'
        and related_id = r.id
        and user_id <> r.requester_id
    )
    else array(
      select
        id
      from
        unnest(
          approving.ids || case
            when cardinality(array_remove(approving.ids, r.requester_id)) < approving.min_approvals then administering.ids
          end
        ) with ordinality as one (id, place)
      where
        id <> r.requester_id
      group by
        id
      order by
        min(place)
    )
  end as approvers
from
  lapsed as r
  left join approving using (group_id)
  cross join administering
  left join groups on groups.id = r.group_id
order by
  r.id;

-- tellOfSome
with
  lapsed as materialized (
    select
      *
    from
      access_requests
    where
      id = any ($1::int[])
  ),
  approving as materialized (
    select
      policy.group_id,
      policy.min_approvals,
      array(
        select
          id
        from
          policy_approvers (policy.group_id) as one
        group by
          id
        order by
          min(place),
          id
      ) as ids
    from
      (
        select distinct
          group_id
        from
          lapsed
      ) as asked
      join request_policies as policy using (group_id)
  ),
  administering as materialized (
    select
      active_in_roles (array['admin']) as ids
  )
select
  r.id,
  case
    when coalesce(
      sum(cardinality(approving.ids)) over (
        order by
          r.id rows between unbounded preceding
          and 1 preceding
      ),
      0
    ) >= $2 then null
    when approving.group_id is null then array(
      select distinct
        user_id
      from
        notifications
      where
        related_type = 'access_request'
        and related_id = r.id
        and user_id <> r.requester_id
    )
    else array(
      select
        id
      from
        unnest(
          approving.ids || case
            when cardinality(array_remove(approving.ids, r.requester_id)) < approving.min_approvals then administering.ids
          end
        ) with ordinality as one (id, place)
      where
        id <> r.requester_id
      group by
        id
      order by
        min(place)
    )
  end as approvers
from
  lapsed as r
  left join approving using (group_id)
  cross join administering
order by
  r.id;

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
          id as subject_id,
          0 as object_id,
          'infinity'::timestamptz as deadline,
          stage.days,
          created_at + make_interval(hours => 24 * stage.days) as due_at
        from
          access_requests as r
          cross join (
            values
              (3),
              (7)
          ) as stage (days)
        where
          r.status = 'pending'
          and r.created_at > statement_timestamp() - interval '336 hours'
          and created_at <= statement_timestamp() - interval '72 hours'
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

-- reminded
with
  waiting as materialized (
    select
      *
    from
      access_requests as r
    where
      id = any ($1::int[])
      and r.status = 'pending'
      and r.created_at > statement_timestamp() - interval '336 hours'
    order by
      id
    for update
  ),
  approving as materialized (
    select
      policy.group_id,
      policy.min_approvals,
      array(
        select
          id
        from
          policy_approvers (policy.group_id) as one
        group by
          id
        order by
          min(place),
          id
      ) as ids
    from
      (
        select distinct
          group_id
        from
          waiting
      ) as asked
      join request_policies as policy using (group_id)
  ),
  administering as materialized (
    select
      active_in_roles (array['admin']) as ids
  )
select
  r.id,
  r.requester_id,
  coalesce(
    (
      select
        name
      from
        groups
      where
        groups.id = r.group_id
    ),
    (
      select
        name
      from
        former_groups
      where
        former_groups.group_id = r.group_id
    )
  ) as group_name,
  groups.description_ar as group_description_ar,
  groups.description_en as group_description_en,
  r.requester_username as username,
  u.display_name_ar,
  u.display_name_en,
  array(
    select
      id
    from
      unnest(
        array(
          select
            id
          from
            unnest(
              approving.ids || case
                when cardinality(array_remove(approving.ids, r.requester_id)) < approving.min_approvals then administering.ids
              end
            ) with ordinality as one (id, place)
          where
            id <> r.requester_id
          group by
            id
          order by
            min(place)
        )
      ) with ordinality as approver (id, place)
    where
      not exists (
        select
        from
          access_approvals
        where
          request_id = r.id
          and approver_id = approver.id
      )
    order by
      place
    limit
      $2
  ) as asked
from
  waiting as r
  join approving using (group_id)
  cross join administering
  left join users as u on u.id = r.requester_id
  left join groups on groups.id = r.group_id
order by
  r.requester_id,
  r.id;
