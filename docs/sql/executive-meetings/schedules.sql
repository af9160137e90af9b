-- listArchives, of all days
with
  "listed" as (
    select
      "id",
      "uuid",
      "date",
      "language",
      "meeting_count",
      "created_by",
      "created_at",
      "sha256",
      "size",
      "stored_at",
      "print"
    from
      "pdf_archives"
    order by
      "id" desc
    limit
      $1
  ),
  "days" as (
    select distinct
      "date"
    from
      "listed"
  ),
  "present" as materialized (
    select
      "date",
      print_of_day (date) as "print"
    from
      "days"
  )
select
  "listed"."id",
  "listed"."uuid",
  "listed"."date",
  "listed"."language",
  "listed"."meeting_count",
  "listed"."created_by",
  "listed"."created_at",
  "listed"."sha256",
  "listed"."size",
  "listed"."stored_at",
  case
    when creator.id is not null then json_build_object(
      'id',
      creator.id,
      'username',
      creator.username,
      'displayNameAr',
      creator.display_name_ar,
      'displayNameEn',
      creator.display_name_en,
      'avatarUrl',
      creator.avatar_url
    )
  end as "creator",
  case
    when listed.print <> present.print then coalesce(
      least(
        (
          select
            min(at)
          from
            ledger
          where
            target_type = 'meeting'
            and facts #>> '{before,date}' = to_char(listed.date, 'YYYY-MM-DD')
            and at > listed.created_at
        ),
        (
          select
            min(at)
          from
            ledger
          where
            target_type = 'meeting'
            and facts #>> '{after,date}' = to_char(listed.date, 'YYYY-MM-DD')
            and at > listed.created_at
        )
      ),
      listed.created_at
    )
  end as "changed_since"
from
  "listed"
  inner join "present" on "present"."date" = "listed"."date"
  left join "users" as "creator" on "creator"."id" = "listed"."created_by"
order by
  "listed"."id" desc;

-- listArchives, of some days
with
  "listed" as (
    select
      "id",
      "uuid",
      "date",
      "language",
      "meeting_count",
      "created_by",
      "created_at",
      "sha256",
      "size",
      "stored_at",
      "print"
    from
      "pdf_archives"
    where
      "date" >= $1
      and "date" <= $2
    order by
      "id" desc
    limit
      $3
  ),
  "days" as (
    select distinct
      "date"
    from
      "listed"
  ),
  "present" as materialized (
    select
      "date",
      print_of_day (date) as "print"
    from
      "days"
  )
select
  "listed"."id",
  "listed"."uuid",
  "listed"."date",
  "listed"."language",
  "listed"."meeting_count",
  "listed"."created_by",
  "listed"."created_at",
  "listed"."sha256",
  "listed"."size",
  "listed"."stored_at",
  case
    when creator.id is not null then json_build_object(
      'id',
      creator.id,
      'username',
      creator.username,
      'displayNameAr',
      creator.display_name_ar,
      'displayNameEn',
      creator.display_name_en,
      'avatarUrl',
      creator.avatar_url
    )
  end as "creator",
  case
    when listed.print <> present.print then coalesce(
      least(
        (
          select
            min(at)
          from
            ledger
          where
            target_type = 'meeting'
            and facts #>> '{before,date}' = to_char(listed.date, 'YYYY-MM-DD')
            and at > listed.created_at
        ),
        (
          select
            min(at)
          from
            ledger
          where
            target_type = 'meeting'
            and facts #>> '{after,date}' = to_char(listed.date, 'YYYY-MM-DD')
            and at > listed.created_at
        )
      ),
      listed.created_at
    )
  end as "changed_since"
from
  "listed"
  inner join "present" on "present"."date" = "listed"."date"
  left join "users" as "creator" on "creator"."id" = "listed"."created_by"
order by
  "listed"."id" desc;
