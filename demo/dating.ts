/**
 * Moves the times of the demo's records, made within seconds, into the three weeks of its story. Times keep their order, so that an order
 * is placed before it is claimed, and records of the same moment still agree.
 *
 * It follows the rules for every script: it uses the portal's own role, under all triggers and constraints, with a ledger row for each
 * record that demands one. The ledger itself, the histories of rights and the seals cannot be rewritten and are not: the audit log
 * states truthfully that everything was made when the demo was filled.
 */
import pg from 'pg'
import type { LastSeen, Played } from './story.ts'

/** Tables that `dateTable` leaves out. */
const staying = [
  // Append-only, or written by the owner of the tables alone.
  'access_moments',
  'access_past',
  'ledger',
  'permission_history',
  'audit_seals',
  'audit_names',
  // Their times agree with the histories, which cannot be rewritten.
  'direct_roles',
  'memberships',
  // About deliveries, limits and the current state.
  'deletions',
  'events',
  'gathered_changes',
  'health_samples',
  'idempotency_keys',
  'notices_caused',
  'presences',
  'rate_limits',
  'regular_jobs',
  'used_once',
  'provider_states',
  'provider_counts',
  'provider_tries',
  'working_spans',
  // Dated by their own statements.
  'app_opens',
  'sessions',
  'last_seen',
]

interface Table {
  name: string
  columns: string[]
  /** The arguments of the table's trigger `demand_change`: pairs of a target type and the column with the target's id. */
  demands: Buffer | null
}
const READ_TABLES = `
  select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns,
    (select tgargs from pg_trigger where tgrelid = c.oid and tgname = 'demand_change') as demands
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and a.atttypid = 'timestamptz'::regtype and not a.attisdropped and a.attgenerated = '' and c.relname <> all($1)
  group by c.oid, c.relname order by c.relname`

/**
 * SQL for the moment of `time` in the story; $1 are the real start times of acts, $2 their moments in the story, $3 the factors by which
 * the time after them is stretched.
 */
function storyTime(time: string) {
  const act = `[width_bucket(${time}, $1::timestamptz[])]`
  return `coalesce(($2::timestamptz[])${act} + (${time} - ($1::timestamptz[])${act}) * ($3::float8[])${act}, ${time})`
}

/** The statement that dates a table, with its ledger rows. */
function dateTable({ name, columns, demands }: Table) {
  const set = columns.map((column) => `${column} = ${storyTime(column)}`).join(', ')
  const [type, target] = demands?.toString().split('\0') ?? []
  if (!type || !target) return `update ${name} set ${set}`
  return `
    with dated as (update ${name} set ${set} returning ${target} as target)
    insert into ledger (kind, target_type, target_id, facts) select distinct 'demo.dated', '${type}', target, '{}'::jsonb from dated`
}

/** Triggers count app opens by day on insert and delete, so the opens are deleted and inserted again. */
const DATE_OPENINGS = `
  with gone as (delete from app_opens returning *)
  insert into app_opens (app_id, user_id, created_at) select app_id, user_id, created_at from (
    select app_id, user_id, ${storyTime('created_at')} as created_at from gone) as dated order by created_at`

/** The time from the last use of a session to its end stays the same; $4 are usernames, and $5 the times of their last acts. */
const DATE_SESSIONS = `
  with used as (
    update sessions set created_at = dated.created_at, last_used_at = dated.used_at, expires_at = expires_at - (last_used_at - dated.used_at)
    from (
      select session.id, dated_at as created_at, greatest(dated_at, seen.at) as used_at
      from (select id, user_id, ${storyTime('created_at')} as dated_at from sessions) as session
        join users on users.id = user_id join unnest($4::text[], $5::timestamptz[]) as seen (username, at) using (username)) as dated
    where dated.id = sessions.id
    returning user_id, used_at)
  update last_seen set at = latest.at
  from (select user_id, date_trunc('hour', max(used_at)) as at from used group by user_id) as latest
  where latest.user_id = last_seen.user_id`

/**
 * The portal handled the orders within seconds, so their figures get the durations of the story. A duration within one day is working time
 * throughout; the time to a completion on a later day stays as it is.
 */
const DATE_FIGURES = `
  update order_figures set day = office_day(created_at),
    receive_time = coalesce(microseconds(received_at - created_at), receive_time),
    complete_time = case when completed_at::date = created_at::date then microseconds(completed_at - created_at) else complete_time end
  from orders where id = order_id and created_at > now() - interval '40 days'`

const DAY_MS = 24 * 3600_000

/** Dates all records of a database that has just been filled. */
export async function dateRecords(connection: pg.PoolConfig, { played, lastSeen }: { played: Played[]; lastSeen: LastSeen }) {
  const [first, last] = [played[0]!, played.at(-1)!]
  const steps = [
    // Records from before the first act were made when the portal was installed.
    { from: first.since - DAY_MS, at: first.at - DAY_MS, pace: 1 },
    ...played.map(({ since, until, at, lasts }) => ({ from: since, at, pace: lasts ? lasts / (until - since) : 1 })),
    { from: last.until, at: last.until, pace: 1 },
  ]
  const iso = (moments: Iterable<number>) => Array.from(moments, (moment) => new Date(moment).toISOString())
  const story = [iso(steps.map(({ from }) => from)), iso(steps.map(({ at }) => at)), steps.map(({ pace }) => pace)]
  const seen = [[...lastSeen.keys()], iso(lastSeen.values())]

  const client = new pg.Client(connection)
  await client.connect()
  try {
    const { rows: tables } = await client.query<Table>(READ_TABLES, [staying])
    await client.query('begin')
    for (const table of tables) await client.query(dateTable(table), story)
    await client.query(DATE_OPENINGS, story)
    await client.query(DATE_SESSIONS, [...story, ...seen])
    await client.query(DATE_FIGURES)
    await client.query('commit')
  } finally {
    await client.end()
  }
}
