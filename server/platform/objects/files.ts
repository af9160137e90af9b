/** Sends files: whole, in part, or not at all if the client already has them. */
import { createReadStream } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import disposition from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import parseRange from 'range-parser'
import { refuse } from '../errors/refusal.ts'
import { isFresh } from '../tags.ts'
import type { Objects, Span } from './store.ts'

interface Described {
  /** Identifies the bytes: different bytes have different tags. */
  etag: string
  name: string
  size: number
  contentType: string
  /** Absent where only the tag says whether the bytes have changed. */
  storedAt?: Date
  /** Caches must ask each time, because the reader may lose the right to see the file, or its bytes may change. */
  isGuarded?: boolean
  /** No cache may store the file, not even the browser's. */
  isSecret?: boolean
}
/** A file in the object store. Its bytes never change. */
export interface StoredFile extends Described {
  key: string
}
/** A file that comes with the portal, and changes with its version. */
export interface FileOfPortal extends Described {
  path: string
}
/** A file that is made for its reader. */
interface MadeFile extends Described {
  bytes: Buffer
}
export type SentFile = StoredFile | FileOfPortal | MadeFile

/** Pictures that cannot contain scripts. */
const RASTER = /^image\/(png|jpeg|gif|webp|avif|bmp)$/i

/** Headers with which a browser executes nothing in the file, does not guess its type, and shares it with nobody. */
const headersOf = ({ etag, name, contentType, storedAt, isGuarded = false, isSecret = false }: Described) => ({
  // An invalid header value would break every answer.
  'content-type': /^[ -~]+$/.test(contentType) ? contentType : 'application/octet-stream',
  'content-disposition': dispositionOf(name, RASTER.test(contentType) ? 'inline' : 'attachment'),
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'self'",
  'x-content-type-options': 'nosniff',
  'cache-control': isSecret ? 'no-store' : isGuarded ? 'private, no-cache' : 'private, max-age=31536000, immutable',
  'accept-ranges': 'bytes',
  ...(storedAt && { 'last-modified': storedAt.toUTCString() }),
  etag: `"${etag}"`,
})

/** The `Content-Disposition` of a file: its name in ASCII and, if it has other characters, as it is; without folders. */
export function dispositionOf(name: string, type: 'inline' | 'attachment' = 'attachment') {
  const bare = name.replace(/[/\\\p{Cc}]/gu, '_').toWellFormed()
  return disposition(bare, { type, fallback: bare.replace(/[^\x20-\x7e]|["%]/g, '_') })
}

export async function sendFile(objects: Objects, { method, headers }: FastifyRequest, reply: FastifyReply, file: SentFile) {
  const { size } = file
  const stored = headersOf(file)
  const { 'if-none-match': noneMatch, 'if-modified-since': modifiedSince } = headers
  if (isFresh({ 'if-none-match': noneMatch, 'if-modified-since': modifiedSince }, stored))
    return reply.headers(stored).removeHeader('content-type').code(304).send()
  const span = method === 'GET' && isAbout(headers, stored) ? spanOf(headers.range, size) : null
  if (span === 'outside') return refuse('range_not_satisfiable', { contentRange: `bytes */${size}` })
  const { start, end } = span ?? { start: 0, end: size - 1 }
  const read = () => {
    if ('bytes' in file) return Readable.from([file.bytes.subarray(start, end + 1)])
    return 'path' in file ? createReadStream(file.path, { start, end }) : objects.read(file.key, { start, end })
  }
  const bytes = method === 'HEAD' ? Readable.from([]) : await read()
  if (span) reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`)
  return reply
    .headers(stored)
    .header('content-length', end - start + 1)
    .send(bytes)
}

/** Whether `If-Range`, if present, names these very bytes. */
const isAbout = ({ 'if-range': condition }: IncomingHttpHeaders, stored: { etag: string; 'last-modified'?: string }) =>
  condition === undefined || condition === stored.etag || Date.parse(String(condition)) === Date.parse(stored['last-modified'] ?? '')

/** The single range asked for, or null for the whole file, which also answers several ranges or an invalid one. */
function spanOf(range: string | undefined, size: number): Span | 'outside' | null {
  const [, first, last] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(range ?? '') ?? []
  if (first === undefined || last === undefined) return null
  const spans = parseRange(size, range!)
  if (spans === -2) return null
  if (spans !== -1) return spans[0]!
  // The library calls these unsatisfiable, too: a suffix longer than the file, which means all of it (RFC 9110, 14.1.2), and a range
  // that ends before it begins, which is invalid and to be ignored (14.1.1).
  if (first === '' && Number(last) > 0) return { start: 0, end: size - 1 }
  return last !== '' && Number(last) < Number(first) ? null : 'outside'
}
