/** The one way to write: run the work in a transaction, record its changes, commit, and wake the open streams. */
import { lockCaller } from '../auth/hold.ts'
import { guardAdministration } from '../auth/last-admin.ts'
import type { Caller } from '../auth/sessions.ts'
import { mutex } from '../concurrency.ts'
import { type Db, isTransient, type Tx } from '../database/db.ts'
import { changeAccess } from './access.ts'
import type { Author } from './change-kind.ts'
import type { Unentitled } from './deletion-hooks.ts'
import type { Outcome } from './outcome.ts'
import type { RecordChanges } from './record.ts'

const TRIES = 4

/** Retries a transaction that the database aborted in favour of another. */
export async function retrying<R>(act: () => Promise<R>): Promise<R> {
  for (let left = TRIES; ; left--) {
    try {
      return await act()
    } catch (error) {
      if (left <= 1 || !isTransient(error)) throw error
    }
  }
}

type Work<R> = (tx: Tx) => Promise<Outcome<R>>

interface Manner {
  /** The caller. The transaction commits only if their session and rights are unchanged; otherwise it throws `StaleCaller`. */
  caller?: Caller | null
  /** The work changes the caller's own row or ends their sessions: such works of one person run one at a time. */
  changesCaller?: boolean
  /**
   * The work changes who may do what. Such work runs one at a time, so that a burst of it waits here instead of occupying every connection.
   * Its author must be an administrator when it begins, and an active administrator must remain when it ends. `leaving`: the work removes a
   * person, and nobody else loses a right.
   */
  changesAccess?: boolean | 'leaving'
  /** The work is an administrator's, who must confirm if it changes who is one; see `guardAdministration`. Each change of access is so checked. */
  isAdministrative?: boolean
  /** The same for the memberships of this person; the work itself checks the right of its author, who need not be an administrator. */
  changesAccessOf?: number | undefined
}

/**
 * `transact(author, work)` returns the reply of `work` once it is committed. After a deadlock or a serialisation failure, `work` runs
 * again from the start, so it must do nothing outside its transaction.
 */
export function transactor(
  db: Db,
  record: RecordChanges,
  unentitled: readonly Unentitled[],
  announce: (author: Author, changes: Outcome<unknown>['changes']) => void,
) {
  const exclusively = mutex<'access'>()

  const runPlain = async <R>(tx: Tx, work: Work<R>, { caller, changesCaller = false, isAdministrative }: Manner) => {
    if (caller) await lockCaller(tx, caller, changesCaller)
    const checkAdministration = caller && isAdministrative && (await guardAdministration(tx, caller.session))
    const outcome = await work(tx)
    if (checkAdministration) await checkAdministration()
    return outcome
  }

  const commit = <R>(author: Author, work: Work<R>, manner: Manner) =>
    db.writes.transaction().execute(async (tx) => {
      const { changesAccess, changesAccessOf: of, caller } = manner
      const isLeaving = changesAccess === 'leaving'
      const outcome =
        changesAccess || of !== undefined
          ? await changeAccess(tx, { author, caller }, work, { unentitled, isLeaving, of })
          : await runPlain(tx, work, manner)
      await record(tx, author, outcome.changes)
      return outcome
    })

  return async <R>(author: Author, work: Work<R>, manner: Manner = {}): Promise<R> => {
    const { changesAccess, changesAccessOf } = manner
    const act = () => retrying(() => commit(author, work, manner))
    const { reply, changes } = await (changesAccess || changesAccessOf !== undefined ? exclusively('access', act) : act())
    if (changes.length) announce(author, changes)
    return reply
  }
}
export type Transact = ReturnType<typeof transactor>
