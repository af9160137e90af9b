-- pageOrdersOf
select
  "page"."id",
  "page"."status",
  "page"."notes",
  "page"."created_at",
  "page"."user_id",
  "username",
  "display_name_ar",
  "display_name_en"
from
  (
    select
      *
    from
      "orders"
    where
      "service_id" = $1
    order by
      "id" desc
    limit
      $2
    offset
      $3
  ) as "page"
  inner join "users" on "users"."id" = "page"."user_id"
order by
  "page"."id" desc;

-- emptyCategory
with
  emptied as (
    update services
    set
      category_id = null,
      updated_at = clock_timestamp()
    where
      category_id = $1
    returning
      id
  )
select
  id
from
  emptied
order by
  id;

-- isKnownTo
select
from
  services
where
  not exists (
    select
    from
      service_handlings
      left join service_teams on service_teams.id = team_id
    where
      service_id = services.id
      and audience = 'groups'
      and not "audience_group_ids" && $1::int[]
      and not (
        on_behalf = 'everyone'
        or on_behalf = 'groups'
        and "on_behalf_group_ids" && $2::int[]
        or coalesce(
          $3 = any (lead_user_ids)
          or $4
          and "group_ids" && $5::int[],
          false
        )
      )
  );

-- listServices
select
  *,
  (
    select
      coalesce(
        sum(
          count - case
            when $1 then 0
            else held
          end
        ),
        0
      )::bigint
    from
      service_order_counts
    where
      service_id = services.id
  ) as "order_count"
from
  "services"
where
  not exists (
    select
    from
      service_handlings
      left join service_teams on service_teams.id = team_id
    where
      service_id = services.id
      and audience = 'groups'
      and not "audience_group_ids" && $2::int[]
      and not (
        on_behalf = 'everyone'
        or on_behalf = 'groups'
        and "on_behalf_group_ids" && $3::int[]
        or coalesce(
          $4 = any (lead_user_ids)
          or $5
          and "group_ids" && $6::int[],
          false
        )
      )
  )
order by
  "services"."sort_order",
  "services"."id"
limit
  $7
offset
  $8;

-- countServices
select
  count(*) as "count"
from
  "services"
where
  not exists (
    select
    from
      service_handlings
      left join service_teams on service_teams.id = team_id
    where
      service_id = services.id
      and audience = 'groups'
      and not "audience_group_ids" && $1::int[]
      and not (
        on_behalf = 'everyone'
        or on_behalf = 'groups'
        and "on_behalf_group_ids" && $2::int[]
        or coalesce(
          $3 = any (lead_user_ids)
          or $4
          and "group_ids" && $5::int[],
          false
        )
      )
  );

-- findKnownService
select
  *
from
  "services"
where
  "id" = $1
  and not exists (
    select
    from
      service_handlings
      left join service_teams on service_teams.id = team_id
    where
      service_id = services.id
      and audience = 'groups'
      and not "audience_group_ids" && $2::int[]
      and not (
        on_behalf = 'everyone'
        or on_behalf = 'groups'
        and "on_behalf_group_ids" && $3::int[]
        or coalesce(
          $4 = any (lead_user_ids)
          or $5
          and "group_ids" && $6::int[],
          false
        )
      )
  );

-- readHome
select
  (
    select
      coalesce(sum(count), 0)::bigint
    from
      state_counts
    where
      what = $1
  ) - (
    select
      count(*)
    from
      services
    where
      is_available
      and id = any (
        array(
          select
            service_id
          from
            service_handlings
          where
            audience = 'groups'
        )
      )
      and not not exists (
        select
        from
          service_handlings
          left join service_teams on service_teams.id = team_id
        where
          service_id = services.id
          and audience = 'groups'
          and not "audience_group_ids" && $2::int[]
          and not (
            on_behalf = 'everyone'
            or on_behalf = 'groups'
            and "on_behalf_group_ids" && $3::int[]
            or coalesce(
              $4 = any (lead_user_ids)
              or $5
              and "group_ids" && $6::int[],
              false
            )
          )
      )
  ) as total_services,
  (
    select
      coalesce(sum(count), 0)::bigint
    from
      state_counts
    where
      what = $7
  ) as total_users,
  (
    select
      count(*)
    from
      notifications
    where
      user_id = $8
      and read_at is null
  ) as unread_notifications;

