/** Commands of several callers, committed together: they share what a transaction and a record cost. */
import { holdCallers } from '../auth/hold.ts'
import type { Caller } from '../auth/sessions.ts'
import { type Db, isUnavailable, type Tx } from '../database/db.ts'
import { askingForAll } from '../database/fair-pool.ts'
import type { Author } from './change-kind.ts'
import type { Change, Outcome } from './outcome.ts'
import type { RecordChanges } from './record.ts'

/** Does what some of the callers ask for, by their places; undefined for what has to be done on its own. */
type Work<R> = (tx: Tx, places: number[]) => Promise<(Outcome<R> | undefined)[]>

/** Anything that the database refuses it has undone; where it cannot be reached, nobody knows. */
const isUndone = (error: unknown) => !isUnavailable(error)

/**
 * `transactTogether(callers, work)` returns the reply to each caller once it is committed. It returns undefined, with nothing done, for a
 * caller who has to be served on their own: because their session or rights have changed, because another transaction holds rows that
 * theirs needs, or because the transaction failed, no matter which caller caused that. It fails instead of waiting for a lock.
 */
export function togetherTransactor(db: Db, record: RecordChanges, announce: (author: Author, changes: Change[]) => void) {
  const commit = <R>(callers: readonly Caller[], work: Work<R>) =>
    db.writes.transaction().execute(async (tx) => {
      const places = await holdCallers(tx, callers)
      const outcomes = places.length ? await work(tx, places) : []
      const done = outcomes.flatMap((outcome, n) => (outcome ? [{ ...outcome, place: places[n]! }] : []))
      const changes = done.flatMap(({ changes, place }) => changes.map((change) => ({ author: callers[place]!.actor, ...change })))
      await record(tx, null, changes)
      return done
    })

  return async <R>(callers: readonly Caller[], work: Work<R>): Promise<(R | undefined)[]> => {
    const replies = new Array<R | undefined>(callers.length).fill(undefined)
    try {
      for (const { place, reply, changes } of await askingForAll(() => commit(callers, work))) {
        replies[place] = reply
        if (changes.length) announce(callers[place]!.actor, changes)
      }
    } catch (error) {
      if (!isUndone(error)) throw error
    }
    return replies
  }
}
export type TransactTogether = ReturnType<typeof togetherTransactor>
