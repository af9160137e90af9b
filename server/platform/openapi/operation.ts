/** An endpoint as an operation of the document. */

import type { TSchema } from 'typebox'
import { Type } from 'typebox'
import { nameOf } from '../auth/actor.ts'
import { MOST_LEVELS } from '../bodies/json-extent.ts'
import { boundsOf } from '../http/body-bounds.ts'
import { type Endpoint, type MediaType, mayChangeAccess } from '../http/endpoint.ts'
import { editsRecord } from '../http/etag.ts'
import { bytesBoundsOf } from '../http/file-bodies.ts'
import { FORM_BOUNDS } from '../http/forms.ts'
import { takesKey } from '../http/idempotency.ts'
import { SCIM } from '../http/scim.ts'
import { Named, OneOf, Shape } from '../http/shape.ts'
import { cookieHeaders, fileRequestHeaders, headersNamed, ifMatchHeader, keyHeader, locationHeader } from './headers.ts'
import type { Refusals } from './refusals.ts'
import type { Json, Schemas } from './schemas.ts'

/** A group of operations. */
interface Tag {
  name: string
  description: string
}
/** An endpoint with its name and tag in the list of all endpoints. */
export type Listed = Endpoint & { operationId: string; tag: Tag }

/** A sentence that says who may call the endpoint. */
function audienceOf({ allow }: Endpoint) {
  if (allow === 'anyone') return 'Anyone may call it, without a session.'
  if (allow === 'signed-in') return 'Every signed-in person may call it.'
  if (allow === 'admin') return 'Only administrators may call it.'
  if (allow === 'source') return 'Only a source may call it, with its token.'
  const name = nameOf(allow)
  return name.includes('.') ? `It needs the permission \`${name}\`.` : `It needs ${name} access.`
}

const CHANGES_ACCESS = 'It changes access: such calls run one at a time, and a call that would leave no active administrator is refused.'
const BY_NAVIGATION = 'Other sites send people to it: a browser that navigates to it may come from anywhere.'
const IS_CONFIRMED =
  'The caller must have confirmed within the last 15 minutes who they are, with `POST /auth/me/confirm` or by signing in.'
const IS_CONFIRMED_IF_SET = 'While `confirmAdministration` is on, the caller must have confirmed who they are.'
const FORCE_IS_CONFIRMED = 'With `force`, the caller must have confirmed who they are, while `confirmAdministration` is on.'
const IS_LIMITED = 'Attempts are limited; after too many, `Retry-After` says how long to wait.'

const describe = (endpoint: Endpoint) =>
  [
    endpoint.description,
    audienceOf(endpoint),
    endpoint.confirm === 'person' && IS_CONFIRMED,
    endpoint.confirm === 'administration' && IS_CONFIRMED_IF_SET,
    typeof endpoint.confirm === 'object' && FORCE_IS_CONFIRMED,
    mayChangeAccess(endpoint) && CHANGES_ACCESS,
    endpoint.status === 303 && BY_NAVIGATION,
    endpoint.refuses?.includes('rate_limited') && IS_LIMITED,
  ]
    .filter(Boolean)
    .join(' ')

const binary = { type: 'string', format: 'binary' }

/** The shape of a stream's messages, with one alternative for each event, as a client sees them once it has parsed `data`. */
function messagesOf(events: Record<string, TSchema>) {
  const pascal = (event: string) => event.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
  const named = Object.entries(events).map(([event, data]) => [event, `${pascal(event)}Message`, data] as const)
  const oneOf = named.map(([event, name, data]) => Named(name, Shape({ id: Type.Optional(Type.String()), event: OneOf([event]), data })))
  const mapping = Object.fromEntries(named.map(([event, name]) => [event, `#/components/schemas/${name}`]))
  return { title: 'StreamMessage', oneOf, discriminator: { propertyName: 'event', mapping } }
}

const OK = {
  200: 'The result.',
  201: 'Created.',
  202: 'Taken; it is done soon.',
  204: 'Done; the answer has no body.',
  303: 'Go on to `Location`; the answer has no body.',
}

const usualType = ({ at }: Listed) => (at.includes(` ${SCIM}/`) ? 'application/scim+json' : 'application/json')

