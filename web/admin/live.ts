/** The pages of administrators read again what other administrators change; many changes in a row do not ask more than every two seconds. */
import { hear } from '../platform/live.ts'
import { invalidateOften } from '../platform/often.ts'
import type { Readable } from '../platform/readable.ts'

/** What shows records of a kind. Services and settings have events of their own. */
const shownBy: Partial<Record<string, Readable[]>> = {
  user: ['/users', '/users/{id}'],
  group: ['/groups', '/groups/{id}'],
  role: ['/roles', '/roles/{id}'],
  permission: ['/permissions', '/permissions/{id}'],
  app: ['/admin/apps', '/apps/{id}', '/apps/{id}/permissions', '/apps/{id}/dependents/groups', '/apps/{id}/audience'],
  app_order: ['/admin/apps'],
}

/** Returns what ends it. */
export const followAdmins = () =>
  hear('admin_changed', ({ targetType }) => invalidateOften('/admin/audit-logs', ...(shownBy[targetType] ?? [])))
