/** How a server stops: nothing that came is dropped, and nobody can hold it up. */
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

const stopping = new WeakSet<object>()
/** Whether a server closes. */
export const isStopping = (app: object) => stopping.has(app)

const SILENCE_MS = 1000
const DRAIN_MS = 6000

/**
 * While it closes, the server answers what still arrives, asks each client to hang up, and lets go of sockets that fall idle.
 * A client that has not sent or taken all of its request or answer after 6 s is cut.
 */
export function drainOnClose(app: FastifyInstance) {
  // Node does not count a socket as idle before its first request; browsers open such ones in advance.
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
    const patience = setTimeout(() => silent.forEach((socket) => void socket.destroy()), SILENCE_MS)
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
 * Until no more connections are taken, for 1 s at most: the system has made some for the server already, and would reset those
 * that are not taken before listening ends.
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
