/** Explains why a person holds a role or permission, and why they see an app. */
import type { Static } from 'typebox'
import { type Guarded, type Key, keysOf } from '../../work/apps/rules.ts'
import type { Access, EffectiveAccess, RoleSource } from './shapes.ts'

export type Reason = Static<typeof Access>['reasons'][number]

/** A role, permission or group. */
export interface Ref {
  id: number
  name: string
}
/** A membership or a role held directly; `expiresAt` is null if it has no end. */
interface Held {
  expiresAt: Date | null
}
/** A role in one of the ways a person holds it; `group` is null when it is held directly. */
export interface HeldRole extends Ref, Held {
  group: Ref | null
}
export interface HeldPermission extends HeldRole {
  role: Ref
}
/** The holdings that decide what a person sees, each list by name. */
export interface Holdings {
  isActive: boolean
  roles: readonly HeldRole[]
  permissions: readonly HeldPermission[]
  groups: readonly (Ref & Held)[]
}
export type Lock = Guarded<Ref, Ref>

const roleOf = ({ id, name }: Ref) => ({ roleId: id, roleName: name })
const permissionOf = ({ id, name }: Ref) => ({ permissionId: id, permissionName: name })
const groupOf = (group: Ref | null) => (group === null ? {} : { groupId: group.id, groupName: group.name })

export const byPermission = (permission: Ref, role: Ref, group: Ref | null, expiresAt: Date | null = null): Reason => ({
  via: 'permission',
  ...permissionOf(permission),
  ...roleOf(role),
  ...groupOf(group),
  expiresAt,
})
export const byGroup = (group: Ref, expiresAt: Date | null = null): Reason => ({ via: 'group', ...groupOf(group), expiresAt })

/** The reasons why a person sees an app by this key: one for each way in which the person has the key. */
function reasonsFor(key: Key<Ref, Ref>, person: Holdings): Reason[] {
  switch (key.via) {
    case 'admin':
      return person.roles
        .filter(({ name }) => name === 'admin')
        .map(({ group, expiresAt, ...role }) => ({ via: 'admin', ...roleOf(role), ...groupOf(group), expiresAt }))
    case 'unrestricted':
      return [{ via: 'unrestricted', expiresAt: null }]
    case 'permission':
      return person.permissions
        .filter(({ id }) => id === key.permission.id)
        .map(({ role, group, expiresAt }) => byPermission(key.permission, role, group, expiresAt))
    case 'group':
      return person.groups.filter(({ id }) => id === key.group.id).map((group) => byGroup(group, group.expiresAt))
  }
}

/** The reasons why a person sees an app; none when they do not. */
export const reasonsToSee = (app: Lock, person: Holdings): Reason[] =>
  person.isActive ? keysOf(app).flatMap((key) => reasonsFor(key, person)) : []

/** The grants by which a key would show the app. Making the person an administrator is never among them. */
function grantOf(key: Key<Ref, Ref>): Reason[] {
  if (key.via === 'permission') return [{ via: 'permission', ...permissionOf(key.permission), expiresAt: null }]
  return key.via === 'group' ? [byGroup(key.group)] : []
}

/** Why a person sees an app, or what would make it visible to them. */
export function explain(app: Lock, person: Holdings): Static<typeof Access> {
  const reasons = reasonsToSee(app, person)
  const visible = reasons.length > 0
  return { visible, reasons, wouldGrant: visible || !person.isActive ? [] : keysOf(app).flatMap(grantOf) }
}

/** How a role is held. */
export const wayOf = ({ group, expiresAt }: Pick<HeldRole, 'group' | 'expiresAt'>): Static<typeof RoleSource> => ({
  ...(group === null ? { via: 'direct' } : { via: 'group', groupId: group.id, groupName: group.name }),
  expiresAt,
})

/** Merges holdings with the same id: one item for each role or permission, with every way in which it is held. */
function collect<T extends HeldRole, Way>(held: readonly T[], way: (one: T) => Way) {
  const items = new Map<number, { id: number; name: string; from: Way[] }>()
  for (const one of held) {
    const item = items.get(one.id) ?? { id: one.id, name: one.name, from: [] }
    item.from.push(way(one))
    items.set(one.id, item)
  }
  return [...items.values()]
}

export interface NamedApp {
  id: number
  slug: string
  nameAr: string
  nameEn: string
}

/** A person's roles, permissions and visible apps, each with its sources. */
export const describeAccess = (person: Holdings, apps: readonly (NamedApp & Lock)[]): Static<typeof EffectiveAccess> => ({
  roles: collect(person.roles, wayOf),
  permissions: collect(person.permissions, ({ role, ...held }) => ({ ...wayOf(held), ...roleOf(role) })),
  apps: apps.map((app) => ({ ...app, reasons: reasonsToSee(app, person) })).filter(({ reasons }) => reasons.length),
})
