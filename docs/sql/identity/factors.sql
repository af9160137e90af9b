-- findPasskey
select
  "passkeys"."id",
  "passkeys"."user_id",
  "passkeys"."public_key",
  "users"."handle",
  "users"."is_active",
  (
    select
      is_exception
    from
      users
    where
      id = passkeys.user_id
  )
  or (
    select
      passkeys
    from
      sign_in_settings
  ) = 'everyone' as "may_sign_in"
from
  "passkeys"
  inner join "users" on "users"."id" = "passkeys"."user_id"
where
  "passkeys"."credential_id" = $1;
