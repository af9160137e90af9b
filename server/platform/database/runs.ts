/**
 * Runs of the database: within one, transaction ids and counted versions never come again. After a fail-over to a standby that lacked
 * the last commits, or a restoration, they do, so whatever is remembered of the database is forgotten when another run begins.
 */
import type pg from 'pg'

/**
 * Names the run that a session is in; null on a standby. A promoted standby has a timeline of its own, another cluster another
 * identifier, and a restored dump other tables.
 */
export const RUN = `case when not pg_is_in_recovery() then concat_ws(' ',
  (select system_identifier from pg_control_system()), left(pg_walfile_name(pg_current_wal_lsn()), 8), to_regclass('events')::oid) end`

const current = new WeakMap<object, string>()

/** The run that the newest connection of a database was made in, if there was one. */
const runOf = (db: object) => current.get(db)

/** `open(db)`, remembered until another run of the database begins. */
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

/** As PostgreSQL says that it cannot be used yet. */
export const standby = () => Object.assign(new Error('the database is a standby'), { code: '57P03' })

/** Settings of a session, by name. */
export type Settings = Record<string, string | number>

/** Makes settings, as a part of a select list. A start of a session takes them too, but poolers between us and the server do not. */
export const making = (settings: Settings) =>
  Object.entries(settings)
    .map(([name, value]) => `set_config('${name}', '${value}', false)`)
    .join(', ')

/** Gives every new connection of a pool its settings before anything else is asked of it. */
export const giveSettings = (settings: Settings) => (client: pg.PoolClient, done: (error?: Error) => void) => {
  client.query(`select ${making(settings)}`).then(() => done(), done)
}

/**
 * Gives every new connection its settings before anything is asked of it: one to a standby is refused, and one into another run tells
 * `begun`.
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
