/** Refusals in the document: one shared response for each set of codes, and one schema for each code. */
import { type TSchema, Type } from 'typebox'
import { confirmationMethods } from '../auth/confirmation.ts'
import { fieldError } from '../errors/field-errors.ts'
import { quotas, Refusal, type RefusalCode, refusals } from '../errors/refusal.ts'
import { refusalBody } from '../errors/refusal-body.ts'
import { isOpenToDebtors } from '../http/authentication.ts'
import { type Endpoint, isRecorded, mayChangeAccess } from '../http/endpoint.ts'
import { editsRecord } from '../http/etag.ts'
import { takesKey } from '../http/idempotency.ts'
import { ERROR_SCHEMA, SCIM, scimTypes } from '../http/scim.ts'
import { Id, Named, OneOf, Shape, Timestamp } from '../http/shape.ts'
import { FieldErrors, RefusalCodes } from '../http/verdicts.ts'
import { composeExample } from './examples.ts'
import { headersNamed } from './headers.ts'
import type { Json, Schemas } from './schemas.ts'

const codes = Object.keys(refusals) as RefusalCode[]

const ErrorResponse = Named(
  'ErrorResponse',
  Type.Object({
    error: Type.String({ description: 'The code where the interface names one, otherwise the English sentence.' }),
    code: RefusalCodes,
    messageAr: Type.String({ description: 'A sentence for people, in Arabic.' }),
    messageEn: Type.String({ description: 'The same in English.' }),
    details: Type.Optional(FieldErrors),
  }),
)

const ScimError = Named(
  'ScimError',
  Type.Object({
    schemas: Type.Array(Type.String()),
    status: Type.String({ description: 'The status of the answer, as a text.' }),
    scimType: Type.Optional(OneOf(scimTypes)),
    detail: Type.String({ description: 'A sentence for the administrator of the directory.' }),
    error: Type.String(),
    code: RefusalCodes,
    messageAr: Type.String(),
    messageEn: Type.String(),
    details: Type.Optional(FieldErrors),
  }),
  {
    schemas: [ERROR_SCHEMA],
    status: '404',
    detail: 'Not found.',
    error: 'Not found.',
    code: 'not_found',
    messageAr: 'غير موجود.',
    messageEn: 'Not found.',
  },
)
const isOfScim = ({ at }: Endpoint) => at.includes(` ${SCIM}/`)

/** Fields that some refusals always have besides the usual ones. */
const extras: Partial<Record<RefusalCode, TSchema>> = {
  unknown_ids: Shape({ unknownIds: Type.Array(Id) }),
  missing_ids: Shape({ missingIds: Type.Array(Id) }),
  not_executive: Shape({ unknownIds: Type.Array(Id) }),
  quota_exceeded: Shape({
    quota: OneOf(quotas, { description: 'Which quota of the person is used up.' }),
    used: Type.Integer({ description: 'How much of it is used, without this request.', examples: [10000] }),
    allowed: Type.Integer({ examples: [10000] }),
  }),
  too_much_to_print: Shape({
    fontSize: Type.Integer({ description: 'The requested size.', examples: [32] }),
    largestFontSize: Type.Integer({
      description: 'The largest size at which the day fits into one PDF; less than 8 if it fits at none.',
      examples: [20],
    }),
  }),
  second_factor_required: Shape({
    methods: Type.Array(OneOf(['totp', 'passkey', 'recovery_code'], { description: 'What completes the sign-in.' })),
    expiresAt: Timestamp,
    mayTrustDevice: Type.Boolean({ description: 'Whether `trustDevice` counts.' }),
  }),
  insufficient_scope: Shape({ scope: Type.String({ description: 'The missing scope.', examples: ['orders:read'] }) }),
  enrolment_required: Shape({
    enrolUrl: Type.String({ description: 'The page that sets up a second factor.', examples: ['/account/security'] }),
  }),
  confirmation_required: Shape({
    methods: Type.Array(OneOf(confirmationMethods), { description: 'What counts for this person and session.' }),
  }),
  managed_elsewhere: Shape({
    source: Shape({
      kind: OneOf(['provider', 'source'], { description: 'Whether people sign in there or come from there.' }),
      id: Id,
      name: Type.String({ examples: ['entra'] }),
    }),
  }),
  foreign_origin: Shape({
    expectedOrigin: Type.String({ description: 'The only origin whose pages may call.', examples: ['https://portal.example.org'] }),
  }),
  internal: Shape({ requestId: Type.String({ examples: ['6f1c2a9e-8a53-4f0c-9c5e-0d8f1b6f7a21'] }) }),
}

