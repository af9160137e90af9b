import { Type } from 'typebox'
import { changedFields } from '../../platform/changes/change-kind.ts'
import { type Change, changed, unchanged } from '../../platform/changes/outcome.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { refuseField } from '../../platform/errors/refusal.ts'
import { checkDependents } from '../../platform/http/dependents.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { daySpan } from '../../platform/http/page.ts'
import { IdParams, Nothing } from '../../platform/http/shape.ts'
import {
  countDependents,
  findCalendar,
  giveUpDefault,
  hasWorkingTime,
  insertCalendar,
  listCalendars,
  listSpans,
  lockCalendar,
  lockZone,
  rehearseTimes,
  removeCalendar,
  updateCalendar,
} from './queries.ts'
import { checkTimes, type GivenTime, movedTargets, tidied, type WorkingTime } from './rules.ts'
import {
  CalendarDeletionConflict,
  CalendarPreview,
  NewWorkingCalendar,
  SpansQuery,
  WorkingCalendar,
  WorkingCalendarEdit,
  WorkingSpans,
} from './shapes.ts'

/** The most days whose spans one call returns. */
const MOST_DAYS = 92

/** The times of a calendar after a request. Refuses impossible times, and 60 days without work. */
async function checkedTimes(db: Reads, given: GivenTime, before?: WorkingTime) {
  checkTimes(given)
  const after: WorkingTime = { weekly: [], periods: [], daysOff: [], ...before, ...tidied(given) }
  if (!(await hasWorkingTime(db, after))) refuseField('weekly', 'workingTime')
  return after
}

/** Makes the current default calendar an ordinary one if another takes its place; returns the change. */
async function formerDefault(tx: Tx, takesPlace: boolean): Promise<Change[]> {
  if (!takesPlace) return []
  const facts = { changed: { isDefault: { from: true, to: false } } }
  return [{ kind: 'working_calendar.updated', targetId: await giveUpDefault(tx), facts }]
}

export const readCalendars = query('GET /working-calendars', {
  summary: 'The calendars by which teams work',
  description: 'By name in the caller’s language.',
  allow: 'signed-in',
  scope: 'services:read',
  reply: Type.Array(WorkingCalendar),
  run: ({ db, actor }) => listCalendars(db, actor.language),
})

export const createCalendar = command('POST /working-calendars', {
  summary: 'Create a calendar by which teams work',
  description: 'There are at most 20 calendars. Everyone gets `services_changed`.',
  allow: 'admin',
  scope: 'admin:write',
  record: WorkingCalendar,
  body: NewWorkingCalendar,
  reply: WorkingCalendar,
  status: 201,
  refuses: ['name_taken', 'too_many_items'],
  run: async ({ tx, body }) => {
    await lockZone(tx)
    const { nameAr, nameEn, isDefault = false } = body
    const times = await checkedTimes(tx, body)
    const former = await formerDefault(tx, isDefault)
    const id = await insertCalendar(tx, { nameAr, nameEn, isDefault, ...times })
    return changed(await findCalendar(tx, id), { kind: 'working_calendar.created', targetId: id, facts: { nameEn, nameAr } }, ...former)
  },
})

export const readCalendar = query('GET /working-calendars/:id', {
  summary: 'One calendar by which teams work',
  allow: 'signed-in',
  scope: 'services:read',
  record: WorkingCalendar,
  params: IdParams,
  reply: WorkingCalendar,
  refuses: ['not_found'],
  run: ({ db, params: { id } }) => findCalendar(db, id),
})

export const changeCalendar = command('PATCH /working-calendars/:id', {
  summary: 'Change a calendar; open targets move with it',
  description:
    'Lists that are given replace the former ones. What has been counted stays counted; from now on the new hours count, also for open orders. `isDefault: true` takes that from the former default calendar. Everyone gets `services_changed`.',
  allow: 'admin',
  scope: 'admin:write',
  record: WorkingCalendar,
  params: IdParams,
  body: WorkingCalendarEdit,
  reply: WorkingCalendar,
  refuses: ['not_found', 'name_taken'],
  run: async ({ tx, ifMatch, params: { id }, body }) => {
    await lockZone(tx)
    const before = await lockCalendar(tx, id, body.isDefault === true)
    await ifMatch(() => before)
    if (body.isDefault === false && before.isDefault) refuseField('isDefault', 'theDefault')
    const hasTimes = body.weekly !== undefined || body.periods !== undefined || body.daysOff !== undefined
    if (hasTimes) await checkedTimes(tx, body, before)
    const { weekly: _w, periods: _p, daysOff: _d, ...names } = body
    const fields = { ...names, ...tidied(body) }
    const differences = changedFields(before, fields)
    if (Object.keys(differences).length === 0) return unchanged(before)
    const former = await formerDefault(tx, 'isDefault' in differences)
    await updateCalendar(tx, id, fields)
    const facts = { changed: differences }
    return changed(await findCalendar(tx, id), { kind: 'working_calendar.updated', targetId: id, facts }, ...former)
  },
})

export const deleteCalendar = command('DELETE /working-calendars/:id', {
  summary: 'Delete a calendar that no team and no open order has',
  allow: 'admin',
  scope: 'admin:write',
  record: WorkingCalendar,
  params: IdParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found', { code: 'has_dependents', body: CalendarDeletionConflict }],
  run: async ({ tx, ifMatch, params: { id } }) => {
    const calendar = await lockCalendar(tx, id, false)
    await ifMatch(() => calendar)
    if (calendar.isDefault) refuseField('id', 'theDefault')
    checkDependents(await countDependents(tx, id), false)
    await removeCalendar(tx, id)
    const { nameEn, nameAr } = calendar
    return changed(null, { kind: 'working_calendar.deleted', targetId: id, facts: { nameEn, nameAr } })
  },
})

export const readSpans = query('GET /working-calendars/:id/spans', {
  summary: 'The hours of a calendar on some days of the office, as moments',
  description: 'At most 92 days, both included. Past hours stay as they were counted then.',
  allow: 'signed-in',
  scope: 'services:read',
  params: IdParams,
  query: SpansQuery,
  reply: WorkingSpans,
  refuses: ['not_found'],
  run: async ({ db, params: { id }, query: days }) => {
    const { start, end } = daySpan(days)
    if (end!.getTime() - start!.getTime() > MOST_DAYS * 24 * 3600 * 1000) refuseField('to', 'maxDays', { limit: MOST_DAYS })
    await findCalendar(db, id)
    return listSpans(db, id, days)
  },
})

export const previewCalendar = command('POST /working-calendars/:id/preview', {
  summary: 'How many open targets a change of a calendar would move',
  description: 'It takes the body of the change, and writes nothing. An order has up to two: to be claimed, and to be completed.',
  allow: 'admin',
  scope: 'admin:read',
  params: IdParams,
  body: WorkingCalendarEdit,
  reply: CalendarPreview,
  refuses: ['not_found'],
  run: async ({ tx, params: { id }, body }) => {
    const { targets, moved } = await rehearseTimes(tx, id, async (before) => {
      await checkedTimes(tx, body, before)
      return tidied(body)
    })
    return unchanged(movedTargets(targets, moved))
  },
})
