-- readKnown
select
  named.id
from
  unnest($1::int[]) as named (id)
  left join users on users.id = named.id
where
  users.id is null;

-- readMoves, of one step
with
  step as materialized (
    select
      *
    from
      unnest($1::int[], $2::int[], $3::boolean[], $4::boolean[], $5::boolean[]) as step (place, owner, is_of_user, is_whole, is_gone)
  ),
  line as materialized (
    select
      place,
      is_added,
      case
        when is_of_user then owner
        else id
      end as user_id,
      case
        when is_of_user then id
        else owner
      end as other_id
    from
      unnest($6::int[], $7::int[], $8::boolean[]) as line(place, id, is_added)
      join step using (place)
  ),
  said as (
    select
      user_id,
      other_id,
      place,
      is_added
    from
      line
    union all
    select
      l.user_id,
      l."group_id",
      place,
      false
    from
      step
      join "group_users" as l on l.user_id = owner
    where
      is_whole
      and is_of_user
    union all
    select
      l.user_id,
      l."group_id",
      place,
      false
    from
      step
      join "group_users" as l on l."group_id" = owner
    where
      is_whole
      and not is_of_user
      and (
        is_gone
        or user_id <> all (
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
  ),
  last as (
    select distinct
      on (user_id, other_id) user_id,
      other_id,
      is_added
    from
      said
    order by
      user_id,
      other_id,
      place desc,
      is_added desc
  )
select
  last.*
from
  last
  left join "group_users" as l on l.user_id = last.user_id
  and l."group_id" = last.other_id
where
  is_added <> (l.user_id is not null)
limit
  $9;

-- readMoves, of several steps
with
  step as materialized (
    select
      *
    from
      unnest($1::int[], $2::int[], $3::boolean[], $4::boolean[], $5::boolean[]) as step (place, owner, is_of_user, is_whole, is_gone)
  ),
  line as materialized (
    select
      place,
      is_added,
      case
        when is_of_user then owner
        else id
      end as user_id,
      case
        when is_of_user then id
        else owner
      end as other_id
    from
      unnest($6::int[], $7::int[], $8::boolean[]) as line(place, id, is_added)
      join step using (place)
  ),
  said as (
    select
      user_id,
      other_id,
      place,
      is_added
    from
      line
    union all
    select
      l.user_id,
      l."role_id",
      place,
      false
    from
      step
      join "user_roles" as l on l.user_id = owner
    where
      is_whole
      and is_of_user
    union all
    select
      l.user_id,
      l."role_id",
      place,
      false
    from
      step
      join "user_roles" as l on l."role_id" = owner
    where
      is_whole
      and not is_of_user
      and (
        is_gone
        or user_id <> all (
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
    union all
    select
      line.user_id,
      line.other_id,
      step.place,
      false
    from
      line
      join step on step.owner = line.user_id
      and step.place <> line.place
    where
      is_whole
      and is_of_user
    union all
    select
      line.user_id,
      line.other_id,
      step.place,
      false
    from
      line
      join step on step.owner = line.other_id
      and step.place <> line.place
    where
      is_whole
      and not is_of_user
      and (
        is_gone
        or user_id <> all (
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
  ),
  last as (
    select distinct
      on (user_id, other_id) user_id,
      other_id,
      is_added
    from
      said
    order by
      user_id,
      other_id,
      place desc,
      is_added desc
  )
select
  last.*
from
  last
  left join "user_roles" as l on l.user_id = last.user_id
  and l."role_id" = last.other_id
where
  is_added <> (l.user_id is not null)
limit
  $9;

-- readProfiles, of some people
with
  people as materialized (
    select
      users.id,
      users.is_active as was_active,
      (
        users.is_active
        and users.id <> all ($1::int[])
        or users.id = any ($2::int[])
      ) as is_active
    from
      users
    where
      users.kind = 'person'
      and (
        users.is_active
        or users.id = any ($3::int[])
      )
      and users.id in (
        select
          unnest($4::int[])
        union
        select
          user_id
        from
          group_users
        where
          group_id = any ($5::int[])
        union
        select
          user_id
        from
          user_roles
        where
          role_id = any ($6::int[])
      )
  ),
  held as (
    select
      user_id,
      array_agg(
        id
        order by
          id
      ) filter (
        where
          had
      ) as had,
      array_agg(
        id
        order by
          id
      ) filter (
        where
          has
      ) as has
    from
      (
        select
          l.user_id,
          l."role_id" as id,
          true as had,
          gone.user_id is null as has
        from
          people
          join "user_roles" as l on l.user_id = people.id
          left join unnest($7::int[], $8::int[]) as gone (user_id, other_id) on gone.user_id = l.user_id
          and gone.other_id = l."role_id"
        where
          l."role_id" = any ($9::int[])
        union all
        select
          user_id,
          other_id,
          false,
          true
        from
          unnest($10::int[], $11::int[]) as come (user_id, other_id)
      ) as link
    group by
      user_id
  ),
  joined as (
    select
      user_id,
      array_agg(
        id
        order by
          id
      ) filter (
        where
          had
      ) as had,
      array_agg(
        id
        order by
          id
      ) filter (
        where
          has
      ) as has
    from
      (
        select
          l.user_id,
          l."group_id" as id,
          true as had,
          gone.user_id is null as has
        from
          people
          join "group_users" as l on l.user_id = people.id
          left join unnest($12::int[], $13::int[]) as gone (user_id, other_id) on gone.user_id = l.user_id
          and gone.other_id = l."group_id"
        where
          l."group_id" = any ($14::int[])
        union all
        select
          user_id,
          other_id,
          false,
          true
        from
          unnest($15::int[], $16::int[]) as come (user_id, other_id)
      ) as link
    group by
      user_id
  )
select
  was_active,
  is_active,
  coalesce(held.had, '{}') as had_roles,
  coalesce(held.has, '{}') as has_roles,
  coalesce(joined.had, '{}') as had_groups,
  coalesce(joined.has, '{}') as has_groups,
  array_agg(people.id) as user_ids
from
  people
  left join held on held.user_id = people.id
  left join joined on joined.user_id = people.id
group by
  1,
  2,
  3,
  4,
  5,
  6;

-- readProfiles, of everyone
with
  people as materialized (
    select
      users.id,
      users.is_active as was_active,
      (
        users.is_active
        and users.id <> all ($1::int[])
        or users.id = any ($2::int[])
      ) as is_active
    from
      users
    where
      users.kind = 'person'
      and (
        users.is_active
        or users.id = any ($3::int[])
      )
  ),
  held as (
    select
      user_id,
      array_agg(
        id
        order by
          id
      ) filter (
        where
          had
      ) as had,
      array_agg(
        id
        order by
          id
      ) filter (
        where
          has
      ) as has
    from
      (
        select
          l.user_id,
          l."role_id" as id,
          true as had,
          gone.user_id is null as has
        from
          people
          join "user_roles" as l on l.user_id = people.id
          left join unnest($4::int[], $5::int[]) as gone (user_id, other_id) on gone.user_id = l.user_id
          and gone.other_id = l."role_id"
        where
          l."role_id" = any ($6::int[])
        union all
        select
          user_id,
          other_id,
          false,
          true
        from
          unnest($7::int[], $8::int[]) as come (user_id, other_id)
      ) as link
    group by
      user_id
  ),
  joined as (
    select
      user_id,
      array_agg(
        id
        order by
          id
      ) filter (
        where
          had
      ) as had,
      array_agg(
        id
        order by
          id
      ) filter (
        where
          has
      ) as has
    from
      (
        select
          l.user_id,
          l."group_id" as id,
          true as had,
          gone.user_id is null as has
        from
          people
          join "group_users" as l on l.user_id = people.id
          left join unnest($9::int[], $10::int[]) as gone (user_id, other_id) on gone.user_id = l.user_id
          and gone.other_id = l."group_id"
        where
          l."group_id" = any ($11::int[])
        union all
        select
          user_id,
          other_id,
          false,
          true
        from
          unnest($12::int[], $13::int[]) as come (user_id, other_id)
      ) as link
    group by
      user_id
  )
select
  was_active,
  is_active,
  coalesce(held.had, '{}') as had_roles,
  coalesce(held.has, '{}') as has_roles,
  coalesce(joined.had, '{}') as had_groups,
  coalesce(joined.has, '{}') as has_groups,
  array_agg(people.id) as user_ids
from
  people
  left join held on held.user_id = people.id
  left join joined on joined.user_id = people.id
group by
  1,
  2,
  3,
  4,
  5,
  6;