/** The refusals that follow from the type of the endpoint. Any request may be invalid: it may lack a host or have a malformed path. */
function usualRefusals(endpoint: Endpoint): RefusalCode[] {
  const { allow, at, does, body, confirm } = endpoint
  const isPublic = allow === 'anyone'
  const isUnsafe = !at.startsWith('GET ') || isRecorded(endpoint)
  return [
    'validation_failed',
    ...(isPublic ? [] : (['unauthorized'] as const)),
    ...(isPublic || allow === 'signed-in' ? [] : (['forbidden'] as const)),
    // No endpoint is open to the tokens of people who owe a second factor.
    ...(isPublic || (isOpenToDebtors(endpoint) && !endpoint.scope) ? [] : (['enrolment_required'] as const)),
    ...(isPublic || (isOpenToDebtors(endpoint) && confirm !== 'person') ? [] : (['confirmation_required'] as const)),
    ...(isPublic ? [] : ([endpoint.scope ? 'insufficient_scope' : 'not_for_tokens'] as const)),
    ...(isUnsafe ? (['foreign_origin'] as const) : []),
    ...(body ? (['body_too_slow', 'too_large', 'unsupported_media_type'] as const) : does === 'upload' ? (['body_too_slow'] as const) : []),
    ...(editsRecord(endpoint) ? (['changed_meanwhile'] as const) : []),
    ...(takesKey(endpoint) ? (['idempotency_mismatch', 'answer_forgotten'] as const) : []),
    ...(mayChangeAccess(endpoint) ? (['last_admin', 'last_break_glass'] as const) : []),
    'internal',
    'unavailable',
  ]
}

/** The body of `changed_meanwhile`, which refuses an edit of an older state of a record. */
const changedSince = (record: TSchema) => Named(`${(record as { title?: string }).title}Changed`, Shape({ current: record }))

interface Refused {
  code: RefusalCode
  status: number
  body: TSchema | undefined
  /** The media types that the endpoint takes instead of JSON, for the refusal of other ones. */
  takes: string[] | undefined
}

function refusedBy(endpoint: Endpoint): Refused[] {
  const own = (endpoint.refuses ?? [])
    .filter((one) => one !== 'changed_meanwhile')
    .map((one) => (typeof one === 'string' ? { code: one } : one))
  const usual = usualRefusals(endpoint).filter((code) => !own.some((one) => one.code === code))
  return [...usual.map((code) => (code === 'changed_meanwhile' ? { code, body: changedSince(endpoint.record!) } : { code })), ...own]
    .map(({ code, ...special }: { code: RefusalCode; status?: number; body?: TSchema }) => ({
      code,
      status: special.status ?? refusals[code][0],
      body: special.body ?? extras[code],
      takes: code === 'unsupported_media_type' && endpoint.takes ? [...endpoint.takes] : undefined,
    }))
    .toSorted((one, other) => codes.indexOf(one.code) - codes.indexOf(other.code))
}

/** Every refusal that an endpoint may give, by status. */
export function refusalsOf(endpoint: Endpoint): Map<number, Set<RefusalCode>> {
  const byStatus = Map.groupBy(refusedBy(endpoint), ({ status }) => status)
  return new Map([...byStatus].map(([status, some]) => [status, new Set(some.map(({ code }) => code))]))
}

/** The parts of refusals' examples that cannot be composed from the shapes of their fields. */
const exampleBodies: Partial<Record<RefusalCode, Json>> = {
  validation_failed: { details: [fieldError('name', 'maxLength', { limit: 200 })] },
}

