/**
 * Reads the bodies that endpoints declare, and no others. They are bounded by their shapes and media types, counted against their senders
 * as they arrive, and scanned before they are parsed.
 */
import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { openScale } from '../bodies/json-extent.ts'
import { openRoom, type Room } from '../bodies/room.ts'
import { onSilence } from '../bodies/silence.ts'
import { Refusal, refuse } from '../errors/refusal.ts'
import { authenticateLate } from './authentication.ts'
import { type Bounds, boundsOf } from './body-bounds.ts'
import { type Handler, type Portal, senderOf } from './call.ts'
import type { Endpoint, MediaType } from './endpoint.ts'
import { BYTES_SCALE, bytesBoundsOf } from './file-bodies.ts'
import { FORM_BOUNDS, openFormScale, parseForm } from './forms.ts'
import { bodyCheck, parseJson } from './validate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The hash of the body that was read for a call with an `Idempotency-Key`. */
    bodyHash: string
  }
}

const MIB = 1024 * 1024
const FULL_RETRY_SECONDS = 2
/** The maximum memory for the bodies of one sender at once, in bytes. */
const MOST_OF_SENDER = 8 * MIB
/** As `MOST_OF_SENDER`, for endpoints that take more than the usual body: lists of tens of thousands of members. */
const MOST_OF_LARGE = 40 * MIB

/** Keeps Fastify from reading bodies. */
export function leaveBodies(app: FastifyInstance) {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'])
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  app.decorateRequest('bodyHash', '')
}

/** How bodies of one media type are read: the bounds, the estimate of their memory as they arrive, and the parser. */
interface Format {
  boundsOf: typeof boundsOf
  openScale: typeof openScale
  parse: (bytes: Buffer) => unknown
}
const formats: Record<MediaType, Format> = {
  'application/json': { boundsOf, openScale, parse: parseJson },
  'application/scim+json': { boundsOf, openScale, parse: parseJson },
  'application/x-www-form-urlencoded': { boundsOf: () => FORM_BOUNDS, openScale: openFormScale, parse: parseForm },
  'text/csv': { boundsOf: bytesBoundsOf, openScale: () => BYTES_SCALE, parse: (bytes) => bytes },
}
type Readable = Pick<Format, 'openScale' | 'parse'> & { bounds: Bounds }

/** Makes a handler that runs once the body is read and checked. The memory of the body counts as taken until the answer. */
export function takingBodies(portal: Portal) {
  const usual = openRoom<number | string>({ each: MOST_OF_SENDER, all: 64 * MIB, withinMs: 2000 })
  const large = openRoom<number | string>({ each: MOST_OF_LARGE, all: 64 * MIB, withinMs: 2000 })
  return (endpoint: Endpoint, body: TSchema, handle: Handler): Handler => {
    const { takes = ['application/json'], bodyLimit = MIB } = endpoint
    const [room, most] = bodyLimit > MIB ? [large, MOST_OF_LARGE] : [usual, MOST_OF_SENDER]
    const readable = new Map<string, Readable>(
      takes.map((type) => [type, { ...formats[type], bounds: formats[type].boundsOf(endpoint, body) }]),
    )
    const check = bodyCheck(body)
    return async (request, reply) => {
      const own = room(senderOf(request))
      try {
        const value = await takeBody(request, readable, { room: own, most }, () => authenticateLate(portal, endpoint, request))
        request.body = value
        check(value)
        return await handle(request, reply)
      } finally {
        own.giveBack()
      }
    }
  }
}

/** Reads and parses a body. Keeps no reference to its bytes, so that they can be freed. */
async function takeBody(
  request: FastifyRequest,
  readable: ReadonlyMap<string, Readable>,
  { room, most }: { room: Room; most: number },
  whenRead: () => Promise<void>,
) {
  const format = formatOf(request.raw, readable)
  const { bytes, weight } = format ? await read(request.raw, format, room) : NOTHING
  await whenRead()
  // Such a body could never fit, however long it waits.
  if (bytes.length + weight > most) refuse('too_large')
  if (!(await room.take(weight))) refuseFull()
  if (request.headers['idempotency-key'] !== undefined) request.bodyHash = hash('sha256', bytes)
  return format?.parse(bytes)
}

/** The format of the body; undefined if there is no body. */
function formatOf({ headers }: IncomingMessage, readable: ReadonlyMap<string, Readable>) {
  const { 'content-length': length, 'content-type': type = '', 'transfer-encoding': coding } = headers
  if (coding === undefined && !Number(length)) return undefined
  const found = readable.get(type.split(';', 1)[0]!.trim().toLowerCase())
  return found ?? refuse('unsupported_media_type', { takes: [...readable.keys()] })
}

const refuseFull = () => refuse('unavailable', { retryAfter: FULL_RETRY_SECONDS })

interface Read {
  bytes: Buffer
  /** The memory that the parsed values will take, in bytes. */
  weight: number
}
const NOTHING: Read = { bytes: Buffer.alloc(0), weight: 0 }

/** Reads a body within its bounds, and waits for room as it arrives. After a refusal, nothing more is read. */
async function read(raw: IncomingMessage, { bounds, ...format }: Readable, room: Room): Promise<Read> {
  if (Number(raw.headers['content-length']) > bounds.bytes) refuse('too_large')
  if (raw.destroyed) refuse('validation_failed')
  const { promise, resolve, reject } = Promise.withResolvers<Read>()
  const scale = format.openScale(bounds.values)
  const pieces: Buffer[] = []
  let size = 0
  function keep(piece: Buffer) {
    size += piece.length
    if (size > bounds.bytes) refuse('too_large')
    scale.add(piece)
    pieces.push(piece)
    const taken = room.take(piece.length)
    if (taken === true) return
    raw.pause()
    void taken.then((isTaken) => (isTaken ? raw.resume() : reject(new Refusal('unavailable', { retryAfter: FULL_RETRY_SECONDS }))))
  }
  const onData = (piece: Buffer) => {
    try {
      keep(piece)
    } catch (error) {
      reject(error)
    }
  }
  const onEnd = () => resolve({ bytes: pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces), weight: scale.weight() })
  // The client is gone, and nobody gets this answer.
  const onClose = () => reject(new Refusal('validation_failed'))
  raw.on('data', onData).once('end', onEnd).once('close', onClose).on('error', onClose)
  const stop = onSilence(raw, reject)
  try {
    return await promise
  } finally {
    stop()
    raw.off('data', onData).off('end', onEnd).off('close', onClose).pause()
  }
}
