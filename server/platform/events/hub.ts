/** The event channel: sends the events of committed transactions to the open streams of their recipients, in commit order. */
import type { ServerResponse } from 'node:http'
import { hashToken } from '../auth/tokens.ts'
import type { Db } from '../database/db.ts'
import { type EventRow, isAfter, OWES, openLog, type Place, placeOf } from './event-log.ts'
import { openListener } from './listener.ts'
import { openReader } from './reader.ts'
import { gatherStreams, isTooFull, type Stream } from './streams.ts'

const POLL_MS = 1000
const NOTIFY_MS = 20
/** Commits within this time are read together. */
const GATHER_MS = 5
const COMMENT_MS = 20_000

const RECONNECT_ELSEWHERE = 'retry: 1000\n\n'

interface Listener {
  sessionId: number
  userId: number
  token: string
  withheld?: readonly string[]
}

export async function openHub(db: Db, onError: (error: unknown) => void) {
  const streams = gatherStreams()
  let isClosed = false

  async function begin() {
    const log = await openLog(db.pools)
    const frame = (row: EventRow) => `id: ${log.idOf(placeOf(row))}\nevent: ${row.event}\ndata: ${row.data}\n\n`
    const reader = openReader(
      log,
      (row) => {
        const text = frame(row)
        for (const stream of streams.ofPeople(row.recipients)) if (stream.isLive) streams.send(stream, row, text)
      },
      onError,
    )
    return { log, frame, reader }
  }
  let run = await begin()
  let isRunOver = false
  let beginning: Promise<void> | null = null

  /** Goes on in a new run of the database. The places of old and new events cannot be compared, so all streams get `resync`. */
  async function beginAnew() {
    isRunOver = false
    for (const stream of streams.all) if (!stream.isLive) streams.drop(stream)
    try {
      run = await begin()
      for (const stream of streams.all) {
        stream.withheldBefore = 0n
        resync(stream)
      }
    } catch (error) {
      isRunOver = true
      onError(error)
    }
    beginning = null
  }
  db.onRun(() => {
    isRunOver = true
    run.reader.close()
    beginning ??= beginAnew()
  })

  /** Reads new events as soon as one of the instances reports a commit. If the listener fails, polling continues without it. */
  const listener = openListener(db.connection, () => run.reader.look(), onError)
  await listener.listen()

  /** Ends the streams of sessions that have ended, even without an event (by expiry or deletion), or that owe a second factor. */
  async function endGone() {
    if (streams.all.size === 0) return
    const all = [...streams.all]
    const reasons = await run.log.whyEnded([...new Set(all.map(({ tokenHash }) => tokenHash))])
    for (const stream of all) {
      const reason = reasons.has(stream.tokenHash) ? reasons.get(stream.tokenHash) : 'deleted'
      if (reason && streams.all.has(stream))
        streams.end(stream, reason === OWES ? '' : `event: session_ended\ndata: ${JSON.stringify({ reason })}\n\n`)
    }
  }
  let ending: Promise<void> | null = null

  const poll = setInterval(() => {
    listener.listen()
    if (isRunOver) beginning ??= beginAnew()
    run.reader.look()
    ending ??= endGone()
      .catch(onError)
      .finally(() => {
        ending = null
      })
  }, POLL_MS)

  /** Keeps proxies from closing a quiet stream, and moves its place forward before the events there are deleted. */
  function comment(stream: Stream) {
    if (isTooFull(stream)) return streams.drop(stream)
    stream.raw.write(stream.isLive ? `: here\n${idLine(stream)}\n` : ': here\n\n')
  }
  const comments = setInterval(() => streams.all.forEach(comment), COMMENT_MS)

  let notifying: NodeJS.Timeout | undefined
  function announce() {
    run.reader.lookWithin(GATHER_MS)
    notifying ??= setTimeout(() => {
      notifying = undefined
      db.pools.write.query("select pg_notify('bawaba_events', '')").catch(onError)
    }, NOTIFY_MS)
  }

  /** The `id:` line that tells a live stream's client where to resume. */
  function idLine(stream: Stream) {
    if (isAfter(run.reader.at(), stream.at)) stream.at = run.reader.at()
    return `id: ${run.log.idOf(stream.at)}\n`
  }
  function goLive(stream: Stream, first = '') {
    stream.isLive = true
    stream.raw.write(`${idLine(stream)}${first}\n`)
  }
  function resync(stream: Stream) {
    stream.at = run.reader.at()
    stream.readBefore = 0n
    goLive(stream, 'event: resync\ndata: {}\n')
  }

  /** Sends the missed events as fast as the client takes them, then goes live. False if some of them are no longer stored. */
  async function catchUp(stream: Stream, from: Place, withheld: readonly string[]) {
    stream.at = from
    for (;;) {
      const answer = await run.log.readMissed({ userId: stream.userId, withheld }, stream.at)
      if (!answer) return false
      for (const row of answer.missed) {
        if (!streams.all.has(stream)) return true
        streams.send(stream, row, run.frame(row))
        await streams.drained(stream)
      }
      if (!streams.all.has(stream)) return true
      // There must be no `await` between this comparison and going live, or an event could be lost in between.
      if (answer.allBefore !== null && run.reader.at().tx < answer.allBefore) {
        stream.readBefore = answer.allBefore
        goLive(stream)
        return true
      }
    }
  }

  return {
    /** Reads what was just committed and wakes the other instances, at most once per 20 ms. */
    announce,

    /**
     * Opens a stream on a response whose head has been written; resumes after `lastEventId` if there is one. Events that `withheld` names
     * are left out if they were missed, or if their transactions began before the stream: their recipients may have lost rights since.
     */
    async open(person: Listener, raw: ServerResponse, lastEventId: string | undefined) {
      if (isClosed) return void raw.end(RECONNECT_ELSEWHERE)
      await beginning
      const { sessionId, userId, token, withheld = [] } = person
      // The client loads its data once the head arrives, which the first `write` sends. A new stream must go live in the same step, so this
      // number is read before it.
      const withheldBefore = withheld.length ? await run.log.begun(null) : 0n
      if (isClosed) return void raw.end(RECONNECT_ELSEWHERE)
      const stream: Stream = {
        ...{ sessionId, userId, tokenHash: hashToken(token), raw, at: run.reader.at(), isLive: false },
        ...{ readBefore: 0n, withheld, withheldBefore },
      }
      streams.add(stream)

      raw.write('retry: 2000\n\n')
      if (lastEventId === undefined) return goLive(stream)
      const from = run.log.placeOfId(lastEventId)
      if ((from && (await catchUp(stream, from, withheld))) || !streams.all.has(stream)) return
      resync(stream)
    },

    /** The id of the last event delivered. A stream that resumes from this id sends everything that a later read may lack. */
    lastId: () => run.log.idOf(run.reader.at()),

    /** The age in seconds of the oldest event that the streams have not been sent; 0 if there is none. */
    lag: () => run.log.lagAfter(run.reader.at()),

    get size() {
      return streams.all.size
    },

    /** Ends every stream; clients reconnect, to another instance. */
    async close() {
      isClosed = true
      clearInterval(poll)
      clearInterval(comments)
      clearTimeout(notifying)
      for (const stream of [...streams.all]) streams.end(stream, RECONNECT_ELSEWHERE)
      await beginning
      await run.reader.close()
      await ending
      await listener.close()
    },
  }
}
export type Hub = Awaited<ReturnType<typeof openHub>>
