/** Stops the server: every request that has arrived is answered, and no client can delay the stop for long. */
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

const stopping = new WeakSet<object>()
export const isStopping = (app: object) => stopping.has(app)

const SILENCE_MS = 1000
const DRAIN_MS = 6000

/**
 * While it closes, the server still answers requests, asks clients to close their connections, and closes idle ones itself. A client
 * that has not finished sending its request or reading its answer after 6 s is disconnected.
 */
export function drainOnClose(app: FastifyInstance) {
  // Browsers open connections in advance, and Node does not count one as idle before its first request.
  const silent = new Set<Socket>()
  let taken = 0
  app.server.on('connection', (socket: Socket) => {
    taken++
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.server.on('request', ({ socket }) => silent.delete(socket))
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isStopping(app)) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('preClose', async () => {
    stopping.add(app)
    const sweeping = setInterval(() => app.server.closeIdleConnections(), 50)
    // `setImmediate` lets the server first read requests that have just arrived.
    const patience = setTimeout(() => setImmediate(() => silent.forEach((socket) => void socket.destroy())), SILENCE_MS)
    const deadline = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
    await untilSteady(() => taken)
    app.server.once('close', () => {
      clearInterval(sweeping)
      clearTimeout(patience)
      clearTimeout(deadline)
    })
  })
}

/**
 * Waits until no more connections are accepted, for at most 1 s. The system may already have established some, and would reset those
 * that are not accepted before the server stops listening.
 */
async function untilSteady(countTaken: () => number) {
  const deadline = performance.now() + SILENCE_MS
  let before: number
  do {
    before = countTaken()
    await nextTurn()
    await nextTurn()
  } while (countTaken() !== before && performance.now() < deadline)
}
