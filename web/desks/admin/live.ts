/** Reloads records that other administrators change, at most every two seconds. */
import { onEvent } from '../../platform/live.ts'
import { invalidateOften } from '../../platform/often.ts'
import type { Readable } from '../../platform/readable.ts'

const access: Readable[] = ['/users/{id}/effective-access']
const people: Readable[] = [
  '/users',
  '/users/{id}',
  '/users/{id}/audit',
  '/admin/tokens',
  '/service-accounts',
  '/service-accounts/{id}',
  '/service-accounts/{id}/tokens',
  '/roles/{id}/holders',
  '/apps/{id}/audience',
  ...access,
]

/** The resources that show each kind of record. Services and settings have their own events. */
const shownBy: Partial<Record<string, Readable[]>> = {
  user: [
    ...people,
    '/users/{id}/factors',
    '/users/{id}/manager',
    '/users/{id}/provisioning',
    '/users/{id}/identities',
    '/admin/sign-in/requirements',
    '/admin/sign-in/without-factor',
  ],
  group: [
    '/groups',
    '/groups/{id}',
    '/groups/{id}/members',
    '/groups/{id}/audit',
    '/groups/{id}/request-policy',
    '/groups/{id}/provisioning',
    ...people,
  ],
  role: ['/roles', '/roles/{id}', '/roles/{id}/permissions', '/roles/{id}/audit', ...people],
  permission: ['/permissions', '/permissions/{id}'],
  app: [
    '/admin/apps',
    '/apps/{id}',
    '/apps/{id}/access',
    '/apps/{id}/dependents/groups',
    '/apps/{id}/audience',
    '/apps/{id}/audit',
    ...access,
  ],
  app_order: ['/admin/apps'],
  provider: ['/admin/sign-in/providers', '/admin/sign-in/providers/{id}', '/admin/sign-in/requirements'],
  sign_in_settings: ['/admin/sign-in/settings'],
}

/** Begins to follow the changes; returns a function that stops this. */
export function followAdmins() {
  const ends = [
    onEvent('admin_changed', ({ targetType }) => invalidateOften('/admin/audit-logs', ...(shownBy[targetType] ?? []))),
    // The code of the first page does not reload these, because only administrators see them.
    onEvent('services_changed', () => invalidateOften('/working-calendars', '/working-calendars/{id}', '/groups/{id}/dependents/services')),
  ]
  return () => {
    for (const end of ends) end()
  }
}
