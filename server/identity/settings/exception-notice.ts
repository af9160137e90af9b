/** Notifies all administrators when an exception signs in without the required provider. */
import { sql } from 'kysely'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { momentFor } from '../../platform/text.ts'
import { readSettings } from '../../site/settings/queries.ts'
import { exceptionNotice } from './rules.ts'

/** The change that records and announces a sign-in of an exception while a provider is required; no change otherwise. */
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
