/** What a session still owes before it opens everything. Requests and streams both ask this. */

/**
 * SQL: the step towards a second factor that the session `s` of the account `a` owes, because a role or its provider demands one; null for
 * none. `a` has the account's `must_enrol_at`, without which the duty costs no lookup.
 */
export const OWED = `coalesce(
  case when a.must_enrol_at is not null then owed_by(s.user_id, a.must_enrol_at, s.level, s.kind) end,
  -- The provider leaves the second factor to the portal.
  case when s.level = 1 and s.provider_id in (select id from sign_in_providers where second_factor = 'own')
    then case when has_factor(s.user_id) then 'confirmation' else 'enrolment' end end)`
