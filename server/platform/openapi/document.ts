/** The OpenAPI document, made from the same shapes that validate requests. */
import type { TSchema } from 'typebox'
import { headers } from './headers.ts'
import { type Listed, operationOf } from './operation.ts'
import { openRefusals } from './refusals.ts'
import { type Json, openSchemas, type Schemas } from './schemas.ts'

const ABOUT = `The back end of an internal portal, in Arabic and English.

Signing in sets a session cookie, which the client sends with every other call. Bodies are JSON; fields that a body does not declare are
ignored. Moments are ISO 8601 in UTC, calendar dates are YYYY-MM-DD. Every answer has \`X-Request-Id\` and, except for files,
\`Cache-Control: no-store\`. A refusal has a stable \`code\` and a sentence in each language; an unknown address gets 404
\`route_not_found\`. A call that changes something is refused with 403 \`foreign_origin\` if it comes from a page of another origin.`

const BEARER = `An API token. It opens the operations that have \`x-scope\`, if it has that scope, or one of several, and its owner may call
them. With it, cookies are ignored. A 401 says \`WWW-Authenticate: Bearer error="invalid_token"\`; after 100 unknown tokens from one address
within 15 minutes, others get 429 \`rate_limited\`.`

const isSame = (one: Json, other: Json) => JSON.stringify(one) === JSON.stringify(other)

/** Turns repeated parameters into components; if several share a name, only the most frequent one. */
function shareParameters(operations: { parameters: Json[] }[]) {
  const all = operations.flatMap(({ parameters }) => parameters)
  const byText = Map.groupBy(all, (parameter) => JSON.stringify(parameter))
  const shared: Record<string, Json> = {}
  for (const [parameter, ...others] of [...byText.values()].toSorted((one, other) => other.length - one.length))
    if (others.length > 0) shared[String(parameter!['name'])] ??= parameter!
  for (const operation of operations)
    operation.parameters = operation.parameters.map((parameter) => {
      const name = String(parameter['name'])
      return shared[name] && isSame(shared[name], parameter) ? { $ref: `#/components/parameters/${name}` } : parameter
    })
  return shared
}

const inOrder = <T>(some: Record<string, T>) =>
  Object.fromEntries(Object.entries(some).toSorted(([one], [other]) => (one < other ? -1 : 1)))

/** The address and the cookie of a document's portal. */
export interface Place {
  /** The name of the session cookie. */
  cookie: string
  /** The path of PUBLIC_URL, without a slash at its end. */
  base?: string
}

/** A message that the portal sends to other programs. */
export interface SentMessage {
  type: string
  summary: string
  body: TSchema
}

const SIGNED = `Signed as [Standard Webhooks](https://www.standardwebhooks.com) has it, by the headers \`webhook-id\`, \`webhook-timestamp\` and
\`webhook-signature\`. It comes at least once; \`webhook-id\` is the same at every try.`

function webhookOf({ type, summary, body }: SentMessage, { of, exampleOf }: Schemas): Json {
  const content = { 'application/json': { schema: of(body), examples: { request: exampleOf(body) } } }
  const operationId = `receive_${type}`.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase())
  const responses = {
    '2XX': { description: 'The receiver has it.' },
    410: { description: 'The receiver wants no more messages: the webhook is paused.' },
    default: { description: 'It is sent again later; `Retry-After` is honoured.' },
  }
  return {
    post: {
      operationId,
      tags: ['webhooks'],
      summary,
      description: SIGNED,
      security: [],
      requestBody: { required: true, content },
      responses,
    },
  }
}

/** The whole document for these endpoints, and for the messages that the portal sends. */
export function documentOf(endpoints: readonly Listed[], { cookie, base = '' }: Place, messages: readonly SentMessage[] = []) {
  const schemas = openSchemas()
  const refusals = openRefusals(schemas)
  const paths: Record<string, Record<string, ReturnType<typeof operationOf>>> = {}
  for (const endpoint of endpoints) {
    const [method, path] = endpoint.at.split(' ') as [string, string]
    const documented = path.replace(/:(\w+)/g, '{$1}')
    paths[documented] = { ...paths[documented], [method.toLowerCase()]: operationOf(endpoint, schemas, refusals) }
  }
  const webhooks = Object.fromEntries(messages.map((message) => [message.type, webhookOf(message, schemas)]))
  const parameters = shareParameters(Object.values(paths).flatMap(Object.values))
  const tags = new Map(endpoints.map(({ tag }) => [tag.name, tag]))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bawaba',
      version: '0.1.0',
      description: ABOUT,
      contact: { name: 'The administrators of the portal' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${base}/api` }],
    security: [{ session: [] }],
    tags: [...tags.values()],
    paths,
    ...(messages.length > 0 && { webhooks }),
    components: {
      schemas: inOrder(schemas.components),
      responses: inOrder(refusals.responses),
      parameters: inOrder(parameters),
      examples: inOrder(schemas.examples),
      headers,
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: cookie, description: 'Set by signing in or registering.' },
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'bwp_…', description: BEARER },
      },
    },
  }
}
