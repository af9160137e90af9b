/** Explains why a person holds a role or permission, and why they see an app. */
import type { Static } from 'typebox'
import { type Guarded, type Key, keysOf } from '../apps/rules.ts'
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
const byGroup = (groupName: string | null) => (groupName === null ? {} : { groupName })

export type Lock = Guarded<string>

/** Each way in which a person has a key. */
function reasonsFor(key: Key<string>, person: Holdings): Reason[] {
  switch (key.via) {
    case 'admin':
      return person.roles
        .filter(({ name }) => name === 'admin')
        .map(({ name, groupName }) => ({ via: 'admin', roleName: name, ...byGroup(groupName) }))
    case 'unrestricted':
      return [{ via: 'unrestricted' }]
    case 'permission':
      return person.permissions
        .filter(({ name }) => name === key.permission)
        .map(({ name, roleName, groupName }) => ({ via: 'permission', permissionName: name, roleName, ...byGroup(groupName) }))
    case 'group':
      return person.groupNames.includes(key.group) ? [{ via: 'group', groupName: key.group }] : []
  }
}

/** The reasons why a person sees an app; none when they do not. */
export const reasonsToSee = (app: Lock, person: Holdings): Reason[] =>
  person.isActive ? keysOf(app).flatMap((key) => reasonsFor(key, person)) : []

/** What may be granted to show the app. Nobody becomes an administrator for that. */
function grantOf(key: Key<string>): Reason[] {
  if (key.via === 'permission') return [{ via: 'permission', permissionName: key.permission }]
  return key.via === 'group' ? [{ via: 'group', groupName: key.group }] : []
}

/** Why a person sees an app, or what would make it visible to them. */
export function explain(app: Lock, person: Holdings): Static<typeof Access> {
  const reasons = reasonsToSee(app, person)
  const visible = reasons.length > 0
  return { visible, reasons, wouldGrant: visible || !person.isActive ? [] : keysOf(app).flatMap(grantOf) }
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
