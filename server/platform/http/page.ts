/** Paging and spans of days, as all lists use them. */
import { refuseField } from '../errors/refusal.ts'

/** The requested part of a list. */
export interface Page {
  limit?: number
  offset?: number
}

export const isWhole = ({ limit, offset }: Page) => limit === undefined && offset === undefined

/** The requested part of a list, in batches that are read only as far as needed; without a limit, all after `offset`. */
export async function* partOf<T>(batches: AsyncIterable<T[]>, { limit = Number.POSITIVE_INFINITY, offset = 0 }: Page) {
  let [skipped, given] = [0, 0]
  for await (const batch of batches) {
    const from = Math.min(offset - skipped, batch.length)
    skipped += from
    const some = batch.slice(from, from + limit - given)
    given += some.length
    yield some
    if (given >= limit) return
  }
}

/** The count of each status, even of those without rows, and the total of all statuses or of `only`. */
export function countsOf<S extends string>(statuses: readonly S[], rows: readonly { status: S; count: number }[], only?: S) {
  const counts = Object.fromEntries(statuses.map((status) => [status, 0])) as Record<S, number>
  for (const { status, count } of rows) counts[status] = count
  return { counts, total: only ? counts[only] : rows.reduce((sum, { count }) => sum + count, 0) }
}

export function pageOf<N extends string, T>(name: N, items: T[], totalCount: number, { limit = 0, offset = 0 }: Page) {
  const end = offset + items.length
  return { [name]: items, totalCount, limit, offset, nextOffset: end < totalCount && items.length > 0 ? end : null } as Record<N, T[]> & {
    totalCount: number
    limit: number
    offset: number
    nextOffset: number | null
  }
}

/** Whether a `YYYY-MM-DD` text is a day of the calendar. */
export function isCalendarDate(text: string) {
  const day = new Date(`${text}T00:00:00Z`)
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) && day.getUTCFullYear() > 0
}

/** The moment in a field of a request. Refuses one that the calendar does not have. */
export function momentIn(text: string, path: string) {
  const moment = new Date(text)
  const isReal = isCalendarDate(text.slice(0, 10)) && !Number.isNaN(moment.getTime())
  return isReal ? moment : refuseField(path, 'pattern', { form: 'moment' })
}

export const DAY_MS = 24 * 3600 * 1000

/**
 * The half-open span of moments that covers the UTC days from `from` to `to`, both inclusive and optional. Refuses inverted
 * ranges.
 */
export function daySpan({ from, to }: { from?: string; to?: string }): { start: Date | null; end: Date | null } {
  if (from !== undefined && to !== undefined && from > to) refuseField('from', 'order')
  return { start: from ? new Date(`${from}T00:00:00Z`) : null, end: to ? new Date(Date.parse(`${to}T00:00:00Z`) + DAY_MS) : null }
}
