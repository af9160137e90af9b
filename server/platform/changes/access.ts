/** A change of who may do what, with all that people hold and may hold no longer. */
import { sql } from 'kysely'
import { keepAnAdministrator, lockAccess, requireAdministrator } from '../auth/last-admin.ts'
import type { Tx } from '../database/db.ts'
import type { Author } from './change-kind.ts'
import type { Unentitled } from './departures.ts'
import { changedIf, type Outcome } from './outcome.ts'

/**
 * Runs `work` while no other change of access runs; its author must be an administrator, and an active one must be left. Whatever
 * somebody holds and may not hold after it is taken back with it.
 */
export async function changeAccess<R>(
  tx: Tx,
  author: Author,
  work: (tx: Tx) => Promise<Outcome<R>>,
  unentitled: readonly Unentitled[],
): Promise<Outcome<R>> {
  await lockAccess(tx)
  if (author) await requireAdministrator(tx, author.id)
  await sql`savepoint before_work`.execute(tx)
  const outcome = await work(tx)
  await keepAnAdministrator(tx)
  const found = await findUnentitled(tx, unentitled)
  if (found.length === 0) return outcome

  // What is taken back must be locked before what the work locks (docs/lock-order.md), and only the work shows what that is.
  await sql`rollback to savepoint before_work`.execute(tx)
  for (const { holder, people } of found) await holder.lock(tx, people)
  const { reply, changes } = await work(tx)
  const taken = [...changes]
  for (const { holder, people } of found) taken.push(...(await holder.handBack(tx, people)))
  return changedIf(reply, taken)
}

async function findUnentitled(tx: Tx, unentitled: readonly Unentitled[]) {
  const found: { holder: Unentitled; people: number[] }[] = []
  for (const holder of unentitled) {
    const people = await holder.find(tx)
    if (people.length) found.push({ holder, people })
  }
  return found
}
