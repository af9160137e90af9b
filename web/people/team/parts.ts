/** In which part of the page an order stands. */
import { dueOf } from '../../parts/show/due/due-of.ts'
import type { Schemas } from '../../platform/client.ts'

export type Row = Schemas['OrderWithDetails']
/** The data that decide in which part an order stands. */
interface Placed {
  order: Pick<Row['order'], 'id' | 'status' | 'updatedAt'>
  details: Pick<Row['details'], 'times' | 'progress'>
}

/** The most urgent part first. */
export const parts = ['late', 'unclaimed', 'waiting', 'work', 'later'] as const
export type PartName = (typeof parts)[number]

function partOf({ order, details }: Placed, now: Date): PartName {
  if (dueOf(order, details.times, now)?.isLate) return 'late'
  if (details.progress === 'later') return 'later'
  if (order.status === 'pending') return 'unclaimed'
  return details.progress === 'waiting' ? 'waiting' : 'work'
}

/** The orders of several lists by part, each once: if an order changed between two answers, its newer state counts. */
export function intoParts<R extends Placed>(rows: readonly R[], now: Date): Map<PartName, R[]> {
  const newest = new Map<number, R>()
  for (const row of rows) {
    const known = newest.get(row.order.id)
    if (!known || known.order.updatedAt <= row.order.updatedAt) newest.set(row.order.id, row)
  }
  return Map.groupBy(newest.values(), (row) => partOf(row, now))
}
