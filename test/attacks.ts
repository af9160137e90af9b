/** Generates hostile requests from the shapes of an endpoint. */
import fc from 'fast-check'
import type { Who } from './cast.ts'
import { PASSWORD } from './house.ts'
import type { Route } from './running.ts'

export interface Attack {
  as: Who
  /** The path and query, as sent. */
  path: string
  body?: string | Buffer
  type?: string
}

export interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
}

const words =
  `a huda a.b portal.x.y ab-1 #0af red / /x /objects/uploads/x https://example.org/x a@b.co 2024-02-29 2023-02-29 12:30 ar en user
  admin order_receiver active 7d none أحمد ١٢٣`.split(/\s+/)
/** Characters that must not be stored as they are, to be appended to valid words. */
const hidden = ['\u202e', '\u2067', '\u0085', '\u007f', 'e\u0301', '\ufeff', '\u00a0']
const phrases = [...words, ...words.flatMap((word) => hidden.map((mark) => word + mark)), PASSWORD, 'سطر أول\nسطر ثان', 'ﷺ', '👩‍👩‍👧‍👦']

const fresh = (n: string) => [`x${n}`, `x${n}@example.org`, `x.y${n}`, `x-${n}`, `/x${n}`, `https://example.org/x${n}`]

function fittingText({ minLength = 0, maxLength = 1000, pattern }: Schema): fc.Arbitrary<string> {
  const form = pattern === undefined ? null : new RegExp(pattern, 'u')
  const fits = (text: string) => text.length >= minLength && text.length <= maxLength && (!form || form.test(text))
  const known = phrases.filter(fits)
  const anew = fc.integer({ min: 0, max: 1e9 }).map((n) => fresh(n.toString(36)).filter(fits))
  return fc.oneof(
    ...(known.length ? [fc.constantFrom(...known)] : []),
    anew.chain((some) => (some.length ? fc.constantFrom(...some) : fc.string({ unit: 'grapheme', maxLength: 20 }))),
  )
}

/** Values that fit a schema, or nearly. Ids are small, so that some exist. */
function fitting(schema: Schema): fc.Arbitrary<unknown> {
  const { type, minimum = -5, maximum = 2 ** 31 - 1, properties = {}, items = {} } = schema
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(fitting))
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => fitting({ ...schema, type: one })))
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'string') return fittingText(schema)
  if (type === 'array') return fc.array(fitting(items), { maxLength: 3 })
  if (type === 'object') return fittingObject(properties, schema.required)
  if (type === 'integer' || type === 'number') {
    const upTo = (max: number) => fc.integer({ min: minimum, max: Math.max(minimum, Math.min(maximum, max)) })
    return fc.oneof({ weight: 4, arbitrary: upTo(4) }, { weight: 3, arbitrary: upTo(15) }, fc.integer({ min: minimum, max: maximum }))
  }
  return fc.jsonValue()
}

function fittingObject(properties: Record<string, Schema>, required: string[] = []) {
  const fields = Object.entries(properties).map(([name, inner]) => [name, fitting(inner)] as const)
  return fc.record(Object.fromEntries(fields), { requiredKeys: required })
}

export const nest = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
export const nestObjects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
export const DEPTH = 30_000
export const TOO_MUCH = 1024 * 1024 + 1

/** Values, as JSON, that fit no schema or only seem to. */
const nasty: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...`null true 0 -1 1.5 1e308 -0 1e400 2147483648 -2147483649 9007199254740993 99999999999999999999 "" " " "0" "1" "true" "null" "NaN"
      "\\u0000" "a\\u0000b" "\\ud800" "\\udc00\\ud800" "\\u202eabc" "\\u2066\\u061c\\u200f" "\\ufeff" "\\u0007\\u001b[31m\\u0085" "%" "_%\\\\" "../../etc"
      "'--" "\${1}" "{person}" "=1+1" "-1" "__proto__" [] {} [[]] [null] [1,"1"] [0] [1,1,1] [2147483648] {"length":1e9} {"toString":1}
      {"__proto__":{"isAdmin":true}} {"$gt":""}`.split(/\s+/),
    JSON.stringify('ي'.repeat(70_000)),
    JSON.stringify('\u0301'.repeat(3000)),
    JSON.stringify('\n\t\r'.repeat(50)),
    JSON.stringify('ﷺ'.repeat(100)),
    nest(200),
  ),
  fc.json({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 100 }).map((text) => JSON.stringify(text)),
)

