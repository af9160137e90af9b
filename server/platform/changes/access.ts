/** Changes of roles, grants, memberships and activity, with the consequences for people who lose rights. */
import { lockSession } from '../auth/hold.ts'
import { blockCommands, keepAnAdministrator, lockAccess, requireAdministrator } from '../auth/last-admin.ts'
import type { Caller } from '../auth/sessions.ts'
import type { Tx } from '../database/db.ts'
import type { Author } from './change-kind.ts'
import type { Unentitled } from './deletion-hooks.ts'
import { type Change, changedIf, type Outcome } from './outcome.ts'

interface By {
  author: Author
  caller?: Caller | null
}

/**
 * Runs `work` while no other change of access runs. The author must be an administrator, and an active administrator must be left. Takes
 * back what people hold without the right to it any longer, in the same transaction, unless the change is the deletion of a person
 * (`isLeaving`).
 */
export async function changeAccess<R>(
  tx: Tx,
  { author, caller }: By,
  work: (tx: Tx) => Promise<Outcome<R>>,
  { unentitled, isLeaving }: { unentitled: readonly Unentitled[]; isLeaving: boolean },
): Promise<Outcome<R>> {
  await lockAccess(tx)
  // The wait may have been long. The author must still be an administrator; their other rights may have changed meanwhile.
  if (caller) await lockSession(tx, caller)
  if (author) await requireAdministrator(tx, author.id)
  const { reply, changes } = await work(tx)
  await keepAnAdministrator(tx)
  if (isLeaving) return changedIf(reply, changes)

  // Running commands may still give someone more to hold. Search once they have ended.
  await blockCommands(tx)
  const taken: Change[] = []
  for (const { find, handBack } of unentitled) {
    const people = await find(tx)
    if (people.length) taken.push(...(await handBack(tx, people)))
  }
  return changedIf(reply, [...changes, ...taken])
}
