/** The approvers of many requests at once: found once for each group. */
import { sql } from 'kysely'

/**
 * SQL: two common table expressions. `approving` has, for each group in `rows`, the approvers by its policy, people named in the policy
 * first. `administering` has the administrators.
 */
export const approvingIn = (rows: string) => sql`
  approving as materialized (
    select policy.group_id, policy.min_approvals, array(
      select id from policy_approvers(policy.group_id) as one group by id order by min(place), id) as ids
    from (select distinct group_id from ${sql.raw(rows)}) as asked join request_policies as policy using (group_id)),
  administering as materialized (select active_in_roles(array['admin']) as ids)`

/**
 * SQL: the approvers of a request; `row` is the name of its table in the query, which must join the expressions of `approvingIn`. If there
 * are fewer approvers than the policy needs, administrators are among them.
 */
export const approversFor = (row: string) =>
  sql<number[]>`array(
    select id from unnest(approving.ids || case
      when cardinality(array_remove(approving.ids, ${sql.raw(row)}.requester_id)) < approving.min_approvals then administering.ids end)
      with ordinality as one (id, place)
    where id <> ${sql.raw(row)}.requester_id group by id order by min(place))`

/** The approximate limit of recipients of the events of one transaction. The events of a single request may have more. */
const MOST_RECIPIENTS = 100_000

/**
 * SQL: whether the approvers of the rows before this one fill a transaction, so that it has no room for the approvers of this row. The
 * query must join the expressions of `approvingIn`.
 */
export const isCrowded = (row: string) => sql`
  coalesce(sum(cardinality(approving.ids)) over (order by ${sql.raw(row)}.id rows between unbounded preceding and 1 preceding), 0)
    >= ${MOST_RECIPIENTS}`
