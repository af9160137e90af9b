/** Taking all factors from somebody who has lost them. */

import { removeFactors } from '../factors/queries.ts'
import { factorLimit } from '../factors/rules.ts'
import { freeLimits } from '../platform/auth/limits.ts'
import type { Change } from '../platform/changes/outcome.ts'
import type { Tx } from '../platform/database/db.ts'
import { afterRemoval } from './adding-factors.ts'
import { endSessions } from './queries.ts'

/** The changes, and the sessions that have ended; none if the person, who must be locked, has no factor. */
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
