/** The OpenAPI document over HTTP. It and its page are made for the first who asks: few do, and they are an eighth of a start. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { lazily } from '../lazily.ts'
import { refuse } from '../refusal.ts'
import type { Place } from './openapi.ts'
import type { Listed } from './openapi-operation.ts'

/** What a reader may say of the bytes that are wanted; the page needs to know no more of a request. */
const OF_BYTES = ['if-none-match', 'if-modified-since', 'if-range', 'range']
/** Headers of a connection, which is another than the one that is asked through. */
const OF_CONNECTION = ['connection', 'date', 'keep-alive', 'transfer-encoding']

/** Serves the document of these endpoints at `/api/openapi.json`, and at `/api/docs` a page that shows it, without any other server. */
export function addDocument(app: FastifyInstance, endpoints: readonly Listed[], place: Place) {
  const document = lazily(async () => (await import('./openapi.ts')).documentOf(endpoints, place))
  const text = lazily(async () => JSON.stringify(await document.get()))
  app.get('/api/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(await text.get()))

  const page = lazily(async () => (await import('./docs-page.ts')).openDocsPage(await document.get()))
  const showPage = async ({ method, raw, headers }: FastifyRequest, reply: FastifyReply) => {
    const wanted = method === 'HEAD' ? [] : Object.entries(headers).filter(([name]) => OF_BYTES.includes(name))
    // Of a HEAD too: what is not sent is measured.
    const answer = await (await page.get()).inject({ method: 'GET', url: raw.url!, headers: Object.fromEntries(wanted) })
    const { statusCode, rawPayload } = answer
    if (statusCode >= 500) throw new Error(`the page of the document answered ${statusCode}: ${answer.payload}`)
    if (statusCode === 416) {
      reply.header('content-range', answer.headers['content-range'])
      return refuse('range_not_satisfiable')
    }
    if (statusCode >= 400) return reply.callNotFound()
    for (const [name, value] of Object.entries(answer.headers)) if (!OF_CONNECTION.includes(name)) reply.header(name, value)
    reply.code(statusCode)
    return rawPayload.length > 0 ? reply.send(rawPayload) : reply.send()
  }
  app.get('/api/docs', showPage)
  app.get('/api/docs/*', showPage)
}
