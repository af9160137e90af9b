/** Sends replies while they are read from the database, however slow a client is and however many it requests at once. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fairSemaphore } from '../concurrency.ts'
import { refuse } from '../errors/refusal.ts'

/** The maximum number of lists and long replies of one person at once. */
const MOST_AT_ONCE = 16
const LINE_WITHIN_MS = 10_000

/** Refuses a caller who lost the right to the reply while in line. */
type AskAgain = () => Promise<unknown>

/**
 * Runs work that reads a reply, and that may hold much of it in memory. A person has at most 16 such replies at once; further ones wait in
 * line and hold nothing. The turn lasts until the work and the reply have ended, even if the client has left before. Refuses `unavailable`
 * after 10 s in line, and if the client has left.
 */
export type InLine = <T>(request: FastifyRequest, reply: FastifyReply, askAgain: AskAgain, work: () => Promise<T>) => Promise<T>

/**
 * Sends the pieces of a reply as fast as the client reads, in a turn of `InLine`. The first piece is made before the reply begins, so that
 * an early failure is refused. Disconnects a client that reads nothing for a minute.
 */
export type SendLong = (request: FastifyRequest, reply: FastifyReply, long: Long) => Promise<FastifyReply>

interface Long {
  pieces: AsyncIterable<string>
  headers: Record<string, string>
  askAgain: AskAgain
}

export function longReplies(stallMs = 60_000): { inLine: InLine; sendLong: SendLong } {
  const enter = fairSemaphore<number>({ lanes: Number.POSITIVE_INFINITY, perKey: MOST_AT_ONCE })
  const admitted = new WeakSet<FastifyRequest>()

  const inLine: InLine = async (request, reply, askAgain, work) => {
    if (admitted.has(request)) return work()
    let hasWaited = false
    const patience = () => {
      hasWaited = true
      return AbortSignal.timeout(LINE_WITHIN_MS)
    }
    const refuseLine = () => refuse('unavailable', { retryAfter: 5 })
    const leave = await enter(request.caller!.actor.id, patience).catch(refuseLine)
    admitted.add(request)
    try {
      if (hasWaited && reply.raw.destroyed) refuseLine()
      if (hasWaited) await askAgain()
      return await work()
    } finally {
      // `finished` of `node:stream` does the same, and costs 5 µs a reply.
      if (reply.raw.closed) leave()
      else reply.raw.once('close', leave)
    }
  }

  const sendLong: SendLong = (request, reply, { pieces, headers, askAgain }) =>
    inLine(request, reply, askAgain, async () => {
      reply.raw.setTimeout(stallMs, () => reply.raw.destroy())
      const body = await begun(pieces)
      return reply.headers(headers).send(body)
    })
  return { inLine, sendLong }
}

/** The pieces as a stream, once the first is there. Each is made in the async context of the request, although the socket asks for it. */
async function begun(pieces: AsyncIterable<string>) {
  const inContext = AsyncLocalStorage.snapshot()
  const rest = pieces[Symbol.asyncIterator]()
  const first = await rest.next()
  async function* all() {
    try {
      for (let piece = first; !piece.done; piece = await inContext(() => rest.next())) yield piece.value
    } finally {
      await rest.return?.()
    }
  }
  return Readable.from(all(), { objectMode: false })
}
