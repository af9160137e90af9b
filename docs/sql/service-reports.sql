-- readReport, for administrators
with
  figure as (
    select
      one.*,
      coalesce(
        one.refusal,
        case
          when one.status = 'cancelled' then 'cancelled'
          when one.completed_at is not null then 'completed'
          else 'open'
        end
      ) as outcome
    from
      (
        select
          order_id,
          service_id,
          team_id,
          day,
          status,
          refusal,
          reopen_count,
          completed_at,
          receive_time,
          complete_time,
          received_in_time,
          completed_in_time,
          late_at,
          is_held
        from
          order_figures
        where
          day between $1::date and $2::date
          and true
        union all
        select
          id,
          service_id,
          team_id,
          office_day (created_at),
          status,
          null,
          0,
          null,
          null,
          null,
          null,
          null,
          null,
          hold is not null
        from
          orders
        where
          status = 'pending'
          and true
          and not exists (
            select
            from
              order_figures
            where
              order_id = orders.id
          )
          and created_at >= $3::date::timestamp - interval '2 days'
          and created_at < $4::date::timestamp + interval '2 days'
          and office_day (created_at) between $5::date and $6::date
      ) as one
      left join service_handlings as handling using (service_id)
    where
      true
      and true
  ),
  standing as (
    select
      figure.*,
      outcome = 'open'
      and coalesce(coalesce(late_at, next_by (details)) <= statement_timestamp(), false) as is_late
    from
      figure
      left join order_details as details on figure.outcome = 'open'
      and details.order_id = figure.order_id
      and details.due is not null
  )
select
  service_id,
  count(*) as placed,
  count(*) filter (
    where
      outcome = 'completed'
  ) as "completed",
  count(*) filter (
    where
      outcome = 'cancelled'
  ) as "cancelled",
  count(*) filter (
    where
      outcome = 'denied'
  ) as "denied",
  count(*) filter (
    where
      outcome = 'lapsed'
  ) as "lapsed",
  count(*) filter (
    where
      outcome = 'open'
  ) as "open",
  count(*) filter (
    where
      reopen_count > 0
  ) as reopened,
  count(*) filter (
    where
      is_late
  ) as late,
  json_build_object(
    'count',
    count(*) filter (
      where
        "received_in_time"
    ),
    'base',
    count("received_in_time")
  ) as received_in_time,
  json_build_object(
    'count',
    count(*) filter (
      where
        "completed_in_time"
    ),
    'base',
    count("completed_in_time")
  ) as completed_in_time,
  percentile_cont(array[0.5, 0.9]) within group (
    order by
      ("receive_time" / 60000000)::float8
  ) as to_receive,
  percentile_cont(array[0.5, 0.9]) within group (
    order by
      ("complete_time" / 60000000)::float8
  ) as to_complete
from
  standing
group by
  grouping sets ((service_id), ());

-- readReport, for administrators
with
  figure as (
    select
      one.*,
      coalesce(
        one.refusal,
        case
          when one.status = 'cancelled' then 'cancelled'
          when one.completed_at is not null then 'completed'
          else 'open'
        end
      ) as outcome
    from
      (
        select
          order_id,
          service_id,
          team_id,
          day,
          status,
          refusal,
          reopen_count,
          completed_at,
          receive_time,
          complete_time,
          received_in_time,
          completed_in_time,
          late_at,
          is_held
        from
          order_figures
        where
          day between $1::date and $2::date
          and true
        union all
        select
          id,
          service_id,
          team_id,
          office_day (created_at),
          status,
          null,
          0,
          null,
          null,
          null,
          null,
          null,
          null,
          hold is not null
        from
          orders
        where
          status = 'pending'
          and true
          and not exists (
            select
            from
              order_figures
            where
              order_id = orders.id
          )
          and created_at >= $3::date::timestamp - interval '2 days'
          and created_at < $4::date::timestamp + interval '2 days'
          and office_day (created_at) between $5::date and $6::date
      ) as one
      left join service_handlings as handling using (service_id)
    where
      true
      and true
  ),
  standing as (
    select
      figure.*,
      outcome = 'open'
      and coalesce(coalesce(late_at, next_by (details)) <= statement_timestamp(), false) as is_late
    from
      figure
      left join order_details as details on figure.outcome = 'open'
      and details.order_id = figure.order_id
      and details.due is not null
  )
