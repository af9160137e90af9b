/**
 * Serves the OpenAPI document. The document and its page are made at the first request: few people ask for them, and making them takes a
 * tenth of the time of a start.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { cookieName } from '../auth/session-cookie.ts'
import type { Config } from '../config.ts'
import { lazily } from '../lazily.ts'
import { isFresh } from '../tags.ts'
import type { SentMessage } from './document.ts'
import type { Listed } from './operation.ts'

const PAGE = '/api/docs'

/**
 * Serves the document of these endpoints at `/api/openapi.json`, and at `/api/docs` a page that shows the document and loads nothing from
 * other servers.
 */
export function addDocument(app: FastifyInstance, endpoints: readonly Listed[], config: Config, messages: readonly SentMessage[] = []) {
  const place = { cookie: cookieName(config), base: new URL(config.publicUrl).pathname.replace(/\/$/, '') }
  const document = lazily(async () => (await import('./document.ts')).documentOf(endpoints, place, messages))
  // All requests share the bytes, so that slow readers need no copies.
  const bytes = lazily(async () => Buffer.from(JSON.stringify(await document.get())))
  app.get('/api/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(await bytes.get()))

  const page = lazily(async () => (await import('./docs-page.ts')).readDocsPage())
  const showPage = async ({ raw, headers }: FastifyRequest, reply: FastifyReply) => {
    const [address] = raw.url!.split('?') as [string]
    // The page loads relative addresses, so that it works where PUBLIC_URL has a path.
    if (address === PAGE) return reply.redirect('docs/')
    const file = (await page.get()).get(address.slice(PAGE.length + 1))
    if (!file) return reply.callNotFound()
    reply.headers(file.headers)
    return isFresh(headers, file.headers) ? reply.removeHeader('content-type').code(304).send() : reply.send(file.bytes)
  }
  app.get(PAGE, showPage)
  app.get(`${PAGE}/*`, showPage)
}
