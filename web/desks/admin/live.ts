/** Reloads records that other administrators change, at most every two seconds. */
import { onEvent } from '../../platform/live.ts'
import { invalidateOften, invalidateRecordOften } from '../../platform/often.ts'
import type { Readable } from '../../platform/readable.ts'

const access: Readable[] = ['/users/{id}/effective-access']
/** Everything that shows which groups and roles people have. */
const people: Readable[] = [
  '/users',
  '/admin/tokens',
  '/service-accounts',
  '/service-accounts/{id}',
  '/service-accounts/{id}/tokens',
  '/roles/{id}/holders',
  '/apps/{id}/audience',
  ...access,
]
const everyPerson: Readable[] = ['/users/{id}', '/users/{id}/audit']

interface Shown {
  /** What shows the changed record alone. */
  record?: Readable[]
  /** What also shows it beside further records. */
  all: Readable[]
}

/** The resources that show each kind of record. Services and settings have their own events. */
const shownBy: Partial<Record<string, Shown>> = {
  user: {
    record: [...everyPerson, '/users/{id}/factors', '/users/{id}/provisioning', '/users/{id}/identities'],
    all: [...people, '/users/{id}/manager', '/admin/sign-in/requirements', '/admin/sign-in/without-factor'],
  },
  group: {
    record: ['/groups/{id}', '/groups/{id}/members', '/groups/{id}/audit', '/groups/{id}/request-policy', '/groups/{id}/provisioning'],
    all: ['/groups', ...people, ...everyPerson],
  },
  role: { record: ['/roles/{id}', '/roles/{id}/permissions', '/roles/{id}/audit'], all: ['/roles', ...people, ...everyPerson] },
  permission: { record: ['/permissions/{id}'], all: ['/permissions'] },
  app: {
    record: ['/apps/{id}', '/apps/{id}/access', '/apps/{id}/dependents/groups', '/apps/{id}/audience', '/apps/{id}/audit'],
    all: ['/admin/apps', ...access],
  },
  app_order: { all: ['/admin/apps'] },
  provider: { record: ['/admin/sign-in/providers/{id}'], all: ['/admin/sign-in/providers', '/admin/sign-in/requirements'] },
  sign_in_settings: { all: ['/admin/sign-in/settings'] },
}

function follow({ targetType, targetId }: { targetType: string; targetId: number | null }) {
  const { record = [], all = [] } = shownBy[targetType] ?? {}
  invalidateOften('/admin/audit-logs', ...all)
  if (targetId === null) invalidateOften(...record)
  else invalidateRecordOften(targetId, ...record)
}

/** Begins to follow the changes; returns a function that stops this. */
export function followAdmins() {
  const ends = [
    onEvent('admin_changed', follow),
    // The code of the first page does not reload these, because only administrators see them.
    onEvent('services_changed', () => invalidateOften('/working-calendars', '/working-calendars/{id}', '/groups/{id}/dependents/services')),
  ]
  return () => {
    for (const end of ends) end()
  }
}
