import { isSame } from '../../../parts/forms/form/merging.ts'
import { invalidate, resource, setCached } from '../../../platform/cache.ts'
import { answer, api, ifMatch, type Schemas, versionOf } from '../../../platform/client.ts'
import { Refusal } from '../../../platform/refusal.ts'

export type Calendar = Schemas['WorkingCalendar']
export type Weekly = Calendar['weekly']
export type Hours = Weekly[number][number]
export type Period = Calendar['periods'][number]
export type DayOff = Calendar['daysOff'][number]
export type Moved = Schemas['WorkingCalendarPreview']

export const calendars = resource('/working-calendars')
export const calendarOf = (id: number) => resource('/working-calendars/{id}', { path: { id } })

interface Names {
  nameAr: string
  nameEn: string
}
type Times = Pick<Calendar, 'weekly' | 'periods' | 'daysOff'>
export type Fields = Names & Times
export const fieldsOf = ({ nameAr, nameEn, weekly, periods, daysOff }: Calendar): Fields => ({ nameAr, nameEn, weekly, periods, daysOff })

/** Creates a calendar with the times of the default one. */
export async function createCalendar(names: Names) {
  const { weekly, periods, daysOff } = (await calendars.load()).find(({ isDefault }) => isDefault)!
  const made = await answer(api.POST('/working-calendars', { body: { ...names, weekly, periods, daysOff } }))
  invalidate('/working-calendars')
  return made
}

export async function changeCalendar(id: number, body: Schemas['WorkingCalendarChanges'], version: string | undefined) {
  const path = { path: { id } }
  const { data, response } = await api.PATCH('/working-calendars/{id}', { params: path, body, headers: ifMatch(version) })
  setCached('/working-calendars/{id}', data!, path, response)
  invalidate('/working-calendars', '/service-catalogue')
  return { from: fieldsOf(data!), version: versionOf(response) }
}

/** Makes a calendar the default instead of the former one. */
export async function makeDefault(id: number) {
  await changeCalendar(id, { isDefault: true }, undefined)
  invalidate('/working-calendars/{id}')
}

/** The fields of `values` that differ from the saved times `now`; undefined if none differs. */
export function timesToPreview(now: Times, values: Times): Partial<Times> | undefined {
  const changed = (['weekly', 'periods', 'daysOff'] as const).filter((field) => !isSame(now[field], values[field]))
  return changed.length > 0 ? Object.fromEntries(changed.map((field) => [field, values[field]])) : undefined
}

export const previewTimes = (id: number, body: Partial<Times>, signal: AbortSignal) =>
  answer(api.POST('/working-calendars/{id}/preview', { params: { path: { id } }, body, signal }))

/** The numbers of records that prevent the deletion of a calendar. */
interface Users {
  teams: number
  orders: number
}

/** Deletes a calendar. If records prevent that, returns their numbers instead. */
export async function removeCalendar(id: number): Promise<Users | undefined> {
  try {
    await answer(api.DELETE('/working-calendars/{id}', { params: { path: { id } } }))
    invalidate('/working-calendars')
    return undefined
  } catch (failure) {
    if (!(failure instanceof Refusal && failure.code === 'has_dependents')) throw failure
    return { teams: Number(failure.body['teamCount']), orders: Number(failure.body['openOrderCount']) }
  }
}
