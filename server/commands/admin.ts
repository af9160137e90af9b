/**
 * Commands for operators: `npm run admin -- reset-link <username>`, `forget-factors <username>`, `sign-in passwords`, `recount`, `migrate`, `backup <file>`, `restore <file>`, `move-objects`,
 * `restored`, `rotate-secrets` and `forget-secrets`.
 */

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readSlowly } from '../platform/backup/database.ts'
import { type Config, readConfig } from '../platform/config.ts'
import { withClient } from '../platform/database/client.ts'
import { beginAnew } from '../platform/events/event-log.ts'
import { moveToBucket } from '../platform/objects/open.ts'
import { borrowPostgres } from '../platform/postgres/server.ts'
import { EVERY_KEY } from '../work/storage/queries.ts'
import { assertWhole, backUp, checkLedger, restore } from './backup.ts'
import { type Connections, configuredConnections, prepareDb } from './prepare.ts'

const USAGE =
  'Usage: npm run admin -- reset-link <username or email address> | forget-factors <username or email address> | sign-in passwords | recount | migrate | backup <file> | restore <file> | move-objects | restored | rotate-secrets | forget-secrets'

/** Prepares the database as a start does, so that the portal can be started without DATABASE_OWNER_URL. */
async function printMigration(config: Config, connections: Connections) {
  await prepareDb(config, connections, (line) => console.error(line))
  console.log('The database has the schema of this version.')
}

/**
 * Begins a new run of events and of the audit stream, and checks the ledger. Operators run it after they have replaced the files of the
 * database by an older copy, because the portal cannot notice that.
 */
async function printRestored(_config: Config, { connection, owner = connection }: Connections) {
  await withClient(owner, beginAnew)
  console.log('Open pages will load everything again, and the ids of the audit stream will leap.')
  printLedgerCheck(await checkLedger(owner))
}

/** The error for an external database, with the program to use instead. */
const OF_ITS_OWN = (program: string, { s3 }: Config) =>
  `DATABASE_URL is set, and its PostgreSQL has programs of its own: ${program}; then copy ${s3 ? 'the bucket S3_BUCKET' : 'DATA_DIR/objects'}`

/** Backs up the embedded database and the objects, whether the portal is running or not. */
async function printBackup(config: Config, { owner }: Connections, file: string) {
  if (config.databaseUrl) throw new Error(OF_ITS_OWN('pg_dump -Fc -f <file> "$DATABASE_URL", as the owner of the schema', config))
  console.log(`Backed up into ${file}: ${await backUp(config, owner!, file)}.`)
}

/** Creates a portal from a backup in an empty DATA_DIR. */
async function printRestore(config: Config, file: string) {
  if (config.databaseUrl) throw new Error(OF_ITS_OWN('pg_restore --no-owner -d "$DATABASE_URL" <file>, as the owner of the schema', config))
  const { said, ledger } = await restore(config, file)
  console.log(`Restored into ${config.dataDir}: ${said}.`)
  printLedgerCheck(ledger)
}

/**
 * Prints whether the ledger matches its seals, and its newest seal, for comparison with one noted elsewhere. Exits with 1 if it does not
 * match.
 */
function printLedgerCheck({ valid, said }: { valid: boolean; said: string }) {
  console[valid ? 'log' : 'error'](said)
  if (!valid) process.exitCode = 1
}

/** Moves the objects of DATA_DIR into the bucket; exits with 1 if an object is missing or damaged. Damaged objects stay behind. */
async function printMove(config: Config, { connection }: Connections) {
  const { moved, damaged, missing } = await withClient(connection, async (client) => {
    await client.query('begin read only')
    return moveToBucket(config, readSlowly(client, EVERY_KEY))
  })
  console.log(`Moved ${moved} objects into the bucket.`)
  for (const key of damaged) console.error(`${key} has other bytes than were uploaded, and stays in DATA_DIR`)
  for (const key of missing) console.error(`${key} is neither in DATA_DIR nor in the bucket`)
  if (damaged.length + missing.length) process.exitCode = 1
}

type Command = (config: Config, connections: Connections) => Promise<void>

/** The command that the arguments name. Modules that only one command needs are loaded by that command. */
function commandOf([command, identifier, ...rest]: string[]): Command {
  if (command === 'reset-link' && identifier && !rest.length)
    return async (config, { connection }) => (await import('./reset-link.ts')).printResetLink(config, connection, identifier)
  if (command === 'forget-factors' && identifier && !rest.length)
    return async (_, { connection }) => (await import('./sign-in.ts')).printForgottenFactors(connection, identifier)
  if (command === 'sign-in' && identifier === 'passwords' && !rest.length)
    return async (_, { connection }) => (await import('./sign-in.ts')).printPasswordsOpened(connection)
  if (command === 'recount' && identifier === undefined)
    return async (_, { connection }) => (await import('./recount.ts')).printRecount(connection)
  if (command === 'migrate' && identifier === undefined) return printMigration
  if (command === 'backup' && identifier && !rest.length)
    return (config, connections) => printBackup(config, connections, resolve(identifier))
  if (command === 'move-objects' && identifier === undefined) return printMove
  if (command === 'restored' && identifier === undefined) return printRestored
  if (command === 'rotate-secrets' && identifier === undefined)
    return async (config, { connection, owner = connection }) => (await import('./secrets.ts')).printRotation(config, owner)
  if (command === 'forget-secrets' && identifier === undefined)
    return async (config, { connection, owner = connection }) => (await import('./secrets.ts')).printForgetting(config, owner)
  throw new Error(USAGE)
}

async function run(args: string[]) {
  const [name, file, ...rest] = args
  if (name === 'restore' && file && !rest.length) return printRestore(readConfig(), resolve(file))
  const command = commandOf(args)
  const config = readConfig()
  const configured = configuredConnections(config)
  if (configured) return command(config, configured)
  assertWhole(config.dataDir)
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
