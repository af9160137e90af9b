/** Statistics of orders by service and by day. */
import { resource } from '../../../platform/cache.ts'
import type { Schemas } from '../../../platform/client.ts'
import { formatNumber, listed } from '../../../platform/language.ts'
import { at } from '../../../platform/router.ts'

export type Report = Schemas['ServiceReport']
export type ServiceFigures = Schemas['ServiceFigures']
export type Figures = Schemas['OrderFigures']

export interface ReportFilter {
  from: string
  to: string
  teamId?: number | undefined
}
const queryOf = ({ from, to, teamId }: ReportFilter) => ({ from, to, ...(teamId !== undefined && { teamId }) })
export const reportOf = (filter: ReportFilter) => resource('/service-reports', { query: queryOf(filter) })

/** The address of a CSV file with the orders of a service. */
export const fileOf = (serviceId: number, filter: ReportFilter) =>
  at(`/api/service-reports/orders.csv?${new URLSearchParams({ ...queryOf(filter), serviceId } as unknown as Record<string, string>)}`)

/** A share as "96%"; '' if there are no orders to count. */
export const share = ({ count, base }: Figures['completedInTime']) => (base ? formatNumber(count / base, { style: 'percent' }) : '')

/** A duration as "1 hr, 30 min"; '' for null, if there are no orders to measure. */
export function workingTime(minutes: number | null) {
  if (minutes === null) return ''
  const whole = Math.round(minutes)
  const [hours, rest] = [Math.floor(whole / 60), whole % 60]
  const of = (count: number, unit: 'hour' | 'minute') => formatNumber(count, { style: 'unit', unit, unitDisplay: 'short' })
  return listed([...(hours > 0 ? [of(hours, 'hour')] : []), ...(rest > 0 || hours === 0 ? [of(rest, 'minute')] : [])])
}
