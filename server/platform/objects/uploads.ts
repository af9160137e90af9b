/** Receives uploads: streams them into the object store, and checks their size and type. */
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

/** Takes one body at a time at an address, over all instances. Refuses further ones with `upload_under_way` until that one ends. */
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

/** Stores a body if it is exactly as expected; otherwise refuses it, and stores nothing. */
export async function receive(objects: Objects, raw: IncomingMessage, { size, contentType }: Expected): Promise<Stored> {
  const { 'content-length': length, 'content-type': type = '' } = raw.headers
  if (length !== undefined && Number(length) !== size) refuseWrongSize(size)
  if (plain(type) !== plain(contentType)) refuseField('content-type', 'const', { allowedValue: contentType })
  const sum = createHash('sha256')
  const failure: Failure = {}
  const silence = Promise.withResolvers<never>()
  const stop = onSilence(raw, silence.reject)
  silence.promise.catch(() => {})
  try {
    const key = await objects.put(exactly(arriving(raw, silence.promise), size, sum, failure), size)
    return { key, etag: sum.digest('base64url') }
  } catch (error) {
    throw failure.cause ?? error
  } finally {
    stop()
  }
}

const refuseWrongSize = (size: number) => refuseField('body', 'size', { bytes: size })

interface Failure {
  cause?: unknown
}

/** The pieces of a body as they arrive, until the body ends. Fails when nothing arrives for too long. */
async function* arriving(raw: IncomingMessage, silence: Promise<never>) {
  const pieces = raw.iterator({ destroyOnReturn: false })
  for (;;) {
    const { value, done } = await Promise.race([pieces.next(), silence])
    if (done) return
    yield value as Buffer
  }
}

/** Passes the bytes on, but the last piece only once the size is known to be right, so that a wrong body never completes. */
async function* exactly(arriving: AsyncIterable<Buffer>, size: number, sum: Hash, failure: Failure) {
  let seen = 0
  let held: Buffer | null = null
  try {
    for await (const chunk of arriving) {
      seen += chunk.length
      if (seen > size) refuseWrongSize(size)
      if (held) yield held
      sum.update(chunk)
      held = chunk
    }
    if (seen < size) refuseWrongSize(size)
  } catch (error) {
    // An error that is no `Refusal` means that the client is gone.
    failure.cause = error instanceof Refusal ? error : new Refusal('validation_failed')
    throw failure.cause
  }
  yield held ?? refuse('validation_failed')
}
