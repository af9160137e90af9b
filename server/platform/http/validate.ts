/** Validates requests against their shapes and names each failing field. Only path and query parameters are converted. */
import {
  Ajv,
  type AnySchemaObject,
  type ErrorObject,
  type FuncKeywordDefinition,
  type SchemaValidateFunction,
  type ValidateFunction,
} from 'ajv'
import type { TSchema } from 'typebox'
import { type Detail, type FieldRule, fieldError, fieldRules, ruleError } from '../errors/field-errors.ts'
import type { Form } from '../errors/forms.ts'
import { Refusal, refuseField, refuseFields } from '../errors/refusal.ts'
import { cleanText, hasLongMarkRun, isStorable, isVisible, MOST_MARKS, unstorableIn } from '../text.ts'
import { isCalendarDate } from './page.ts'

const MOST_DETAILS = 50
/** Paths in errors are cut to this length, because they may have names that the sender chose. */
const LONGEST_PATH = 200

/**
 * Before a text is cleaned, it may have this many UTF-16 units for each character of its limit: NFC composes up to four characters into
 * one, and spaces are trimmed.
 */
export const RAW_UNITS_PER_CHARACTER = 4

/** Checks an uncleaned text in linear time, before anything slower reads it. */
function rawError(value: string, maxLength: number): Pick<ErrorObject, 'keyword' | 'params'> | undefined {
  if (value.length > maxLength * RAW_UNITS_PER_CHARACTER) return { keyword: 'maxLength', params: { limit: maxLength } }
  if (hasLongMarkRun(value)) return { keyword: 'clean', params: { limit: MOST_MARKS } }
}

type CheckOfKeyword = ReturnType<NonNullable<FuncKeywordDefinition['compile']>>

/** The keyword `clean`, which replaces a text with its cleaned form. */
function cleaner(kind: 'line' | 'text', parent: AnySchemaObject) {
  const clean: CheckOfKeyword = (value: string, at) => {
    const error = rawError(value, parent['maxLength'] as number)
    if (error) clean.errors = [error]
    else if (at) (at.parentData as Record<string, unknown>)[at.parentDataProperty as string] = cleanText(value, kind)
    return !error
  }
  return clean
}

/** The keyword `maxBytes`, which bounds the JSON of an object. */
function weigher(limit: number) {
  const weigh: CheckOfKeyword = (value: object) => {
    const fits = Buffer.byteLength(JSON.stringify(value)) <= limit
    if (!fits) weigh.errors = [{ keyword: 'maxBytes', params: { limit } }]
    return fits
  }
  return weigh
}

/** The keyword `clears`, by which an empty text becomes null. */
const clear: SchemaValidateFunction = (_clears: true, value: string, _schema, at) => {
  if (value === '' && at) (at.parentData as Record<string, unknown>)[at.parentDataProperty as string] = null
  return true
}

function openAjv(allErrors: boolean) {
  const ajv = new Ajv({
    allErrors,
    verbose: true,
    removeAdditional: true,
    useDefaults: true,
    strict: false,
    coerceTypes: false,
    ownProperties: true,
  })
  ajv.addFormat('date-time', true)
  ajv.addKeyword({
    keyword: 'clean',
    type: 'string',
    before: 'maxLength',
    modifying: true,
    compile: cleaner,
  })
  ajv.addKeyword({ keyword: 'maxBytes', type: 'object', compile: weigher })
  ajv.addKeyword({ keyword: 'visible', type: 'string', validate: (_visible: true, value: string) => value === '' || isVisible(value) })
  ajv.addKeyword({ keyword: 'calendarDate', type: 'string', validate: (_calendarDate: true, value: string) => isCalendarDate(value) })
  ajv.addKeyword({ keyword: 'clears', type: 'string', modifying: true, validate: clear })
  return ajv
}
const first = openAjv(false)
const every = openAjv(true)

const isRule = (keyword: string): keyword is FieldRule => fieldRules.some((rule) => rule === keyword)

/** The parameters of the rule, from the keyword of the shape that failed. */
function paramsOf({ keyword, params, parentSchema = {}, schema }: ErrorObject): Record<string, unknown> {
  if (keyword === 'pattern') return { form: parentSchema['form'] as Form }
  if (keyword === 'type') return { type: schema }
  if ('limit' in params) return { limit: params['limit'] }
  return keyword === 'required' || keyword === 'uniqueItems' ? {} : params
}

function detail(error: ErrorObject): Detail {
  const { instancePath, keyword, params } = error
  const path = instancePath.slice(1).split('/').filter(Boolean)
  if (keyword === 'required') path.push(String(params['missingProperty']))
  if (!isRule(keyword)) throw new Error(`no sentence for the keyword ${keyword}`)
  return ruleError(path.join('.'), keyword, paramsOf(error))
}

