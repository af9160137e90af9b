/** Sends replies while they are read from the database, however slow a client is and however many it requests at once. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { finished, Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fairSemaphore } from '../concurrency.ts'
import { refuse } from '../errors/refusal.ts'

/** The maximum number of long replies of one person at once. */
const MOST_AT_ONCE = 16
const LINE_WITHIN_MS = 10_000

/**
 * Sends the pieces of a reply as fast as the client reads. Each reply holds a piece in memory until it is read, so a person has at most 16
 * long replies at once, and further ones wait in line. The first piece is made before the reply begins, so that an early failure is
 * refused. Refuses `unavailable` after 10 s in line. Disconnects a client that reads nothing for a minute.
 */
export type SendLong = (request: FastifyRequest, reply: FastifyReply, long: Long) => Promise<FastifyReply>

interface Long {
  pieces: AsyncIterable<string>
  headers: Record<string, string>
  /** Refuses a caller who lost the right to the reply while in line. */
  askAgain: () => Promise<unknown>
}

export function longReplies(stallMs = 60_000): SendLong {
  const enter = fairSemaphore<number>({ lanes: Number.POSITIVE_INFINITY, perKey: MOST_AT_ONCE })
  return async (request, reply, { pieces, headers, askAgain }) => {
    let hasWaited = false
    const patience = () => {
      hasWaited = true
      return AbortSignal.timeout(LINE_WITHIN_MS)
    }
    const leave = await enter(request.caller!.actor.id, patience).catch(() => refuse('unavailable', { retryAfter: 5 }))
    finished(reply.raw, leave)
    if (hasWaited) await askAgain()
    reply.raw.setTimeout(stallMs, () => reply.raw.destroy())
    const body = await begun(pieces)
    return reply.headers(headers).send(body)
  }
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
