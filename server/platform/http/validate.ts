/** Validates requests against their shapes and names each failing field. Only path and query parameters are converted. */
import { Ajv, type AnySchemaObject, type ErrorObject, type FuncKeywordDefinition, type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'
import { type Detail, Refusal, refuse } from '../refusal.ts'
import { cleanText, hasLongMarkRun, isStorable, isStorableJson } from '../text.ts'

const MOST_DETAILS = 50

/**
 * How much longer (in UTF-16 units) a text may be before it is cleaned: NFC composes up to four characters into one, and spaces are
 * trimmed.
 */
const RAW_UNITS_PER_CHARACTER = 4

/** Checks an uncleaned text in linear time, before anything slower reads it. */
function rawError(value: string, maxLength: number): Pick<ErrorObject, 'keyword' | 'message' | 'params'> | undefined {
  if (value.length > maxLength * RAW_UNITS_PER_CHARACTER)
    return { keyword: 'maxLength', message: `must NOT have more than ${maxLength} characters`, params: { limit: maxLength } }
  if (hasLongMarkRun(value)) return { keyword: 'clean', message: 'has more than 30 combining marks in a row', params: {} }
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

function openAjv(allErrors: boolean) {
  const ajv = new Ajv({ allErrors, removeAdditional: true, useDefaults: true, strict: false, coerceTypes: false, ownProperties: true })
  ajv.addFormat('date-time', true)
  ajv.addKeyword({
    keyword: 'clean',
    type: 'string',
    before: 'maxLength',
    modifying: true,
    compile: cleaner,
  })
  return ajv
}
const first = openAjv(false)
const every = openAjv(true)

const counted = (limit: unknown, one: string) => `${limit} ${one}${limit === 1 ? '' : 's'}`
const messages: Record<string, (params: Record<string, unknown>) => string> = {
  required: () => 'is required',
  minLength: ({ limit }) => `must have at least ${counted(limit, 'character')}`,
  maxLength: ({ limit }) => `must have at most ${counted(limit, 'character')}`,
  minItems: ({ limit }) => `must have at least ${counted(limit, 'item')}`,
  maxItems: ({ limit }) => `must have at most ${counted(limit, 'item')}`,
  uniqueItems: () => 'must not have the same item twice',
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  enum: ({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).join(', ')}`,
  pattern: () => 'has the wrong format',
}

function detail({ instancePath, keyword, params, message }: ErrorObject): Detail {
  const path = instancePath.slice(1).split('/').filter(Boolean)
  if (keyword === 'required') path.push(String(params['missingProperty']))
  return { path: path.join('.'), message: messages[keyword]?.(params) ?? message ?? 'is not valid' }
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
 * failures, so that a huge invalid array costs little.
 */
function compile(schema: TSchema, isModest: (value: unknown) => boolean) {
  const isValid = first.compile(schema)
  let all: ValidateFunction | null = null
  return (value: unknown) => {
    if (isValid(value)) return
    let errors = isValid.errors!
    if (isModest(value)) {
      all ??= every.compile(schema)
      if (!all(value)) errors = all.errors!
    }
    refuse('validation_failed', { body: { details: details(errors) } })
  }
}

const isModestBody = (value: unknown) =>
  typeof value !== 'object' || value === null || Object.values(value).every((field) => !Array.isArray(field) || field.length <= 500)

export const bodyCheck = (schema: TSchema) => compile(schema, isModestBody)

/** Checks path or query parameters. They arrive as texts, so integers and booleans are parsed first, strictly. */
export function addressCheck(schema: TSchema) {
  const check = compile(schema, () => true)
  const { properties } = schema as { properties: Record<string, { type?: string }> }
  const readers = Object.entries(properties).flatMap(([name, { type }]) =>
    type === 'integer' || type === 'boolean' ? [[name, type] as const] : [],
  )
  return (value: Record<string, unknown>) => {
    for (const [name, type] of readers) {
      const text = value[name]
      if (typeof text !== 'string') continue
      if (type === 'integer' && /^-?\d{1,15}$/.test(text)) value[name] = Number(text)
      if (type === 'boolean' && (text === 'true' || text === 'false')) value[name] = text === 'true'
    }
    for (const [name, text] of Object.entries(value)) {
      if (typeof text === 'string' && !isStorable(text))
        refuse('validation_failed', { body: { details: [{ path: name, message: 'contains characters that cannot be stored' }] } })
    }
    check(value)
  }
}

/** Parses a query string. A parameter given twice becomes a list, which no shape accepts. */
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

/** Parses a JSON body; undefined for an empty one. Refuses what is not UTF-8 or JSON, and strings with NUL or lone surrogates. */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined
  try {
    const text = utf8.decode(body)
    const value = JSON.parse(text)
    if ((suspicious.test(text) || text.includes('\0')) && !isStorableJson(value))
      throw new SyntaxError('it contains characters that cannot be stored')
    return value
  } catch (error) {
    throw new Refusal('validation_failed', {
      body: { details: [{ path: '', message: `is not valid JSON: ${(error as Error).message}`.slice(0, 200) }] },
    })
  }
}
