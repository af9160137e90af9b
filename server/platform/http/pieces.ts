/** Sends long answers in pieces, and ends them when their reader loses the right to them. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import { mayReadOn } from './authentication.ts'
import type { Portal } from './call.ts'
import type { Endpoint } from './endpoint.ts'

/** The maximum number of bytes that may still be sent after a right has ended. */
const PIECE_BYTES = 256 * 1024
const MOST_MS = 15 * 60_000

/** Passes on at once what the source yields, in pieces of at most `PIECE_BYTES`. */
export async function* piecesOf(source: AsyncIterable<string | Buffer>) {
  for await (const some of source) {
    const bytes = Buffer.isBuffer(some) ? some : Buffer.from(some)
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
  }
}

/** UTF-8 takes at most three bytes for each UTF-16 unit. */
const isShort = (payload: string | Buffer) => payload.length * (typeof payload === 'string' ? 3 : 1) <= PIECE_BYTES

/** Sends every answer of an endpoint in pieces, and checks before each further piece that its reader may still have it. */
export function inPieces(portal: Portal, endpoint: Endpoint): onSendHookHandler {
  async function* asked(source: AsyncIterable<string | Buffer>, request: FastifyRequest, reply: FastifyReply) {
    // The socket requests the pieces, but the queries between them must take their turns under the request's person.
    const inContext = AsyncLocalStorage.snapshot()
    let isFirst = true
    for await (const piece of piecesOf(source)) {
      if (!isFirst && !(await inContext(() => mayReadOn(portal, endpoint, request)))) {
        portal.security.noteCut(request)
        // Breaks the connection, so that nobody takes a part for the whole.
        reply.raw.destroy()
        return
      }
      isFirst = false
      yield piece
    }
  }
  // Without a buffer, so that rights are checked when a piece is sent, not one piece earlier.
  const streamOf = (source: AsyncIterable<string | Buffer>, request: FastifyRequest, reply: FastifyReply) =>
    Readable.from(asked(source, request, reply), { objectMode: false, highWaterMark: 0 })

  return (request, reply, payload, done) => {
    if (payload instanceof Readable) {
      if (request.method !== 'HEAD') return done(null, streamOf(payload, request, reply))
      payload.destroy()
      return done(null, Readable.from([]))
    }
    const isLong = (typeof payload === 'string' || Buffer.isBuffer(payload)) && !isShort(payload)
    if (request.method === 'HEAD' || !isLong) return done(null, payload)
    reply.header('content-length', Buffer.byteLength(payload))
    done(null, streamOf(Readable.from([payload]), request, reply))
  }
}

/** Cuts off answers that take longer than `mostMs`, even if the client is only slow to read them. */
export function endLate(app: FastifyInstance, mostMs = MOST_MS) {
  app.addHook('onSend', (_request, reply, payload, done) => {
    const late = setTimeout(() => reply.raw.destroy(), mostMs).unref()
    reply.raw.once('close', () => clearTimeout(late))
    done(null, payload)
  })
}
