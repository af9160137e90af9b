/** Converts typed values into answers and judges them by the portal's rules. Pure functions. */
import { type Facts, type FormField, type Judgement, judgeAnswers } from '../../../../server/work/service-forms/rules.ts'
import { folded } from '../../../platform/folded.ts'

export type { FormField, Judgement }
export type Option = NonNullable<FormField['options']>[number]

/** A person as an answer to a field, with the names that the person had when chosen. */
export interface Named {
  id: number
  nameAr: string
  nameEn: string
}
/** A moment that is being chosen: `YYYY-MM-DD` and `HH:MM` on this device's clock, or ''. */
export interface When {
  day: string
  time: string
}

/**
 * The values of the fields, by their keys. They are in the portal's form, except that a person is a `Named`, a moment a `When`, files are
 * `{id, name}`, and an unreadable number is the typed text. Answers to hidden fields are kept, in case the field is shown again.
 */
export type Given = Readonly<Record<string, unknown>>

/**
 * The number that somebody has typed, in Latin or Arabic digits; undefined for any other text. A comma groups thousands where it can, and is
 * the decimal sign elsewhere; `٫` is never anything but the decimal sign.
 */
export function numberIn(typed: string) {
  const plain = folded(typed)
    .trim()
    .replace(/[\s٬'’]/g, '')
    .replaceAll('،', ',')
    .replaceAll('٫', '.')
    .replace(/^−/, '-')
  const isGrouped = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(plain)
  const text = plain.replaceAll(',', isGrouped ? '' : '.')
  return /^-?(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : undefined
}

/** A moment in the portal's form. A day without a time, or a time without a day, becomes a text that the rules refuse. */
function momentOf(when: unknown) {
  const { day, time } = (when ?? { day: '', time: '' }) as When
  if (!day && !time) return null
  const moment = new Date(`${day}T${time}`)
  return Number.isNaN(moment.getTime()) ? `${day} ${time}` : moment.toISOString()
}

/** A field's answer in the portal's form. */
function asSent({ kind, pattern }: FormField, value: unknown): unknown {
  if (kind === 'person') return (value as Named | null | undefined)?.id ?? null
  if (kind === 'wanted_at') return momentOf(value)
  if (kind === 'files') return Array.isArray(value) ? (value as { id: string }[]).map(({ id }) => id) : value
  if (kind === 'text' && pattern === 'phone' && typeof value === 'string') return value.replace(/[٠-٩۰-۹]/g, folded)
  return value
}

/** The circumstances by which a page judges answers. */
export interface Around {
  /** Today in the office's time zone. */
  today: string
  now: Date
  /** Options that are sold out, as `field.option`. */
  offOptions: readonly string[]
}

/** The value of a key of a form. The key may be `constructor` or another name that every object inherits. */
export const own = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/**
 * 'early' or 'late' if the wanted moment is surely too early or too late; otherwise null. Only the portal can check the moment against the
 * hours of the team.
 */
function wantedRule(fields: readonly FormField[], given: Given, now: Date): Facts['wantedAt'] {
  const field = fields.find(({ kind }) => kind === 'wanted_at')
  const moment = field && Date.parse(momentOf(own(given, field.key)) ?? '')
  if (!field || !moment) return null
  const { leadMinutes = 0, maxDays = 90 } = field
  if (moment < now.getTime() + leadMinutes * MINUTE_MS) return 'early'
  return moment > now.getTime() + maxDays * DAY_MS ? 'late' : null
}

/** Tells which fields are visible, which answers to send, and which of them the portal would surely refuse. */
export function judge(fields: readonly FormField[], given: Given, { today, now, offOptions }: Around): Judgement {
  const sent = Object.fromEntries(fields.map((field) => [field.key, asSent(field, own(given, field.key))]))
  const wantedAt = wantedRule(fields, given, now)
  return judgeAnswers(fields, sent, { today, offOptions, wantedAt, unknown: [], inactive: [], mistyped: [] })
}

/** The key of the field that an error is about. */
export const keyOf = (path: string) => path.replace(/^answers\./, '')
/** The total of all counts in the visible fields of the kind `items`. */
export function totalIn(fields: readonly FormField[], { answers }: Judgement) {
  const baskets = fields.flatMap(({ key, kind }) => (kind === 'items' ? [answers[key] as Record<string, number> | undefined] : []))
  return baskets.flatMap((basket) => Object.values(basket ?? {})).reduce((sum, count) => sum + count, 0)
}

/** Answers with the fields of their version of the form. */
export interface Answered {
  fields: readonly FormField[]
  given: Given
}
/** Why the person should look at a field again: it is new, its former answer no longer fits, or it now needs an answer. */
export interface Mark {
  why: 'new' | 'unfit' | 'missing'
  /** The former field and the answer to it. */
  before?: { field: FormField; value: unknown }
}

const isKnown = ({ options = [] }: FormField, key: string) => options.some((option) => option.key === key)
/** Removes options that the field no longer has: the form does not show them, so nobody could deselect them. */
function withoutGone(field: FormField, value: unknown) {
  if (field.kind === 'choice') return isKnown(field, value as string) ? value : null
  if (field.kind === 'choices' && Array.isArray(value)) return value.filter((key) => isKnown(field, key))
  if (field.kind === 'items' && typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).filter(([key]) => isKnown(field, key)))
  return value
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

/** Carries answers over to another version of their form, and marks the fields that need another look. */
export function lay({ fields: former, given }: Answered, fields: readonly FormField[], around: Around) {
  const before = new Map(former.map((field) => [field.key, field]))
  const laid: Record<string, unknown> = { ...given }
  const marks = new Map<string, Mark>()
  const wrong = new Set(judge(fields, given, around).errors.map(({ path }) => keyOf(path)))
  for (const field of fields) {
    const { key, kind } = field
    const known = before.get(key)
    const value = own(given, key)
    if (!isEmpty(value)) laid[key] = withoutGone(field, value)
    if (kind === 'info') continue
    if (known && !isEmpty(value) && wrong.has(key)) marks.set(key, { why: 'unfit', before: { field: known, value } })
    else if (!known || wrong.has(key)) marks.set(key, { why: known ? 'missing' : 'new' })
  }
  return { given: laid, marks }
}

/** Whether all earlier answers still fit unchanged and would be sent, and the form has no errors. */
export const isWhole = (former: Given, marks: ReadonlyMap<string, Mark>, { answers, errors }: Judgement) =>
  errors.length === 0 &&
  [...marks.values()].every(({ why }) => why === 'new') &&
  Object.keys(former).every((key) => own(answers, key) !== undefined)

/** The answers of an earlier order as values of the fields, without files and moments. */
export function asGiven(fields: readonly FormField[], answers: Readonly<Record<string, unknown>>): Given {
  const kept = fields.filter(({ key, kind }) => kind !== 'files' && kind !== 'wanted_at' && Object.hasOwn(answers, key))
  return Object.fromEntries(kept.map(({ key }) => [key, answers[key]]))
}
