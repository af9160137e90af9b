/**
 * Runs of the database. Within a run, transaction ids and versions never repeat. After a restore, or a fail-over to a standby without the
 * last commits, they may, so caches of the database are dropped when a new run begins.
 */
import type pg from 'pg'

/**
 * The identity of the session's run; null on a standby. A promoted standby has its own timeline, another cluster its own identifier, and a
 * restored dump another id of the table.
 */
export const RUN = `case when not pg_is_in_recovery() then concat_ws(' ',
  (select system_identifier from pg_control_system()), left(pg_walfile_name(pg_current_wal_lsn()), 8), to_regclass('events')::oid) end`

const current = new WeakMap<object, string>()

/** The run in which the newest connection to a database was made; undefined before the first. */
const runOf = (db: object) => current.get(db)

/** Caches `open(db)` until a new run of the database begins. */
export function perRun<Db extends object, Cache>(open: (db: Db) => Cache) {
  const opened = new WeakMap<Db, { run: string | undefined; cache: Cache }>()
  return (db: Db): Cache => {
    const known = opened.get(db)
    const run = runOf(db)
    if (known?.run === run && known) return known.cache
    const cache = open(db)
    opened.set(db, { run, cache })
    return cache
  }
}

/** The error for a standby, with PostgreSQL's SQLSTATE for a database that cannot be used yet. */
const standby = () => Object.assign(new Error('the database is a standby'), { code: '57P03' })

export type Settings = Record<string, string | number>

/**
 * SQL for a select list that applies settings, and makes the session count days and hours in UTC, whatever the server or the role has. A
 * session could also start with them, but poolers do not pass such settings on.
 */
export const making = (settings: Settings = {}) =>
  Object.entries({ TimeZone: 'UTC', ...settings })
    .map(([name, value]) => `set_config('${name}', '${value}', false)`)
    .join(', ')

/** Applies settings to every new connection of a pool before its first query. */
export const giveSettings = (settings?: Settings) => (client: pg.PoolClient, done: (error?: Error) => void) => {
  client.query(`select ${making(settings)}`).then(() => done(), done)
}

/**
 * Applies settings to every new connection before its first query. Refuses a connection to a standby, and calls `begun` for a connection to
 * a new run.
 */
export function watchRuns(db: () => object, begun: () => void, settings: Settings) {
  const text = `select ${RUN} as run, ${making(settings)}`
  return (client: pg.PoolClient, done: (error?: Error) => void) => {
    client
      .query<{ run: string | null }>({ name: 'run', text })
      .then(({ rows: [row] }) => {
        if (!row?.run) throw standby()
        const before = runOf(db())
        current.set(db(), row.run)
        if (before !== undefined && before !== row.run) begun()
      })
      .then(() => done(), done)
  }
}
