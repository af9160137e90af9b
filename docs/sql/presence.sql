-- appear
with
  gone as (
    delete from presences
    where
      place = $1
      and user_id <> $2
      and not presences.seen_at > clock_timestamp() - interval '45 seconds'
    returning
      user_id
  ),
  before as (
    select
      is_editing
    from
      presences
    where
      place = $3
      and user_id = $4
      and presences.seen_at > clock_timestamp() - interval '45 seconds'
  ),
  noted as (
    insert into
      presences (place, user_id, is_editing, since, seen_at)
    values
      ($5, $6, $7, clock_timestamp(), clock_timestamp())
    on conflict (place, user_id) do update
    set
      is_editing = excluded.is_editing,
      seen_at = excluded.seen_at,
      since = case
        when presences.seen_at > clock_timestamp() - interval '45 seconds' then presences.since
        else excluded.since
      end
  )
select
  exists (
    select
    from
      before
    where
      is_editing = $8
  )
  and not exists (
    select
    from
      gone
  ) as is_same;

-- listPresent
select
  json_build_object('id', u.id, 'username', u.username, 'displayNameAr', u.display_name_ar, 'displayNameEn', u.display_name_en, 'avatarUrl', u.avatar_url) as user,
  is_editing as editing,
  since
from
  presences
  join users as u on u.id = user_id
where
  place = $1
  and presences.seen_at > clock_timestamp() - interval '45 seconds'
  and user_id = any (active_in_roles (array['admin']))
order by
  since,
  user_id
limit
  $2;