-- findCrewOf
select
  group_ids,
  lead_user_ids
from
  service_handlings
  join service_teams on service_teams.id = team_id
where
  service_id = $1;

-- listCatalogue
select
  services.id as service_id,
  is_available
  and not exists (
    select
    from
      service_handlings
    where
      service_id = services.id
      and audience = 'groups'
      and not "audience_group_ids" && $1::int[]
  ) as may_order,
  exists (
    select
    from
      service_handlings
      left join service_teams on service_teams.id = team_id
    where
      service_id = services.id
      and (
        on_behalf = 'everyone'
        or on_behalf = 'groups'
        and "on_behalf_group_ids" && $2::int[]
        or coalesce(
          $3 = any (lead_user_ids)
          or $4
          and "group_ids" && $5::int[],
          false
        )
      )
  ) as may_order_for_others,
  case
    when coalesce(handling.steps, '[]') = '[]' then 'no'
    when handling.steps @? '$[*] ? (@.when.size() == 0)' then 'yes'
    else 'depends'
  end as needs_approval,
  notice_ar,
  notice_en,
  coalesce(paused, false) as is_paused,
  until,
  coalesce(off_options, '{}') as off_options,
  form.version as form_version,
  coalesce(form.asks, false) as asks_wanted_at,
  team.name_ar as team_name_ar,
  team.name_en as team_name_en,
  receive_minutes,
  complete_minutes,
  coalesce(reopen_days, 0) as reopen_days,
  working_moment (calendar.id, working_time (calendar.id, now) + "receive_minutes" * 60000000::bigint) as receive_by,
  working_moment (calendar.id, working_time (calendar.id, now) + "complete_minutes" * 60000000::bigint) as complete_by,
  is_working (calendar.id, now) as is_open,
  case
    when not is_working (calendar.id, now) then (
      select
        min(starts_at)
      from
        working_spans
      where
        calendar_id = calendar.id
        and starts_at > now
    )
  end as opens_at
from
  services
  left join service_notices as notice on notice.service_id = services.id
  and (
    until is null
    or until > clock_timestamp()
  )
  left join service_handlings as handling on handling.service_id = services.id
  left join service_teams as team on team.id = team_id
  cross join lateral (
    select
      coalesce(
        "team"."calendar_id",
        (
          select
            id
          from
            working_calendars
          where
            is_default
        )
      ) as id,
      statement_timestamp() as now
  ) as calendar
  left join lateral (
    select
      version,
      fields <> '[]' as has_fields,
      fields @> '[{"kind": "wanted_at"}]' as asks
    from
      service_forms
    where
      service_forms.service_id = services.id
    order by
      version desc
    limit
      1
  ) as form on has_fields
where
  not exists (
    select
    from
      service_handlings
      left join service_teams on service_teams.id = team_id
    where
      service_id = services.id
      and audience = 'groups'
      and not "audience_group_ids" && $6::int[]
      and not (
        on_behalf = 'everyone'
        or on_behalf = 'groups'
        and "on_behalf_group_ids" && $7::int[]
        or coalesce(
          $8 = any (lead_user_ids)
          or $9
          and "group_ids" && $10::int[],
          false
        )
      )
  )
  and true
order by
  services.sort_order,
  services.id
limit
  $11
offset
  $12;

-- pageNaming
select
  "part",
  "id",
  "name_ar",
  "name_en",
  "is_last"
