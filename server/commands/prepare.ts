/** Brings a portal's database to this version, as the owner of the schema if that is another role than the portal's. */
import type pg from 'pg'
import type { Config } from '../platform/config.ts'
import { assertOwnSessions } from '../platform/database/own-sessions.ts'
import { identityOf } from '../platform/database/roles.ts'
import { migrateDb, migrateFor, warningOf } from './migrate.ts'

/** How to connect as the portal and, if another role owns the schema, as its owner. */
export interface Connections {
  connection: pg.PoolConfig
  owner?: pg.PoolConfig
}

/** The connections of the configuration; undefined for the embedded database. */
export function configuredConnections({
  databaseUrl,
  databaseOwnerUrl,
}: Pick<Config, 'databaseUrl' | 'databaseOwnerUrl'>): Connections | undefined {
  if (!databaseUrl) return undefined
  const connection = { connectionString: strictly(databaseUrl) }
  return databaseOwnerUrl ? { connection, owner: { connectionString: strictly(databaseOwnerUrl) } } : { connection }
}

/** Replaces the modes that the driver treats as `verify-full`, because it would print a warning of five lines about them. */
const strictly = (url: string) =>
  url.includes('uselibpqcompat=true') ? url : url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')

/** Node's error codes for a certificate with an unknown authority. */
const UNKNOWN_AUTHORITY = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])
const TRUST_HINT = ' (name the file of its authority: sslmode=verify-full&sslrootcert=/…/ca.pem)'

/** The reason of a failure in one line. An error of several connection attempts has no message, so the first attempt's is used. */
export function describe(error: unknown) {
  const first = error instanceof AggregateError && !error.message ? error.errors[0] : error
  const { code, address, port, message } = first as NodeJS.ErrnoException & { address?: string; port?: number }
  if (code && UNKNOWN_AUTHORITY.has(code)) return `${message.split(';')[0]}${TRUST_HINT}`
  return code === 'EADDRINUSE' ? `${address}:${port} is already in use` : message.split('\n')[0]!
}

/** PostgreSQL's messages about missing rights; the migrations do not pass on its codes. */
const FORBIDDEN = /permission denied|must be owner/

/** Migrates, and gives the portal's role its rights. Throws an error of one line that names the variable; lesser problems go to `warn`. */
export async function prepareDb(config: Config, { connection, owner }: Connections, warn: (line: string) => void) {
  const naming = <T>(variable: string, work: Promise<T>) =>
    work.catch((error) => {
      const reason = describe(error)
      const hint = !owner && FORBIDDEN.test(reason) ? ' (only the owner of the schema can migrate it: set DATABASE_OWNER_URL)' : ''
      throw config.databaseUrl ? new Error(`${variable}: ${reason}${hint}`) : error
    })
  if (config.databaseUrl) await naming('DATABASE_URL', assertOwnSessions(connection))
  if (owner) {
    const portal = await naming('DATABASE_URL', identityOf(connection))
    await naming('DATABASE_OWNER_URL', migrateFor(portal, owner, warn))
  } else await naming('DATABASE_URL', migrateDb(connection, warn))
  const excess = await naming('DATABASE_URL', warningOf(connection, owner !== undefined))
  if (excess) warn(excess)
}
