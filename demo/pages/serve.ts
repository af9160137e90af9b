/** Serves the pages of the demo's apps beside the portal, on their own port. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pages } from './pages.ts'
import { type Language, readerOf } from './reader.ts'
import { writePage } from './render.ts'

/** Any site may frame the pages; they run no scripts and load nothing from elsewhere. */
const headers = {
  'content-security-policy': "default-src 'none'; style-src 'self'; font-src 'self'; img-src data:; form-action 'self'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

const style = readFileSync(new URL('style.css', import.meta.url))
const fonts = new URL('../../web/fonts/', import.meta.url)

/** One of the portal's fonts; undefined if the portal was installed without its sources. The page then uses the system's fonts. */
function readFont(name: string) {
  try {
    return readFileSync(new URL(name, fonts))
  } catch {
    return undefined
  }
}

function answer(response: ServerResponse, status: number, type: string, body: string | Buffer, more: Record<string, string> = {}) {
  response.writeHead(status, { ...headers, 'content-type': type, ...more }).end(body)
}

const languageIn = (text: unknown): Language | undefined => (text === 'ar' || text === 'en' ? text : undefined)

/**
 * The reader's language. A browser sends the portal's session cookie to every port of the host, so the pages can ask the portal for the
 * person of the session, as an app with single sign-on would.
 */
async function askLanguage(portal: string, cookie: string) {
  const session = /(?:^|;\s*)((?:__Host-)?portal_session=[^;]+)/.exec(cookie)?.[1]
  if (!session) return undefined
  const asked = await fetch(`${portal}/api/auth/me`, { headers: { cookie: session }, signal: AbortSignal.timeout(2000) }).catch(
    () => undefined,
  )
  if (!asked?.ok) return undefined
  const { preferredLanguage } = (await asked.json()) as { preferredLanguage: string }
  return languageIn(preferredLanguage)
}

/**
 * The language of a page: `?lang`, else the person's language in the portal, else the one of the two that the browser prefers, else Arabic.
 */
async function languageFor({ headers }: IncomingMessage, asked: string | null, portal: string): Promise<Language> {
  const accepted = /\b(ar|en)\b/.exec(headers['accept-language'] ?? '')?.[1]
  return languageIn(asked) ?? (await askLanguage(portal, headers.cookie ?? '')) ?? languageIn(accepted) ?? 'ar'
}

async function respond(request: IncomingMessage, response: ServerResponse, portal: string) {
  if (request.method !== 'GET' && request.method !== 'HEAD') return answer(response, 405, 'text/plain', '', { allow: 'GET, HEAD' })
  const { pathname, searchParams } = new URL(request.url!, 'http://demo')
  if (pathname === '/style.css') return answer(response, 200, 'text/css; charset=utf-8', style)
  const font = /^\/fonts\/(sans-[46]00-(?:ar|la)\.woff2)$/.exec(pathname)?.[1]
  const bytes = font && readFont(font)
  if (bytes) return answer(response, 200, 'font/woff2', bytes, { 'cache-control': 'max-age=3600' })
  const slug = pathname.slice(1)
  const page = pages.get(slug)
  if (!page) return answer(response, 404, 'text/plain', 'Not found')
  const language = await languageFor(request, searchParams.get('lang'), portal)
  const text = writePage(slug, page, readerOf(language, (searchParams.get('q') ?? '').slice(0, 100)))
  answer(response, 200, 'text/html; charset=utf-8', text, { 'cache-control': 'no-store' })
}

const MOST_PORTS = 20

/** Serves the pages on the first free port from `port` up, for the people of the portal at `portal`. Returns the port. */
export async function servePages({ portal, host, port }: { portal: string; host: string; port: number }) {
  const server = createServer((request, response) => {
    respond(request, response, portal).catch(() => response.destroy())
  })
  for (let next = port; ; next++) {
    try {
      server.listen(next, host)
      await once(server, 'listening')
      return { port: (server.address() as AddressInfo).port, close: () => server.close() }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || next === port + MOST_PORTS) throw error
    }
  }
}
