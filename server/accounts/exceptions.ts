/** Signing in where others must go through a provider: every administrator is told of it. */
import { sql } from 'kysely'
import type { Change } from '../platform/changes/outcome.ts'
import type { Tx } from '../platform/database/db.ts'
import { momentFor } from '../platform/text.ts'
import { readSettings } from '../settings/queries.ts'
import { exceptionNotice } from './rules.ts'

/** The change that tells of the sign-in of an exception while a provider is required; none otherwise. */
export async function tellOfException(
  tx: Tx,
  { id, username }: { id: number; username: string },
  { request: { ip } }: { request: { ip: string } },
): Promise<Change[]> {
  const { rows } = await sql<{ isTold: boolean; at: Date }>`
    select is_exception and (select passwords from sign_in_settings) = 'exceptions' as is_told, now() as at
    from users where id = ${id}`.execute(tx)
  const { isTold, at } = rows[0]!
  if (!isTold) return []
  const { timeZone } = await readSettings(tx)
  const payload = exceptionNotice({ username, ip, at: (language) => momentFor(language, at, timeZone) })
  return [{ kind: 'user.broke_glass', targetId: id, facts: { username, ip }, payload, author: { id, username } }]
}
