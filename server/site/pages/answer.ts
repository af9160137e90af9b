/** Answers outside of `/api`: the page at every address of the portal, and its files. */
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { addresses, paramsOf, patternOf } from '../../../web/addresses.ts'
import { admin, belowDesk, meetings, reviews } from '../../../web/desk-addresses.ts'
import type { Config } from '../../platform/config.ts'
import { isFresh } from '../../platform/tags.ts'
import type { BuiltFile, BuiltPages } from './built.ts'

/** The patterns of the portal's addresses. Any other address gets the page with the status 404, and the page shows that. */
const patterns = Object.keys(addresses)
  .filter((address) => !address.endsWith(':rest'))
  .concat(belowDesk('/meetings', meetings), belowDesk('/admin', admin), belowDesk('/reviews', reviews))
  .map(patternOf)
const isKnown = (path: string) => patterns.some((pattern) => paramsOf(pattern, path === '/' ? path : path.replace(/\/$/, '')))
const isCalls = /^\/(api|objects)(\/|$)/
const isFramed = /^\/apps\//

/** The service worker may send requests to the portal, and nothing else. */
const workerPolicy = "default-src 'none';connect-src 'self';frame-ancestors 'none'"

const YEAR = 'public, max-age=31536000, immutable'

interface Answer extends BuiltFile {
  etag: string
}

const withTag = (file: BuiltFile): Answer => ({
  ...file,
  etag: `"${createHash('sha256').update(file.bytes).digest('base64url').slice(0, 27)}"`,
})

/** Only the page that frames an app may frame another site; all other pages may only show PDFs that they have fetched. */
const policyOf = (scripts: string[], framed: boolean) =>
  [
    "default-src 'none'",
    `script-src 'self' ${scripts.join(' ')}`.trim(),
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    `frame-src ${framed ? 'https: http:' : 'blob:'}`,
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types portal',
  ].join(';')

/** A page whose relative URLs start at the portal's base path. */
function pageBelow(base: string, page: BuiltFile): Answer {
  const text = page.bytes.toString().replace('<base href="/">', `<base href="${base}/">`)
  return withTag(base === '' ? page : { type: page.type, bytes: Buffer.from(text) })
}

/**
 * Answers a GET outside of `/api` with the pages; undefined leaves the call to the 404 refusal. `x-pages` is their
 * version, and `x-pushes` is present if the portal can push, so that a page need not request the key to find out.
 */
export function pagesAnswer({ files, scripts, hash }: BuiltPages, { publicUrl, vapid }: Pick<Config, 'publicUrl' | 'vapid'>) {
  const answers = new Map(Array.from(files, ([name, file]) => [`/${name}`, withTag(file)]))
  const page = pageBelow(new URL(publicUrl).pathname.replace(/\/$/, ''), files.get('index.html')!)
  const policies = { plain: policyOf(scripts, false), framed: policyOf(scripts, true) }

  return (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?')[0]!
    if ((request.method !== 'GET' && request.method !== 'HEAD') || isCalls.test(path)) return undefined
    const file = path === '/index.html' ? undefined : answers.get(path)
    const found = file ?? page
    reply
      .code(file || isKnown(path) ? 200 : 404)
      .header('cache-control', path.startsWith('/assets/') && file ? YEAR : 'no-cache')
      .header('vary', 'accept-encoding')
      .header('etag', found.etag)
      .header('content-type', found.type)
    if (path === '/worker.js') reply.header('content-security-policy', workerPolicy)
    if (!file) {
      reply.header('content-security-policy', isFramed.test(path) ? policies.framed : policies.plain).header('x-pages', hash)
      if (vapid) reply.header('x-pushes', 'yes')
      // A framed site learns only the portal's origin. Not even the page's own files are told its address, which may have a token.
      reply.header('referrer-policy', 'strict-origin')
    }
    if (reply.statusCode === 200 && isFresh(request.headers, found)) return reply.code(304).send()
    return send(request, reply, found)
  }
}

function send(request: FastifyRequest, reply: FastifyReply, { bytes, br, gzip }: Answer) {
  const accepted = String(request.headers['accept-encoding'] ?? '')
  const takes = (coding: string) => new RegExp(`\\b${coding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:\\s*,|\\s*$))`, 'i').test(accepted)
  if (br && takes('br')) return reply.header('content-encoding', 'br').send(br)
  if (gzip && takes('gzip')) return reply.header('content-encoding', 'gzip').send(gzip)
  return reply.send(bytes)
}