select
  service_id,
  day,
  count(*) as placed,
  count(*) filter (
    where
      outcome = 'completed'
  ) as "completed",
  count(*) filter (
    where
      outcome = 'open'
  ) as "open",
  count(*) filter (
    where
      is_late
  ) as late
from
  standing
group by
  grouping sets ((service_id, day), (day));

-- readReport, for the leads of a team
with
  figure as (
    select
      one.*,
      coalesce(
        one.refusal,
        case
          when one.status = 'cancelled' then 'cancelled'
          when one.completed_at is not null then 'completed'
          else 'open'
        end
      ) as outcome
    from
      (
        select
          order_id,
          service_id,
          team_id,
          day,
          status,
          refusal,
          reopen_count,
          completed_at,
          receive_time,
          complete_time,
          received_in_time,
          completed_in_time,
          late_at,
          is_held
        from
          order_figures
        where
          day between $1::date and $2::date
          and service_id = $3
        union all
        select
          id,
          service_id,
          team_id,
          office_day (created_at),
          status,
          null,
          0,
          null,
          null,
          null,
          null,
          null,
          null,
          hold is not null
        from
          orders
        where
          status = 'pending'
          and service_id = $4
          and not exists (
            select
            from
              order_figures
            where
              order_id = orders.id
          )
          and created_at >= $5::date::timestamp - interval '2 days'
          and created_at < $6::date::timestamp + interval '2 days'
          and office_day (created_at) between $7::date and $8::date
      ) as one
      left join service_handlings as handling using (service_id)
    where
      coalesce(one.team_id, handling.team_id) = any ($9::int[])
      and not one.is_held
  ),
  standing as (
    select
      figure.*,
      outcome = 'open'
      and coalesce(coalesce(late_at, next_by (details)) <= statement_timestamp(), false) as is_late
    from
      figure
      left join order_details as details on figure.outcome = 'open'
      and details.order_id = figure.order_id
      and details.due is not null
  )
select
  service_id,
  count(*) as placed,
  count(*) filter (
    where
      outcome = 'completed'
  ) as "completed",
  count(*) filter (
    where
      outcome = 'cancelled'
  ) as "cancelled",
  count(*) filter (
    where
      outcome = 'denied'
  ) as "denied",
  count(*) filter (
    where
      outcome = 'lapsed'
  ) as "lapsed",
  count(*) filter (
    where
      outcome = 'open'
  ) as "open",
  count(*) filter (
    where
      reopen_count > 0
  ) as reopened,
  count(*) filter (
    where
      is_late
  ) as late,
  json_build_object(
    'count',
    count(*) filter (
      where
        "received_in_time"
    ),
    'base',
    count("received_in_time")
  ) as received_in_time,
  json_build_object(
    'count',
    count(*) filter (
      where
        "completed_in_time"
    ),
    'base',
    count("completed_in_time")
  ) as completed_in_time,
  percentile_cont(array[0.5, 0.9]) within group (
    order by
      ("receive_time" / 60000000)::float8
  ) as to_receive,
  percentile_cont(array[0.5, 0.9]) within group (
    order by
      ("complete_time" / 60000000)::float8
  ) as to_complete
from
  standing
group by
  grouping sets ((service_id), ());

