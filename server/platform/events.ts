/** The event channel: what committed transactions wrote, to every open stream it is for, in commit order. */
import type { ServerResponse } from 'node:http'
import pg from 'pg'
import { hashToken } from './admission.ts'
import type { Db } from './db.ts'

const POLL_MS = 1000
const WAKE_MS = 20
const COMMENT_MS = 20_000
const MOST_BUFFERED = 256 * 1024
const PAGE = 1000

/** A place in the order of commits. Ids alone would lose a transaction that commits late. */
interface Place {
  tx: bigint
  id: number
}
interface EventRow {
  tx: string
  id: number
  event: string
  data: string
  recipients: number[] | null
  sessions: number[] | null
}
interface Stream {
  sessionId: number
  userId: number
  tokenHash: string
  raw: ServerResponse
  /** The last event it was sent; while it catches up, live events wait in `behind`. */
  at: Place
  behind: EventRow[] | null
}

const isAfter = (a: Place, b: Place) => a.tx > b.tx || (a.tx === b.tx && a.id > b.id)
const placeOf = (row: EventRow): Place => ({ tx: BigInt(row.tx), id: row.id })

/** Only transactions older than every one still running: nothing can commit before them any more. */
const SETTLED = 'tx < pg_snapshot_xmin(pg_current_snapshot())'
const COLUMNS = 'tx::text, id, event, data::text, recipients, sessions'

