/** Explains why a person holds a role or permission, and why they see an app. */
import type { Static } from 'typebox'
import type { Access, EffectiveAccess } from './shapes.ts'

type Reason = Static<typeof Access>['reasons'][number]

/** A role in one of the ways a person holds it; `groupName` is null when it is held directly. */
export interface HeldRole {
  id: number
  name: string
  groupName: string | null
}
export interface HeldPermission extends HeldRole {
  roleName: string
}
/** What decides what a person sees, each list by name. */
export interface Holdings {
  isActive: boolean
  roles: readonly HeldRole[]
  permissions: readonly HeldPermission[]
  groupNames: readonly string[]
}
/** What decides who sees an app. */
export interface Lock {
  isActive: boolean
  permissionNames: readonly string[]
  groupNames: readonly string[]
}

const byGroup = (groupName: string | null) => (groupName === null ? {} : { groupName })

/** The reasons why a person sees an app; none when they do not. */
export function reasonsToSee(app: Lock, person: Holdings): Reason[] {
  if (!app.isActive || !person.isActive) return []
  return [
    ...person.roles
      .filter(({ name }) => name === 'admin')
      .map(({ name, groupName }) => ({ via: 'admin' as const, roleName: name, ...byGroup(groupName) })),
    ...(app.permissionNames.length ? [] : [{ via: 'unrestricted' as const }]),
    ...person.permissions
      .filter(({ name }) => app.permissionNames.includes(name))
      .map(({ name, roleName, groupName }) => ({ via: 'permission' as const, permissionName: name, roleName, ...byGroup(groupName) })),
    ...person.groupNames.filter((name) => app.groupNames.includes(name)).map((groupName) => ({ via: 'group' as const, groupName })),
  ]
}

/** Why a person sees an app, or what would make it visible to them. */
export function explain(app: Lock, person: Holdings): Static<typeof Access> {
  const reasons = reasonsToSee(app, person)
  const visible = reasons.length > 0
  const isHopeless = visible || !app.isActive || !person.isActive
  const wouldGrant: Reason[] = [
    ...app.permissionNames.map((permissionName) => ({ via: 'permission' as const, permissionName })),
    ...app.groupNames.map((groupName) => ({ via: 'group' as const, groupName })),
  ]
  return { visible, reasons, wouldGrant: isHopeless ? [] : wouldGrant }
}

const wayOf = (groupName: string | null) => (groupName === null ? { via: 'direct' as const } : { via: 'group' as const, groupName })

/** Groups by id: one item for each role or permission, with every way in which it is held. */
function collect<T extends HeldRole, Way>(held: readonly T[], way: (one: T) => Way) {
  const items = new Map<number, { id: number; name: string; from: Way[] }>()
  for (const one of held) {
    const item = items.get(one.id) ?? { id: one.id, name: one.name, from: [] }
    item.from.push(way(one))
    items.set(one.id, item)
  }
  return [...items.values()]
}

interface NamedApp {
  id: number
  slug: string
  nameAr: string
  nameEn: string
}

/** A person's roles, permissions and visible apps, each with its sources. */
export const describeAccess = (person: Holdings, apps: readonly (NamedApp & Lock)[]): Static<typeof EffectiveAccess> => ({
  roles: collect(person.roles, ({ groupName }) => wayOf(groupName)),
  permissions: collect(person.permissions, ({ roleName, groupName }) => ({ ...wayOf(groupName), roleName })),
  apps: apps.map((app) => ({ ...app, reasons: reasonsToSee(app, person) })).filter(({ reasons }) => reasons.length),
})
