import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { changedIf, unchanged } from '../../platform/changes/outcome.ts'
import type { Reads } from '../../platform/database/db.ts'
import type { Job, JobContext } from '../../platform/jobs/runner.ts'
import { addClosing, beginClosing, closeSome, keepSome } from './closing.ts'
import { titlesOf } from './rules.ts'

/** After each portion of removals, other commands have twice the time that it took. */
const REST = 2
/** After this many portions another job continues, because a portal that stops waits for its running jobs. */
const MOST_PORTIONS = 20

/**
 * Closes a review: marks the items to keep, and decides the others and removes their grants, in portions. A killed job is run again and
 * continues where it was.
 */
export const closeAccessReview: Job<{ reviewId: number }> = async ({ reviewId }, { transact }) => {
  while ((await transact(null, (tx) => keepSome(tx, reviewId))) > 0);
  for (let portions = 0; portions < MOST_PORTIONS; portions++) {
    const begun = performance.now()
    const isOver = await transact(null, (tx) => closeSome(tx, reviewId), { locks: 'access' })
    if (isOver) return
    await pause(REST * (performance.now() - begun))
  }
  await transact(null, async (tx) => unchanged(await addClosing(tx, reviewId)))
}

const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)

/** The open reviews whose time is over. */
const findDue = async (db: Reads) =>
  idsOf(
    (
      await sql<{ id: number }>`
        select id from access_reviews where status = 'open' and clock_timestamp() >= end_of_day(due_date) order by id`.execute(db)
    ).rows,
  )

/** The reviews that are being closed, but whose job is missing or has failed too often to run again. */
const findInterrupted = async (db: Reads) =>
  idsOf(
    (
      await sql<{ id: number }>`
        select id from access_reviews as r where status = 'closing' and not exists (
          select from graphile_worker.jobs where queue_name = 'access_review_' || r.id and attempts < max_attempts) order by id`.execute(db)
    ).rows,
  )

/** Closes reviews whose time is over, and adds a new job for each whose closing was interrupted. */
export const watchAccessReviews: Job = async (_payload, context) => {
  for (const id of await findDue(context.db.reads)) await closeDue(context, id)
  for (const id of await findInterrupted(context.db.reads)) await context.transact(null, async (tx) => unchanged(await addClosing(tx, id)))
}

const closeDue = ({ transact }: JobContext, id: number) =>
  transact(null, async (tx) => {
    const review = await beginClosing(tx, id, null)
    return changedIf(undefined, review ? [{ kind: 'access_review.closing', targetId: id, facts: titlesOf(review) }] : [])
  })
