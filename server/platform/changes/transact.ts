/** One way to write: a transaction, what it did, the record of it, the commit, and the word to the open streams. */
import { keepAnAdministrator, lockAccess, requireAdministrator } from '../auth/last-admin.ts'
import { mutex } from '../concurrency.ts'
import { type Db, isTransient, type Tx } from '../database/db.ts'
import type { Author } from './change-kind.ts'
import type { Outcome } from './outcome.ts'
import type { RecordChanges } from './record.ts'

const TRIES = 4

/** Tries a transaction again when the database gave it up for another's sake. */
export async function retrying<R>(act: () => Promise<R>): Promise<R> {
  for (let left = TRIES; ; left--) {
    try {
      return await act()
    } catch (error) {
      if (left <= 1 || !isTransient(error)) throw error
    }
  }
}

interface Manner {
  /**
   * The work changes who may do what. Such work takes turns, so that a burst of it waits here and not on every connection there is;
   * its author must still be an administrator when the turn comes, and one must be left after it.
   */
  changesAccess?: boolean
}

/**
 * `transact(author, work)` answers the reply of `work` once it is committed. A deadlock or a serialisation failure is tried
 * again from the start, so `work` must do nothing outside its transaction.
 */
export function transactor(db: Db, record: RecordChanges, announce: () => void) {
  const exclusively = mutex<'access'>()

  const commit = <R>(author: Author, work: (tx: Tx) => Promise<Outcome<R>>, changesAccess: boolean) =>
    db.writes.transaction().execute(async (tx) => {
      if (changesAccess) {
        await lockAccess(tx)
        if (author) await requireAdministrator(tx, author.id)
      }
      const outcome = await work(tx)
      if (changesAccess) await keepAnAdministrator(tx)
      await record(tx, author, outcome.changes)
      return outcome
    })

  return async <R>(author: Author, work: (tx: Tx) => Promise<Outcome<R>>, { changesAccess = false }: Manner = {}): Promise<R> => {
    const act = () => retrying(() => commit(author, work, changesAccess))
    const { reply, changes } = await (changesAccess ? exclusively('access', act) : act())
    if (changes.length) announce()
    return reply
  }
}
export type Transact = ReturnType<typeof transactor>