/** One detail for each failing field, even if it breaks several rules. */
function details(errors: ErrorObject[]) {
  const byPath = new Map<string, Detail>()
  for (const error of errors.slice(0, MOST_DETAILS * 4)) {
    const item = detail(error)
    if (!byPath.has(item.path)) byPath.set(item.path, item)
  }
  return [...byPath.values()].slice(0, MOST_DETAILS)
}

/**
 * A check that refuses `validation_failed`. It stops at the first failure and only then, for a request of modest size, collects all
 * failures, so that a huge invalid array costs little. A shape is compiled when it checks its first value: compiling all shapes in advance
 * would take most of a start.
 */
function compile(schema: object, isModest: (value: unknown) => boolean) {
  let isValid: ValidateFunction | null = null
  let all: ValidateFunction | null = null
  return (value: unknown) => {
    isValid ??= first.compile(schema)
    if (isValid(value)) return
    let errors = isValid.errors!
    if (isModest(value)) {
      all ??= every.compile(schema)
      if (!all(value)) errors = all.errors!
    }
    refuseFields(details(errors))
  }
}

/** The shape without the checks of its `CheckedAlone` parts. */
function loosened(shape: Loose): Loose {
  if (shape.isCheckedAlone) return {}
  const { properties, items } = shape
  return {
    ...shape,
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, loosened(field)])) }),
    ...(items && { items: loosened(items) }),
  }
}
interface Loose {
  isCheckedAlone?: true
  properties?: Record<string, Loose>
  items?: Loose
}

const isModestBody = (value: unknown) =>
  typeof value !== 'object' || value === null || Object.values(value).every((field) => !Array.isArray(field) || field.length <= 500)

export const bodyCheck = (schema: TSchema) => compile(loosened(schema as Loose), isModestBody)

/**
 * Checks path or query parameters. They arrive as texts, so integers and booleans are parsed first, strictly, and a single value of a list
 * becomes a list. Unknown parameters are refused, since a filter that is ignored shows everything, and so are texts that no column could
 * hold, unless the endpoint checks its parameters itself.
 */
export function addressCheck(schema: TSchema) {
  const check = compile(schema, () => true)
  const { properties, isCheckedAlone } = schema as { properties: Record<string, { type?: string }>; isCheckedAlone?: true }
  const readers = Object.entries(properties).flatMap(([name, { type }]) =>
    type === 'integer' || type === 'boolean' || type === 'array' ? [[name, type] as const] : [],
  )
  return (value: Record<string, unknown>) => {
    for (const [name, type] of readers) {
      const text = value[name]
      if (typeof text !== 'string') continue
      if (type === 'integer' && /^-?\d{1,15}$/.test(text)) value[name] = Number(text)
      if (type === 'boolean' && (text === 'true' || text === 'false')) value[name] = text === 'true'
      if (type === 'array') value[name] = [text]
    }
    const sent = isCheckedAlone ? [] : Object.entries(value)
    const unknown = sent.filter(([name]) => !Object.hasOwn(properties, name))
    if (unknown.length) refuseFields(unknown.slice(0, MOST_DETAILS).map(([name]) => fieldError(name.slice(0, LONGEST_PATH), 'known')))
    const unstorable = sent.filter(([, texts]) => [texts].flat().some((text) => typeof text === 'string' && !isStorable(text)))
    if (unstorable.length) refuseFields(unstorable.map(([name]) => fieldError(name, 'storable')))
    check(value)
  }
}

/** Parses a query string. A parameter given twice becomes a list, which few shapes accept. */
export function parseQuery(text: string) {
  const query: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    const before = query[name]
    if (Array.isArray(before)) before.push(value)
    else query[name] = before === undefined ? value : [before, value]
  }
  return query
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
const suspicious = /\\u(?:0000|[dD][89a-fA-F])/

/** Parses a JSON body; undefined for an empty one. Refuses invalid UTF-8 and JSON, and strings with NUL or lone surrogates. */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined
  try {
    const text = utf8.decode(body)
    const value = JSON.parse(text)
    const unstorable = suspicious.test(text) || text.includes('\0') ? unstorableIn(value, MOST_DETAILS) : []
    if (unstorable.length) refuseFields(unstorable.map((path) => fieldError(path.slice(0, LONGEST_PATH), 'storable')))
    return value
  } catch (error) {
    if (error instanceof Refusal) throw error
    return refuseField('', 'json', { reason: (error as Error).message })
  }
}
