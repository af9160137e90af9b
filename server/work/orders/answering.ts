/** The answers with which an order is placed, judged by the form of the service as it is now. */
import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { type Detail, ruleError } from '../../platform/errors/field-errors.ts'
import { refuse, refuseField, refuseFields } from '../../platform/errors/refusal.ts'
import { displayName } from '../../platform/text.ts'
import { findForm } from '../service-forms/queries.ts'
import { type Facts, type FormField, type Judgement, judgeAnswers } from '../service-forms/rules.ts'
import { judgeWantedAt } from './wanted-at.ts'

export interface Sent {
  serviceId: number
  formVersion?: number | null | undefined
  answers?: Record<string, unknown> | null | undefined
}
/** What an order keeps of its form. */
export interface Judged {
  version: number
  /** By the keys of their fields; people with their names of now. */
  answers: Record<string, unknown>
  wantedAt: string | null
}

const MOST_DETAILS = 50

/** Refuses `validation_failed`, or `form_changed` if the answers are to a former version. */
export async function judgeSent(tx: Tx, { serviceId, formVersion, answers }: Sent): Promise<Judged> {
  const form = await findForm(tx, serviceId)
  const version = formVersion ?? form.version
  if (version > form.version) refuseField('formVersion', 'exists')
  if (version < form.version) refuse('form_changed', { body: { form } })
  const given = answers ?? {}
  const { facts, names } = await readFacts(tx, serviceId, form.fields, given)
  const judgement = judgeAnswers(form.fields, given, facts)
  if (judgement.errors.length) refuseFields(detailsOf(form.fields, judgement))
  const stored = form.fields.flatMap(({ key, kind }) => {
    const answer = judgement.answers[key]
    if (answer === undefined) return []
    return [[key, kind === 'person' ? { id: answer, ...names.get(answer as number) } : answer]]
  })
  return { version: form.version, answers: Object.fromEntries(stored), wantedAt: wantedIn(form.fields, judgement)?.moment ?? null }
}

/** The answers to visible fields of a kind. */
const answersOf = (fields: readonly FormField[], { answers }: Judgement, kind: FormField['kind']) =>
  fields.flatMap((field) => (field.kind === kind && field.key in answers ? [{ field, answer: answers[field.key]! }] : []))

/** The moment for which the order is wanted, and the field that asks for it. */
function wantedIn(fields: readonly FormField[], judgement: Judgement) {
  const [one] = answersOf(fields, judgement, 'wanted_at')
  return one && { field: one.field, moment: one.answer as string }
}

interface Known {
  id: number
  isActive: boolean
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
}
/** What the database knows of the people, files and moments that answers name, and the names of the people. */
async function readFacts(tx: Tx, serviceId: number, fields: readonly FormField[], given: Record<string, unknown>) {
  const { today, now, offOptions } = await readCircumstances(tx, serviceId)
  const named: Facts = { today, offOptions, unknown: [], inactive: [], mistyped: [], wantedAt: null }
  const judgement = judgeAnswers(fields, given, named)
  const ids = answersOf(fields, judgement, 'person').map(({ answer }) => answer as number)
  const people = ids.length ? await readPeople(tx, ids) : []
  // Nobody can have uploaded a file for an order yet.
  const files = answersOf(fields, judgement, 'files').flatMap(({ answer }) => answer as string[])
  const wanted = wantedIn(fields, judgement)
  const facts: Facts = {
    ...named,
    unknown: [...ids.filter((id) => !people.some((one) => one.id === id)), ...files],
    inactive: people.filter(({ isActive }) => !isActive).map(({ id }) => id),
    wantedAt: wanted ? await judgeWantedAt(now, new Date(wanted.moment), settingsOf(wanted.field)) : null,
  }
  const names = new Map(people.map((one) => [one.id, { nameAr: displayName(one, 'ar'), nameEn: displayName(one, 'en') }]))
  return { facts, names }
}

const settingsOf = ({ leadMinutes = 0, maxDays = 90, withinHours = false }: FormField) => ({ leadMinutes, maxDays, withinHours })

async function readCircumstances(tx: Tx, serviceId: number) {
  const { rows } = await sql<{ today: string; now: Date; offOptions: string[] }>`
    select (clock_timestamp() at time zone usable_time_zone(time_zone))::date::text as today, clock_timestamp() as now,
      coalesce((select off_options from service_notices
        where service_id = ${serviceId} and (until is null or until > clock_timestamp())), '{}') as off_options
    from settings`.execute(tx)
  return rows[0]!
}

const readPeople = async (tx: Tx, ids: number[]) =>
  (
    await sql<Known>`
      select id, is_active, username, display_name_ar, display_name_en from users
      where id = any(${ids}::int[]) and kind = 'person'`.execute(tx)
  ).rows

/** The broken rules with their sentences. */
const detailsOf = (fields: readonly FormField[], { errors }: Judgement): Detail[] =>
  errors.slice(0, MOST_DETAILS).map(({ path, rule, limit }) => {
    const { types, pattern } = fields.find(({ key }) => path === `answers.${key}`)!
    const params = {
      ...(limit !== undefined && { limit }),
      ...(rule === 'type' && { type: types }),
      ...(rule === 'pattern' && { form: pattern === undefined || pattern === 'any' ? 'marks' : pattern }),
    }
    return ruleError(path, rule, params)
  })