from
  (
    select
      'team' as part,
      id,
      name_ar,
      name_en,
      not exists (
        select
        from
          groups
        where
          id = any (group_ids)
          and id <> $1::int
      ) as is_last
    from
      service_teams
    where
      $2::int = any (group_ids)
    union all
    select
      'audience',
      services.id,
      name_ar,
      name_en,
      not exists (
        select
        from
          groups
        where
          id = any ("audience_group_ids")
          and id <> $3::int
      )
    from
      service_handlings
      join services on services.id = service_id
    where
      "audience" = 'groups'
      and $4::int = any ("audience_group_ids")
    union all
    select
      'onBehalf',
      services.id,
      name_ar,
      name_en,
      not exists (
        select
        from
          groups
        where
          id = any ("on_behalf_group_ids")
          and id <> $5::int
      )
    from
      service_handlings
      join services on services.id = service_id
    where
      "on_behalf" = 'groups'
      and $6::int = any ("on_behalf_group_ids")
    union all
    select
      'steps',
      services.id,
      name_ar,
      name_en,
      bool_or(
        not (step ->> 'manager')::bool
        and not exists (
          select
          from
            groups
          where
            id = any (
              array(
                select
                  jsonb_array_elements_text(step -> 'groupIds')::int
              )
            )
            and id <> $7::int
        )
        and not exists (
          select
          from
            users
          where
            id = any (
              array(
                select
                  jsonb_array_elements_text(step -> 'userIds')::int
              )
            )
            and kind = 'person'
        )
      )
    from
      service_handlings
      join services on services.id = service_id
      cross join jsonb_array_elements(steps) as one (step)
    where
      step -> 'groupIds' @> to_jsonb($8::int)
    group by
      services.id
  ) as "naming"
order by
  "name_ar" collate "ar-x-icu",
  "id",
  "part"
limit
  $9
offset
  $10;

-- pageNaming
select
  count(*) as "count"
from
  (
    select
      'team' as part,
      id,
      name_ar,
      name_en,
      not exists (
        select
        from
          groups
        where
          id = any (group_ids)
          and id <> $1::int
      ) as is_last
    from
      service_teams
    where
      $2::int = any (group_ids)
    union all
    select
      'audience',
      services.id,
      name_ar,
      name_en,
      not exists (
        select
        from
          groups
        where
          id = any ("audience_group_ids")
          and id <> $3::int
      )
    from
      service_handlings
      join services on services.id = service_id
    where
      "audience" = 'groups'
      and $4::int = any ("audience_group_ids")
    union all
    select
      'onBehalf',
      services.id,
      name_ar,
      name_en,
      not exists (
        select
        from
          groups
        where
          id = any ("on_behalf_group_ids")
          and id <> $5::int
      )
    from
      service_handlings
      join services on services.id = service_id
    where
      "on_behalf" = 'groups'
      and $6::int = any ("on_behalf_group_ids")
    union all
    select
      'steps',
      services.id,
      name_ar,
      name_en,
      bool_or(
        not (step ->> 'manager')::bool
        and not exists (
          select
          from
            groups
          where
            id = any (
              array(
                select
                  jsonb_array_elements_text(step -> 'groupIds')::int
              )
            )
            and id <> $7::int
        )
        and not exists (
          select
          from
            users
          where
            id = any (
              array(
                select
                  jsonb_array_elements_text(step -> 'userIds')::int
              )
            )
            and kind = 'person'
        )
      )
    from
      service_handlings
      join services on services.id = service_id
      cross join jsonb_array_elements(steps) as one (step)
    where
      step -> 'groupIds' @> to_jsonb($8::int)
    group by
      services.id
  ) as "naming";

-- findServicesForOnly
select
  services.id,
  name_ar,
  name_en
from
  services
  join service_handlings on service_id = services.id
where
  audience = 'groups'
  and $1 = any (audience_group_ids)
  and not exists (
    select
    from
      groups
    where
      id = any (audience_group_ids)
      and id <> $2::int
  )
order by
  services.id;
