import { invalidate, resource, setCached } from '../../platform/cache.ts'
import { answer, api, ifMatch, type Schemas, versionOf } from '../../platform/client.ts'
import { Refusal } from '../../platform/refusal.ts'
import { hoursIn, textOf } from './hours.ts'

export type Calendar = Schemas['WorkingCalendar']
export type DayOff = Schemas['DayOff']
type Preview = Schemas['WorkingCalendarPreview']

export const calendars = resource('/working-calendars')
export const calendarOf = (id: number) => resource('/working-calendars/{id}', { path: { id } })

/** Other hours between two days; the hours of each day of the week are texts. */
export interface Period {
  from: string
  to: string
  nameAr: string
  nameEn: string
  weekly: string[]
}
export interface Fields {
  nameAr: string
  nameEn: string
  weekly: string[]
  periods: Period[]
  daysOff: DayOff[]
}
const OFFICE = '08:00–16:00'
export const blank: Fields = {
  ...{ nameAr: '', nameEn: '', periods: [], daysOff: [] },
  weekly: [...Array.from({ length: 5 }, () => OFFICE), '', ''],
}
export const fieldsOf = ({ nameAr, nameEn, weekly, periods, daysOff }: Calendar): Fields => ({
  ...{ nameAr, nameEn, daysOff },
  weekly: weekly.map(textOf),
  periods: periods.map((period) => ({
    ...{ from: period.from, to: period.to, nameAr: period.nameAr ?? '', nameEn: period.nameEn ?? '' },
    weekly: period.weekly.map(textOf),
  })),
})

const weekIn = (texts: string[]) => texts.map((text) => hoursIn(text) ?? [])
/** The fields as the portal takes them. */
const sentOf = ({ weekly, periods, ...rest }: Partial<Fields>) => ({
  ...rest,
  ...(weekly && { weekly: weekIn(weekly) }),
  ...(periods && { periods: periods.map((period) => ({ ...period, weekly: weekIn(period.weekly) })) }),
})

export async function createCalendar({ weekly, ...fields }: Fields) {
  const made = await answer(api.POST('/working-calendars', { body: { ...sentOf(fields), ...fields, periods: [], weekly: weekIn(weekly) } }))
  invalidate('/working-calendars')
  return made
}

export async function changeCalendar(id: number, body: Partial<Fields> & { isDefault?: true }, version: string | undefined) {
  const path = { path: { id } }
  const { data, response } = await api.PATCH('/working-calendars/{id}', { params: path, body: sentOf(body), headers: ifMatch(version) })
  setCached('/working-calendars/{id}', data!, path, response)
  invalidate('/working-calendars', '/service-catalogue')
  return { from: fieldsOf(data!), version: versionOf(response) }
}

/** How many due times a change would move; undefined if the portal would refuse it. */
export async function previewOf(id: number, body: Partial<Fields>): Promise<Preview | undefined> {
  return answer(api.POST('/working-calendars/{id}/preview', { params: { path: { id } }, body: sentOf(body) })).catch(() => undefined)
}

/** What keeps a calendar from being deleted. */
export interface Work {
  teams: number
  orders: number
}

/** Deletes a calendar. Returns what prevents it, if something does. */
export async function removeCalendar(id: number): Promise<Work | undefined> {
  try {
    await answer(api.DELETE('/working-calendars/{id}', { params: { path: { id } } }))
    invalidate('/working-calendars')
    return undefined
  } catch (failure) {
    if (!(failure instanceof Refusal && failure.code === 'has_dependents')) throw failure
    return { teams: Number(failure.body['teamCount']), orders: Number(failure.body['openOrderCount']) }
  }
}
