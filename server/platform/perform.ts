/** One way to write: a transaction, what it did, the record of it, the commit, and the word to the open streams. */
import type { Author } from './change-kind.ts'
import { record } from './changes.ts'
import { type Db, isTransient, type Tx } from './db.ts'
import type { Outcome } from './endpoint.ts'

const TRIES = 4

/**
 * `perform(author, work)` answers the reply of `work` once it is committed. A deadlock or a serialisation failure is tried
 * again from the start, so `work` must do nothing outside its transaction.
 */
export const performer =
  (db: Db, announce: () => void) =>
  async <R>(author: Author, work: (tx: Tx) => Promise<Outcome<R>>): Promise<R> => {
    for (let left = TRIES; ; left--) {
      try {
        const { reply, changes } = await db.writes.transaction().execute(async (tx) => {
          const outcome = await work(tx)
          for (const change of outcome.changes) await record(tx, author, change)
          return outcome
        })
        if (changes.length) announce()
        return reply
      } catch (error) {
        if (left <= 1 || !isTransient(error)) throw error
      }
    }
  }
export type Perform = ReturnType<typeof performer>
