/** Ends the waiting for bodies that fall silent. One that keeps coming is waited for. */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Refusal } from '../errors/refusal.ts'

const SILENT_SECONDS = 15
const SILENT = 'silent'

const hasBody = ({ headers }: IncomingMessage) => Number(headers['content-length']) > 0 || headers['transfer-encoding'] !== undefined

interface Incomplete {
  reply: FastifyReply
  bytes: number | undefined
  seconds: number
}

/**
 * Refuses requests of whose bodies nothing has come for 15 s, once somebody waits for them (see `onSilence`). A body still incomplete 15 s
 * after its answer is cut off.
 */
export function limitBodies(app: FastifyInstance) {
  const waiting = new Map<IncomingMessage, Incomplete>()
  app.addHook('onRequest', ({ raw }, reply, done) => {
    if (hasBody(raw)) waiting.set(raw, { reply, bytes: raw.socket.bytesRead, seconds: 0 })
    done()
  })
  function look(raw: IncomingMessage, one: Incomplete) {
    const { bytesRead } = raw.socket
    const isAnswered = one.reply.raw.headersSent
    // A delay in reading bytes that have arrived is the server's.
    if (!isAnswered && (bytesRead !== one.bytes || raw.readableLength > 0)) one.seconds = 0
    one.bytes = bytesRead
    if (++one.seconds <= SILENT_SECONDS) return
    if (isAnswered) raw.destroy()
    // Its answer has as long to arrive.
    else if (raw.emit(SILENT)) one.seconds = 0
  }
  const counting = setInterval(() => {
    for (const [raw, one] of waiting) {
      if (raw.complete || raw.destroyed) waiting.delete(raw)
      else look(raw, one)
    }
  }, 1000).unref()
  app.addHook('onClose', async () => clearInterval(counting))
}

/** Calls `refuse` if the body falls silent; the returned function stops that. */
export function onSilence(raw: IncomingMessage, refuse: (cause: Refusal) => void) {
  const tell = () => refuse(new Refusal('body_too_slow'))
  raw.once(SILENT, tell)
  return () => void raw.off(SILENT, tell)
}
