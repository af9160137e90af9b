/** Judges the answers of new orders by the current form of their service. */
import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { type Detail, ruleError } from '../../platform/errors/field-errors.ts'
import { type Refusal, refuse, refuseField, refuseFields } from '../../platform/errors/refusal.ts'
import { judged } from '../../platform/http/verdicts.ts'
import { displayName } from '../../platform/text.ts'
import type { Form } from '../service-forms/queries.ts'
import { type Facts, type FormField, type Judgement, judgeAnswers } from '../service-forms/rules.ts'
import { checkFileCount, lockUnused, type UnusedFile } from './files.ts'
import { judgeWantedAt } from './wanted-at.ts'

interface Sent {
  /** The person who places the order. */
  userId: number
  serviceId: number
  formVersion?: number | null | undefined
  answers?: Record<string, unknown> | null | undefined
}
/** The result of judging the answers of an order, which is stored with it. */
export interface Judged {
  version: number
  /** The answers, by the keys of their fields. Answers that name people contain their current names. */
  answers: Record<string, unknown>
  wantedAt: string | null
  /** The objects of the files in the answers. */
  objectIds: number[]
}

/**
 * Judges the answers of each order separately. The refusals are `validation_failed`, and `form_changed` for answers to an earlier version.
 */
export async function judgeSent(tx: Tx, orders: Sent[]): Promise<(Judged | Refusal)[]> {
  const circumstances = await readCircumstances(tx, [...new Set(orders.map(({ serviceId }) => serviceId))])
  const asked = orders.map((order) => ({ order, around: circumstances.get(order.serviceId)! }))
  const named: NamedThings = { people: await readPeople(tx, asked.flatMap(peopleIn)), files: await lockUnused(tx, asked.flatMap(filesIn)) }
  const verdicts: (Judged | Refusal)[] = []
  for (const one of asked) verdicts.push(await judged(() => judgeOne(tx, one, named)))
  return verdicts
}

interface Asked {
  order: Sent
  around: Circumstances
}

async function judgeOne(tx: Tx, { order, around }: Asked, named: NamedThings): Promise<Judged> {
  const { form } = around
  const { formVersion, answers } = order
  const { people } = named
  const version = formVersion ?? form.version
  if (version > form.version) refuseField('formVersion', 'exists')
  if (version < form.version) refuse('form_changed', { body: { form } })
  const judgement = judgeAnswers(form.fields, answers ?? {}, await findFacts(tx, order, around, named))
  if (judgement.errors.length) refuseFields(detailsOf(form.fields, judgement))
  const isPerson = new Set(form.fields.flatMap(({ key, kind }) => (kind === 'person' ? [key] : [])))
  const stored = Object.entries(judgement.answers).map(([key, answer]) => [
    key,
    isPerson.has(key) ? { id: answer, ...namesOf(people.get(answer as number)!) } : answer,
  ])
  const wantedAt = wantedIn(form.fields, judgement)?.moment ?? null
  const ids = filesOf(form.fields, judgement)
  checkFileCount(ids.length)
  const objectIds = named.files.filter(({ id, ownerId }) => ownerId === order.userId && ids.includes(id)).map(({ objectId }) => objectId)
  return { version: form.version, answers: Object.fromEntries(stored), wantedAt, objectIds }
}

const namesOf = (person: Known) => ({ nameAr: displayName(person, 'ar'), nameEn: displayName(person, 'en') })

/** The answers to visible fields of a kind. */
const answersOf = (fields: readonly FormField[], { answers }: Judgement, kind: FormField['kind']) =>
  fields.flatMap((field) => (field.kind === kind && Object.hasOwn(answers, field.key) ? [{ field, answer: answers[field.key]! }] : []))

/** The moment for which the order is wanted, and the field that asks for it. */
function wantedIn(fields: readonly FormField[], judgement: Judgement) {
  const [one] = answersOf(fields, judgement, 'wanted_at')
  return one && { field: one.field, moment: one.answer as string }
}

/** The ids of the files in the answers. */
const filesOf = (fields: readonly FormField[], judgement: Judgement) =>
  answersOf(fields, judgement, 'files').flatMap(({ answer }) => answer as string[])

/** The people and files in the answers of all orders, as the database has them. */
interface NamedThings {
  people: Map<number, Known>
  files: UnusedFile[]
}
interface Known {
  id: number
  isActive: boolean
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
}
/** The facts that are known before people, files and moments have been looked up. */
const factsOf = ({ today, offOptions }: Circumstances): Facts => ({
  ...{ today, offOptions },
  ...{ unknown: [], inactive: [], mistyped: [], wantedAt: null },
})
const peopleIn = ({ order: { answers }, around }: Asked) => {
  const { fields } = around.form
  return answersOf(fields, judgeAnswers(fields, answers ?? {}, factsOf(around)), 'person').map(({ answer }) => answer as number)
}

