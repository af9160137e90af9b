/** The portal's document, made from the same shapes that validate. */
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { type RefusalCode, refusals } from '../refusal.ts'
import type { Endpoint } from './endpoint.ts'

const ErrorResponse = {
  type: 'object',
  required: ['error', 'code', 'messageAr', 'messageEn'],
  properties: {
    error: { type: 'string' },
    code: { type: 'string', description: 'A stable identifier.', enum: Object.keys(refusals) },
    messageAr: { type: 'string' },
    messageEn: { type: 'string' },
    details: {
      type: 'array',
      items: { type: 'object', required: ['path', 'message'], properties: { path: { type: 'string' }, message: { type: 'string' } } },
    },
  },
  additionalProperties: true,
}

/** Every refusal an endpoint may answer with, by status. */
export function refusalsOf({ allow, refuses = [], params, query, body, at, changesAccess }: Endpoint): Map<number, Set<RefusalCode>> {
  const isPublic = allow === 'anyone'
  const isUnsafe = !at.startsWith('GET ')
  const byStatus = new Map<number, Set<RefusalCode>>()
  const add = (...codes: RefusalCode[]) => {
    for (const code of codes) {
      const isRegistration = at === 'POST /auth/register' && code.endsWith('_taken')
      const status = isRegistration ? 400 : refusals[code][0]
      byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code))
    }
  }
  if (params || query || body || isUnsafe) add('validation_failed')
  if (!isPublic) add('unauthorized')
  if (isUnsafe || (!isPublic && allow !== 'signed-in')) add('forbidden')
  if (isUnsafe) add('too_large', 'unsupported_media_type')
  if (changesAccess) add('last_admin')
  add(...refuses, 'internal', 'unavailable')
  return byStatus
}

/** What the server serialises by: an endpoint's answer when all is well. */
export function replyOf({ does, status = 200, reply, contentType }: Endpoint) {
  if (does === 'batched' || status === 204) return { 204: { type: 'null', description: 'Done' } }
  if (does === 'file')
    return {
      200: { description: 'The bytes; in part or not again, where that is asked for', content: { '*/*': { schema: { type: 'string' } } } },
    }
  if (does === 'stream')
    return { 200: { description: 'Server-Sent Events', content: { 'text/event-stream': { schema: { type: 'string' } } } } }
  if (does === 'download')
    return { 200: { description: 'A file', content: { [contentType!.split(';')[0]!]: { schema: { type: 'string' } } } } }
  return { [status]: { ...reply, description: 'Done' } }
}

/** The keyword that cleans texts is the validator's own; readers of the document do not need it. */
function withoutCleaning(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCleaning)
  if (!value || typeof value !== 'object') return value
  const entries = Object.entries(value).filter(([key, inner]) => !(key === 'clean' && typeof inner === 'string'))
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutCleaning(inner)]))
}

interface Operation {
  responses: Record<string, object>
  security?: object[]
}

/** The whole document: what swagger makes of the routes, with the refusals and the need of a session beside them. */
export function documentOf(app: FastifyInstance, endpoints: readonly Endpoint[]) {
  const document = withoutCleaning(app.swagger()) as { paths: Record<string, Record<string, Operation>> }
  for (const endpoint of endpoints) {
    const [method, path] = endpoint.at.split(' ') as [string, string]
    const operation = document.paths[`/api${path.replace(/:(\w+)/g, '{$1}')}`]![method.toLowerCase()]!
    for (const [status, codes] of refusalsOf(endpoint)) {
      const schema = { $ref: '#/components/schemas/ErrorResponse' }
      operation.responses[status] = { description: [...codes].join(', '), content: { 'application/json': { schema } } }
    }
    if (endpoint.allow !== 'anyone') operation.security = [{ session: [] }]
  }
  return document
}

/** The page takes everything from this server, over http where that is how the portal is reached. */
const PAGE_POLICY = {
  'default-src': "'self'",
  'img-src': "'self' data:",
  'base-uri': "'none'",
  'object-src': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
}

/** The first word of a path below `/api`, as the document groups them. */
const tagOf = (url: string) => url.split('/')[2] ?? 'portal'

/** Serves the document at `/api/openapi.json` and a page that shows it, from this server alone, at `/api/docs`. */
export async function addDocument(app: FastifyInstance, endpoints: readonly Endpoint[], config: Config, cookie: string) {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Bawaba',
        version: '0.1.0',
        description: 'The back end of an internal portal, in Arabic and English.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: config.publicUrl }],
      components: {
        schemas: { ErrorResponse: ErrorResponse as never },
        securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: cookie } },
      },
    },
    transform: ({ schema, url }) => ({ url, schema: { ...schema, tags: [tagOf(url)], hide: /^\/api\/(docs|openapi\.json)/.test(url) } }),
  })
  let document: Record<string, unknown> | undefined
  let text: string | undefined
  const read = () => (document ??= { ...documentOf(app, endpoints) })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: PAGE_POLICY,
    transformSpecificationClone: false,
    transformSpecification: read,
  })
  app.get('/api/openapi.json', async (_request, reply) => {
    text ??= JSON.stringify(read())
    return reply.type('application/json; charset=utf-8').send(text)
  })
}
