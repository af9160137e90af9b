/** Receiving uploads: streamed into the object store, and checked for size and type. */
import { createHash, type Hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { onSilence } from '../bodies/silence.ts'
import type { Leases } from '../database/leases.ts'
import { Refusal, refuse, refuseField } from '../errors/refusal.ts'
import type { Objects } from './store.ts'

/** The size in bytes and the media type that an upload must have. */
export interface Expected {
  size: number
  contentType: string
}
/** The key of the stored bytes, and their ETag. */
export interface Stored {
  key: string
  etag: string
}

/** How long a request may take at most. Only uploads can take that long. */
export const UPLOAD_WITHIN_MS = 15 * 60_000

/** Takes one body at a time at an address, over all instances; refuses others meanwhile. */
export async function takeAlone<T>(leases: Leases, { url }: FastifyRequest, take: () => Promise<T>) {
  const giveBack = (await leases.take(`transfer to ${url.replace(/\?.*$/s, '')}`, 1)) ?? refuse('upload_under_way')
  try {
    return await take()
  } finally {
    giveBack()
  }
}

const plain = (contentType: string) =>
  contentType
    .split(';')
    .map((part) => part.trim())
    .join(';')
    .toLowerCase()

/** Stores a body that is exactly as expected; of any other, stores nothing. */
export async function receive(objects: Objects, raw: IncomingMessage, { size, contentType }: Expected): Promise<Stored> {
  const { 'content-length': length, 'content-type': type = '' } = raw.headers
  if (length !== undefined && Number(length) !== size) refuseWrongSize(size)
  if (plain(type) !== plain(contentType)) refuseField('content-type', 'const', { allowedValue: contentType })
  const sum = createHash('sha256')
  const failure: Failure = {}
  const silence = Promise.withResolvers<never>()
  const stop = onSilence(raw, silence.reject)
  const stored = objects.put(exactly(raw, size, sum, failure), size)
  try {
    const key = await Promise.race([stored, silence.promise])
    return { key, etag: sum.digest('base64url') }
  } catch (error) {
    throw failure.cause ?? error
  } finally {
    stop()
    // After a silence it goes on until the connection is closed.
    stored.catch(() => {})
  }
}

const refuseWrongSize = (size: number) => refuseField('body', 'size', { bytes: size })

interface Failure {
  cause?: unknown
}

/** Passes the bytes on, but the last piece only once the size is known to be right, so that a wrong body never completes. */
async function* exactly(raw: IncomingMessage, size: number, sum: Hash, failure: Failure) {
  let seen = 0
  let held: Buffer | null = null
  try {
    for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      seen += chunk.length
      if (seen > size) refuseWrongSize(size)
      if (held) yield held
      sum.update(chunk)
      held = chunk
    }
    if (seen < size) refuseWrongSize(size)
  } catch (error) {
    // Any other error means that the client is gone.
    failure.cause = error instanceof Refusal ? error : new Refusal('validation_failed')
    throw failure.cause
  }
  yield held ?? refuse('validation_failed')
}
