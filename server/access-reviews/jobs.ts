import { setTimeout as pause } from 'node:timers/promises'
import { type Change, changedIf, unchanged } from '../platform/changes/outcome.ts'
import type { Job, JobContext } from '../platform/jobs/runner.ts'
import { addClosing, beginClosing, closeSome, keepSome } from './closing.ts'
import { findDue, findInterrupted, findUnreminded, takeReminders } from './reminders.ts'
import { titlesOf } from './rules.ts'

/** After each portion of removals, others have twice the time that it took. */
const REST = 2
/** After this many portions another job continues, because a portal that stops waits for its running jobs. */
const MOST_PORTIONS = 20

/** Takes away what a review that is being closed decided, in portions. A killed job is run again and continues where it was. */
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

/** Closes reviews whose time is over, continues those that nothing is closing, and reminds reviewers. */
export const watchAccessReviews: Job = async (_payload, context) => {
  for (const id of await findDue(context.db.reads)) await closeDue(context, id)
  for (const id of await findInterrupted(context.db.reads)) await context.transact(null, async (tx) => unchanged(await addClosing(tx, id)))
  for (const id of await findUnreminded(context.db.reads)) await remind(context, id)
}

const closeDue = ({ transact }: JobContext, id: number) =>
  transact(null, async (tx) => {
    const review = await beginClosing(tx, id, null)
    return changedIf(undefined, review ? [{ kind: 'access_review.closing', targetId: id, facts: titlesOf(review) }] : [])
  })

const remind = ({ transact }: JobContext, id: number) =>
  transact(null, async (tx) => {
    const review = await takeReminders(tx, id)
    if (!review) return unchanged(undefined)
    const facts = { ...titlesOf(review), dueDate: review.dueDate }
    return changedIf(
      undefined,
      review.templates.map((template): Change => ({ kind: 'access_review.reminded', targetId: id, facts: { ...facts, template } })),
    )
  })
