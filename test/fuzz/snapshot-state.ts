/** Compares row versions in the database, table by table, to see whether a request left anything behind. */
import pg from 'pg'
import { until } from '../portal.ts'

/** Append-only tables: the newest row shows whether any were added. */
const appended = ['ledger', 'permission_history', 'events']
/** Tables that are only counted, because their rows never change or every use touches them. */
const countedOnly = ['notifications', 'app_opens', 'sessions', 'last_seen']
/**
 * Tables that are left out: refused calls write to the limits and the security log; leases belong to running calls; scheduled jobs add
 * seals, samples and jobs, and give entries their places in the audit stream.
 */
const unwatched = [
  ...['rate_limits', 'security_events', 'leases', 'migrations', 'audit_seals', 'seal_horizon', 'health_samples', 'regular_jobs'],
  ...['audit_stream_places', 'audit_stream_horizon', 'webhook_horizon'],
]

export async function openState(connection: pg.PoolConfig) {
  const client = new pg.Client(connection)
  await client.connect()
  // For this many small tables, parallel workers and JIT cost more than the reads.
  await client.query('set max_parallel_workers_per_gather = 0; set jit = off')
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> all ($1) order by 1`,
    [unwatched],
  )
  const sums = rows.map(({ name }) => {
    if (appended.includes(name)) return `select '${name}' as name, max(id)::text as sum from ${name}`
    // A written row has a new version, from a later transaction.
    const versions = countedOnly.includes(name) ? '' : ` || '/' || coalesce(sum(xmin::text::bigint), 0)`
    return `select '${name}' as name, (count(*)${versions})::text as sum from ${name}`
  })
  const state = {
    name: 'state',
    text: `select (select json_object_agg(name, sum) from (${sums.join(' union all ')}) as sums) as state,
      exists (select from graphile_worker._private_jobs where run_at <= now()) as "isWorking"`,
  }
  const look = async () => (await client.query<{ state: Record<string, string>; isWorking: boolean }>(state)).rows[0]!

  return {
    /** The state of each table: the number of its rows and their versions, or only its newest id. */
    look: async () => (await look()).state,
    /** As `look`, once all due jobs have run. */
    settle: () =>
      until('the jobs are done', async () => {
        const { state, isWorking } = await look()
        return isWorking ? null : state
      }),
    close: () => client.end(),
  }
}
