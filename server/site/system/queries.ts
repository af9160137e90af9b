/** Figures of the database, for administrators and for the metrics. */
import { sql } from 'kysely'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { perRun } from '../../platform/database/runs.ts'
import { newestSeal, verifySeals } from '../../record/audit/queries.ts'

const GIVEN_UP = 'attempts >= max_attempts and locked_at is null'
const DUE = 'run_at <= now() and locked_at is null and attempts < max_attempts'
/** Queries that return one number each. */
export const figureQueries = {
  due: `select count(*) from graphile_worker.jobs where ${DUE}`,
  oldestSeconds: `select coalesce(extract(epoch from now() - min(run_at)), 0) from graphile_worker.jobs where ${DUE}`,
  givenUp: `select count(*) from graphile_worker.jobs where ${GIVEN_UP}`,
  pushesWaiting: 'select count(*) from pushes',
  unsealedSeconds: `select coalesce(extract(epoch from now() - min(at)), 0) from ledger where id > (select coalesce(max(last_id), 0) from audit_seals)`,
}
const STREAMS = `select coalesce(sum(held), 0) from leases
  where key like 'streams of %' and holder in (select holder from leases group by holder having not is_gone(holder))`

const columns = sql.join(
  Object.entries({ ...figureQueries, streams: STREAMS }).map(([name, query]) => sql`(${sql.raw(query)})::float8 as ${sql.ref(name)}`),
)
type Figures = Record<keyof typeof figureQueries | 'streams', number>

/** All figures, with the time that the database took for an empty query. */
export async function readFigures(db: Reads) {
  const begun = performance.now()
  await sql`select`.execute(db)
  const databaseMs = performance.now() - begun
  const { rows } = await sql<Figures>`select ${columns}`.execute(db)
  return { databaseMs, ...rows[0]! }
}

/** How many seconds the portal's clock is ahead of the database's. */
export async function readClock(db: Reads) {
  const begun = Date.now()
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  const meanwhile = (begun + Date.now()) / 2
  return (meanwhile - rows[0]!.now.getTime()) / 1000
}

const HOURS = sql`interval '24 hours'`

/** Stores a sample of the portal's state, and deletes old samples. */
export async function noteFigures(tx: Tx) {
  await tx
    .insertInto('healthSamples')
    .values(await readFigures(tx))
    .execute()
  await tx.deleteFrom('healthSamples').where('at', '<', sql<Date>`now() - ${HOURS}`).execute()
}

/** The samples, oldest first. */
export const listSamples = (db: Reads) =>
  db.selectFrom('healthSamples').selectAll().where('at', '>=', sql<Date>`now() - ${HOURS}`).orderBy('at').execute()

const MOST_JOBS = 50
const MOST_CHARACTERS = 300

interface Job {
  id: number
  task: string
  error: string | null
  attempts: number
}
const givenUp = sql`
  select id, task_identifier as task, left(split_part(last_error, E'\n', 1), ${sql.lit(MOST_CHARACTERS)}) as error, attempts
  from graphile_worker.jobs where ${sql.raw(GIVEN_UP)}`
/** The first jobs whose last attempt has failed. */
export const listGivenUp = async (db: Reads) => (await sql<Job>`${givenUp} order by id limit ${sql.lit(MOST_JOBS)}`.execute(db)).rows

/**
 * A job that has failed for good; undefined if there is none. Only one transaction at a time can look for such a job, so that it is retried
 * once.
 */
export async function lockGivenUp(tx: Tx, id: number) {
  await sql`select pg_advisory_xact_lock(hashtext('jobs tried again'), 0)`.execute(tx)
  return (await sql<Job>`${givenUp} and id = ${id}`.execute(tx)).rows[0]
}

export const isQueued = async (db: Reads, id: number) =>
  (await sql`select from graphile_worker.jobs where id = ${id}`.execute(db)).rows.length > 0

/** Retries a job now, with all its attempts. */
export const tryAgain = (tx: Tx, id: number) =>
  sql`select graphile_worker.reschedule_jobs(array[${id}::bigint], run_at => now(), attempts => 0)`.execute(tx)

export const readDatabaseSize = async (db: Reads) =>
  (await sql<{ size: number }>`select pg_database_size(current_database()) as size`.execute(db)).rows[0]!.size

export const readStoredBytes = async (db: Reads) =>
  (await sql<{ bytes: number }>`select coalesce(sum(size), 0)::bigint as bytes from objects where uploaded_at is not null`.execute(db))
    .rows[0]!.bytes

/** The sealed ledger rows counted so far: their number, and the id up to which they were counted. */
const countedOf = perRun(() => ({ upTo: 0, count: 0 }))

/** The number of ledger rows. The count of sealed rows is remembered, so each of them is counted only once. */
async function countLedger(db: Reads) {
  const memo = countedOf(db)
  const { upTo, count } = memo
  const { rows } = await sql<{ sealed: number; upToSeal: number; since: number }>`
    with seal as (select coalesce(max(last_id), 0) as last_id from audit_seals)
    select (select last_id from seal) as sealed,
      count(*) filter (where id <= (select last_id from seal)) as up_to_seal, count(*) as since
    from ledger where id > ${upTo}`.execute(db)
  const { sealed, upToSeal, since } = rows[0]!
  Object.assign(memo, { upTo: Math.max(sealed, upTo), count: count + upToSeal })
  return count + since
}

const NEWEST = 10
/** The number of ledger rows, and whether the newest seals match them: `valid` is null before the first seal. */
export async function readLedger(db: Reads) {
  const rows = await countLedger(db)
  const newest = await newestSeal(db)
  if (!newest) return { rows, valid: null }
  const { valid } = await verifySeals(db, { from: Math.max(1, newest.id - NEWEST + 1), limit: NEWEST, noted: null })
  return { rows, valid }
}
