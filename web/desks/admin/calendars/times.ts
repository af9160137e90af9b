/** The hours and days of a calendar, as its form edits them. */
import { plus, weekdayOf } from '../../../parts/forms/calendar/days.ts'
import type { DayOff, Hours, Period, Weekly } from './data.ts'

export const MOST_HOURS = 4

const timeAt = (minutes: number) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
const minutesAt = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/**
 * Proposes further hours of a day: four hours after an hour of rest, until midnight at the latest; 08:00 to 16:00 for a day without hours.
 */
export function further(hours: readonly Hours[]): Hours {
  const last = hours.at(-1)
  if (!last) return { from: '08:00', to: '16:00' }
  const from = Math.min(minutesAt(last.to) + 60, 23 * 60)
  return { from: timeAt(from), to: timeAt(Math.min(from + 240, 24 * 60)) }
}

/** Copies the hours of a day to all days that have hours. */
export const copied = (weekly: Weekly, day: number): Weekly => weekly.map((hours) => (hours.length > 0 ? weekly[day]! : hours))

/** A period of 30 days with the hours `weekly`. It begins after the last period, and not before today. */
export function nextPeriod(periods: readonly Period[], weekly: Weekly, today: string): Period {
  const last = periods.reduce((latest, { to }) => (to > latest ? to : latest), plus(today, -1))
  return { from: plus(last, 1), to: plus(last, 30), nameAr: null, nameEn: null, weekly }
}

/** Whether a day has no hours, by the period that it is in or else by the week. */
export function isClosed(day: string, weekly: Weekly, periods: readonly Period[]) {
  const period = periods.find(({ from, to }) => from <= day && day <= to)
  return (period?.weekly ?? weekly)[weekdayOf(day)]!.length === 0
}

/** Adds or removes a day off. A new day takes the names of the day off beside it, because a feast may last several days. */
export function toggled(days: readonly DayOff[], date: string): DayOff[] {
  if (days.some((day) => day.date === date)) return days.filter((day) => day.date !== date)
  const beside = days.find((day) => day.date === plus(date, -1)) ?? days.find((day) => day.date === plus(date, 1))
  const added = { date, nameAr: beside?.nameAr ?? null, nameEn: beside?.nameEn ?? null }
  return [...days, added].toSorted((one, other) => (one.date < other.date ? -1 : 1))
}
