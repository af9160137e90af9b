/** The pages of administrators read again what other administrators change; many changes in a row do not ask more than every two seconds. */
import { hear } from '../platform/live.ts'
import { invalidateOften } from '../platform/often.ts'
import type { Readable } from '../platform/readable.ts'

const access: Readable[] = ['/users/{id}/effective-access']
const people: Readable[] = ['/users', '/users/{id}', '/users/{id}/audit', ...access]

/** What shows records of a kind. Services and settings have events of their own. */
const shownBy: Partial<Record<string, Readable[]>> = {
  user: people,
  group: ['/groups', '/groups/{id}', '/groups/{id}/members', '/groups/{id}/audit', ...people],
  role: ['/roles', '/roles/{id}', '/roles/{id}/permissions', '/roles/{id}/holders', '/roles/{id}/audit', ...people],
  permission: ['/permissions', '/permissions/{id}'],
  app: [
    '/admin/apps',
    '/apps/{id}',
    '/apps/{id}/permissions',
    '/apps/{id}/dependents/groups',
    '/apps/{id}/audience',
    '/apps/{id}/audit',
    ...access,
  ],
  app_order: ['/admin/apps'],
}

/** Returns what ends it. */
export const followAdmins = () =>
  hear('admin_changed', ({ targetType }) => invalidateOften('/admin/audit-logs', ...(shownBy[targetType] ?? [])))