const pascal = (code: string) => code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
/** The name of a refusal's component: the title of its own body, else its code and any media types that are taken instead of JSON. */
const nameOf = ({ code, body, takes = [] }: Refused) =>
  (body as { title?: string } | undefined)?.title ?? [code, ...takes].map((word) => pascal(word.replace(/\W+/g, '_'))).join('')
const textOf = ({ code, takes }: Refused) => refusalBody(new Refusal(code, { ...(takes && { takes }) })).messageEn
const headersOf: Partial<Record<RefusalCode, string>> = {
  rate_limited: 'Retry-After',
  unavailable: 'Retry-After',
  range_not_satisfiable: 'Content-Range',
}

/** Collects the responses of refusals as components while the document is written. */
export function openRefusals(schemas: Schemas) {
  const responses: Record<string, Json> = {}
  schemas.of(ErrorResponse)

  function bodyOf(refused: Refused) {
    const { code, body } = refused
    const name = nameOf(refused)
    const schema = body && (name === pascal(code) ? `${name}Error` : name)
    const component = schema ?? `${name}Error`
    if (!schemas.components[component]) {
      const { properties = {}, required = [] } = (body ?? {}) as { properties?: Record<string, Json>; required?: string[] }
      const own = Object.entries(properties).map(([key, inner]) => [key, schemas.of(inner)])
      schemas.components[component] = {
        allOf: [
          { $ref: '#/components/schemas/ErrorResponse' },
          { type: 'object', required: ['code', ...required], properties: { code: { const: code }, ...Object.fromEntries(own) } },
        ],
      }
      const example = { ...(body ? (composeExample(body) as Json) : {}), ...exampleBodies[code] }
      schemas.examples[component] = {
        value: refusalBody(new Refusal(code, { body: example, ...(refused.takes && { takes: refused.takes }) })),
      }
    }
    return component
  }

  /** Refusals of SCIM endpoints have a shape of their own. */
  function answerInScim(some: Refused[]) {
    const name = `Scim${some.map(nameOf).join('Or')}`
    responses[name] ??= {
      description: some.map((refused) => `\`${refused.code}\`: ${textOf(refused)}`).join('\n'),
      headers: headersNamed('X-Request-Id', ...some.flatMap(({ code }) => headersOf[code] ?? [])),
      content: { 'application/scim+json': { schema: schemas.of(ScimError), examples: { refusal: schemas.exampleOf(ScimError) } } },
    }
    return { $ref: `#/components/responses/${name}` }
  }

  function answerTo(some: Refused[]) {
    const name = some.map(nameOf).join('Or')
    if (!responses[name]) {
      const bodies = some.map((refused) => [refused.code, bodyOf(refused)] as const)
      const references = bodies.map(([, body]) => ({ $ref: `#/components/schemas/${body}` }))
      const mapping = Object.fromEntries(bodies.map(([code, body]) => [code, `#/components/schemas/${body}`]))
      const special = some.flatMap(({ code }) => headersOf[code] ?? [])
      responses[name] = {
        description: some.map((refused) => `\`${refused.code}\`: ${textOf(refused)}`).join('\n'),
        headers: headersNamed('X-Request-Id', ...special),
        content: {
          'application/json': {
            schema: references.length === 1 ? references[0] : { oneOf: references, discriminator: { propertyName: 'code', mapping } },
            examples: Object.fromEntries(bodies.map(([code, body]) => [code, { $ref: `#/components/examples/${body}` }])),
          },
        },
      }
    }
    return { $ref: `#/components/responses/${name}` }
  }

  /** References to the responses of an endpoint's refusals, by status. */
  const of = (endpoint: Endpoint) =>
    Object.fromEntries(
      [...Map.groupBy(refusedBy(endpoint), ({ status }) => status)].map(([status, some]) => [
        status,
        (isOfScim(endpoint) ? answerInScim : answerTo)(some),
      ]),
    )

  return { of, responses }
}
export type Refusals = ReturnType<typeof openRefusals>
