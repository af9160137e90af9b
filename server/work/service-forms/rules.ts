/**
 * Judges which fields of a form are visible, and whether answers fit them. Pages load this file, too, so it imports nothing, and its
 * callers pass in the facts that only the database knows.
 */

export const kinds = [
  ...(['text', 'paragraph', 'number', 'choice', 'choices', 'items', 'yes_no'] as const),
  ...(['date', 'person', 'wanted_at', 'files', 'info'] as const),
]
export type Kind = (typeof kinds)[number]
export const operators = ['any', 'none', 'atLeast', 'atMost'] as const

interface FormOption {
  key: string
  ar: string | null
  en: string | null
  /** For the kind `items`: the most pieces of this option in one answer. */
  most?: number
}
export interface Condition {
  /** The key of a field further up. */
  field: string
  op: (typeof operators)[number]
  /** Keys of options, or true and false, for `any` and `none`; a number for all other operators. */
  value: (string | boolean)[] | number
}

/** The settings of each kind, with their defaults. */
export const settings: Record<Kind, Partial<FormField>> = {
  text: { maxLength: 200, pattern: 'any' },
  paragraph: { maxLength: 1000 },
  number: { min: null, max: null, decimals: 0, unitAr: null, unitEn: null },
  choice: { options: [] },
  choices: { options: [], least: null, most: null },
  items: { options: [], mostTotal: null },
  yes_no: { mustBeYes: false },
  date: { earliestDays: null, latestDays: null },
  person: {},
  wanted_at: { leadMinutes: 0, maxDays: 90, withinHours: false },
  files: { most: 1, types: 'any' },
  info: { textAr: null, textEn: null },
}

export interface FormField {
  key: string
  kind: Kind
  labelAr: string | null
  labelEn: string | null
  hintAr: string | null
  hintEn: string | null
  required: boolean
  when: Condition[]
  maxLength?: number
  pattern?: 'any' | 'email' | 'phone' | 'url'
  min?: number | null
  max?: number | null
  decimals?: number
  unitAr?: string | null
  unitEn?: string | null
  options?: FormOption[]
  least?: number | null
  most?: number | null
  mostTotal?: number | null
  mustBeYes?: boolean
  earliestDays?: number | null
  latestDays?: number | null
  leadMinutes?: number
  maxDays?: number
  withinHours?: boolean
  types?: 'any' | 'images' | 'pdf'
  textAr?: string | null
  textEn?: string | null
}

type Answer = string | number | boolean | string[] | Record<string, number>
export type Answers = Record<string, Answer>

/** Facts that only the database knows. A page that does not know them yet leaves the lists empty. */
export interface Facts {
  /** The current day in the portal’s time zone, `YYYY-MM-DD`. */
  today: string
  /** Options that are sold out, as `field.option`. */
  offOptions: readonly string[]
  /** Ids of people and files that do not exist, and of files that the sender cannot use. */
  unknown: readonly (string | number)[]
  /** Ids of inactive people. */
  inactive: readonly number[]
  /** Ids of files whose type the field does not accept. */
  mistyped: readonly string[]
  /** The rule that the wanted moment in the answers breaks, or null. */
  wantedAt: 'early' | 'late' | 'closed' | null
}

export type AnswerRule =
  | ('required' | 'kind' | 'decimals' | 'type' | 'option' | 'optionOff' | 'min' | 'max' | 'length' | 'pattern')
  | ('least' | 'most' | 'early' | 'late' | 'closed' | 'unknown' | 'inactive')

/** A field whose answer breaks a rule, with the bound of the rule. */
interface AnswerError {
  path: string
  rule: AnswerRule
  limit?: number
}

/** An answer as it is stored, or null. Conditions also read a wrong answer, so that no field vanishes while it is corrected. */
interface Read {
  value: Answer | null
  rule?: AnswerRule | null
  limit?: number | null
}
type Reader = (given: unknown, field: FormField, facts: Facts) => Read
const wrong: Read = { value: null, rule: 'kind' }

/** The largest number in an answer: larger ones would lose digits. */
export const LARGEST = 1e12
const LONGEST_ROW_OF_MARKS = 30
const longRowOfMarks = new RegExp(`\\p{M}{${LONGEST_ROW_OF_MARKS + 1}}`, 'u')
/** As in `platform/text.ts`; a test compares the two. */
const visible = /(?!\p{Default_Ignorable_Code_Point})(?![\u2800\uFFFC\u{1D159}])[\p{L}\p{N}\p{P}\p{S}]/u
/** Control and bidi-override characters. */
const unwanted = /[[\p{Cc}\u202A-\u202E\u2066-\u2069]--[\t\n]]/gv

