/** Handing out stored bytes: whole, in part, or not again. */
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
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
  'content-disposition': `${RASTER.test(contentType) ? 'inline' : 'attachment'}; ${filename(name)}`,
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': isGuarded ? 'private, no-cache' : 'private, max-age=31536000, immutable',
  'accept-ranges': 'bytes',
  'last-modified': storedAt.toUTCString(),
  etag: `"${etag}"`,
})

/** A name for every reader: in ASCII, and as it is (RFC 6266, RFC 8187). Folders are no part of it. */
function filename(name: string) {
  const bare = name.replace(/[/\\\p{Cc}]/gu, '_').toWellFormed()
  const ascii = bare.replace(/[^\x20-\x7e]|["%]/g, '_')
  const exact = encodeURIComponent(bare).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  return `filename="${ascii}"; filename*=UTF-8''${exact}`
}

export async function sendFile(objects: Objects, { method, headers }: FastifyRequest, reply: FastifyReply, file: StoredFile) {
  const { key, size } = file
  if (isKnown(headers, file)) return reply.headers(headersOf(file)).removeHeader('content-type').code(304).send()
  const span = method === 'GET' ? spanOf(headers, file) : null
  if (span === 'outside') {
    reply.header('content-range', `bytes */${size}`)
    return refuse('range_not_satisfiable')
  }
  const { start, end } = span ?? { start: 0, end: size - 1 }
  const bytes = method === 'HEAD' ? Readable.from([]) : await objects.read(key, { start, end })
  if (span) reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`)
  return reply
    .headers(headersOf(file))
    .header('content-length', end - start + 1)
    .send(bytes)
}

const tagsIn = (list: string) => list.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
/** Times in headers are whole seconds. */
const secondsOf = (time: Date) => Math.floor(time.getTime() / 1000)
const secondsIn = (text: string | undefined) => Date.parse(text ?? '') / 1000

/** Whether the client has the bytes already. */
function isKnown({ 'if-none-match': tags, 'if-modified-since': since }: IncomingHttpHeaders, { etag, storedAt }: StoredFile) {
  if (tags !== undefined) return tags.trim() === '*' || tagsIn(tags).includes(`"${etag}"`)
  return secondsOf(storedAt) <= secondsIn(since)
}

/** The one span asked for, if it is asked for and about these bytes. Several at once, and what is none, are answered with the whole. */
function spanOf({ range, 'if-range': condition }: IncomingHttpHeaders, { etag, size, storedAt }: StoredFile): Span | 'outside' | null {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(range ?? '') ?? []
  if (first === '' && last === '') return null
  if (condition !== undefined && condition !== `"${etag}"` && secondsIn(String(condition)) !== secondsOf(storedAt)) return null
  if (first === '') return Number(last) === 0 ? 'outside' : { start: Math.max(0, size - Number(last)), end: size - 1 }
  if (last !== '' && Number(last) < Number(first)) return null
  return Number(first) >= size ? 'outside' : { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}
