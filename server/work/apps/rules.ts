import type { Actor } from '../../platform/auth/actor.ts'
import { fieldError } from '../../platform/errors/field-errors.ts'
import { refuseField, refuseFields } from '../../platform/errors/refusal.ts'
import type { OpenMode } from '../../platform/tables.ts'

/** The data that decide who sees an app. By default, permissions are names and groups are ids. */
export interface Guarded<Permission = string, Group = number> {
  isActive: boolean
  /** A person with any of these permissions sees the app; without permissions in the list, everybody does. */
  permissions: readonly Permission[]
  /** Members of these groups see the app. */
  groups: readonly Group[]
}

/** The reason why someone sees an app: the role `admin`, no restriction, a permission, or a group. */
export type Key<Permission, Group> =
  | { via: 'admin' }
  | { via: 'unrestricted' }
  | { via: 'permission'; permission: Permission }
  | { via: 'group'; group: Group }

/**
 * The keys of an app: each one suffices to see it; an inactive app has no keys. The database has this rule for all people at once, in
 * `app_openings`.
 */
export function keysOf<Permission, Group>({ isActive, permissions, groups }: Guarded<Permission, Group>): Key<Permission, Group>[] {
  if (!isActive) return []
  return [
    { via: 'admin' },
    ...(permissions.length ? [] : [{ via: 'unrestricted' } as const]),
    ...permissions.map((permission) => ({ via: 'permission', permission }) as const),
    ...groups.map((group) => ({ via: 'group', group }) as const),
  ]
}

type Viewer = Pick<Actor, 'isAdmin' | 'can'> & { access: Pick<Actor['access'], 'groupIds'> }

function has(viewer: Viewer, key: Key<string, number>) {
  if (key.via === 'admin') return viewer.isAdmin
  if (key.via === 'permission') return viewer.can(key.permission)
  return key.via === 'unrestricted' || viewer.access.groupIds.has(key.group)
}

/** Whether an app is on a person's launcher. */
export const sees = (app: Guarded, viewer: Viewer) => keysOf(app).some((key) => has(viewer, key))

/** Whether a person may look an app up; administrators may also look up inactive ones. */
export const mayRead = (app: Guarded, actor: Viewer) => actor.isAdmin || sees(app, actor)

/** The apps in a person's own order; those left out follow in their former order. */
export function inOwnOrder<A extends { id: number }>(apps: readonly A[], order: readonly number[]) {
  const rank = new Map(order.map((id, index) => [id, index]))
  const rankOf = ({ id }: A) => rank.get(id) ?? order.length
  return order.length ? apps.toSorted((one, other) => rankOf(one) - rankOf(other)) : apps
}

/** Refuses an order that names an app the person does not see. */
export function checkOrder(visible: readonly { id: number }[], order: readonly number[]) {
  const known = new Set(visible.map(({ id }) => id))
  const unknownIds = order.filter((id) => !known.has(id))
  if (unknownIds.length) refuseFields([fieldError(`order.${order.indexOf(unknownIds[0]!)}`, 'exists')], { unknownIds })
}

/** Refuses an address that is no URL, and an external app without an address. */
export function checkAddress({ openMode, externalUrl }: { openMode?: OpenMode; externalUrl?: string | null }) {
  if (externalUrl && !URL.canParse(externalUrl)) refuseField('externalUrl', 'pattern', { form: 'url' })
  if (openMode && openMode !== 'internal' && !externalUrl) refuseField('externalUrl', 'required')
}

/** The people who see an app. */
export type Viewers = number[] | 'everyone'

/** The union of two sets of people. */
export const inEither = (one: Viewers, other: Viewers): Viewers =>
  one === 'everyone' || other === 'everyone' ? 'everyone' : [...new Set([...one, ...other])]
