/** The event channel: what committed transactions wrote, to every open stream it is for, in one order. */
import type { ServerResponse } from 'node:http'
import pg from 'pg'
import { hashToken } from '../auth/tokens.ts'
import type { Db } from '../database/db.ts'
import { type EventRow, isAfter, openLog, type Place, placeOf } from './event-log.ts'

const POLL_MS = 1000
const WAKE_MS = 20
/** A burst of commits here is read at once, not one by one. */
const GATHER_MS = 5
const COMMENT_MS = 20_000
const STALL_MS = 20_000
const MOST_BUFFERED = 256 * 1024

interface Stream {
  sessionId: number
  userId: number
  tokenHash: string
  raw: ServerResponse
  /** The last event it was sent or spared. */
  at: Place
  /** Until it has caught up, it reads on by itself. */
  isLive: boolean
}

export async function openHub(db: Db, onError: (error: unknown) => void) {
  const log = await openLog(db.pools)
  const streams = new Set<Stream>()
  const byUser = new Map<number, Set<Stream>>()
  let closed = false
  /** Everything up to here has been handed to the streams that are live. */
  let at = log.start

  const frame = (row: EventRow) => `id: ${log.idOf(placeOf(row))}\nevent: ${row.event}\ndata: ${row.data}\n\n`

  function send(stream: Stream, row: EventRow, text: string) {
    const place = placeOf(row)
    if (!isAfter(place, stream.at)) return
    if (stream.raw.writableLength > MOST_BUFFERED) return drop(stream)
    stream.at = place
    if (row.sessions && !row.sessions.includes(stream.sessionId)) return
    stream.raw.write(text)
    if (row.event === 'session_ended') end(stream)
  }
  function deliver(row: EventRow) {
    const text = frame(row)
    const reached = row.recipients === null ? streams : row.recipients.flatMap((user) => [...(byUser.get(user) ?? [])])
    for (const stream of reached) if (stream.isLive) send(stream, row, text)
  }

  function remember(stream: Stream) {
    streams.add(stream)
    byUser.set(stream.userId, (byUser.get(stream.userId) ?? new Set()).add(stream))
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
  function end(stream: Stream, lastWords?: string) {
    forget(stream)
    stream.raw.end(lastWords)
  }

  /** Reads on from `at`; true when events wait for a transaction still running. */
  async function readOn() {
    for (;;) {
      const { rows, isAll } = await log.readAfter(at)
      for (const row of rows) {
        deliver(row)
        at = placeOf(row)
      }
      if (isAll) return log.isAnyWaiting(at)
    }
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
      .then((isAnyWaiting) => {
        if (isAnyWaiting) lookWithin(WAKE_MS)
      })
      .catch(onError)
      .finally(() => {
        reading = null
        if (!again) return
        again = false
        look()
      })
  }
  function lookWithin(ms: number) {
    soon ??= setTimeout(() => {
      soon = null
      look()
    }, ms)
  }

  /** Streams whose session or user is gone learn it here when no event said so: expiry, deletion. */
  async function recheck() {
    if (streams.size === 0) return
    const all = [...streams]
    const reasons = await log.whyEnded([...new Set(all.map(({ tokenHash }) => tokenHash))])
    for (const stream of all) {
      const reason = reasons.has(stream.tokenHash) ? reasons.get(stream.tokenHash) : 'deleted'
      if (reason && streams.has(stream)) end(stream, `event: session_ended\ndata: ${JSON.stringify({ reason })}\n\n`)
    }
  }
  let rechecking: Promise<void> | null = null
  function recheckAll() {
    rechecking ??= recheck()
      .catch(onError)
      .finally(() => {
        rechecking = null
      })
  }

  /** A connection that only listens; without it the poll carries on alone. */
  let listener: pg.Client | null = null
  async function listen() {
    if (closed || listener) return
    const client = new pg.Client({ ...db.connection, application_name: 'bawaba events' })
    const giveUp = () => {
      if (listener === client) listener = null
    }
    listener = client
    client.on('notification', look)
    client.on('end', giveUp)
    client.on('error', (error) => {
      onError(error)
      giveUp()
    })
    try {
      await client.connect()
      await client.query('listen bawaba_events')
    } catch (error) {
      giveUp()
      client.end().catch(() => {})
      onError(error)
    }
  }
  await listen()

  const poll = setInterval(() => {
    listen()
    look()
    recheckAll()
  }, POLL_MS)

  /** Keeps proxies from closing a quiet stream, and its place from growing older than what is kept. */
  function comment(stream: Stream) {
    if (stream.raw.writableLength > MOST_BUFFERED) return drop(stream)
    stream.raw.write(stream.isLive ? `: here\n${idLine(stream)}\n` : ': here\n\n')
  }
  const comments = setInterval(() => {
    for (const stream of streams) comment(stream)
  }, COMMENT_MS)

  let announcing: NodeJS.Timeout | null = null
  function announce() {
    lookWithin(GATHER_MS)
    announcing ??= setTimeout(() => {
      announcing = null
      db.pools.write.query("select pg_notify('bawaba_events', '')").catch(onError)
    }, WAKE_MS)
  }

  /** Where a live stream stands, as its reader shall remember it. */
  function idLine(stream: Stream) {
    if (isAfter(at, stream.at)) stream.at = at
    return `id: ${log.idOf(stream.at)}\n`
  }
  function goLive(stream: Stream, first = '') {
    stream.isLive = true
    stream.raw.write(`${idLine(stream)}${first}\n`)
  }

  /** Sends what was missed, as fast as the reader takes it, then goes live. False when that is not known any more. */
  async function catchUp(stream: Stream, from: Place) {
    stream.at = from
    for (;;) {
      const answer = await log.readMissed(stream.userId, stream.at)
      if (!answer) return false
      for (const row of answer.missed) {
        if (!streams.has(stream)) return true
        send(stream, row, frame(row))
        await drained(stream)
      }
      if (!streams.has(stream)) return true
      // No wait between this comparison and going live, or an event could pass unseen.
      if (answer.allBefore !== null && at.tx < answer.allBefore) {
        goLive(stream)
        return true
      }
    }
  }

  /** Waits until the reader has taken what was written; one that takes nothing is cut. */
  async function drained(stream: Stream) {
    const { raw } = stream
    if (!raw.writableNeedDrain) return
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(patience)
        raw.off('drain', done).off('close', done)
        resolve()
      }
      const patience = setTimeout(() => drop(stream), STALL_MS)
      raw.on('drain', done).on('close', done)
    })
  }

  return {
    /** Reads what was just committed here, and tells the other instances: one empty wake-up per 20 ms at most. */
    announce,

    /** Opens a stream on a response whose head is written; `lastEventId` resumes. */
    async open(person: { sessionId: number; userId: number; token: string }, raw: ServerResponse, lastEventId: string | undefined) {
      if (closed) return void raw.end('retry: 1000\n\n')
      const { sessionId, userId, token } = person
      const stream: Stream = { sessionId, userId, tokenHash: hashToken(token), raw, at, isLive: false }
      remember(stream)
      raw.on('close', () => forget(stream))
      raw.on('error', () => forget(stream))

      raw.write('retry: 2000\n\n')
      if (lastEventId === undefined) return goLive(stream)
      const from = log.placeOfId(lastEventId)
      if ((from && (await catchUp(stream, from))) || !streams.has(stream)) return
      stream.at = at
      goLive(stream, 'event: resync\ndata: {}\n')
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
      for (const stream of [...streams]) end(stream, 'retry: 1000\n\n')
      await reading
      await rechecking
      await listener?.end().catch(() => {})
    },
  }
}
export type Hub = Awaited<ReturnType<typeof openHub>>
