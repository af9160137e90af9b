/** Bodies that are no JSON: taken as they come, to the byte, and only as long as they come. */
import { createHash, type Hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Objects } from '../objects/store.ts'
import { Refusal, refuse, refuseField } from '../refusal.ts'

/** What an upload must be. */
export interface Expected {
  size: number
  contentType: string
}
/** Where its bytes are, and what they are known by. */
export interface Stored {
  key: string
  etag: string
}

/** The longest that a whole request may take; that of an upload, for others end much sooner. */
export const UPLOAD_WITHIN_MS = 15 * 60_000
const SILENT_SECONDS = 15

const silences = new WeakMap<IncomingMessage, { seconds: number }>()
const hasBody = ({ headers }: IncomingMessage) => Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined

/** Cuts off who has not sent all of a body within 15 s; in an upload, that is counted anew from each piece. */
export function limitBodies(app: FastifyInstance) {
  const waiting = new Set<IncomingMessage>()
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    if (hasBody(raw)) {
      silences.set(raw, { seconds: 0 })
      waiting.add(raw)
    }
    done()
  })
  const counting = setInterval(() => {
    for (const raw of waiting) {
      const silence = silences.get(raw)!
      if (raw.complete || raw.destroyed) waiting.delete(raw)
      else if (++silence.seconds > SILENT_SECONDS) raw.destroy()
    }
  }, 1000).unref()
  app.addHook('onClose', async () => clearInterval(counting))
}

/** Lets bodies of every type through to the handler, unread. */
export function leaveBodies(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
}

const plain = (contentType: string) =>
  contentType
    .replace(/\s*;\s*/g, ';')
    .trim()
    .toLowerCase()

/** Keeps a body that is exactly what was expected; of any other nothing stays. */
export async function receive(objects: Objects, raw: IncomingMessage, { size, contentType }: Expected): Promise<Stored> {
  const { 'content-length': length, 'content-type': type = '' } = raw.headers
  if (length !== undefined && Number(length) !== size) refuseWrongSize(size)
  if (plain(type) !== plain(contentType)) refuseField('content-type', `must be ${contentType}`)
  const sum = createHash('sha256')
  const failure: Failure = {}
  try {
    const key = await objects.put(exactly(raw, size, sum, failure), size)
    return { key, etag: sum.digest('base64url') }
  } catch (error) {
    throw failure.cause ?? error
  } finally {
    // What is left of a body that was refused is let pass, so that the client comes to read why.
    raw.resume()
  }
}

const refuseWrongSize = (size: number) => refuseField('body', `must be ${size} bytes long`)

interface Failure {
  cause?: unknown
}

/** The bytes as they come; the last piece only once it is known to be the last, so that a body of another size never ends well. */
async function* exactly(raw: IncomingMessage, size: number, sum: Hash, failure: Failure) {
  let seen = 0
  let held: Buffer | null = null
  try {
    for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      const silence = silences.get(raw)
      if (silence) silence.seconds = 0
      seen += chunk.length
      if (seen > size) refuseWrongSize(size)
      if (held) yield held
      sum.update(chunk)
      held = chunk
    }
    if (seen < size) refuseWrongSize(size)
  } catch (error) {
    // A client that is gone hears nothing.
    failure.cause = error instanceof Refusal ? error : new Refusal('validation_failed')
    throw failure.cause
  }
  yield held ?? refuse('validation_failed')
}
