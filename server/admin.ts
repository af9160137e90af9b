/** Commands for operators: `npm run admin -- reset-link <username>` and `npm run admin -- recount`. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { findByIdentifier, issueResetToken } from './accounts/queries.ts'
import { resetUrl } from './accounts/rules.ts'
import { changed } from './platform/changes/outcome.ts'
import { transactor } from './platform/changes/transact.ts'
import { type Config, readConfig } from './platform/config.ts'
import { openDb } from './platform/database/db.ts'
import { borrowPostgres } from './platform/postgres/server.ts'
import { record, unentitled } from './portal.ts'
import { recount } from './stats/recount.ts'

const USAGE = 'Usage: npm run admin -- reset-link <username or e-mail address> | recount'
const LINK_MINUTES = 24 * 60

/** Prints a reset link, valid for 24 hours, for someone who is locked out. It voids the former one. */
async function printResetLink(config: Config, connection: pg.PoolConfig, identifier: string) {
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

const HOUR_MS = 3600 * 1000

/** Compares the stored counts with a recount; exits with 1 when they differ. */
async function printRecount(connection: pg.PoolConfig) {
  const db = openDb(connection, { size: 1, statementMs: HOUR_MS })
  try {
    const differences = await recount(db.reads)
    console.log(differences.join('\n') || 'Every count is correct.')
    if (differences.length) process.exitCode = 1
  } finally {
    await db.close()
  }
}

/** The command that the arguments name. */
function commandOf([command, identifier, ...rest]: string[]) {
  if (command === 'reset-link' && identifier && !rest.length)
    return (config: Config, connection: pg.PoolConfig) => printResetLink(config, connection, identifier)
  if (command === 'recount' && identifier === undefined) return (_: Config, connection: pg.PoolConfig) => printRecount(connection)
  throw new Error(USAGE)
}

async function run(args: string[]) {
  const command = commandOf(args)
  const config = readConfig()
  if (!config.databaseUrl && !existsSync(join(config.dataDir, 'postgres'))) throw new Error(`there is no portal in ${config.dataDir}`)
  const postgres = config.databaseUrl ? null : await borrowPostgres(config.dataDir)
  try {
    await command(config, postgres?.connection ?? { connectionString: config.databaseUrl })
  } finally {
    await postgres?.release()
  }
}

run(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message.split('\n')[0])
  process.exit(1)
})