/** The successful answers of an endpoint. */
function answersOf(endpoint: Listed, { of, exampleOf }: Schemas): Json {
  const { does, reply, status = 200, contentType, cookies, record, sendsEventId } = endpoint
  const isCounted = endpoint.does === 'query' && endpoint.total !== undefined
  const usual = {
    ...headersNamed(
      'X-Request-Id',
      ...(record && status !== 204 ? ['ETag'] : []),
      ...(sendsEventId ? ['Last-Event-ID'] : []),
      ...(isCounted ? ['X-Total-Count'] : []),
    ),
    ...(status === 303 && locationHeader),
    ...(cookies && cookieHeaders[cookies]),
  }
  if (does === 'file') {
    const fileHeaders = {
      ...usual,
      ...headersNamed('ETag', 'Last-Modified', 'Cache-Control', 'Accept-Ranges', 'Content-Disposition'),
    }
    const content = { [contentType ?? '*/*']: { schema: binary } }
    return {
      200: { description: 'The whole file.', headers: fileHeaders, content },
      206: { description: 'The requested range.', headers: { ...fileHeaders, ...headersNamed('Content-Range') }, content },
      304: { description: 'The caller already has these bytes.', headers: fileHeaders },
    }
  }
  if (endpoint.does === 'stream') {
    const messages = messagesOf(endpoint.events)
    const content = { 'text/event-stream': { schema: of(messages), examples: { message: exampleOf(messages) } } }
    return { 200: { description: 'Messages, until the caller disconnects.', headers: usual, content } }
  }
  if (endpoint.does === 'download') {
    const content = { [endpoint.contentType]: { schema: { type: 'string' }, example: endpoint.example } }
    return { 200: { description: 'The file.', headers: { ...usual, ...headersNamed('Content-Disposition', 'X-Rows-Omitted') }, content } }
  }
  if (status === 204 || status === 303) return { [status]: { description: OK[status], headers: usual } }
  const others = (endpoint.does === 'query' ? endpoint.gives : undefined) ?? []
  const content = {
    [usualType(endpoint)]: { schema: of(reply!), examples: { reply: exampleOf(reply!) } },
    ...Object.fromEntries(others.map((type) => [type, { schema: binary }])),
  }
  return { [status]: { description: OK[status], headers: usual, content } }
}

const counted = (count: number) => new Intl.NumberFormat('en').format(count)

const kibOf = (bytes: number) => `${counted(Math.floor(bytes / 1024))} KiB`

/** Sentences about the limits of a body that its schema does not express, for each media type. */
const boundsTexts: Record<MediaType, (endpoint: Listed, body: TSchema) => string> = {
  'application/json': (endpoint, body) => {
    const { bytes, values } = boundsOf(endpoint, body)
    return `At most ${kibOf(bytes)}, with at most ${counted(values)} values of JSON on at most ${MOST_LEVELS} levels.`
  },
  'application/scim+json': () => 'Either media type takes the same JSON.',
  'application/x-www-form-urlencoded': () =>
    `A form has at most ${kibOf(FORM_BOUNDS.bytes)} and ${FORM_BOUNDS.values} fields, none of them twice.`,
  'text/csv': (endpoint) => `The file has at most ${kibOf(bytesBoundsOf(endpoint).bytes)}.`,
}

function bodyOf(endpoint: Listed, { of, exampleOf }: Schemas): Json {
  const { does, body, takes = ['application/json'] } = endpoint
  if (does === 'upload') return { requestBody: { required: true, content: { '*/*': { schema: binary } } } }
  if (!body) return {}
  const media = (type: MediaType) =>
    type === 'text/csv' ? { schema: binary } : { schema: of(body), examples: { request: exampleOf(body) } }
  const content = Object.fromEntries(takes.map((type) => [type, media(type)]))
  return { requestBody: { required: true, description: takes.map((type) => boundsTexts[type](endpoint, body)).join(' '), content } }
}

function parametersOf(endpoint: Listed, { of }: Schemas): Json[] {
  const { params, query, does } = endpoint
  const from = (where: 'path' | 'query', shape: TSchema | undefined) => {
    const { properties = {}, required = [] } = (shape ?? {}) as { properties?: Record<string, Json>; required?: string[] }
    return Object.entries(properties).map(([name, property]) => {
      const { description, ...schema } = of(property)
      return {
        name,
        in: where,
        ...(required.includes(name) && { required: true }),
        ...(description !== undefined && { description }),
        schema,
      }
    })
  }
  return [
    ...from('path', params),
    ...from('query', query),
    ...(does === 'file' ? fileRequestHeaders : []),
    ...(takesKey(endpoint) ? [keyHeader] : []),
    ...(editsRecord(endpoint) ? [ifMatchHeader] : []),
  ]
}

/** The operation of an endpoint. Adds the components that it refers to. */
export function operationOf(endpoint: Listed, schemas: Schemas, refusals: Refusals): Json & { parameters: Json[] } {
  const { operationId, tag, summary, allow, scope } = endpoint
  return {
    operationId,
    tags: [tag.name],
    summary,
    description: describe(endpoint),
    ...(allow === 'anyone' && { security: [] }),
    ...(endpoint.confirm === 'person' && { 'x-confirmed': true }),
    ...(allow !== 'anyone' && scope && { security: [{ session: [] }, { bearer: [] }] }),
    ...(scope && { 'x-scope': scope }),
    parameters: parametersOf(endpoint, schemas),
    ...bodyOf(endpoint, schemas),
    responses: { ...answersOf(endpoint, schemas), ...refusals.of(endpoint) },
  }
}
