/** Commands for operators: `npm run admin -- reset-link <username>`, `recount`, `migrate` and `restored`. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { findByIdentifier, issueResetToken } from './accounts/queries.ts'
import { resetUrl } from './accounts/rules.ts'
import { changed } from './platform/changes/outcome.ts'
import { transactor } from './platform/changes/transact.ts'
import { type Config, readConfig } from './platform/config.ts'
import { withClient } from './platform/database/client.ts'
import { openDb } from './platform/database/db.ts'
import { beginAnew } from './platform/events/event-log.ts'
import { borrowPostgres } from './platform/postgres/server.ts'
import { record, unentitled } from './portal.ts'
import { type Connections, configuredConnections, prepareDb } from './prepare.ts'
import { recount } from './stats/recount.ts'

const USAGE = 'Usage: npm run admin -- reset-link <username or e-mail address> | recount | migrate | restored'
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

/** Does what a start does to the database, so that the portal can be started without DATABASE_OWNER_URL. */
async function printMigration(config: Config, connections: Connections) {
  await prepareDb(config, connections, (line) => console.error(line))
  console.log('The database is that of this version.')
}

/** Begins a new run of events in a database that was set back to an older copy of its own files, which nothing in it shows. */
async function printRestored(_config: Config, { connection, owner = connection }: Connections) {
  await withClient(owner, beginAnew)
  console.log('Open pages will load everything anew.')
}

type Command = (config: Config, connections: Connections) => Promise<void>

/** The command that the arguments name. */
function commandOf([command, identifier, ...rest]: string[]): Command {
  if (command === 'reset-link' && identifier && !rest.length)
    return (config, { connection }) => printResetLink(config, connection, identifier)
  if (command === 'recount' && identifier === undefined) return (_, { connection }) => printRecount(connection)
  if (command === 'migrate' && identifier === undefined) return printMigration
  if (command === 'restored' && identifier === undefined) return printRestored
  throw new Error(USAGE)
}

async function run(args: string[]) {
  const command = commandOf(args)
  const config = readConfig()
  const configured = configuredConnections(config)
  if (configured) return command(config, configured)
  if (!existsSync(join(config.dataDir, 'postgres'))) throw new Error(`there is no portal in ${config.dataDir}`)
  const { release, ...connections } = await borrowPostgres(config.dataDir)
  try {
    await command(config, connections)
  } finally {
    await release()
  }
}

run(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message.split('\n')[0])
  process.exit(1)
})
