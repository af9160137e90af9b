/** Ends an administrator’s exemption from provider sign-in. */
import { sql } from 'kysely'
import { endSessionsWhere } from '../../platform/changes/ending-sessions.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { passwordSessions, unmarkExceptions } from './queries.ts'

/** Unmarks exceptions. While a provider is required, their sessions that began by a password end, except the session `except`. */
export async function unmark(tx: Tx, ids: readonly number[], except = 0): Promise<Change[]> {
  const unmarked = await unmarkExceptions(tx, ids)
  const theirs = sql`user_id = any(${ids}::int[]) and (select passwords from sign_in_settings) = 'exceptions' and ${passwordSessions(except)}`
  return [
    ...unmarked.map(({ id, username }): Change => ({ kind: 'sign_in_exception.removed', targetId: id, facts: { username } })),
    ...(await endSessionsWhere(tx, theirs, 'sso_only')),
  ]
}
