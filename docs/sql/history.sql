-- findEntry
select
  "action",
  "target_id",
  "target_type",
  "facts",
  coalesce(
    (
      select
        jsonb_agg(one || jsonb_build_object('kind', permission_history.kind))
      from
        permission_history
        cross join jsonb_array_elements(ends) as one
      where
        permission_history.at = ledger.at
        and permission_history.target_id = ledger.target_id
        and permission_history.kind in ('user.roles', 'user.groups', 'group.users')
        and split_part(permission_history.kind, '.', 1) = ledger.target_type
    ),
    '[]'
  ) as "ends"
from
  "ledger"
where
  "id" = $1
  and "action" is not null;
