/** When tasks are due, by the office's day. Pure. */
import { between, plus, weekdayOf } from '../../../parts/forms/calendar/days.ts'

export const spans = ['late', 'today', 'week', 'later', 'none'] as const
export type Span = (typeof spans)[number]

/** The span that a due day falls in. A week ends on Saturday. */
export function spanOf(dueDate: string | null, today: string): Span {
  if (!dueDate) return 'none'
  if (dueDate < today) return 'late'
  if (dueDate === today) return 'today'
  return dueDate <= plus(today, 6 - weekdayOf(today)) ? 'week' : 'later'
}

/** How many days a task is late; 0 if it is not. */
export const daysLate = (dueDate: string, today: string) => Math.max(0, between(dueDate, today))

interface Task {
  id: number
  dueDate: string | null
}
/** Sorts by due day, tasks without one last. */
export const byDue = (one: Task, other: Task) =>
  (one.dueDate ?? '9999-99-99').localeCompare(other.dueDate ?? '9999-99-99') || one.id - other.id
