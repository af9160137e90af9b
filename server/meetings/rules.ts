import { isCalendarDate } from '../platform/page.ts'
import { type Detail, refuse } from '../platform/refusal.ts'

interface Checked {
  date: string
  startTime?: string | null
  endTime?: string | null
  titleAr?: string | null
  titleEn?: string | null
}

/** Refuses, by their fields, a day the calendar has not, an end that is not after the start, and a meeting without a title. */
export function checkMeeting({ date, startTime, endTime, titleAr, titleEn }: Checked) {
  const details: Detail[] = []
  if (!isCalendarDate(date)) details.push({ path: 'date', message: 'is not a calendar date' })
  if (startTime && endTime && endTime <= startTime) details.push({ path: 'endTime', message: 'must be after startTime' })
  if (!titleAr?.trim() && !titleEn?.trim())
    for (const path of ['titleAr', 'titleEn']) details.push({ path, message: 'is required where the other title is empty' })
  if (details.length) refuse('validation_failed', { body: { details } })
}

/** Those of an audited record's days that a change concerns. */
export const daysAround = ({ before, after }: { before: { date: string } | null; after: { date: string } | null }) => [
  ...new Set([before, after].flatMap((record) => record?.date ?? [])),
]