-- readReport, for the leads of a team
with
  figure as (
    select
      one.*,
      coalesce(
        one.refusal,
        case
          when one.status = 'cancelled' then 'cancelled'
          when one.completed_at is not null then 'completed'
          else 'open'
        end
      ) as outcome
    from
      (
        select
          order_id,
          service_id,
          team_id,
          day,
          status,
          refusal,
          reopen_count,
          completed_at,
          receive_time,
          complete_time,
          received_in_time,
          completed_in_time,
          late_at,
          is_held
        from
          order_figures
        where
          day between $1::date and $2::date
          and service_id = $3
        union all
        select
          id,
          service_id,
          team_id,
          office_day (created_at),
          status,
          null,
          0,
          null,
          null,
          null,
          null,
          null,
          null,
          hold is not null
        from
          orders
        where
          status = 'pending'
          and service_id = $4
          and not exists (
            select
            from
              order_figures
            where
              order_id = orders.id
          )
          and created_at >= $5::date::timestamp - interval '2 days'
          and created_at < $6::date::timestamp + interval '2 days'
          and office_day (created_at) between $7::date and $8::date
      ) as one
      left join service_handlings as handling using (service_id)
    where
      coalesce(one.team_id, handling.team_id) = any ($9::int[])
      and not one.is_held
  ),
  standing as (
    select
      figure.*,
      outcome = 'open'
      and coalesce(coalesce(late_at, next_by (details)) <= statement_timestamp(), false) as is_late
    from
      figure
      left join order_details as details on figure.outcome = 'open'
      and details.order_id = figure.order_id
      and details.due is not null
  )
select
  service_id,
  day,
  count(*) as placed,
  count(*) filter (
    where
      outcome = 'completed'
  ) as "completed",
  count(*) filter (
    where
      outcome = 'open'
  ) as "open",
  count(*) filter (
    where
      is_late
  ) as late
from
  standing
group by
  grouping sets ((service_id, day), (day));

-- openExport
select
  "id"
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

-- openExport
select
  count(*)
from
  orders as o
  left join service_handlings as handling using (service_id)
  left join order_figures as figures on figures.order_id = o.id
where
  o.service_id = $1
  and coalesce(figures.day, office_day (o.created_at)) between $2::date and $3::date
  and coalesce(o.team_id, handling.team_id) = any ($4::int[])
  and o.hold is null;

-- columnsOf
select distinct
  on (version, place, key) key,
  kind
from
  (
    select distinct
      on (field ->> 'key') field ->> 'key' as key,
      field ->> 'kind' as kind,
      version,
      place
    from
      service_forms
      cross join lateral jsonb_array_elements(fields) with ordinality as line(field, place)
    where
      service_id = $1
    order by
      field ->> 'key',
      version
  ) as first
order by
  version,
  place,
  key;

-- pageExportRows
select
  o.id,
  o.created_at as placed_at,
  placer.username as placer,
  coalesce(beneficiary_username, placer.username) as beneficiary,
  case
    when team.id is not null then json_build_object('nameAr', team.name_ar, 'nameEn', team.name_en)
  end as team,
  o.status,
  wanted_at,
  receive_by (details) as receive_by,
  complete_by (details) as complete_by,
  coalesce(details.received_at, figures.received_at) as received_at,
  coalesce(details.completed_at, figures.completed_at) as completed_at,
  details.received_in_time,
  details.completed_in_time,
  coalesce(next_by (details) <= statement_timestamp(), false) as is_late,
  coalesce(
    details.used_time,
    figures.complete_time,
    case
      when exists (
        select
        from
          working_calendars
        where
          id = details.calendar_id
      ) then working_time (details.calendar_id, coalesce(o.cancelled_at, statement_timestamp())) - details.started - details.paused - (
        case
          when details.paused_from is null then 0
          else working_time (details.calendar_id, least(statement_timestamp(), details.waiting_until)) - details.paused_from
        end
      )
    end
  ) / 60000000 as minutes_used,
  answers,
  coalesce(
    cancel_reason,
    (
      select
        note
      from
        order_approvals
      where
        order_approvals.order_id = o.id
        and is_denial
    )
  ) as reason,
  (
    select
      json_object_agg(uuid, name)
    from
      order_files as used
      join objects on objects.id = object_id
    where
      used.order_id = o.id
      and message_id is null
      and note_id is null
  ) as files
from
  orders as o
  left join service_handlings as handling using (service_id)
  left join order_figures as figures on figures.order_id = o.id
  left join lateral named_team (coalesce(o.team_id, handling.team_id)) as team on true
  left join order_details as details on details.order_id = o.id
  left join users as placer on placer.id = o.user_id
where
  true
  and o.id < $1
order by
  o.id desc
limit
  $2;
