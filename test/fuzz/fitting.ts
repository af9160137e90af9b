/** Values generated from the schemas of the document: valid, nearly valid and invalid ones. */
import fc from 'fast-check'
import { PASSWORD } from '../client.ts'
import { type Document, follow, type Json } from '../running.ts'
import type { KnownValues } from './known-values.ts'

export interface Schema {
  type?: string | string[]
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
}

const words = [
  PASSWORD,
  ...`a huda a.b portal.x.y ab-1 #0af red / /x /objects/uploads/x https://example.org/x a@b.co 2024-02-29 2023-02-29 2030-01-01 2030-01-02
  2030-01-03 12:30 09:00 ar en user admin order_receiver active 7d none image/png أحمد ١٢٣`.split(/\s+/),
]
/** Characters that must not be stored unchanged, appended to valid words. */
const hidden = ['\u202e', '\u2067', '\u0085', '\u007f', 'e\u0301', '\ufeff', '\u00a0']
const phrases = [...words, ...words.flatMap((word) => hidden.map((mark) => word + mark)), 'سطر أول\nسطر ثان', 'ﷺ', '👩‍👩‍👧‍👦']

const fresh = (n: string, name: string) =>
  /email/i.test(name) ? [`x${n}@example.org`] : [`x${n}`, `x.y${n}`, `/x${n}`, `https://example.org/x${n}`]

export const nest = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

/** JSON values that fit no schema or only seem to fit one. */
export const nasty: fc.Arbitrary<string> = fc.oneof(
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

export const oddNames = [
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

const anyText = fc.string({ unit: 'grapheme', maxLength: 20 })

const matches = new Map<string, fc.Arbitrary<string>>()
/** Texts that match a pattern. They are cached, because preparing them takes long. */
function matching(form: RegExp, maxLength: number) {
  const key = `${maxLength} ${form}`
  const known = matches.get(key) ?? fc.stringMatching(form, { maxLength })
  matches.set(key, known)
  return known
}

/** One of the values that `read` returns when the value is generated; `instead` if there are none. */
const drawn = <T>(read: () => readonly T[], instead: T) =>
  fc.nat().map((n) => {
    const some = read()
    return some.length ? some[n % some.length]! : instead
  })

export function openFitting(document: Document, known: KnownValues) {
  const read = (schema: Schema) => follow(document, schema as Json) as Schema

  /** Texts that fit a schema. Only those that need not be valid may contain characters that are not stored unchanged. */
  function fittingText({ minLength = 0, maxLength = 1000, pattern }: Schema, name: string, isValid: boolean): fc.Arbitrary<string> {
    const form = pattern === undefined ? null : new RegExp(pattern, 'u')
    const fits = (text: string) => text.length >= minLength && text.length <= maxLength && (!form || form.test(text))
    const anew = fc.integer({ min: 0, max: 1e9 }).map((n) => fresh(n.toString(36), name).filter(fits)[0] ?? words.find(fits) ?? 'x')
    const listed = (isValid ? words : phrases).filter(fits)
    return fc.oneof(
      anew,
      ...(listed.length ? [fc.constantFrom(...listed)] : []),
      drawn(() => known.texts().filter(fits), listed[0] ?? 'x'),
      ...(form && !pattern!.includes('(?') ? [matching(form, maxLength)] : []),
      ...(form || isValid ? [] : [anyText]),
    )
  }

  /** Whole numbers, most of them small; ids, most of them of existing records. */
  function fittingNumber({ minimum = -5, maximum = 2 ** 31 - 1 }: Schema, name: string) {
    const upTo = (max: number) => fc.integer({ min: minimum, max: Math.max(minimum, Math.min(maximum, max)) })
    if (/ids?$/i.test(name))
      return fc.oneof(
        { weight: 12, arbitrary: drawn(() => known.idsFor(name), 1) },
        { weight: 3, arbitrary: upTo(15) },
        { weight: 1, arbitrary: upTo(maximum) },
      )
    return fc.oneof({ weight: 4, arbitrary: upTo(4) }, { weight: 3, arbitrary: upTo(15) }, { weight: 1, arbitrary: upTo(maximum) })
  }

  /**
   * Values that fit a schema. Rules that a schema cannot express are broken now and then, less often if `isValid`. `name` is the name of
   * the field.
   */
  function fitting(given: Schema, isValid: boolean, name = ''): fc.Arbitrary<unknown> {
    const schema = read(given)
    const { type, properties = {}, items = {}, minItems = 0, maxItems = 3 } = schema
    if (schema.enum) return fc.constantFrom(...schema.enum)
    if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => fitting(one, isValid, name)))
    if (Array.isArray(type)) return fc.oneof(...type.map((one) => fitting({ ...schema, type: one }, isValid, name)))
    if (type === 'boolean') return fc.boolean()
    if (type === 'null') return fc.constant(null)
    if (type === 'string') return fittingText(schema, name, isValid)
    if (type === 'array') {
      const bounds = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 3)) }
      return schema.uniqueItems
        ? fc.uniqueArray(fitting(items, isValid, name), { ...bounds, selector: (value) => JSON.stringify(value) })
        : fc.array(fitting(items, isValid, name), bounds)
    }
    if (type === 'object') return fittingObject(properties, schema.required, isValid)
    if (type === 'integer' || type === 'number') return fittingNumber(schema, name)
    return fc.jsonValue()
  }

  /** An object with all required and some of the optional fields. */
  function fittingObject(properties: Record<string, Schema>, required: string[] = [], isValid: boolean) {
    const field = (name: string) => fitting(properties[name]!, isValid, name)
    const optional = Object.keys(properties).filter((name) => !required.includes(name))
    const needed = fc.record(Object.fromEntries(required.map((name) => [name, field(name)])))
    if (!isValid || optional.length < 3) {
      const all = Object.fromEntries(Object.keys(properties).map((name) => [name, field(name)]))
      return fc.record(all, { requiredKeys: required })
    }
    const some = fc.array(fc.oneof(...optional.map((name) => field(name).map((value) => [name, value] as const))), { maxLength: 3 })
    return fc.tuple(needed, some).map(([own, extra]) => ({ ...own, ...Object.fromEntries(extra) }))
  }

  /** An object, as JSON, whose fields are valid, invalid, missing, duplicated or undeclared. */
  function mangled(schema: Schema): fc.Arbitrary<string> {
    const fields = Object.entries(read(schema).properties ?? {}).map(([name, inner]) =>
      fc.oneof(
        { weight: 9, arbitrary: fitting(inner, false, name).map((value): Field[] => [[name, JSON.stringify(value)]]) },
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
    const extras = fc.array(fc.tuple(fc.constantFrom(...oddNames), nasty), { maxLength: 2 })
    return fc.tuple(fc.tuple(...fields), extras).map(([own, extra]) => inJson([...own.flat(), ...extra]))
  }

  return { read, fitting, mangled }
}
export type Fitting = ReturnType<typeof openFitting>
