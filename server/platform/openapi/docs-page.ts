/** The page that shows the OpenAPI document: the files of Swagger UI, in the portal's colours. */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'

/**
 * The page's content security policy: everything comes from this server. It does not upgrade requests to https, because the portal may be
 * reached over http.
 */
const POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "object-src 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const OWN = ['index.html', 'portal.css', 'portal.js', 'portal.svg']
const SWAGGER_UI = ['swagger-ui.css', 'swagger-ui-bundle.js']

/** A file of the page. All requests share its bytes, so that slow readers need no copies. */
interface PageFile {
  headers: Record<string, string> & { etag: string }
  bytes: Buffer
}

function read(name: string, url: URL): [string, PageFile] {
  const bytes = readFileSync(url)
  const headers = {
    'cache-control': 'no-cache',
    'content-security-policy': POLICY,
    'content-type': TYPES[extname(name)]!,
    etag: `"${hash('sha256', bytes, 'base64url')}"`,
  }
  return [name === 'index.html' ? '' : name, { headers, bytes }]
}

/** The files by their addresses relative to the page. The page itself has the empty address. */
export const readDocsPage = () =>
  new Map([
    ...OWN.map((name) => read(name, new URL(`docs-page/${name}`, import.meta.url))),
    ...SWAGGER_UI.map((name) => read(name, new URL(import.meta.resolve(`@fastify/swagger-ui/static/${name}`)))),
  ])
