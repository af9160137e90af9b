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
