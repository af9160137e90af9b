import { departure } from '../platform/changes/departures.ts'
import type { Change } from '../platform/changes/outcome.ts'
import type { Tx } from '../platform/database/db.ts'
import { endSessions } from './queries.ts'

/** Ends every session of a person; their streams give the reason and close. */
const signOut =
  (reason: 'deactivated' | 'deleted') =>
  async (tx: Tx, targetId: number): Promise<Change[]> => {
    const sessionIds = await endSessions(tx, targetId)
    return sessionIds.length ? [{ kind: 'session.ended', targetId, facts: { reason, sessionIds } }] : []
  }

export const accountDepartures = [
  departure({
    of: 'users',
    holds: ['sessions.user_id', 'password_resets.user_id', 'idempotency_keys.user_id', 'devices.user_id', 'gathered_changes.user_id'],
    leaves: signOut('deleted'),
    deactivates: signOut('deactivated'),
  }),
]
