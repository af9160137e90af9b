/** `npm run admin -- reset-link`. */
import type pg from 'pg'
import { findByIdentifier, issueResetToken } from '../identity/passwords/queries.ts'
import { resetUrl } from '../identity/passwords/rules.ts'
import { record, unentitled } from '../lists/recording.ts'
import { changed } from '../platform/changes/outcome.ts'
import { transactor } from '../platform/changes/transact.ts'
import type { Config } from '../platform/config.ts'
import { openDb } from '../platform/database/db.ts'

const LINK_MINUTES = 24 * 60

/** Prints a reset link, valid for 24 hours, for someone who is locked out. It voids the previous one. */
export async function printResetLink(config: Config, connection: pg.PoolConfig, identifier: string) {
  const db = openDb(connection, { size: 1 })
  try {
    const person = await findByIdentifier(db.reads, identifier)
    if (!person) throw new Error(`there is no user ${identifier}`)
    const transact = transactor(db, record, unentitled, () => {})
    const { token, expiresAt } = await transact(null, async (tx) =>
      changed(await issueResetToken(tx, person.id, LINK_MINUTES), {
        kind: 'user.reset_link_issued',
        targetId: person.id,
        facts: { username: person.username },
      }),
    )
    console.log(`${resetUrl(config, token)}\nWorks once, until ${expiresAt.toISOString()}.`)
    if (!person.isActive) console.log(`Note: ${person.username} is deactivated; the link works when the account is active again.`)
  } finally {
    await db.close()
  }
}
