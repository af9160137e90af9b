/** The portal's document, made from the same shapes that validate. */
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { type TSchema, Type } from 'typebox'
import type { Config } from './config.ts'
import type { Endpoint } from './endpoint.ts'
import { type RefusalCode, refusals } from './refusal.ts'

export const ErrorResponse = Type.Object(
  {
    error: Type.String(),
    code: Type.String({ description: 'A stable identifier.' }),
    messageAr: Type.String(),
    messageEn: Type.String(),
    details: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
  },
  { additionalProperties: true },
)

/** Every refusal an endpoint may answer with. */
export function refusalsOf({ allow, refuses = [], params, query, body, at }: Endpoint): RefusalCode[] {
  const isPublic = allow === 'anyone'
  const isUnsafe = !at.startsWith('GET ')
  return [
    ...(params || query || body ? (['validation_failed'] as const) : []),
    ...(isPublic ? [] : (['unauthorized'] as const)),
    ...((isPublic || allow === 'signed-in') && !isUnsafe ? [] : (['forbidden'] as const)),
    ...(isUnsafe ? (['validation_failed', 'too_large', 'unsupported_media_type'] as const) : []),
    ...refuses,
    'unavailable',
  ]
}

/** What an endpoint answers, by status. */
export function responsesOf(endpoint: Endpoint) {
  const byStatus = new Map<number, Set<string>>()
  for (const code of refusalsOf(endpoint)) {
    const status = code === 'username_taken' || code === 'email_taken' ? (endpoint.at === 'POST /auth/register' ? 400 : 409) : refusals[code][0]
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code))
  }
  const errors = [...byStatus].map(([status, codes]) => [status, { ...ErrorResponse, description: [...codes].join(', ') }])
  return { ...successOf(endpoint), ...Object.fromEntries(errors) }
}

function successOf({ does, status = 200, reply, contentType }: Endpoint): Record<number, TSchema | object> {
  if (does === 'batched' || status === 204) return { 204: { type: 'null', description: 'Done' } }
  if (does === 'stream') return { 200: { description: 'Server-Sent Events', content: { 'text/event-stream': { schema: { type: 'string' } } } } }
  if (does === 'download') return { 200: { description: 'A file', content: { [contentType!.split(';')[0]!]: { schema: { type: 'string' } } } } }
  return { [status]: { ...reply, description: 'Done' } }
}

/** The folder of a route, as the document groups them. */
const tagOf = (url: string) => url.split('/')[2] ?? 'portal'

/** The keyword that cleans texts is the validator's own; readers of the document do not need it. */
function withoutCleaning(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCleaning)
  if (!value || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).flatMap(([key, inner]) => (key === 'clean' && typeof inner === 'string' ? [] : [[key, withoutCleaning(inner)]])))
}

export const documentOf = (app: FastifyInstance) => withoutCleaning(app.swagger())

export async function addDocument(app: FastifyInstance, _endpoints: readonly Endpoint[], config: Config) {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Bawaba', version: '0.1.0', description: 'The back end of an internal portal, in Arabic and English.', license: { name: 'MIT', identifier: 'MIT' } },
      components: { securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: config.secureCookies ? '__Host-portal_session' : 'portal_session' } } },
    },
    transform: ({ schema, url, route }) => ({ schema: { ...(schema as object), tags: [tagOf(url)], ...(url.startsWith('/api/docs') && { hide: true }) }, url, route }) as never,
  })
  await app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: true, logo: undefined })
  let text: string | undefined
  app.get('/api/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    text ??= JSON.stringify(documentOf(app))
    return reply.type('application/json; charset=utf-8').send(text)
  })
}
