/** Connections to PostgreSQL: one pool that writes, others that the database keeps read-only, and prepared statements throughout. */
import { hash } from 'node:crypto'
import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Tables } from '../tables.ts'
import { FairPool } from './fair-pool.ts'
import { type Settings, watchRuns } from './runs.ts'

/** For reading outside a transaction: each statement sees what was committed when it started. */
export type Reads = Kysely<Tables>
/** A transaction in which changes are recorded. Functions that write take one. */
export type Tx = Transaction<Tables>

/** Runs `work` read-only in one snapshot: all its statements see the same committed data. */
export const inSnapshot = <T>(db: Reads, work: (snapshot: Reads) => Promise<T>) =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)

const MOST_NAMES = 700
const names = new Map<string, string>()
let edition = 1

/** The name under which each connection prepares a statement, once. Statements beyond the first 700 stay unnamed. */
function nameOf(text: string) {
  let name = names.get(text)
  if (!name && names.size < MOST_NAMES) {
    name = `${hash('sha256', text, 'base64url').slice(0, 32)} ${edition}`
    names.set(text, name)
  }
  return name
}

/**
 * Gives all statements new names, since a migration may have changed what `*` means. Does nothing if they have been renamed since edition
 * `sentIn`.
 */
function renameStatements(sentIn: number) {
  if (sentIn !== edition) return
  names.clear()
  edition++
}

const isPlanned = (text: string) => /^[\s(]*(?:select|with|insert|update|delete)\b/i.test(text)

class NamingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the base class has a dozen overloads
  override query(text: any, values?: any, done?: any): any {
    if (typeof text !== 'string' || !Array.isArray(values)) return super.query(text, values, done)
    // Without values, only statements with a plan gain from a name: `begin` has no plan.
    if (values.length === 0 && !isPlanned(text)) return super.query(text, done)
    const prepared = () => ({ name: nameOf(text), text, values }) as pg.QueryConfig
    if (done) return super.query(prepared(), done)
    const sentIn = edition
    return super.query(prepared()).catch((error) => {
      if (!isOutdated(error)) throw error
      renameStatements(sentIn)
      // Within a transaction, the retry fails too, because the first error has aborted the transaction.
      return super.query(prepared()).catch(() => {
        throw error
      })
    })
  }
}

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

/** The connection as a URL, for libraries that take nothing else. */
export const addressOf = ({ connectionString, host, port, user, password, database }: pg.PoolConfig) =>
  connectionString ??
  `postgres://${encodeURIComponent(user!)}:${encodeURIComponent(String(password))}@localhost:${port}/${database}?host=${encodeURIComponent(host!)}`

export interface DbOptions {
  /** How many connections the writing and the reading pool may open each. */
  size?: number
  statementMs?: number
  /** Multiplies the limits on waiting for connections and statements. */
  patience?: number
  onError?: (error: Error) => void
}

const PING_EVERY_MS = 1000

/** The size of the writing and of the reading pool in each of `workers` processes. */
export const poolSize = (workers: number) => Math.max(2, Math.min(10, Math.floor(20 / workers)))

/** The `max_connections` for `workers` processes, each with two pools and 2 to authenticate, 4 for jobs, 2 for events, 1 for leases. */
export const connectionsOf = (workers: number) => Math.max(200, workers * (2 * poolSize(workers) + 9) + 20)

/**
 * JIT compilation would take longer than any of our statements. A connection keeps a plan that was made while a table was small, until the
 * table's statistics catch up: so no plan reads a whole table where an index could find the row, and reading by an index counts as cheap,
 * as it is in memory and on an SSD. `plans.slow.test.ts` plans the statements with these settings.
 */
const SHORT: Settings = { jit: 'off', enable_seqscan: 'off', random_page_cost: 1.1, idle_in_transaction_session_timeout: 20_000 }
const READ_ONLY: Settings = { default_transaction_read_only: 'on' }
/** For the few statements that run on every request or event: one generic plan. */
const STEADY: Settings = { plan_cache_mode: 'force_generic_plan' }

/**
 * Opens the pools. A query fails (`unavailable`) after 10 s in the line of a fair pool, or after 2 s without a connection. A statement
 * fails after `statementMs`, and everything that waits for a silent database after 4 s.
 */
