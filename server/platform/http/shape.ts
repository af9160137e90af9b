/** The building blocks of requests and replies. */

import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import type { Form } from '../errors/forms.ts'

/** An object with exactly these fields. All other fields are dropped from requests and never sent. */
export const Shape = <P extends TProperties>(properties: P, options = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

/** An object with any of these fields and no other ones, which `Type.Partial` of a `Shape` would allow. */
export const PartialShape = <P extends TProperties>(properties: P) => Type.Partial(Type.Object(properties), { additionalProperties: false })

/** The type of a value as it is sent: dates are strings. */
type Sent<T> = T extends Date ? string : T extends readonly (infer I)[] ? Sent<I>[] : T extends object ? { [K in keyof T]: Sent<T[K]> } : T

/** A shape that becomes a component of the document. `composeExample` completes its `example`. */
export const Named = <S extends TSchema>(name: string, shape: S, example?: Partial<Sent<Static<S>>>): S =>
  Object.assign(shape, { title: name, ...(example !== undefined && { examples: [example] }) })

export const Nullable = <S extends TSchema>(schema: S) => {
  const { type, enum: values } = schema as { type?: string; enum?: unknown[] }
  return Type.Unsafe<Static<S> | null>({ ...schema, type: [type ?? 'string', 'null'], ...(values && { enum: [...values, null] }) })
}

/** A secret that an answer shows once. It is null in an answer that is given again; see `idempotency.ts`. */
export const ShownOnce = <S extends TSchema>(schema: S) => {
  const { description } = schema as { description?: string }
  const again = 'Null when the answer is given again for an `Idempotency-Key`.'
  return Nullable({ ...schema, isShownOnce: true, description: description ? `${description} ${again}` : again })
}

export const OneOf = <const V extends readonly string[]>(values: V, options = {}) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options })

/** An object with fields that the endpoint checks itself. `maxBytes` bounds its JSON. */
export const FreeObject = (options: { maxBytes: number; description?: string }) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, ...options })

/** A positive 32-bit integer. */
export const Id = Type.Integer({ minimum: 1, maximum: 2147483647, examples: [7] })
export const Int = Type.Integer({ minimum: -2147483648, maximum: 2147483647 })
export const Count = Type.Integer({ minimum: 0 })
/** The ids of things that administrators pick one by one. */
export const Ids = Type.Array(Id, { maxItems: 10_000 })
/** The ids of all existing rows, in their new order. */
export const WholeOrder = Named('WholeOrder', Shape({ ids: Type.Array(Id, { maxItems: 10_000, uniqueItems: true }) }), { ids: [3, 1, 2] })
export const PersonIds = Type.Array(Id, { maxItems: 100_000 })
export const IdParams = Shape({ id: Id })
/** Ids in a query; `idsIn` reads them. */
export const IdList = Type.String({
  pattern: '^[1-9][0-9]{0,9}(,[1-9][0-9]{0,9}){0,199}$',
  form: 'ids',
  description: 'At most 200 ids, joined by commas; unknown ids are ignored.',
  examples: ['12,15'],
})

/** A moment, sent as an ISO 8601 date-time in UTC. */
export const Timestamp = Type.Unsafe<Date>({ type: 'string', format: 'date-time', examples: ['2026-03-01T08:30:00.000Z'] })
/** A moment in a request; `momentIn` reads it. */
export const Moment = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2})$',
  form: 'moment',
  description: 'ISO 8601 with a time zone',
  examples: ['2026-03-01T08:30:00Z'],
})
/** A day that the calendar has. */
export const CalendarDate = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  form: 'date',
  calendarDate: true,
  description: 'YYYY-MM-DD, UTC',
  examples: ['2026-03-01'],
})

interface Lengths {
  min?: number
  max: number
  pattern?: string
  /** The form that the pattern describes, for the error message beside the field. */
  form?: Form
  description?: string
  /** An empty text becomes null. */
  clears?: true
}
const text = (clean: 'line' | 'text', { min = 0, max, ...rest }: Lengths) =>
  Type.String({ clean, ...(min && { minLength: min }), maxLength: max, ...rest })

/** One line of text: normalised to NFC, trimmed, without control or bidi-override characters. Lengths are those of the result. */
export const Line = (lengths: Lengths) => text('line', lengths)
/** A name or a title: a line that has a visible character unless it is empty. */
export const Name = (lengths: Lengths) => Type.String({ ...Line(lengths), visible: true })
/** Like `Line`, but keeps line breaks and tabs. A text that must not be empty needs a visible character. */
export const Text = (lengths: Lengths) => Type.String({ ...text('text', lengths), ...(lengths.min && { visible: true }) })

export const Success = Named('SuccessResponse', Shape({ success: Type.Boolean() }))
/** The reply of an endpoint that answers 204. */
export const Nothing = Type.Null()
/** The reply of an endpoint that answers 303: the address to which the browser is redirected. It has printable ASCII characters only. */
export const Onward = Type.String()

/** One of many items, which the endpoint checks itself, so that an invalid item does not refuse the whole call. */
export const CheckedAlone = <S extends TSchema>(shape: S) => Type.Unsafe<unknown>({ ...shape, isCheckedAlone: true })

/** The parameters that request a part of a list. Without them, the list is complete. */
export const partQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: 'Without it, the list is complete.' })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 2147483647, description: 'The number of items to skip at the beginning.' })),
}

export const ListPart = Shape(partQuery)

/** The field by which a list is sorted, and the direction. */
export const sortQuery = <const By extends readonly string[]>(by: By) => ({
  sort: Type.Optional(OneOf(by)),
  order: Type.Optional(OneOf(['asc', 'desc'], { description: '`asc` if it is omitted.' })),
})

export const pageQuery = (limit: number) => ({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: limit })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 2147483647, default: 0 })),
})

export const PageOf = <N extends string, S extends TSchema>(name: N, item: S) =>
  Shape({
    ...({ [name]: Type.Array(item) } as Record<N, ReturnType<typeof Type.Array<S>>>),
    totalCount: Count,
    limit: Count,
    offset: Count,
    nextOffset: Nullable(Count),
  })

/** How many rows have each of these statuses. */
export const CountsOf = <const V extends readonly string[]>(name: string, statuses: V) =>
  Named(name, Shape(Object.fromEntries(statuses.map((status) => [status, Count])) as Record<V[number], typeof Count>))

export const DisplayName = Nullable(Name({ max: 200 }))
export const Description = Nullable(Text({ max: 2000 }))

const STORED = '/objects(/[\\w-][\\w.-]*)+'
/**
 * The part of a web address after its scheme, as a pattern. It has no user name and no password: people would take them for the host,
 * and anybody who reads the address would read them.
 */
export const AFTER_SCHEME = '://[^\\s\\u0000-\\u001F<>"\\\\^`{|}/?#@]+([/?#][^\\s\\u0000-\\u001F<>"\\\\^`{|}]*)?'
/** The path of an uploaded picture, or an https URL from which one is fetched; an empty text clears it. */
export const AssetUrl = Nullable(
  Line({
    max: 2000,
    clears: true,
    form: 'asset',
    pattern: `^(|${STORED}|https${AFTER_SCHEME})$`,
    description:
      'The `objectPath` of an uploaded raster picture, or a public https address without a user name, from which the portal fetches and stores one of at most 5 MiB. An empty text clears it.',
  }),
)
export const LanguageCode = OneOf(['ar', 'en'])
