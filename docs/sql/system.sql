-- readLedger
with
  seal as (
    select
      coalesce(max(last_id), 0) as last_id
    from
      audit_seals
  )
select
  (
    select
      last_id
    from
      seal
  ) as sealed,
  count(*) filter (
    where
      id <= (
        select
          last_id
        from
          seal
      )
  ) as up_to_seal,
  count(*) as since
from
  ledger
where
  id > $1;
