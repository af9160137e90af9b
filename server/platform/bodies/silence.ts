/** Ends the wait for bodies that fall silent. A body that keeps coming is waited for. */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Refusal } from '../errors/refusal.ts'

const SILENT_SECONDS = 15
const SILENT = 'silent'

const hasBody = ({ headers }: IncomingMessage) => Number(headers['content-length']) > 0 || headers['transfer-encoding'] !== undefined

interface Incomplete {
  reply: FastifyReply
  bytes: number | undefined
  /** The seconds without a new byte, or since the answer. */
  seconds: number
  isAnswered: boolean
}

/**
 * Refuses requests whose bodies have brought nothing for 15 s, if their handlers wait for them (see `onSilence`). A body that is still
 * incomplete 15 s after its answer is cut off.
 */
export function limitBodies(app: FastifyInstance) {
  const waiting = new Map<IncomingMessage, Incomplete>()
  app.addHook('onRequest', ({ raw }, reply, done) => {
    if (hasBody(raw)) waiting.set(raw, { reply, bytes: raw.socket.bytesRead, seconds: 0, isAnswered: false })
    done()
  })
  function look(raw: IncomingMessage, one: Incomplete) {
    const { bytesRead } = raw.socket
    const isAnswered = one.reply.raw.headersSent
    const isJustAnswered = isAnswered && !one.isAnswered
    // If bytes have arrived and are not read yet, the delay is the server's own.
    if (isJustAnswered || (!isAnswered && (bytesRead !== one.bytes || raw.readableLength > 0))) one.seconds = 0
    one.isAnswered = isAnswered
    one.bytes = bytesRead
    if (++one.seconds <= SILENT_SECONDS) return
    if (isAnswered) raw.destroy()
    // From now on, the refusal has 15 s to reach the client.
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

/** Calls `refuse` if the body falls silent. Returns the function that stops the watch. */
export function onSilence(raw: IncomingMessage, refuse: (cause: Refusal) => void) {
  const tell = () => refuse(new Refusal('body_too_slow'))
  raw.once(SILENT, tell)
  return () => void raw.off(SILENT, tell)
}
