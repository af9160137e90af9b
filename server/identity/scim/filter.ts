/** Reads filters (RFC 7644, 3.4.2.2) by a package, within limits. */
import type { Filter } from 'scim2-parse-filter'
import { lazily } from '../../platform/lazily.ts'
import { isStorable } from '../../platform/text.ts'
import { refuseScim } from './errors.ts'

const MOST_CHARACTERS = 1000
const MOST_TERMS = 20
const MOST_LEVELS = 5

/** A comparison with a string, a boolean or null. */
export type Term = { op: 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le'; path: string; value: string | boolean | null }
export type Condition =
  | Term
  | { op: 'pr'; path: string }
  | { op: 'and' | 'or'; conditions: Condition[] }
  | { op: 'not'; condition: Condition }
  | { op: 'each'; path: string; condition: Condition }

const parser = lazily(() => import('scim2-parse-filter'))

const TOKEN = /\s*(?:("(?:[^"\\]|\\.)*")|([()[\]])|([^\s()[\]"]+))/y
const COMPARISON = /^(?:eq|ne|co|sw|ew|gt|ge|lt|le)$/i
const LITERAL = /^(?:true|false|null)$/i

const NOT_STORABLE = 'The filter has characters that cannot be stored.'
const refuseFilter = (detail: string): never => refuseScim('invalidFilter', detail)

function tokensOf(text: string) {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (text.slice(TOKEN.lastIndex).trim() !== '') {
    const found = TOKEN.exec(text) ?? refuseFilter('The filter has a text without its closing quotation mark.')
    tokens.push((found[1] ?? found[2] ?? found[3])!)
  }
  return tokens
}

/** Limits the comparisons, and also the filters in brackets, because the time of `inside` grows with the square of their number. */
function checkTerms(tokens: readonly string[]) {
  const terms = tokens.filter((token, at) => at > 0 && (COMPARISON.test(token) || token.toLowerCase() === 'pr')).length
  const lists = tokens.filter((token) => token === ']').length
  if (Math.max(terms, lists) > MOST_TERMS) refuseFilter(`A filter has at most ${MOST_TERMS} comparisons.`)
}

/**
 * Moves a comparison after brackets into them: some directories write `emails[type eq "work"].value eq "x"`, where the specification has
 * `emails[type eq "work" and value eq "x"]`.
 */
function inside(tokens: readonly string[]): string[] {
  const close = tokens.findIndex((token, at) => token === ']' && /^\.[A-Za-z]/.test(tokens[at + 1] ?? ''))
  if (close < 0) return [...tokens]
  const open = tokens.lastIndexOf('[', close)
  const name = tokens[close + 1]!.slice(1)
  const end = close + (tokens[close + 2]?.toLowerCase() === 'pr' ? 3 : 4)
  const within = ['[', '(', ...tokens.slice(open + 1, close), ')', 'and', name, ...tokens.slice(close + 2, end), ']']
  return inside([...tokens.slice(0, Math.max(open, 0)), ...within, ...tokens.slice(end)])
}

/**
 * Replaces each value with a marker, so that the parser sees no text from the sender. Bare words count as texts: some clients forget the
 * quotation marks, and would create a person a second time if their filter found nobody.
 */
function withoutValues(tokens: readonly string[]) {
  const values: (string | boolean | null)[] = []
  let level = 0
  const marked = tokens.map((token, at) => {
    if (token === '(' || token === '[') level++
    if (level > MOST_LEVELS) refuseFilter(`A filter has at most ${MOST_LEVELS} levels.`)
    if (token === ')' || token === ']') level--
    if (!COMPARISON.test(tokens[at - 1] ?? '') || at < 2) return token
    if (/^[()[\]]$/.test(token)) return refuseFilter('A comparison lacks its value.')
    values.push(valueIn(token))
    return `"${values.length - 1}"`
  })
  return { text: marked.join(' '), values }
}

function valueIn(token: string): string | boolean | null {
  if (LITERAL.test(token)) return JSON.parse(token.toLowerCase()) as boolean | null
  if (!token.startsWith('"')) return token
  let text: string
  try {
    text = JSON.parse(token) as string
  } catch {
    return refuseFilter('The filter has a malformed text.')
  }
  // An escape may stand for a character that the check of the whole filter cannot see.
  return isStorable(text) ? text : refuseFilter(NOT_STORABLE)
}

function conditionOf(filter: Filter, values: readonly (string | boolean | null)[]): Condition {
  switch (filter.op) {
    case 'and':
    case 'or':
      return { op: filter.op, conditions: filter.filters.map((one) => conditionOf(one, values)) }
    case 'not':
      return { op: 'not', condition: conditionOf(filter.filter, values) }
    case '[]':
      return { op: 'each', path: filter.attrPath, condition: conditionOf(filter.valFilter, values) }
    case 'pr':
      return { op: 'pr', path: filter.attrPath }
    default: {
      const value = values[Number(filter.compValue)]
      return { op: filter.op as Term['op'], path: filter.attrPath, value: value === undefined ? null : value }
    }
  }
}

/** Refuses `tooMany` for a filter that is too long, and `invalidFilter`. */
export async function readFilter(text: string): Promise<Condition> {
  if (text.length > MOST_CHARACTERS) refuseScim('tooMany', `A filter has at most ${MOST_CHARACTERS} characters.`)
  if (!isStorable(text)) refuseFilter(NOT_STORABLE)
  const tokens = tokensOf(text)
  checkTerms(tokens)
  const { text: marked, values } = withoutValues(inside(tokens))
  const { parse } = await parser.get()
  try {
    return conditionOf(parse(marked), values)
  } catch {
    return refuseFilter('The filter cannot be read.')
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : typeof value === 'number' ? String(value) : value)
const compare: Record<Term['op'], (one: string, other: string) => boolean> = {
  eq: (one, other) => one === other,
  ne: (one, other) => one !== other,
  co: (one, other) => one.includes(other),
  sw: (one, other) => one.startsWith(other),
  ew: (one, other) => one.endsWith(other),
  gt: (one, other) => one > other,
  ge: (one, other) => one >= other,
  lt: (one, other) => one < other,
  le: (one, other) => one <= other,
}

/** Whether a value of a list meets a condition. `partOf` returns a part of the value by its name, regardless of case. */
export function meets(condition: Condition, partOf: (name: string) => unknown): boolean {
  switch (condition.op) {
    case 'and':
      return condition.conditions.every((one) => meets(one, partOf))
    case 'or':
      return condition.conditions.some((one) => meets(one, partOf))
    case 'not':
      return !meets(condition.condition, partOf)
    case 'each':
      return false
    case 'pr': {
      const found = partOf(condition.path)
      return found !== undefined && found !== null && found !== ''
    }
    default: {
      const [found, asked] = [textOf(partOf(condition.path) ?? null), textOf(condition.value)]
      if (typeof found === 'string' && typeof asked === 'string') return compare[condition.op](found, asked)
      // Some directories send booleans as strings.
      const isSame =
        found === asked ||
        (typeof found === 'boolean' && String(found) === asked) ||
        (typeof asked === 'boolean' && String(asked) === found)
      return condition.op === 'ne' ? !isSame : condition.op === 'eq' && isSame
    }
  }
}
