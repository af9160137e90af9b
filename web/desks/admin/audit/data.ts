import { resource } from '../../../platform/cache.ts'
import type { Schemas } from '../../../platform/client.ts'
import { answer, api } from '../../../platform/client.ts'

export type Verification = Schemas['LedgerVerification']
const PAGE = 100
/** The maximum number of rows in an export. */
export const MOST_EXPORTED = 50_000

/** The filters of the address, as the portal accepts them. */
export interface Filters {
  q?: string
  action?: string[]
  actorUserId?: number
  targetType?: string
  targetId?: number
  from?: string
  to?: string
  forcedOnly?: boolean
}

/** The newest entries, or those older than `before`. */
export const logPage = (filters: Filters, before?: number) =>
  resource('/admin/audit-logs', { query: { ...filters, limit: PAGE, ...(before && { before }) } })
export const logOfAll = resource('/admin/audit-logs', { query: { limit: 1 } })
export const newestSeal = resource('/admin/audit-logs/seal')
export const health = resource('/admin/health')
export const person = (id: number) => resource('/users/{id}', { path: { id } })
export const findPeople = (q: string) => answer(api.GET('/users', { params: { query: { q, limit: 20 } } }))

/** The maximum number of seals that one call checks. */
const PORTION = 1000
export const verify = (from: number, seal?: string) =>
  answer(api.GET('/admin/audit-logs/verify', { params: { query: { from, limit: PORTION, ...(seal && { seal }) } } }))
