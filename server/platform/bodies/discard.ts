/**
 * Discards the rest of bodies that nobody reads, in turns. Node would read each as fast as it arrives, up to 2 MiB of every connection
 * before it handles anything else.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Discards bodies that are incomplete when their requests are answered: many clients read the answer only after sending everything. */
export function discardRests(app: FastifyInstance) {
  /** Requests with bytes to discard. */
  const waiting = new Set<IncomingMessage>()
  let isDue = false
  /** Gives one request its turn, once in each round of the event loop. All other requests wait, with about 64 KiB buffered for each. */
  function takeTurn() {
    isDue = false
    for (const raw of waiting) {
      waiting.delete(raw)
      // A closed connection sends nothing more, and a complete body has arrived. If such requests took turns, they would fill the memory:
      // one connection can send thousands of requests, each answered before its body is complete.
      if (raw.socket.destroyed) continue
      raw.read()
      if (raw.complete) continue
      if (raw.readableLength > 0) waiting.add(raw)
      break
    }
    schedule()
  }
  function schedule() {
    if (isDue || waiting.size === 0) return
    isDue = true
    setImmediate(takeTurn)
  }
  app.addHook('onSend', ({ raw }, _reply, payload, done) => {
    if (!raw.complete) {
      raw.on('readable', () => {
        waiting.add(raw)
        schedule()
      })
      // Without this, Node would take over: it reads a body itself if none of it has been read when the answer is sent.
      raw.read()
    }
    done(null, payload)
  })
}
