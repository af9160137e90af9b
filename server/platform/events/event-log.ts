/** The events stored in the database, in the one order in which every reader sees them. */
import type pg from 'pg'
import { OWED } from '../auth/debt.ts'
import { batched } from '../batched.ts'
import { askingForAll } from '../database/fair-pool.ts'
import { RUN } from '../database/runs.ts'

/** A position in the order of events. Ids alone would miss events of a transaction that commits late. */
export interface Place {
  tx: bigint
  id: number
}
export interface EventRow {
  tx: string
  id: number
  event: string
  data: string
  recipients: number[] | null
  sessions: number[] | null
}
interface Missed extends EventRow {
  horizonTx: string
  horizonId: number
  settled: string
}

export const isAfter = (a: Place, b: Place) => a.tx > b.tx || (a.tx === b.tx && a.id > b.id)
export const placeOf = ({ tx, id }: { tx: string; id: number }): Place => ({ tx: BigInt(tx), id })

const PAGE = 1000
const MISSED_PAGE = 100

/** Holds for events of transactions older than every running one: no other event can still appear before them. */
const SETTLED = 'tx < pg_snapshot_xmin(pg_current_snapshot())'
const AFTER = `(tx, id) > ($1::text::xid8, $2) and ${SETTLED}`
const MEANT = 'event <> all ($4::text[])'
const COLUMNS = 'e.tx::text, e.id, e.event, e.data::text, e.recipients, e.sessions'

/** The last settled event. Its transaction's id is not enough: after a crash, PostgreSQL may reuse the id of one that wrote nothing. */
const LAST = `
  select left(md5(concat_ws(' ', h.epoch, ${RUN})), 8) as run, coalesce(e.tx, h.tx)::text as tx, coalesce(e.id, h.id) as id
  from event_horizon h left join (select tx, id from events where ${SETTLED} order by tx desc, id desc limit 1) e on true`

const READ_AFTER = {
  name: 'events_after',
  // Unqualified names in `order by` would mean the output columns, which are text.
  text: `select ${COLUMNS} from events e where ${AFTER} order by e.tx, e.id limit ${PAGE}`,
}
const WAITS_AFTER = {
  name: 'events_waiting',
  text: 'select exists (select from events where (tx, id) > ($1::text::xid8, $2)) as waiting',
}
const LAG = {
  name: 'events_lag',
  text: `select coalesce(extract(epoch from now() - min(at)), 0)::float8 as lag from events where (tx, id) > ($1::text::xid8, $2)`,
}
const READ_MISSED = {
  name: 'events_missed',
  text: `
    select ${COLUMNS}, h.tx::text as "horizonTx", h.id as "horizonId", pg_snapshot_xmin(pg_current_snapshot())::text as settled
    from event_horizon h left join (
      (select * from events where recipients is null and ${AFTER} and ${MEANT} order by tx, id limit ${MISSED_PAGE})
      union all
      (select * from events where recipients @> array[$3::int] and ${AFTER} and ${MEANT} order by tx, id limit ${MISSED_PAGE})
      order by tx, id limit ${MISSED_PAGE}
    ) e on true
    order by e.tx, e.id`,
}
/** Assigns a number to the current transaction and returns it. */
const BEGIN = { name: 'events_begun', text: 'select pg_current_xact_id()::text as tx' }
/** Why a stream ends although its session goes on: the session now owes a second factor. */
export const OWES = 'owes'
/**
 * Why sessions have ended, or `OWES`. The reason is read from the stored `session_ended` event, which streams may not have been sent yet.
 */
const WHY_ENDED = {
  name: 'why_ended',
  text: `
    select s.token_hash as hash,
      case when not a.is_active then 'deactivated'
           when s.ended_at is not null then coalesce(
             (select e.data ->> 'reason' from events e where e.event = 'session_ended'
                and e.recipients @> array[s.user_id] and s.id = any(e.sessions) limit 1), 'ended')
           when s.expires_at <= now() then 'expired'
           when ${OWED} is not null then '${OWES}' end as reason
    from sessions s join user_access a on a.user_id = s.user_id where s.token_hash = any($1)`,
}

/**
 * In a database restored to another cluster, stored events may have transaction ids that are still in the future there. They would not
 * settle until then, and no stream could resume. This deletes all events and begins a new run. Returns whether it did.
 */