export function openDb(connection: pg.PoolConfig, { size = 10, statementMs = 15_000, patience = 1, onError = () => {} }: DbOptions = {}) {
  const busy = new Set<pg.PoolClient>()
  let reportRun = () => {}
  let isClosing = false
  const openPool = <P extends pg.Pool>(settings: Settings, config: pg.PoolConfig, open: (whole: pg.PoolConfig & { max: number }) => P) => {
    const pool = open({
      ...connection,
      Client: NamingClient,
      max: size,
      connectionTimeoutMillis: 2000 * patience,
      idleTimeoutMillis: 60_000,
      query_timeout: (statementMs + 1000) * patience,
      application_name: 'bawaba',
      verify: watchRuns(
        () => reads,
        () => reportRun(),
        { ...SHORT, statement_timeout: statementMs * patience, ...settings },
      ),
      ...config,
    } as pg.PoolConfig & { max: number })
    pool.on('error', (error) => isClosing || onError(error))
    // A lost connection fails the statement that is using it. Without a listener, its error would also end the process.
    pool.on('connect', (client) => client.on('error', () => {}))
    pool.on('acquire', (client) => busy.add(client))
    pool.on('release', (_error, client) => busy.delete(client))
    return pool
  }
  const plain = (whole: pg.PoolConfig) => new pg.Pool(whole)
  const pools = {
    write: openPool({}, {}, (whole) => new FairPool(whole, patience)),
    read: openPool(READ_ONLY, {}, (whole) => new FairPool(whole, patience)),
    /** For authenticating requests, which must never wait behind other work. */
    sessions: openPool({ ...READ_ONLY, ...STEADY }, { max: 2, query_timeout: 4000 * patience }, plain),
    /** For the reader of new events. */
    events: openPool({ ...READ_ONLY, ...STEADY }, { max: 1 }, plain),
  }
  const kysely = (pool: pg.Pool) =>
    new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })] })
  const reads = kysely(pools.read)

  let pinging: Promise<unknown> | null = null
  const ping = async () => {
    pinging ??= pools.sessions.query('select').finally(() => {
      pinging = null
    })
    await pinging
  }
  const cutStalled = (error: Error) => {
    if (!/timeout/.test(error.message)) return
    for (const client of busy) client.end().catch(() => {})
  }
  const watching = setInterval(() => ping().catch(cutStalled), PING_EVERY_MS).unref()

  return {
    connection,
    pools,
    /** Rejects unless the database answers within 4 s. */
    ping,
    writes: kysely(pools.write),
    reads,
    /** Calls the listener when a new run of the database begins; see `runs.ts`. */
    onRun(listener: () => void) {
      reportRun = listener
    },
    async close() {
      isClosing = true
      await Promise.all(Object.values(pools).map((pool) => pool.end()))
      clearInterval(watching)
    },
  }
}
export type Db = ReturnType<typeof openDb>

const errorCode = (error: unknown) => (error as { code?: unknown } | null)?.code

/** Whether a statement was prepared before a migration changed its columns. */
const isOutdated = (error: unknown) => errorCode(error) === '0A000' && /^cached plan/.test((error as Error).message)

/**
 * Whether the database could not be reached, gave no connection or no answer in time, or has changed the columns of a prepared statement.
 */
export function isUnavailable(error: unknown) {
  const code = errorCode(error)
  if (isOutdated(error)) return true
  if (typeof code === 'string' && /^(ECONN|ENOENT$|ENOTFOUND$|EPIPE$|ETIMEDOUT$|EAI_|08|57P0|57014$|53)/.test(code)) return true
  return (
    error instanceof Error &&
    /^(timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error|.*Client was closed)/.test(
      error.message,
    )
  )
}

/** Whether the transaction may succeed if it is run again: after a deadlock, a serialisation failure or a migration. */
export const isTransient = (error: unknown) => errorCode(error) === '40P01' || errorCode(error) === '40001' || isOutdated(error)

/** The name of the unique constraint that a statement violated, if that is why it failed. */
export const brokenUnique = (error: unknown) => (errorCode(error) === '23505' ? (error as { constraint?: string }).constraint : undefined)
