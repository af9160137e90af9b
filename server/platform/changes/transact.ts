/** Runs work in a transaction, records its changes, commits, and wakes the open streams. */
import { lockCaller, lockOwnRow } from '../auth/hold.ts'
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

/** Runs a transaction again if it failed for a transient reason (see `isTransient`); four times in all. */
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

/**
 * The locks of the work, besides its caller's session and rights:
 * - `access`: it changes who may do what. Such work runs one at a time, so that a burst of it waits here instead of occupying every
 *   connection. Its author must be an administrator when it begins, and an active administrator must remain when it ends.
 * - `leaving`: as `access`, for work that removes a person; nobody else loses a right.
 * - `accessOf`: as `access`, for the memberships of one person. The author need not be an administrator: the work checks their right.
 * - `texts`: it changes only texts of rows that changes of access lock, too. It locks these rows before the rights of its caller, because a
 *   change of access that holds the rows waits for these rights.
 * - `caller`: it changes the caller's own row or ends sessions of theirs. Such work of one person runs one at a time.
 */
export type Locks = 'access' | 'leaving' | 'texts' | 'caller' | { accessOf: number }

interface Manner {
  /**
   * The caller. The transaction commits only if their session and rights are unchanged. It refuses `unauthorized` if the session has ended,
   * and throws `StaleCaller` if the rights have changed.
   */
  caller?: Caller | null
  locks?: Locks | undefined
  /**
   * Whether the caller acts as an administrator: `guardAdministration` then checks the work even if it is no change of access, unless it
   * changes only texts.
   */
  isAdministrative?: boolean
}

const isOfAccess = (locks: Manner['locks']) => locks === 'access' || locks === 'leaving' || typeof locks === 'object'

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

  const runTexts = async <R>(tx: Tx, work: Work<R>, caller: Caller | null | undefined) => {
    if (caller) await lockOwnRow(tx, caller)
    const outcome = await work(tx)
    if (caller) await lockCaller(tx, caller, false)
    return outcome
  }

  const runPlain = async <R>(tx: Tx, work: Work<R>, { caller, locks, isAdministrative }: Manner) => {
    if (caller) await lockCaller(tx, caller, locks === 'caller')
    const checkAdministration = caller && isAdministrative && (await guardAdministration(tx, caller.session))
    const outcome = await work(tx)
    if (checkAdministration) await checkAdministration()
    return outcome
  }

  const run = <R>(tx: Tx, author: Author, work: Work<R>, manner: Manner) => {
    const { caller, locks } = manner
    if (locks === 'texts') return runTexts(tx, work, caller)
    if (!isOfAccess(locks)) return runPlain(tx, work, manner)
    const of = typeof locks === 'object' ? locks.accessOf : undefined
    return changeAccess(tx, { author, caller }, work, { unentitled, isLeaving: locks === 'leaving', of })
  }

  const commit = <R>(author: Author, work: Work<R>, manner: Manner) =>
    db.writes.transaction().execute(async (tx) => {
      const outcome = await run(tx, author, work, manner)
      await record(tx, author, outcome.changes)
      return outcome
    })

  return async <R>(author: Author, work: Work<R>, manner: Manner = {}): Promise<R> => {
    const act = () => retrying(() => commit(author, work, manner))
    const { reply, changes } = await (isOfAccess(manner.locks) ? exclusively('access', act) : act())
    if (changes.length) announce(author, changes)
    return reply
  }
}
export type Transact = ReturnType<typeof transactor>
