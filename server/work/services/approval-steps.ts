/** The steps of approval that a service demands: their validation, and locks on the people and groups that they name. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Tx } from '../../platform/database/db.ts'
import { ascending, lockExisting, refuseUnknown } from '../../platform/database/sets.ts'
import { type Detail, fieldError } from '../../platform/errors/field-errors.ts'
import { refuse, refuseFields } from '../../platform/errors/refusal.ts'
import type { FormField } from '../service-forms/rules.ts'
import type { ApprovalStep } from '../service-handlings/queries.ts'
import { canRead } from './form-definition.ts'
import type { NewHandling } from './shapes.ts'

type SentStep = NonNullable<Static<typeof NewHandling>['steps']>[number]

const MOST_STEPS = 3

/** The steps as they are stored. Their conditions must fit the current fields. Refuses `too_many_items` and `validation_failed`. */
export function defineSteps(sent: readonly SentStep[], fields: readonly FormField[]): ApprovalStep[] {
  if (sent.length > MOST_STEPS) refuse('too_many_items')
  const steps = sent.map(({ key, nameAr, nameEn, manager = false, userIds = [], groupIds = [], needed = 1, when = [] }) => ({
    ...{ key, nameAr, nameEn, manager },
    userIds: ascending(new Set(userIds)),
    groupIds: ascending(new Set(groupIds)),
    ...{ needed, when },
  }))
  const details = steps.flatMap(({ key }, place): Detail[] =>
    steps.slice(0, place).some((step) => step.key === key) ? [fieldError(`steps.${place}.key`, 'uniqueItems')] : [],
  )
  details.push(...unreadable(steps, fields))
  return details.length ? refuseFields(details) : steps
}

/** An error for each condition of a step that does not fit these fields. */
const unreadable = (steps: readonly ApprovalStep[], fields: readonly FormField[]) =>
  steps.flatMap(({ when }, place) =>
    when.flatMap((condition, n) => (canRead(condition, fields) ? [] : [fieldError(`steps.${place}.when.${n}`, 'when')])),
  )

/** Refuses a form that lacks a field or an option that a step reads. */
export function checkReadBy(steps: readonly ApprovalStep[], fields: readonly FormField[]) {
  if (unreadable(steps, fields).length) refuseFields([fieldError('fields', 'when')])
}

/** Locks the people and groups in steps against deletion until the transaction ends. Refuses `unknown_ids`. */
export async function lockApprovers(tx: Tx, steps: readonly ApprovalStep[]) {
  const people = steps.flatMap(({ userIds }) => userIds)
  if (people.length) {
    const { rows } = await sql<{ id: number }>`
      select id from users where id = any(${people}::int[]) and kind = 'person' order by id for key share`.execute(tx)
    refuseUnknown(people, rows)
  }
  await lockExisting(
    tx,
    'groups',
    steps.flatMap(({ groupIds }) => groupIds),
  )
}
