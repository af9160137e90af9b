/**
 * Discards the rest of bodies that nobody reads, in turns. Node would read each as fast as it arrives, up to 2 MiB of every connection
 * before it handles anything else.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Has a body that is incomplete when its request is answered discarded: many clients read the answer only after sending everything. */
export function discardRests(app: FastifyInstance) {
  /** Requests with bytes to discard. */
  const waiting = new Set<IncomingMessage>()
  let isDue = false
  /** One request's turn, once in each round of the event loop. The others wait with some 64 KiB each, and nothing more is read of them. */
  function takeTurn() {
    isDue = false
    for (const raw of waiting) {
      waiting.delete(raw)
      // A closed connection sends nothing more, and of a complete body all is here. If these took a turn each, they would fill the memory:
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
      // Node takes over a body of which nothing has been read when the answer is sent.
      raw.read()
    }
    done(null, payload)
  })
}
