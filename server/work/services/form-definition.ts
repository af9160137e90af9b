/** Validates forms: the settings of each field, and its conditions on fields further up. */
import type { Static } from 'typebox'
import { type Detail, fieldError } from '../../platform/errors/field-errors.ts'
import { refuse, refuseFields } from '../../platform/errors/refusal.ts'
import { type Condition, type FormField, type Kind, settings } from '../service-forms/rules.ts'
import type { NewForm } from '../service-forms/shapes.ts'

type SentField = Static<typeof NewForm>['fields'][number]

const MOST_FIELDS = 60
const MOST_OPTIONS = 200
const MOST_BYTES = 64 * 1024
const MOST_VERSIONS = 1000
const [LONGEST_TEXT, MOST_FILES] = [500, 5]
/** The default maximum numbers of files in an answer and of pieces of an option. */
const [FILES, MOST_OF_OPTION] = [1, 99]

const tooMany = (en: string, ar: string) => refuse('too_many_items', { body: { error: en, messageAr: ar, messageEn: en } })

/** The form as it is stored: omitted settings have their defaults, and those of other kinds are left out. Refuses invalid forms. */
export function defineForm(sent: SentField[], kindsBefore: ReadonlyMap<string, Kind>): FormField[] {
  if (sent.length > MOST_FIELDS) tooMany('A form can have at most 60 fields.', 'لا تزيد حقول النموذج على 60 حقلًا.')
  const fields = sent.map(fieldOf)
  const optionCount = fields.reduce((sum, { options = [] }) => sum + options.length, 0)
  if (optionCount > MOST_OPTIONS) tooMany('A form can have at most 200 options in all.', 'لا تزيد خيارات النموذج كلها على 200 خيار.')
  if (Buffer.byteLength(JSON.stringify(fields)) > MOST_BYTES)
    tooMany('The texts of this form are too long in all.', 'نصوص هذا النموذج أطول مما يتسع له.')
  const details = fields.flatMap((field, place) => [
    ...faultsOf(field).map((fault) => at(`fields.${place}`, fault)),
    ...amongOthers(fields, place, kindsBefore).map((fault) => at(`fields.${place}`, fault)),
  ])
  return details.length ? refuseFields(details) : fields
}

/** The number of the next version. Refuses `too_many_items` beyond 1,000 versions. */
export const versionAfter = (version: number) =>
  version < MOST_VERSIONS
    ? version + 1
    : tooMany('This form has been changed 1,000 times, which is the limit.', 'عُدّل هذا النموذج 1000 مرة، وهو الحد الأقصى.')

function fieldOf(sent: SentField): FormField {
  const { key, kind, labelAr = null, labelEn = null, hintAr = null, hintEn = null, required = false, when = [], options = [] } = sent
  const own = Object.keys(settings[kind])
  const given = Object.fromEntries(own.flatMap((name) => (name in sent ? [[name, sent[name as keyof SentField]]] : [])))
  const optionOf = ({ key, ar = null, en = null, most = MOST_OF_OPTION }: (typeof options)[number]) => ({
    ...{ key, ar, en },
    ...(kind === 'items' && { most }),
  })
  const field: FormField = { key, kind, labelAr, labelEn, hintAr, hintEn, required, when, ...structuredClone(settings[kind]), ...given }
  if (kind === 'files') field.most = sent.most ?? FILES
  return own.includes('options') ? { ...field, options: options.map(optionOf) } : field
}

/** A detail whose path is prefixed by its field. */
const at = (field: string, { path, ...rest }: Detail): Detail => ({ ...rest, path: `${field}.${path}` })

/** The error if the upper of two bounds is below the lower one. */
const inTurn = (path: string, from: number | null | undefined, to: number | null | undefined) =>
  typeof from === 'number' && typeof to === 'number' && to < from ? [fieldError(path, 'minimum', { limit: from })] : []
const below = (path: string, value: number | null | undefined, limit: number) =>
  typeof value === 'number' && value > limit ? [fieldError(path, 'maximum', { limit })] : []
/** The error if both texts are missing. If only one is missing, the other language takes its place. */
const named = (path: string, other: string, texts: (string | null | undefined)[]) =>
  texts.some(Boolean) ? [] : [fieldError(path, 'required', { unless: [other] })]
const once = (path: string, key: string, others: string[]) => (others.includes(key) ? [fieldError(path, 'uniqueItems')] : [])

/** The errors of a field that do not depend on other fields. */
function faultsOf(field: FormField): Detail[] {
  const { kind, labelAr, labelEn, textAr, textEn, maxLength, options, min, max, least, most, earliestDays, latestDays } = field
  const keys = options?.map(({ key }) => key) ?? []
  return [
    ...(kind === 'info' ? named('textAr', 'textEn', [textAr, textEn]) : named('labelAr', 'labelEn', [labelAr, labelEn])),
    ...(kind === 'text' ? below('maxLength', maxLength, LONGEST_TEXT) : []),
    ...(kind === 'files' ? below('most', most, MOST_FILES) : []),
    ...(options?.length === 0 ? [fieldError('options', 'minItems', { limit: 1 })] : []),
    ...(options ?? []).flatMap(({ key, ar, en }, place) => [
      ...once(`options.${place}.key`, key, keys.slice(0, place)),
      ...named(`options.${place}.ar`, 'en', [ar, en]),
    ]),
    ...inTurn('max', min, max),
    ...inTurn('most', least, most),
    ...(options && options.length > 0 ? below('least', least, options.length) : []),
    ...inTurn('latestDays', earliestDays, latestDays),
  ]
}

/** The errors of a field in relation to the fields above it, and to the earlier kinds of its key. */
function amongOthers(fields: readonly FormField[], place: number, kindsBefore: ReadonlyMap<string, Kind>): Detail[] {
  const [field, above] = [fields[place]!, fields.slice(0, place)]
  const { key, kind, when } = field
  const kindBefore = kindsBefore.get(key)
  return [
    ...once(
      'key',
      key,
      above.map((one) => one.key),
    ),
    ...(kindBefore !== undefined && kindBefore !== kind ? [fieldError('kind', 'kindFixed')] : []),
    ...(kind === 'wanted_at'
      ? once(
          'kind',
          kind,
          above.map((one) => one.kind),
        )
      : []),
    ...when.flatMap((condition, n) => (canRead(condition, above) ? [] : [fieldError(`when.${n}`, 'when')])),
  ]
}

const isCounted = ({ kind }: FormField) => kind === 'number' || kind === 'items'

/** Whether a condition fits the field that it reads. */
export function canRead({ field: key, op, value }: Condition, above: readonly FormField[]) {
  const read = above.find((one) => one.key === key)
  if (!read) return false
  if (op === 'atLeast' || op === 'atMost') return isCounted(read) && typeof value === 'number'
  if (!Array.isArray(value)) return false
  if (read.kind === 'yes_no') return value.every((one) => typeof one === 'boolean')
  return value.every((one) => read.options?.some((option) => option.key === one))
}
