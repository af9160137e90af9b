/** The statements of the audit stream: entries, their places, and the state of sending. */
import { sql } from 'kysely'
import type { Db, Reads, Tx } from '../../platform/database/db.ts'
import { RUN } from '../../platform/database/runs.ts'
import type { SecurityEvent } from '../../platform/security-log.ts'
import { rowHashOf, unlistedOf } from '../audit/queries.ts'
import type { LastError } from '../webhooks/rules.ts'
import type { Entry } from './rules.ts'

/** Gives places to at most `most` rows of each source. `placed` is null while another instance gives places. */
export async function placeEntries(db: Db['writes'], most: number) {
  const { rows } = await sql<{ placed: number | null; hasMore: boolean | null }>`
    select placed, has_more from place_audit_entries(${sql.raw(RUN)}, ${most}::int)`.execute(db)
  return rows[0]!
}

export const keepSecurityEvents = (db: Db['writes'], events: readonly SecurityEvent[]) =>
  sql`select keep_security_events(${JSON.stringify(events)}::json)`.execute(db)

export async function forgetSecurityEvents(db: Db['writes'], most: number) {
  const { rows } = await sql<{ count: number }>`select forget_security_events(${most}::int) as count`.execute(db)
  return rows[0]!.count
}

const MICROS = sql.lit('YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
const utc = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', ${MICROS})`

/** At most `most` entries after the place `after`, up to the place `upTo`. */
export async function readEntries(db: Reads, after: number, most: number, upTo = Number.MAX_SAFE_INTEGER) {
  const { rows } = await sql<Entry>`
    with p as (
      select * from audit_stream_places where place > ${after} and place <= ${upTo} order by place limit ${most})
    select p.place, ${utc('p.at')} as at, p.source, l.action, l.kind, l.id as sequence, l.actor_id, l.actor_username, l.target_type, l.target_id,
        null as ip, l.facts, false as is_warning, l.hash, null::bigint as last_id
      from p left join lateral (
        select ledger.*, ${rowHashOf('ledger')} as hash from ledger where at = p.at and id = p.id offset 0) as l on true
      where p.source = 'ledger'
    union all
    select p.place, ${utc('p.at')}, p.source, e.event, null, null, e.actor_id, e.actor_username, e.target_type, e.target_id, e.ip, e.fields, e.is_warning,
        null, null
      from p left join security_events as e on e.id = p.id where p.source = 'security'
    union all
    select p.place, ${utc('p.at')}, p.source, case when s.id is not null then 'ledger.sealed' end, null, null, null, null, 'seal', p.id::int, null,
        jsonb_build_object('rows', cardinality(s.ids), 'unlisted', coalesce(u.unlisted, '{}'::jsonb)), false, encode(s.hash, 'hex'), s.last_id
      from p left join audit_seals as s on s.id = p.id left join audit_seals as b on b.id = s.id - 1
        left join lateral ${unlistedOf(sql`coalesce(b.last_id, 0)`, sql`s.last_id`)} as u on true
      where p.source = 'seal'
    union all
    select p.place, ${utc('p.at')}, p.source, p.note ->> 'event', null, null, null, null, null, null, null, p.note -> 'facts', true, null, null
      from p where p.source = 'note'
    order by place`.execute(db)
  return rows
}

/** A place, and the time at which the stream had reached it. */
interface Mark {
  place: number
  at: string
}
export interface Sending {
  isOn: boolean
  place: number
  /** The last place whose line may have been sent: `place`, or a later one. */
  underWay: number
  sentAt: Date | null
  marks: Mark[]
  failingSince: Date | null
  /** The entry that was refused alone a day ago or earlier, if there is one. */
  refusedLong: number | null
}
export async function readSending(db: Reads) {
  const { rows } = await sql<Sending>`
    select is_on, place, greatest(place, under_way) as under_way, sent_at, marks, failing_since,
      case when refused_since < now() - interval '1 day' then refused_place end as refused_long
    from audit_stream`.execute(db)
  return rows[0]!
}

/** The lease of the instance that sends. */
export const LEASE = 'audit stream'

/** Notes that a collector is set. Only the instance that sends calls it. */
export const switchOn = (db: Db['writes']) => sql`update audit_stream set is_on = true, started_at = now() where not is_on`.execute(db)

/** Notes that no collector is set, unless an instance sends. */
export const switchOff = (db: Db['writes']) =>
  sql`update audit_stream set is_on = false, started_at = null, told = false
    where is_on and not exists (select from leases where key = ${LEASE} and not is_gone(holder))`.execute(db)

const REPLAYED = sql`interval '30 seconds'`
/**
 * Moves the place of the stream after an acknowledgement. Keeps the marks of the last half minute, a second apart, and the last one before
 * these. Returns false if another instance has moved the place already.
 */
export async function movePlace(tx: Db['writes'] | Tx, from: number, to: number) {
  const { rows } = await sql`
    update audit_stream set place = ${to}, sent_at = clock_timestamp(), failing_since = null, last_error = null, last_status = null,
      refused_since = null, refused_place = null,
      marks = case when (marks -> -1 ->> 'at')::timestamptz > clock_timestamp() - interval '1 second' then marks else (
        select coalesce(jsonb_agg(mark order by n), '[]') || jsonb_build_object('place', ${from}::bigint, 'at', clock_timestamp())
        from jsonb_array_elements(marks) with ordinality as m (mark, n)
        where n >= (select coalesce(max(k), 0) from jsonb_array_elements(marks) with ordinality as o (old, k)
          where (old ->> 'at')::timestamptz <= clock_timestamp() - ${REPLAYED})) end
    where place = ${from} returning 1`.execute(tx)
  return rows.length > 0
}

/** Notes the last place of the lines that are about to be sent. */
export const noteUnderWay = (db: Db['writes'], place: number) =>
  sql`update audit_stream set under_way = ${place} where under_way < ${place}`.execute(db)

/**
 * Notes a failure. Returns whether it is the first one after a success. `refused`: the entry that was refused when it was sent alone. Other
 * failures do not reset the time since which that entry has been refused: a collector that restarts every night would otherwise let it hold
 * up all later entries for ever.
 */
export async function noteFailure(db: Db['writes'], failure: { error: LastError; status: number | null; refused: number | null }) {
  const { rows } = await sql<{ isFirst: boolean }>`
    with before as (select failing_since is null as is_first from audit_stream)
    update audit_stream set failing_since = coalesce(failing_since, now()), last_error = ${failure.error}, last_status = ${failure.status},
      refused_since = case when ${failure.refused}::bigint <> coalesce(refused_place, 0) then now() else refused_since end,
      refused_place = coalesce(${failure.refused}::bigint, refused_place)
    returning (select is_first from before)`.execute(db)
  return rows[0]!.isFirst
}

const PLACED = 'from audit_stream_places where place > (select place from audit_stream)'
/** Rows that have no place yet, for example because a transaction stays open. */
const unplaced = [
  'from ledger where id > (select ledger_id from audit_stream_horizon) and action is not null order by id',
  'from security_events where id > (select event_id from audit_stream_horizon) order by id',
  'from audit_seals where id > (select seal_id from audit_stream_horizon) order by id',
]
// With a limit, no plan reads a whole table, whatever the planner thinks of the horizon.
const counts = [`(select count(*) ${PLACED})`, ...unplaced.map((rows) => `(select count(*) from (select ${rows} limit 10000) as counted)`)]
const firsts = [`${PLACED} order by place`, ...unplaced].map((rows) => `(select at ${rows} limit 1)`)
/**
 * Queries of one number each; 0 while no collector is set. The lag of an entry is its age, but at most the time since the stream was
 * switched on.
 */
export const figureQueries = {
  behind: `select case when is_on then ${counts.join(' + ')} else 0 end from audit_stream`,
  lagSeconds: `select case when is_on then coalesce((
    select greatest(extract(epoch from now() - greatest(at, started_at)), 0) from (select least(${firsts.join(', ')}) as at) as oldest where at is not null), 0)
    else 0 end from audit_stream`,
}

export async function readState(db: Reads) {
  const { rows } = await sql<{
    isOn: boolean
    place: number
    behind: number
    lagSeconds: number
    lastError: LastError | null
    lastStatus: number | null
    failingSince: Date | null
    sentAt: Date | null
  }>`
    select is_on, place, (${sql.raw(figureQueries.behind)})::int as behind, floor(${sql.raw(`(${figureQueries.lagSeconds})`)})::int as lag_seconds,
      last_error, last_status, failing_since, sent_at from audit_stream`.execute(db)
  return rows[0]!
}

const BEHIND_AFTER_S = 60

/** The state and the place of the stream. `isOn`: a collector is set. */
export async function readStream(db: Reads, isOn: boolean) {
  const { isOn: _, ...found } = await readState(db)
  const isBehind = found.lagSeconds >= BEHIND_AFTER_S
  const state = isOn ? (found.failingSince ? 'failing' : isBehind ? 'behind' : 'working') : 'off'
  return { ...found, state } as const
}

/** Notes whether administrators know that the stream is an hour behind. Returns whether that changes. */
export async function noteTold(tx: Tx, isTold: boolean) {
  const { rows } = await sql`update audit_stream set told = ${isTold}::boolean where told <> ${isTold}::boolean returning 1`.execute(tx)
  return rows.length > 0
}
