/** Commands of several callers in one transaction: they share the cost of the transaction and of its record. */
import { lockCallers } from '../auth/hold.ts'
import type { Caller } from '../auth/sessions.ts'
import { type Db, isTransient, isUnavailable, type Tx } from '../database/db.ts'
import { askingForAll } from '../database/fair-pool.ts'
import { Refusal } from '../errors/refusal.ts'
import type { Author } from './change-kind.ts'
import type { Change, Decision } from './outcome.ts'
import type { RecordChanges } from './record.ts'

/** Decides on the calls of the callers with these indices, in the same order. */
type Work<R> = (tx: Tx, places: number[]) => Promise<Decision<R>[]>

/**
 * `transactMany(callers, work)` returns for each caller the committed outcome or the refusal. It returns undefined, with nothing done, for
 * a caller whose session or rights have changed or are locked by another transaction; and for every caller if the transaction is rolled
 * back, for example because it waits for a lock longer than half a second. Each of these callers is then served alone, by `transact`. If
 * the database is unavailable, it throws, because the transaction may have been committed.
 */
export function openTransactMany(db: Db, record: RecordChanges, announce: (author: Author, changes: Change[]) => void) {
  const commit = <R>(callers: readonly Caller[], work: Work<R>) =>
    db.writes.transaction().execute(async (tx) => {
      const places = await lockCallers(tx, callers)
      const decisions = places.length ? await work(tx, places) : []
      const decided = decisions.map((decision, n) => ({ decision, place: places[n]! }))
      const changes = decided.flatMap(({ decision, place }) =>
        decision instanceof Refusal ? [] : decision.changes.map((change) => ({ author: callers[place]!.actor, ...change })),
      )
      await record(tx, null, changes)
      return decided
    })

  return async <R>(callers: readonly Caller[], work: Work<R>): Promise<(Decision<R> | undefined)[]> => {
    const answers = new Array<Decision<R> | undefined>(callers.length).fill(undefined)
    try {
      for (const { decision, place } of await askingForAll(() => commit(callers, work))) {
        answers[place] = decision
        if (!(decision instanceof Refusal) && decision.changes.length) announce(callers[place]!.actor, decision.changes)
      }
    } catch (error) {
      // An error that the database reports means a rollback. If the connection is lost, nobody knows whether the transaction committed.
      if (isUnavailable(error) && !isTransient(error)) throw error
    }
    return answers
  }
}
export type TransactMany = ReturnType<typeof openTransactMany>
