/** The people around a review: its readers, the reviewers who still have items to decide, and whether some items have no reviewer. */
import { type RawBuilder, sql } from 'kysely'
import { administrators } from '../../platform/auth/held.ts'
import type { PeopleQuery } from '../../platform/changes/change-kind.ts'
import type { Reads } from '../../platform/database/db.ts'
import { scopeOf } from './queries.ts'

/** The readers of a review: its reviewers and the administrators. */
export const readersOf = (reviewId: number): PeopleQuery => sql`array(
  select user_id from access_reviewers(${reviewId}) union select unnest(${administrators}) order by 1)`

/**
 * SQL: the undecided items that the reviewer `one` may judge, among those that meet `isMeant`. Each condition that is used has its index.
 */
const undecidedIn = (reviewId: number, isMeant: RawBuilder<unknown>) => sql`
  select from access_review_items as i where i.review_id = ${reviewId} and i.state = 'undecided' and ${isMeant} and i.user_id <> one.user_id`

/**
 * The reviewers who have undecided items, all or those among `ids`. Administrators as such review only the roles, and only in a review
 * without named reviewers.
 */
export const undecidedReviewers = (reviewId: number, ids?: readonly number[]): PeopleQuery => sql`array(
  select distinct one.user_id from access_reviewers(${reviewId}) as one
  where ${ids ? sql`one.user_id = any(${ids}::int[])` : sql`true`} and (
    exists (${undecidedIn(reviewId, sql`i.group_id = one.scope`)})
    or one.scope = 0 and exists (${undecidedIn(reviewId, sql`i.group_id is null`)})
    or one.scope = -1 and exists (${undecidedIn(reviewId, sql`true`)}))
  order by 1)`

/** SQL: whether some undecided items of a review have no reviewer but their own person. */
export const isUnjudged = (reviewId: RawBuilder<number>) => sql<boolean>`exists (
  with judges as materialized (
    select scope, count(*) as count, min(user_id) as sole from access_reviewers(${reviewId}) group by scope)
  select from access_review_items as i join access_reviews as r on r.id = i.review_id left join judges on judges.scope = ${scopeOf}
  where i.review_id = ${reviewId} and i.state = 'undecided' and (judges.scope is null or judges.count = 1 and judges.sole = i.user_id))`

export const hasUnjudged = async (db: Reads, reviewId: number) =>
  (await sql<{ has: boolean }>`select ${isUnjudged(sql`${reviewId}::int`)} as has`.execute(db)).rows[0]!.has
