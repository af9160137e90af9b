import { Type } from 'typebox'
import { type Event, type History, kind } from '../../platform/changes/change-kind.ts'
import type { Tx } from '../../platform/database/db.ts'
import { holdersOfRole } from './queries.ts'

const ids = Type.Array(Type.Integer())
const Changed = Type.Record(Type.String(), Type.Object({ from: Type.Unknown(), to: Type.Unknown() }))
const WithName = Type.Object({ name: Type.String() })
const texts = { descriptionAr: Type.Optional(Type.String()), descriptionEn: Type.Optional(Type.String()) }
const OnePermission = Type.Object({ permissionId: Type.Integer(), permissionName: Type.String() })
const quiet = { emits: 'nothing' } as const

const holdersSeeOtherApps = async (tx: Tx, { targetId }: { targetId: number }): Promise<Event[]> => [
  { event: 'apps_changed', data: {}, to: await holdersOfRole(tx, targetId) },
]
const historyOf = ({ targetId: target }: { targetId: number }, added: number[], removed: number[]): History => ({
  kind: 'role.permissions',
  target,
  added,
  removed,
})

/** Puts the old and the new name of a renamed role into fields of their own, so that the log can be searched for either. */
function renaming({ name }: Record<string, { from: unknown; to: unknown }>) {
  return name && { renamed: true, renamedFrom: name.from, renamedTo: name.to }
}

export const roleChanges = {
  'role.created': kind({ targetType: 'role', facts: WithName, audits: () => ({ action: 'role.create' }), ...quiet }),
  'role.updated': kind({
    targetType: 'role',
    facts: Type.Object({ changed: Changed }),
    audits: ({ facts: { changed } }) => ({ action: 'role.update', metadata: { changed, ...renaming(changed) } }),
    emits: async (tx, { targetId, facts: { changed } }) =>
      changed['name'] ? [{ event: 'me_changed', data: {}, to: await holdersOfRole(tx, targetId) }] : [],
  }),
  /** Only a role that nobody holds can be deleted, so nobody loses an app. */
  'role.deleted': kind({
    targetType: 'role',
    facts: Type.Object({ name: Type.String(), ...texts, permissionIds: ids }),
    audits: () => ({ action: 'role.delete' }),
    histories: (change) => (change.facts.permissionIds.length ? [historyOf(change, [], change.facts.permissionIds)] : []),
    emits: 'nothing',
    settles: ({ targetId }) => [{ relatedType: 'role', relatedId: targetId }],
  }),
  'role.restored': kind({
    targetType: 'role',
    facts: Type.Object({ name: Type.String(), permissionIds: ids, undoes: Type.Integer() }),
    audits: () => ({ action: 'role.restore' }),
    histories: (change) => (change.facts.permissionIds.length ? [historyOf(change, change.facts.permissionIds, [])] : []),
    emits: 'nothing',
  }),
  /** Recorded on every call, even when the set stays the same. */
  'role.permissions_replaced': kind({
    targetType: 'role',
    facts: Type.Object({
      /** The names of all permissions in the fields below, by id. */
      permissionNames: Type.Record(Type.String(), Type.String()),
      previousPermissionIds: ids,
      newPermissionIds: ids,
      addedPermissionIds: ids,
      removedPermissionIds: ids,
    }),
    audits: () => ({ action: 'role.permissions.replace' }),
    histories: (change) => [historyOf(change, change.facts.addedPermissionIds, change.facts.removedPermissionIds)],
    emits: async (tx, change) => {
      const { addedPermissionIds, removedPermissionIds } = change.facts
      return addedPermissionIds.length || removedPermissionIds.length ? holdersSeeOtherApps(tx, change) : []
    },
  }),
  'role.permission_added': kind({
    targetType: 'role',
    facts: OnePermission,
    audits: () => ({ action: 'role.permission.add' }),
    histories: (change) => [historyOf(change, [change.facts.permissionId], [])],
    emits: holdersSeeOtherApps,
  }),
  'role.permission_removed': kind({
    targetType: 'role',
    facts: OnePermission,
    audits: () => ({ action: 'role.permission.remove' }),
    histories: (change) => [historyOf(change, [], [change.facts.permissionId])],
    emits: holdersSeeOtherApps,
  }),
  'permission.created': kind({ targetType: 'permission', facts: WithName, audits: () => ({ action: 'permission.create' }), ...quiet }),
  'permission.updated': kind({
    targetType: 'permission',
    facts: Type.Object({ changed: Changed }),
    audits: () => ({ action: 'permission.update' }),
    ...quiet,
  }),
  'permission.restored': kind({
    targetType: 'permission',
    facts: Type.Object({ name: Type.String(), undoes: Type.Integer() }),
    audits: () => ({ action: 'permission.restore' }),
    ...quiet,
  }),
  'permission.deleted': kind({
    targetType: 'permission',
    facts: Type.Object({ name: Type.String(), ...texts }),
    audits: () => ({ action: 'permission.delete' }),
    ...quiet,
  }),
}