const filesIn = ({ order: { userId, answers }, around }: Asked) => {
  const { fields } = around.form
  return filesOf(fields, judgeAnswers(fields, answers ?? {}, factsOf(around))).map((id) => ({ ownerId: userId, id }))
}

/** The media types that a field accepts. */
const types = { any: /^/, images: /^image\//i, pdf: /^application\/pdf *(;|$)/i }

/** The files that cannot be used at all, such as one that two fields name, and those of a type that their field does not accept. */
function judgeFiles(fields: readonly FormField[], judgement: Judgement, own: UnusedFile[]) {
  const named = answersOf(fields, judgement, 'files').flatMap(({ field, answer }) => (answer as string[]).map((id) => ({ field, id })))
  const isUsable = (id: string) => own.some((file) => file.id === id) && named.filter((file) => file.id === id).length === 1
  const isFit = ({ field, id }: (typeof named)[number]) => types[field.types ?? 'any'].test(own.find((file) => file.id === id)!.contentType)
  const [usable, unknown] = [named.filter(({ id }) => isUsable(id)), named.filter(({ id }) => !isUsable(id))]
  return { unknown: unknown.map(({ id }) => id), mistyped: usable.filter((file) => !isFit(file)).map(({ id }) => id) }
}

/** The facts about the people, files and moments in the answers of an order. */
async function findFacts(
  tx: Tx,
  { userId, serviceId, answers }: Sent,
  around: Circumstances,
  { people, files }: NamedThings,
): Promise<Facts> {
  const { fields } = around.form
  const known = factsOf(around)
  const judgement = judgeAnswers(fields, answers ?? {}, known)
  const ids = answersOf(fields, judgement, 'person').map(({ answer }) => answer as number)
  const { unknown, mistyped } = judgeFiles(
    fields,
    judgement,
    files.filter(({ ownerId }) => ownerId === userId),
  )
  const wanted = wantedIn(fields, judgement)
  return {
    ...known,
    unknown: [...ids.filter((id) => !people.has(id)), ...unknown],
    mistyped,
    inactive: ids.filter((id) => people.get(id)?.isActive === false),
    wantedAt: wanted ? await judgeWantedAt(tx, { serviceId, moment: new Date(wanted.moment), ...settingsOf(wanted.field) }) : null,
  }
}

const settingsOf = ({ leadMinutes = 0, maxDays = 90, withinHours = false }: FormField) => ({ leadMinutes, maxDays, withinHours })

/** The form of a service, its options that are sold out, and the current day in the portal’s time zone. */
interface Circumstances {
  form: Form
  offOptions: string[]
  today: string
}
async function readCircumstances(tx: Tx, serviceIds: number[]): Promise<Map<number, Circumstances>> {
  const { rows } = await sql<Omit<Circumstances, 'form'> & Form & { serviceId: number }>`
    select service.id as service_id, coalesce(form.version, 0) as version, coalesce(fields, '[]') as fields, created_at as updated_at,
      coalesce(off_options, '{}') as off_options,
      (clock_timestamp() at time zone usable_time_zone(time_zone))::date::text as today
    from unnest(${serviceIds}::int[]) as service (id) cross join settings
      left join lateral (
        select version, fields, created_at from service_forms where service_id = service.id order by version desc limit 1) as form on true
      left join service_notices as notice on notice.service_id = service.id and (until is null or until > clock_timestamp())`.execute(tx)
  return new Map(
    rows.map(({ serviceId, version, fields, updatedAt, ...around }) => [serviceId, { ...around, form: { version, fields, updatedAt } }]),
  )
}

async function readPeople(tx: Tx, ids: number[]) {
  if (ids.length === 0) return new Map<number, Known>()
  const { rows } = await sql<Known>`
    select id, is_active, username, display_name_ar, display_name_en from users
    where id = any(${[...new Set(ids)]}::int[]) and kind = 'person'`.execute(tx)
  return new Map(rows.map((person) => [person.id, person]))
}

/** The broken rules as error details. */
const detailsOf = (fields: readonly FormField[], { errors }: Judgement): Detail[] =>
  errors.map(({ path, rule, limit }) => {
    const { types, pattern } = fields.find(({ key }) => path === `answers.${key}`)!
    const params = {
      ...(limit !== undefined && { limit }),
      ...(rule === 'type' && { type: types }),
      ...(rule === 'pattern' && { form: pattern === undefined || pattern === 'any' ? 'marks' : pattern }),
    }
    return ruleError(path, rule, params)
  })