export async function beginAnewAfterRestore(client: pg.Client) {
  const { rowCount } = await client.query(`
    with coming as (select pg_snapshot_xmax(pg_current_snapshot()) as tx)
    select from coming
    where exists (select from events where events.tx >= coming.tx) or exists (select from event_horizon where event_horizon.tx >= coming.tx)`)
  if (rowCount) await beginAnew(client)
  return rowCount === 1
}

/**
 * Deletes all events and begins a new run of them, so that no stream can resume. Makes the ids of the audit stream skip ahead, because a
 * collector may already have entries with the ids that would come next.
 */
export async function beginAnew(client: pg.Client) {
  await client.query('with gone as (delete from events) update event_horizon set epoch = default, tx = default, id = default')
  // A copy of the database from an older version may lack this table.
  const { rowCount } = await client.query(`select where to_regclass('audit_stream_horizon') is not null`)
  if (rowCount) await client.query(`update audit_stream_horizon set run = '' where run is not null`)
}

/** Opens the log. `events` serves the reader that all streams share, `read` the queries of single streams. */
export async function openLog({ read, events }: { read: pg.Pool; events: pg.Pool }) {
  const { rows } = await read.query<{ run: string; tx: string; id: number }>(LAST)
  const { run, ...last } = rows[0]!

  return {
    /** The last settled event when the log was opened. */
    start: placeOf(last),

    /** Converts a place to the id that a stream sends, and back; null for an id that is not from this run of events. */
    idOf: ({ tx, id }: Place) => `${run}.${tx}.${id}`,
    placeOfId(text: string): Place | null {
      const [, its, tx, id] = /^(\w{8})\.(\d{1,19})\.(\d{1,16})$/.exec(text) ?? []
      return its === run ? placeOf({ tx: tx!, id: Number(id) }) : null
    },

    async readAfter({ tx, id }: Place) {
      const { rows } = await events.query<EventRow>({ ...READ_AFTER, values: [String(tx), id] })
      return { rows, isAll: rows.length < PAGE }
    },

    /** How many seconds ago the oldest event after a place was written; 0 without one. */
    async lagAfter({ tx, id }: Place) {
      const { rows } = await read.query<{ lag: number }>({ ...LAG, values: [String(tx), id] })
      return rows[0]!.lag
    },

    /** Whether events after the place are waiting for an older transaction to end. */
    async isAnyWaiting({ tx, id }: Place) {
      const { rows } = await events.query<{ waiting: boolean }>({ ...WAITS_AFTER, values: [String(tx), id] })
      return rows[0]!.waiting
    },

    /**
     * One page of the events that a person missed after a place. On the last page, `allBefore` is the transaction before which nothing is
     * missing. Null if some of these events are no longer stored, or if the place was never sent. `withheld` names the events that the
     * person may no longer receive.
     */
    async readMissed({ userId, withheld }: { userId: number; withheld: readonly string[] }, from: Place) {
      const { rows } = await read.query<Missed>({ ...READ_MISSED, values: [String(from.tx), from.id, userId, withheld] })
      const { horizonTx, horizonId, settled } = rows[0]!
      if (isAfter({ tx: BigInt(horizonTx), id: horizonId }, from) || from.tx >= BigInt(settled)) return null
      const missed = rows.filter(({ event }) => event !== null)
      return { missed, allBefore: missed.length < MISSED_PAGE ? BigInt(settled) : null }
    },

    /** A number that is higher than those of all transactions that have begun. Callers that ask at the same time share one. */
    begun: batched(async (asked: null[]) => {
      const { rows } = await askingForAll(() => read.query<{ tx: string }>(BEGIN))
      return asked.map(() => BigInt(rows[0]!.tx))
    }),

    /** Why the stream of each session, given by the hash of its token, ends; null if it goes on. Deleted sessions are left out. */
    async whyEnded(hashes: string[]) {
      const { rows } = await read.query<{ hash: string; reason: string | null }>({ ...WHY_ENDED, values: [hashes] })
      return new Map(rows.map(({ hash, reason }) => [hash, reason]))
    },
  }
}
export type EventLog = Awaited<ReturnType<typeof openLog>>
