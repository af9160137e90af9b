/** Removes all factors of a person who has lost them. */

import { freeLimits } from '../../platform/auth/limits.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { endSessions } from '../sessions/queries.ts'
import { afterRemoval } from './enrol.ts'
import { removeFactors } from './queries.ts'
import { factorLimit } from './rules.ts'

/** The caller must have locked the person. Returns the changes and the ended sessions, both empty for a person without factors. */
export async function forgetFactors(tx: Tx, { id, username }: { id: number; username: string }) {
  const factors = await removeFactors(tx, id)
  if (factors.length === 0) return { changes: [], sessionIds: [] }
  await afterRemoval(tx, id)
  await freeLimits(tx, [factorLimit(id)])
  const sessionIds = await endSessions(tx, id)
  const changes: Change[] = [
    { kind: 'factors.reset', targetId: id, facts: { username, factors } },
    { kind: 'session.ended', targetId: id, facts: { reason: 'factors_changed', sessionIds } },
  ]
  return { changes, sessionIds }
}