const names = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'id',
  'isSystem',
  'passwordHash',
  'roles',
  'length',
  '\u0000',
  '',
  'ﷺ',
]

type Field = [name: string, json: string]
export const inJson = (fields: Field[]) => `{${fields.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`

/** A body whose fields are valid, invalid, missing, duplicated or undeclared. */
function mangled({ properties = {} }: Schema): fc.Arbitrary<string> {
  const fields = Object.entries(properties).map(([name, inner]) =>
    fc.oneof(
      { weight: 5, arbitrary: fitting(inner).map((value): Field[] => [[name, JSON.stringify(value)]]) },
      { weight: 2, arbitrary: nasty.map((json): Field[] => [[name, json]]) },
      { weight: 1, arbitrary: fc.constant<Field[]>([]) },
      {
        weight: 1,
        arbitrary: nasty.map((json): Field[] => [
          [name, json],
          [name, 'null'],
        ]),
      },
    ),
  )
  const extras = fc.array(fc.tuple(fc.constantFrom(...names), nasty), { maxLength: 2 })
  return fc.tuple(fc.tuple(...fields), extras).map(([own, extra]) => inJson([...own.flat(), ...extra]))
}

const bodiesFor = (schema: Schema): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 5, arbitrary: fitting(schema).map((value) => JSON.stringify(value)) },
    { weight: 5, arbitrary: mangled(schema) },
    { weight: 1, arbitrary: nasty },
    { weight: 1, arbitrary: fc.string({ maxLength: 50 }) },
  )

export const badIds =
  `99999999999999999999 2147483648 0 -1 -0 1.5 1e3 0x10 +1 01 %00 %ff %ED%A0%80 %E2%80%AE a %20 1%20 true null undefined NaN __proto__ %27 ;
  ${'9'.repeat(300)} ${'9'.repeat(2000)} %D9%A1 1,2 1%2F2 *`.split(/\s+/)
const rawValues = fc.oneof(
  fc.constantFrom(...badIds, '', '+', '%', '%zz', 'a%', '-1', '201', '0', '1', 'true', 'x'.repeat(3000)),
  fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => encodeURIComponent(text.toWellFormed())),
)
const inAddress = (schema: Schema) => fitting(schema).map((value) => encodeURIComponent(String(value)))

/** A query whose parameters are valid, invalid, duplicated or undeclared. */
function queriesFor({ properties = {} }: Schema): fc.Arbitrary<string> {
  const known = Object.entries(properties).map(([name, inner]) =>
    fc.tuple(fc.constant(name), fc.oneof({ weight: 2, arbitrary: inAddress(inner) }, rawValues)),
  )
  const unknown = fc.tuple(fc.constantFrom(...names.map(encodeURIComponent), 'x'), rawValues)
  return fc
    .array(fc.oneof(...known, unknown), { maxLength: 5 })
    .map((pairs) => (pairs.length ? `?${pairs.map((pair) => pair.join('=')).join('&')}` : ''))
}

export const schemasOf = ({ endpoint }: Route) => endpoint as { params?: Schema; query?: Schema; body?: Schema }
const parameterOf = (route: Route, name: string) => schemasOf(route).params?.properties?.[name] ?? {}

/** Requests by every kind of caller, most of them nearly valid. */
export function attacksOn(route: Route): fc.Arbitrary<Attack> {
  const { query = {}, body } = schemasOf(route)
  const values = route.parameters.map((name) =>
    // An empty parameter would make it a different path.
    fc.oneof({ weight: 5, arbitrary: inAddress(parameterOf(route, name)).filter((text) => text !== '') }, fc.constantFrom(...badIds)),
  )
  return fc.record({
    as: fc.constantFrom<Who>('stranger', 'person', 'receiver', 'manager', 'manager', 'admin', 'admin', 'admin', 'admin'),
    path: fc.tuple(fc.tuple(...values), queriesFor(query)).map(([filled, text]) => {
      const rest = [...filled]
      return `${route.address(() => rest.shift()!)}${text}`
    }),
    ...(body && {
      body: bodiesFor(body),
      type: fc.constantFrom('application/json', 'application/json; charset=utf-8', 'application/json;charset=latin1'),
    }),
  })
}
