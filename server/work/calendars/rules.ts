/** The validation of calendars, and the targets that a change of one would move. */
import { type Detail, fieldError } from '../../platform/errors/field-errors.ts'
import { refuseFields } from '../../platform/errors/refusal.ts'

export const MOST_CALENDARS = 20

interface Hours {
  from: string
  to: string
}
export type Weekly = Hours[][]
interface Names {
  nameAr: string | null
  nameEn: string | null
}
interface Period extends Names {
  from: string
  to: string
  weekly: Weekly
}
interface DayOff extends Names {
  date: string
}
export interface WorkingTime {
  weekly: Weekly
  periods: Period[]
  daysOff: DayOff[]
}
/** A part of a request, in which names may be omitted. */
type Given<Named extends Names> = Omit<Named, keyof Names> & { nameAr?: string | null | undefined; nameEn?: string | null | undefined }
export interface GivenTime {
  weekly?: Weekly
  periods?: Given<Period>[]
  daysOff?: Given<DayOff>[]
}

const byStart = <T extends { from: string }>(some: readonly T[]) => some.toSorted((one, other) => (one.from < other.from ? -1 : 1))
const inOrder = (weekly: Weekly): Weekly => weekly.map((hours) => byStart(hours).map(({ from, to }) => ({ from, to })))
const named = ({ nameAr, nameEn }: Partial<Names> | Given<Names>) => ({ nameAr: nameAr || null, nameEn: nameEn || null })

/** The fields of a request, sorted by time, so that equal times are stored alike. */
export const tidied = ({ weekly, periods, daysOff }: GivenTime): Partial<WorkingTime> => ({
  ...(weekly && { weekly: inOrder(weekly) }),
  ...(periods && {
    periods: byStart(periods).map((period) => ({ from: period.from, to: period.to, ...named(period), weekly: inOrder(period.weekly) })),
  }),
  ...(daysOff && {
    daysOff: daysOff.map((day) => ({ date: day.date, ...named(day) })).toSorted((one, other) => (one.date < other.date ? -1 : 1)),
  }),
})

/** The faults in the hours of a week: an end before its start, or hours that overlap. */
const faultsOfWeek = (weekly: Weekly, path: string): Detail[] =>
  weekly.flatMap((hours, day) =>
    hours.flatMap(({ from, to }, n) => {
      if (to <= from) return [fieldError(`${path}.${day}.${n}.to`, 'afterStart')]
      const overlaps = hours.some((other, m) => m < n && other.from < to && from < other.to)
      return overlaps ? [fieldError(`${path}.${day}.${n}`, 'overlap')] : []
    }),
  )

function faultsOfPeriods(periods: readonly Given<Period>[]): Detail[] {
  return periods.flatMap(({ from, to, weekly }, n) => {
    const path = `periods.${n}`
    if (from > to) return [fieldError(`${path}.from`, 'order')]
    const overlaps = periods.some((other, m) => m < n && other.from <= to && from <= other.to)
    return [...(overlaps ? [fieldError(path, 'overlap')] : []), ...faultsOfWeek(weekly, `${path}.weekly`)]
  })
}

const faultsOfDays = (days: readonly Given<DayOff>[]): Detail[] =>
  days.flatMap(({ date }, n) => (days.findIndex((other) => other.date === date) < n ? [fieldError(`daysOff.${n}`, 'overlap')] : []))

/** Refuses hours and periods that are inverted or overlap, and days that occur twice, by their places in the request. */
export function checkTimes({ weekly = [], periods = [], daysOff = [] }: GivenTime) {
  const details = [...faultsOfWeek(weekly, 'weekly'), ...faultsOfPeriods(periods), ...faultsOfDays(daysOff)]
  if (details.length) refuseFields(details)
}

export interface Target {
  orderId: number
  /** Whether the target is for claiming the order; otherwise it is for completing it. */
  isClaim: boolean
  /** Null if the moment is later than the spans that are laid out, or after a pause without an end. */
  dueAt: Date | null
}
const FIRST = 5

const keyOf = ({ orderId, isClaim }: Target) => `${orderId} ${isClaim}`
const timeOf = (moment: Date | null) => moment?.getTime() ?? Number.POSITIVE_INFINITY

/** The numbers of targets that have moved, and the first of those targets. */
export function movedTargets(targets: readonly Target[], moved: readonly Target[]) {
  const after = new Map(moved.map((target) => [keyOf(target), target.dueAt]))
  const counts = { earlier: 0, later: 0, unchanged: 0 }
  const firstOrders: { orderId: number; dueAt: Date | null; newDueAt: Date | null }[] = []
  for (const target of targets) {
    const { orderId, dueAt } = target
    const newDueAt = after.get(keyOf(target)) ?? null
    const [before, now] = [timeOf(dueAt), timeOf(newDueAt)]
    const way = now === before ? 'unchanged' : now < before ? 'earlier' : 'later'
    counts[way]++
    if (way !== 'unchanged' && firstOrders.length < FIRST) firstOrders.push({ orderId, dueAt, newDueAt })
  }
  return { ...counts, firstOrders }
}
