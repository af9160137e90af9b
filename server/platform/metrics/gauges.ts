/** Gauges of the database as a whole, queried whenever metrics are read. */
import pg from 'pg'
import { Gauge, type Registry } from 'prom-client'
import { giveSettings } from '../database/runs.ts'

/** A gauge, and the statement that returns its value. */
export interface Figure {
  name: string
  help: string
  query: string
}

const WITHIN_MS = 2000

/** Figures of every database. A commit waits on `SyncRep` while its synchronous standby has not confirmed the commit. */
const OF_EVERY_DATABASE: Figure[] = [
  {
    name: 'database_standby',
    help: '1 while the database is a standby, which the portal does not use.',
    query: 'select pg_is_in_recovery()::int',
  },
  {
    name: 'database_commits_waiting',
    help: 'Commits that wait for a synchronous standby.',
    query: `select count(*) from pg_stat_activity where wait_event = 'SyncRep'`,
  },
  {
    name: 'database_commits_waiting_seconds',
    help: 'How long the longest of them has waited.',
    query: `select coalesce(extract(epoch from max(clock_timestamp() - query_start)), 0) from pg_stat_activity where wait_event = 'SyncRep'`,
  },
]

/**
 * Adds the figures to a registry. While the database does not answer, `database_up` is 0 and all other figures are absent. Returns the
 * function that closes the connection.
 */
export function showFigures(registry: Registry, connection: pg.PoolConfig, figures: readonly Figure[]) {
  const pool = new pg.Pool({
    ...connection,
    max: 1,
    connectionTimeoutMillis: WITHIN_MS,
    query_timeout: WITHIN_MS,
    application_name: 'bawaba metrics',
    verify: giveSettings(),
  })
  pool.on('error', () => {})
  const all = [...OF_EVERY_DATABASE, ...figures]
  const text = `select ${all.map(({ query }) => `(${query})::float8`).join(', ')}`
  /**
   * One query for all gauges that are read at the same time; null while none runs. The query gives null if the database does not answer.
   */
  let reading: Promise<number[] | null> | null = null
  const read = () => {
    reading ??= pool
      .query<number[]>({ text, rowMode: 'array' })
      .then(
        ({ rows }) => rows[0]!,
        () => null,
      )
      .finally(() => {
        reading = null
      })
    return reading
  }
  const show = (name: string, help: string, figureOf: (row: number[] | null) => number | undefined) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const value = figureOf(await read())
        if (value === undefined) this.remove()
        else this.set(value)
      },
    })
  show('database_up', '1 while the database answers.', (row) => (row ? 1 : 0))
  for (const [at, { name, help }] of all.entries()) show(name, help, (row) => row?.[at])
  return () => pool.end()
}
