/** Changes of roles, grants, memberships and activity, with the consequences for people who lose rights. */
import { guardBreakGlass } from '../auth/break-glass.ts'
import { lockRightsOf, lockSession } from '../auth/hold.ts'
import {
  blockCommands,
  guardAdministration,
  keepAnAdministrator,
  keepProgramsFromAdministering,
  lockAccess,
  requireAdministrator,
} from '../auth/last-admin.ts'
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
 * Runs `work` while no other change of access runs. The author must be an administrator, and an active administrator must be left. In the
 * same transaction, things that people hold and have lost the right to are taken back, unless the change is the deletion of a person
 * (`isLeaving`).
 *
 * With `of`, the work changes this person's memberships, and checks itself whether its author may do so. No other command runs at the same
 * time, so the work may lock the rows that commands lock.
 */
export async function changeAccess<R>(
  tx: Tx,
  { author, caller }: By,
  work: (tx: Tx) => Promise<Outcome<R>>,
  { unentitled, isLeaving, of }: { unentitled: readonly Unentitled[]; isLeaving: boolean; of: number | undefined },
): Promise<Outcome<R>> {
  await lockAccess(tx)
  // The wait may have been long. The author must still be an administrator; their other rights may have changed.
  if (caller) await lockSession(tx, caller)
  if (of !== undefined) {
    // This comes before the commands are blocked: a command of this person may hold the row while it waits to begin.
    await lockRightsOf(tx, of)
    await blockCommands(tx)
  } else if (author) await requireAdministrator(tx, author.id)
  const checkAdministration = caller && (await guardAdministration(tx, caller.session))
  const keepBreakGlass = await guardBreakGlass(tx)
  const { reply, changes } = await work(tx)
  await keepAnAdministrator(tx)
  await keepProgramsFromAdministering(tx)
  await checkAdministration?.()
  if (isLeaving) {
    await keepBreakGlass()
    return changedIf(reply, changes)
  }

  // Running commands may still give someone more to hold. Search once they have ended.
  if (of === undefined) await blockCommands(tx)
  await keepBreakGlass()
  const taken: Change[] = []
  for (const { find, handBack } of unentitled) {
    const people = await find(tx)
    if (people.length) taken.push(...(await handBack(tx, people)))
  }
  return changedIf(reply, [...changes, ...taken])
}