const patterns = {
  any: /^/,
  email: /^(?=[^@]{1,64}@)(?=.{3,254}$)[^\s@.<>()[\],;:"\\]+(\.[^\s@.<>()[\],;:"\\]+)*@[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u,
  phone: /^(?=(\D*\d){3,20}\D*$)\+?[\d ()./-]+$/,
  url: /^https?:\/\/[^\s<>"\\^`{|}/?#@]+([/?#][^\s<>"\\^`{|}]*)?$/,
}

/** A text in NFC, without unwanted characters. A text with too many marks in a row is not normalised, because that is slow. */
function textOf(given: unknown, isLine: boolean) {
  if (typeof given !== 'string') return undefined
  const plain = given.replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(unwanted, '')
  const text = (isLine ? plain.replace(/[\n\t]+/g, ' ') : plain).trim()
  return longRowOfMarks.test(text) ? text : text.normalize('NFC')
}

const readText =
  (isLine: boolean): Reader =>
  (given, { maxLength = 200, pattern = 'any' }) => {
    const value = textOf(given, isLine)
    if (value === undefined) return wrong
    if (!visible.test(value)) return { value: null }
    if ([...value].length > maxLength) return { value, rule: 'length', limit: maxLength }
    return longRowOfMarks.test(value) || !patterns[pattern].test(value) ? { value, rule: 'pattern' } : { value }
  }

function readNumber(given: unknown, { min, max, decimals = 0 }: FormField): Read {
  if (typeof given !== 'number' || !Number.isFinite(given)) return wrong
  const value = given === 0 ? 0 : given
  const [least, most] = [min ?? -LARGEST, max ?? LARGEST]
  if (value < least) return { value, rule: 'min', limit: least }
  if (value > most) return { value, rule: 'max', limit: most }
  return Number(value.toFixed(decimals)) === value ? { value } : { value, rule: 'decimals', limit: decimals }
}

const has = (record: object, key: string) => Object.hasOwn(record, key)
const isOption = ({ options = [] }: FormField, key: string) => options.some((option) => option.key === key)

/** The rule that chosen options break, or null. */
function faultOf(field: FormField, chosen: string[], { offOptions }: Facts): AnswerRule | null {
  if (!chosen.every((key) => isOption(field, key))) return 'option'
  return chosen.some((key) => offOptions.includes(`${field.key}.${key}`)) ? 'optionOff' : null
}
/** Keys in the order of the form, each once; keys that the form lacks come last. */
function inOrder({ options = [] }: FormField, chosen: string[]) {
  const own = options.map(({ key }) => key)
  return [...own.filter((key) => chosen.includes(key)), ...new Set(chosen.filter((key) => !own.includes(key)))]
}

function readChoices(given: unknown, field: FormField, facts: Facts): Read {
  if (!Array.isArray(given) || !given.every((key) => typeof key === 'string')) return wrong
  const value = inOrder(field, given)
  if (value.length === 0) return { value: null }
  const { least, most } = field
  const rule = faultOf(field, value, facts)
  if (rule) return { value, rule }
  if (value.length < (least ?? 0)) return { value, rule: 'least', limit: least }
  return value.length > (most ?? value.length) ? { value, rule: 'most', limit: most } : { value }
}

const totalOf = (counts: Record<string, number>) => Object.values(counts).reduce((sum, count) => sum + count, 0)

function readItems(given: unknown, field: FormField, facts: Facts): Read {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return wrong
  const counts = Object.entries(given as Record<string, unknown>)
  if (!counts.every((pair): pair is [string, number] => Number.isSafeInteger(pair[1]) && (pair[1] as number) >= 0)) return wrong
  const known = new Map(counts.filter(([, count]) => count > 0))
  const keys = inOrder(field, [...known.keys()])
  if (keys.length === 0) return { value: null }
  const value = Object.fromEntries(keys.map((key) => [key, known.get(key)!]))
  const rule = faultOf(field, keys, facts)
  if (rule) return { value, rule }
  const over = (field.options ?? []).find(({ key, most = 99 }) => (known.get(key) ?? 0) > most)
  if (over) return { value, rule: 'most', limit: over.most ?? 99 }
  const { mostTotal } = field
  return totalOf(value) > (mostTotal ?? Number.POSITIVE_INFINITY) ? { value, rule: 'most', limit: mostTotal } : { value }
}

const DAY_MS = 24 * 3600 * 1000
/** The first moment of a day, in UTC; undefined if the calendar has no such day. */
function dayOf(text: string) {
  const day = Date.parse(`${text}T00:00:00Z`)
  const isReal = /^\d{4}-\d\d-\d\d$/.test(text) && text >= '0001' && !Number.isNaN(day) && new Date(day).toISOString().startsWith(text)
  return isReal ? day : undefined
}

function readDate(given: unknown, { earliestDays, latestDays }: FormField, { today }: Facts): Read {
  const day = typeof given === 'string' ? dayOf(given) : undefined
  if (day === undefined) return wrong
  const ahead = (day - dayOf(today)!) / DAY_MS
  const value = given as string
  if (ahead < (earliestDays ?? ahead)) return { value, rule: 'early', limit: earliestDays }
  return ahead > (latestDays ?? ahead) ? { value, rule: 'late', limit: latestDays } : { value }
}

function readPerson(given: unknown, _field: FormField, { unknown, inactive }: Facts): Read {
  if (!Number.isInteger(given) || (given as number) < 1 || (given as number) > 2147483647) return wrong
  const value = given as number
  if (unknown.includes(value)) return { value, rule: 'unknown' }
  return { value, rule: inactive.includes(value) ? 'inactive' : null }
}

const momentForm = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/
function readMoment(given: unknown, _field: FormField, { wantedAt }: Facts): Read {
  const day = typeof given === 'string' ? momentForm.exec(given)?.[1] : undefined
  const moment = new Date(given as string)
  if (day === undefined || dayOf(day) === undefined || Number.isNaN(moment.getTime())) return wrong
  return { value: moment.toISOString(), rule: wantedAt }
}

function readFiles(given: unknown, { most, types }: FormField, { unknown, mistyped }: Facts): Read {
  if (!Array.isArray(given) || !given.every((id) => typeof id === 'string')) return wrong
  const value = [...new Set<string>(given)]
  if (value.length === 0) return { value: null }
  if (value.length > (most ?? 1)) return { value, rule: 'most', limit: most ?? 1 }
  if (value.some((id) => unknown.includes(id))) return { value, rule: 'unknown' }
  return { value, rule: types !== 'any' && value.some((id) => mistyped.includes(id)) ? 'type' : null }
}

const readers: Record<Exclude<Kind, 'info'>, Reader> = {
  text: readText(true),
  paragraph: readText(false),
  number: readNumber,
  choice: (given, field, facts) => (typeof given === 'string' ? { value: given, rule: faultOf(field, [given], facts) } : wrong),
  choices: readChoices,
  items: readItems,
  yes_no: (given) => (typeof given === 'boolean' ? { value: given } : wrong),
  date: readDate,
  person: readPerson,
  wanted_at: readMoment,
  files: readFiles,
}

/** The options that an answer chooses, or the answer itself. */
const chosenIn = (answer: Answer): (string | boolean)[] =>
  Array.isArray(answer) ? answer : typeof answer === 'object' ? Object.keys(answer) : [answer as string | boolean]

/** Whether a condition holds for the answer to its field. The answer to a hidden field is undefined. */
function holds({ op, value }: Condition, answer: Answer | undefined) {
  if (op === 'any' || op === 'none') {
    const isAny = answer !== undefined && chosenIn(answer).some((one) => (value as (string | boolean)[]).includes(one))
    return isAny === (op === 'any')
  }
  if (answer === undefined) return false
  const count = typeof answer === 'object' ? totalOf(answer as Record<string, number>) : (answer as number)
  return op === 'atLeast' ? count >= (value as number) : count <= (value as number)
}

/** Whether stored answers, which lack answers to hidden fields, fulfil all conditions. */
export const fulfils = (answers: Answers, conditions: readonly Condition[]) =>
  conditions.every((condition) => holds(condition, has(answers, condition.field) ? answers[condition.field] : undefined))

export interface Judgement {
  /** The keys of the fields that the answers leave visible. */
  visible: string[]
  /** The answers to visible fields as they are stored, without those that break a rule. */
  answers: Answers
  errors: AnswerError[]
}

/** Judges answers to a form. Answers to unknown and hidden fields are left out. */
export function judgeAnswers(fields: readonly FormField[], given: Record<string, unknown>, facts: Facts): Judgement {
  const judgement: Judgement = { visible: [], answers: {}, errors: [] }
  const read = new Map<string, Answer>()
  for (const field of fields) {
    const { key, kind, when, required, mustBeYes } = field
    if (!when.every((condition) => holds(condition, read.get(condition.field)))) continue
    judgement.visible.push(key)
    if (kind === 'info') continue
    const raw = has(given, key) ? (given[key] ?? null) : null
    const { value, rule, limit } = raw === null ? { value: null } : readers[kind](raw, field, facts)
    if (value !== null) read.set(key, value)
    const isMissing = mustBeYes ? value !== true : required && value === null
    const broken = rule ?? (isMissing ? 'required' : null)
    if (broken) judgement.errors.push({ path: `answers.${key}`, rule: broken, ...(typeof limit === 'number' && { limit }) })
    else if (value !== null) judgement.answers[key] = value
  }
  return judgement
}
