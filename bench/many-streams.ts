/** Measures ten thousand open streams: the portal's memory for each, and how soon an event for half of them, or for all, arrives. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { note } from './figures.ts'
import { openStage, type Stage } from './stage.ts'

const STREAMS = 10_000
const AT_ONCE = 50
const BROADCASTS = 15
const RECEIVED_WITHIN_MS = 20_000
const PAUSE_MS = 300
/** Memory is read when it has fallen by less than this much in a second. */
const STEADY_MB = 1
const MOST_READINGS = 30

type OnChunk = (chunk: Buffer) => void

/** Listens as one person with as little code as possible, to leave the machine to the portal. Resolves after the first event id. */
async function listen(base: string, cookie: string, onChunk: OnChunk) {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  socket.write(`GET /api/events HTTP/1.1\r\nHost: portal\r\nCookie: ${cookie}\r\n\r\n`)
  let head = ''
  const isReady = Promise.withResolvers<void>()
  const begin = (chunk: Buffer) => {
    head += chunk.toString('latin1')
    if (!head.includes('id: ')) return
    socket.off('data', begin).on('data', onChunk)
    isReady.resolve()
  }
  socket.on('data', begin).on('error', isReady.reject)
  socket.on('close', () => isReady.reject(new Error(`a stream ended: ${head.slice(0, 200)}`)))
  await isReady.promise
  return socket
}

/** Resident memory once it has settled after a garbage collection. */
async function settledMb({ portal }: Stage) {
  let least = Number.POSITIVE_INFINITY
  for (let reading = 0; reading < MOST_READINGS; reading++) {
    portal.child.kill('SIGWINCH')
    await pause(1000)
    const mb = portal.rssMb()
    if (mb > least - STEADY_MB) return Math.min(mb, least)
    least = mb
  }
  return least
}

/** Commits an event for the people `ids`, and waits until all of their streams have received it. */
async function broadcast({ portal: { sql } }: Stage, ids: number[], count: () => number) {
  const begun = performance.now()
  await sql(
    `with sent as (insert into events (event, data, recipients) values ('apps_changed', '{}', $1::int[]) returning 1)
     select pg_notify('bawaba_events', '') from sent`,
    [ids],
  )
  const wanted = (ids.length * STREAMS) / PEOPLE
  for (const end = begun + RECEIVED_WITHIN_MS; count() < wanted; await pause(1))
    if (performance.now() > end) throw new Error(`${count()} of ${wanted} received it`)
}

const PEOPLE = 2000

/** Prints the figures; returns whether they meet their targets. */
export async function benchManyStreams() {
  const collector = import.meta.resolve('./collector.ts')
  const stage = await openStage({ NODE_OPTIONS: `--import=${collector}` })
  const streams: Socket[] = []
  let received = 0
  let last = 0
  const onChunk: OnChunk = (chunk) => {
    if (!chunk.includes('event: apps_changed')) return
    received++
    last = performance.now()
  }
  try {
    const before = await settledMb(stage)
    for (let at = 0; at < STREAMS; at += AT_ONCE) {
      const some = Array.from({ length: AT_ONCE }, (_, n) => listen(stage.portal.base, stage.cookies[(at + n) % PEOPLE]!, onChunk))
      streams.push(...(await Promise.all(some)))
    }
    const after = await settledMb(stage)
    const waits: number[][] = []
    for (const ids of [stage.ids.slice(0, PEOPLE / 2), stage.ids]) {
      const rounds: number[] = []
      for (let round = 0; round < BROADCASTS; round++) {
        await pause(PAUSE_MS)
        received = 0
        const begun = performance.now()
        await broadcast(stage, ids, () => received)
        rounds.push(last - begun)
      }
      waits.push(rounds)
    }
    const held = [
      note({ what: 'the portal with no stream, resident', unit: 'MB', rounds: [before] }),
      note({ what: `one of ${STREAMS} open streams, resident`, unit: 'kB', rounds: [((after - before) * 1024) / STREAMS], atMost: 25 }),
      note({ what: `from a commit to the last of ${STREAMS / 2} streams of ${STREAMS}`, unit: 'ms', rounds: waits[0]!, atMost: 500 }),
      note({ what: `from a commit to the last of all ${STREAMS} streams`, unit: 'ms', rounds: waits[1]! }),
    ]
    return held.every(Boolean)
  } finally {
    for (const stream of streams) stream.destroy()
    await Promise.all(streams.filter(({ closed }) => !closed).map((stream) => once(stream, 'close')))
    await stage.close()
  }
}
