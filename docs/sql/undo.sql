-- restoreCategory
with
  free as (
    select
      id
    from
      services
    where
      id = any ($1::int[])
      and category_id is null
    order by
      id
    for no key update
  ),
  filled as (
    update services
    set
      category_id = $2,
      updated_at = clock_timestamp()
    where
      id in (
        select
          id
        from
          free
      )
    returning
      id
  )
select
  id
from
  filled
order by
  id;