export async function openHub(db: Db, onError: (error: unknown) => void) {
  const pool = db.pools.read
  const streams = new Set<Stream>()
  const byUser = new Map<number, Set<Stream>>()
  let closed = false

  const first = await pool.query<{ epoch: string; tx: string }>(
    'select epoch, (pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1)::text as tx from event_horizon',
  )
  const { epoch } = first.rows[0]!
  /** Everything up to here has been handed to the streams. */
  let at: Place = { tx: BigInt(first.rows[0]!.tx), id: Number.MAX_SAFE_INTEGER }

  const idOf = ({ tx, id }: Place) => `${epoch}.${tx}.${id}`
  const frame = (row: EventRow) => `id: ${idOf(placeOf(row))}\nevent: ${row.event}\ndata: ${row.data}\n\n`

  function send(stream: Stream, row: EventRow, text: string) {
    const place = placeOf(row)
    if (!isAfter(place, stream.at)) return
    if (row.sessions && !row.sessions.includes(stream.sessionId)) return
    stream.at = place
    if (stream.raw.writableLength > MOST_BUFFERED) return drop(stream)
    stream.raw.write(text)
    if (row.event === 'session_ended') end(stream)
  }
  function deliver(row: EventRow) {
    const text = frame(row)
    const reached = row.recipients === null ? streams : row.recipients.flatMap((user) => [...(byUser.get(user) ?? [])])
    for (const stream of reached) {
      if (stream.behind) stream.behind.push(row)
      else send(stream, row, text)
    }
  }

  function forget(stream: Stream) {
    streams.delete(stream)
    const others = byUser.get(stream.userId)
    others?.delete(stream)
    if (others?.size === 0) byUser.delete(stream.userId)
  }
  /** A reader that is too slow is cut; it resumes where it was. */
  function drop(stream: Stream) {
    forget(stream)
    stream.raw.destroy()
  }
  function end(stream: Stream) {
    forget(stream)
    stream.raw.end()
  }
  const endWith = (stream: Stream, reason: string) => {
    stream.raw.write(`event: session_ended\ndata: ${JSON.stringify({ reason })}\n\n`)
    end(stream)
  }

  /** Reads on from `at`; true when events wait for a transaction still running. */
  async function readOn() {
    for (;;) {
      const { rows } = await pool.query<EventRow>({
        name: 'events_after',
        text: `select ${COLUMNS} from events where (tx, id) > ($1::text::xid8, $2) and ${SETTLED} order by tx, id limit ${PAGE}`,
        values: [String(at.tx), at.id],
      })
      for (const row of rows) {
        deliver(row)
        at = placeOf(row)
      }
      if (rows.length < PAGE) break
    }
    const { rows } = await pool.query<{ waiting: boolean }>({
      name: 'events_waiting',
      text: 'select exists (select from events where (tx, id) > ($1::text::xid8, $2)) as waiting',
      values: [String(at.tx), at.id],
    })
    return rows[0]!.waiting
  }

  let reading: Promise<void> | null = null
  let again = false
  let soon: NodeJS.Timeout | null = null
  function look() {
    if (closed) return
    if (reading) {
      again = true
      return
    }
    reading = readOn()
      .then((waiting) => {
        if (waiting) lookSoon()
      })
      .catch(onError)
      .finally(() => {
        reading = null
        if (!again) return
        again = false
        look()
      })
  }
  function lookSoon() {
    soon ??= setTimeout(() => {
      soon = null
      look()
    }, WAKE_MS)
  }

  /** Streams whose session or user is gone learn it here when no event said so: expiry, deletion. */
  async function readmit() {
    if (streams.size === 0) return
    const all = [...streams]
    const { rows } = await pool.query<{ hash: string; reason: string | null }>({
      name: 'readmit',
      text: `select s.token_hash as hash,
               case when not u.is_active then 'deactivated' when s.ended_at is not null then 'ended'
                    when s.expires_at <= now() then 'expired' end as reason
             from sessions s join users u on u.id = s.user_id where s.token_hash = any($1)`,
      values: [[...new Set(all.map(({ tokenHash }) => tokenHash))]],
    })
    const reasons = new Map(rows.map(({ hash, reason }) => [hash, reason]))
    for (const stream of all) {
      if (!streams.has(stream)) continue
      const reason = reasons.has(stream.tokenHash) ? reasons.get(stream.tokenHash) : 'deleted'
      if (reason) endWith(stream, reason)
    }
  }

  /** A connection that only listens; without it the poll carries on alone. */
  let listener: pg.Client | null = null
  async function listen() {
    if (closed || listener) return
    const client = new pg.Client({ ...db.connection, application_name: 'bawaba events' })
    listener = client
    client.on('notification', look)
    client.on('error', (error) => {
      onError(error)
      if (listener === client) listener = null
    })
    client.on('end', () => {
      if (listener === client) listener = null
    })
    try {
      await client.connect()
      await client.query('listen bawaba_events')
    } catch (error) {
      if (listener === client) listener = null
      client.end().catch(() => {})
      onError(error)
    }
  }
  await listen()

  const poll = setInterval(() => {
    listen()
    look()
    readmit().catch(onError)
  }, POLL_MS)
  const comments = setInterval(() => {
    for (const stream of streams) {
      if (stream.raw.writableLength > MOST_BUFFERED) drop(stream)
      else stream.raw.write(': here\n\n')
    }
  }, COMMENT_MS)

  let announcing: NodeJS.Timeout | null = null
  function announce() {
    look()
    announcing ??= setTimeout(() => {
      announcing = null
      db.pools.write.query("select pg_notify('bawaba_events', '')").catch(onError)
    }, WAKE_MS)
  }

  async function catchUp(stream: Stream, from: Place) {
    const { rows: horizons } = await pool.query<{ tx: string; id: number; now: string }>(
      'select tx::text, id, pg_snapshot_xmax(pg_current_snapshot())::text as now from event_horizon',
    )
    const { tx, id, now } = horizons[0]!
    if (!isAfter(from, { tx: BigInt(tx), id: id - 1 }) || from.tx > BigInt(now)) return false
    let last = from
    for (;;) {
      const { rows } = await pool.query<EventRow>({
        name: 'events_missed',
        text: `select * from (
                 (select ${COLUMNS} from events where recipients is null and (tx, id) > ($1::text::xid8, $2) and ${SETTLED} order by events.tx, id limit ${PAGE})
                 union all
                 (select ${COLUMNS} from events where recipients @> array[$3::int] and (tx, id) > ($1::text::xid8, $2) and ${SETTLED} order by events.tx, id limit ${PAGE})
               ) as missed order by tx::xid8, id limit ${PAGE}`,
        values: [String(last.tx), last.id, stream.userId],
      })
      for (const row of rows) {
        if (!streams.has(stream)) return true
        send(stream, row, frame(row))
        last = placeOf(row)
      }
      if (rows.length < PAGE) return true
    }
  }

  return {
    /** Reads what was just committed here, and tells the other instances: one empty wake-up per 20 ms at most. */
    announce,

    /** Opens a stream on a response whose head is written; `lastEventId` resumes. */
    async open(person: { sessionId: number; userId: number; token: string }, raw: ServerResponse, lastEventId: string | undefined) {
      const stream: Stream = {
        sessionId: person.sessionId,
        userId: person.userId,
        tokenHash: hashToken(person.token),
        raw,
        at,
        behind: [],
      }
      streams.add(stream)
      byUser.set(person.userId, (byUser.get(person.userId) ?? new Set()).add(stream))
      raw.on('close', () => forget(stream))
      raw.on('error', () => forget(stream))

      const from = lastEventId === undefined ? null : parseId(lastEventId)
      if (from) stream.at = from
      raw.write(`retry: 2000\n${lastEventId === undefined ? `id: ${idOf(at)}\n` : ''}\n`)
      if (lastEventId !== undefined && !(from && (await catchUp(stream, from)))) {
        stream.at = at
        raw.write(`id: ${idOf(at)}\nevent: resync\ndata: {}\n\n`)
        stream.behind = []
      }
      const behind = stream.behind ?? []
      stream.behind = null
      for (const row of behind) if (streams.has(stream)) send(stream, row, frame(row))
    },

    get size() {
      return streams.size
    },

    /** Ends every stream; clients come back to another instance. */
    async close() {
      closed = true
      clearInterval(poll)
      clearInterval(comments)
      if (announcing) clearTimeout(announcing)
      if (soon) clearTimeout(soon)
      for (const stream of [...streams]) {
        stream.raw.write('retry: 1000\n\n')
        end(stream)
      }
      await reading
      await listener?.end().catch(() => {})
    },
  }

  function parseId(text: string): Place | null {
    const [, run, tx, id] = /^(\w{8})\.(\d{1,19})\.(\d{1,16})$/.exec(text) ?? []
    return run === epoch ? { tx: BigInt(tx!), id: Number(id) } : null
  }
}
export type Hub = Awaited<ReturnType<typeof openHub>>
