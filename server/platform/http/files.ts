/** Handing out stored bytes: whole, in part, or not again. */
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import disposition from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fresh from 'fresh'
import parseRange from 'range-parser'
import type { Objects, Span } from '../objects/store.ts'
import { refuse } from '../refusal.ts'

/** Bytes that someone stored. They never change. */
export interface StoredFile {
  key: string
  /** What they are known by: other bytes have another. */
  etag: string
  name: string
  size: number
  contentType: string
  storedAt: Date
  /** Whoever has it must ask each time whether they still may. */
  isGuarded?: boolean
}

/** Pictures that no browser runs anything of. */
const RASTER = /^image\/(png|jpeg|gif|webp|avif|bmp)$/i

/** What the bytes are, in headers: nothing of theirs runs, is guessed at, or is shared. */
const headersOf = ({ etag, name, contentType, storedAt, isGuarded = false }: StoredFile) => ({
  'content-type': contentType,
  'content-disposition': dispositionOf(name, RASTER.test(contentType) ? 'inline' : 'attachment'),
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': isGuarded ? 'private, no-cache' : 'private, max-age=31536000, immutable',
  'accept-ranges': 'bytes',
  'last-modified': storedAt.toUTCString(),
  etag: `"${etag}"`,
})

/** The header that names a file for every reader: in ASCII, and as it is where that is more. Folders are no part of its name. */
export function dispositionOf(name: string, type: 'inline' | 'attachment' = 'attachment') {
  const bare = name.replace(/[/\\\p{Cc}]/gu, '_').toWellFormed()
  return disposition(bare, { type, fallback: bare.replace(/[^\x20-\x7e]|["%]/g, '_') })
}

export async function sendFile(objects: Objects, { method, headers }: FastifyRequest, reply: FastifyReply, file: StoredFile) {
  const { key, size } = file
  const stored = headersOf(file)
  const { 'if-none-match': noneMatch, 'if-modified-since': modifiedSince } = headers
  if (fresh({ 'if-none-match': noneMatch, 'if-modified-since': modifiedSince }, stored))
    return reply.headers(stored).removeHeader('content-type').code(304).send()
  const span = method === 'GET' && isAbout(headers, stored) ? spanOf(headers.range, size) : null
  if (span === 'outside') {
    reply.header('content-range', `bytes */${size}`)
    return refuse('range_not_satisfiable')
  }
  const { start, end } = span ?? { start: 0, end: size - 1 }
  const bytes = method === 'HEAD' ? Readable.from([]) : await objects.read(key, { start, end })
  if (span) reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`)
  return reply
    .headers(stored)
    .header('content-length', end - start + 1)
    .send(bytes)
}

/** Whether a part is wanted of these bytes, and not of others that were known by another tag or time. */
const isAbout = ({ 'if-range': condition }: IncomingHttpHeaders, stored: { etag: string; 'last-modified': string }) =>
  condition === undefined || condition === stored.etag || Date.parse(String(condition)) === Date.parse(stored['last-modified'])

/** The one span asked for. Several at once, and what is none, are answered with the whole. */
function spanOf(range: string | undefined, size: number): Span | 'outside' | null {
  const [, first, last] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(range ?? '') ?? []
  if (first === undefined || last === undefined) return null
  const spans = parseRange(size, range!)
  if (spans === -2) return null
  if (spans !== -1) return spans[0]!
  // The library takes these for spans outside: the end of a file that is shorter is all of it (RFC 9110, 14.1.2), and what ends
  // before it begins is no span (14.1.1).
  if (first === '' && Number(last) > 0) return { start: 0, end: size - 1 }
  return last !== '' && Number(last) < Number(first) ? null : 'outside'
}
