import { Type } from 'typebox'
import { type Audit, type Event, given, type History, kind, NewOrder } from '../../platform/changes/change-kind.ts'
import type { Tx } from '../../platform/database/db.ts'
import { viewersOf } from './queries.ts'
import { inEither, type Viewers } from './rules.ts'

const ids = Type.Array(Type.Integer())
const names = { slug: Type.String(), nameAr: Type.String(), nameEn: Type.String() }
const OnePermission = Type.Object({ permissionId: Type.Integer(), permissionName: Type.String() })

/** The people who saw an app before a change, because they cannot be found afterwards and need the event even if they lost the app. */
const viewersBefore = { recipients: given<Viewers>() }
interface OfViewers {
  targetId: number
  recipients: Viewers
}
const seenByOthers = async (tx: Tx, { targetId, recipients }: OfViewers): Promise<Event[]> => [
  { event: 'apps_changed', data: {}, to: inEither(recipients, await viewersOf(tx, targetId)) },
]
const permissionsMoved = (target: number, added: number[], removed: number[]): History[] =>
  added.length + removed.length ? [{ kind: 'app.permissions', target, added, removed }] : []
const groupsMoved = (app: number, { added, removed }: { added: number[]; removed: number[] }) => [
  ...added.map((target): History => ({ kind: 'group.apps', target, added: [app], removed: [] })),
  ...removed.map((target): History => ({ kind: 'group.apps', target, added: [], removed: [app] })),
]
const permissionAdded = (metadata: { permissionId: number; permissionName: string }): Audit => ({ action: 'app.permission.add', metadata })

export const appChanges = {
  'app.created': kind({
    targetType: 'app',
    facts: Type.Object({ ...names, permissions: Type.Array(OnePermission) }),
    audits: ({ facts: { permissions, ...app } }) => [{ action: 'app.create', metadata: app }, ...permissions.map(permissionAdded)],
    histories: ({ targetId, facts }) =>
      permissionsMoved(
        targetId,
        facts.permissions.map(({ permissionId }) => permissionId),
        [],
      ),
    emits: async (tx, { targetId }) => [{ event: 'apps_changed', data: {}, to: await viewersOf(tx, targetId) }],
  }),
  'app.updated': kind({
    targetType: 'app',
    texts: [
      'nameAr',
      'nameEn',
      'descriptionAr',
      'descriptionEn',
      'iconName',
      'imageUrl',
      'color',
      'route',
      'externalUrl',
      'openMode',
      'sortOrder',
    ],
    needs: viewersBefore,
    facts: Type.Object({ changed: Type.Record(Type.String(), Type.Unknown()) }),
    audits: () => ({ action: 'app.update' }),
    // Only `isActive` changes the people who see the app.
    emits: (tx, change) =>
      'isActive' in change.facts.changed ? seenByOthers(tx, change) : [{ event: 'apps_changed', data: {}, to: change.recipients }],
  }),
  'app.deleted': kind({
    targetType: 'app',
    needs: viewersBefore,
    facts: Type.Object({
      ...names,
      permissionIds: ids,
      groupIds: ids,
      dependents: Type.Object({ groupCount: Type.Integer(), restrictionCount: Type.Integer(), openCount: Type.Integer() }),
      isForced: Type.Boolean(),
    }),
    audits: ({ facts: { slug, nameAr, nameEn, dependents, isForced } }) => ({
      action: isForced ? 'app.force_delete' : 'app.delete',
      metadata: { slug, nameAr, nameEn, ...dependents },
    }),
    histories: ({ targetId, facts: { permissionIds, groupIds } }) => [
      ...permissionsMoved(targetId, [], permissionIds),
      ...groupsMoved(targetId, { added: [], removed: groupIds }),
    ],
    emits: (_tx, { recipients }) => [{ event: 'apps_changed', data: {}, to: recipients }],
  }),
  'app.access_replaced': kind({
    targetType: 'app',
    needs: viewersBefore,
    facts: Type.Object({
      changed: Type.Record(Type.String(), Type.Unknown()),
      permissions: Type.Object({ added: ids, removed: ids }),
      groups: Type.Object({ added: ids, removed: ids }),
    }),
    audits: ({ facts: { changed } }) => ({ action: 'app.access.replace', metadata: { changed } }),
    histories: ({ targetId, facts: { permissions, groups } }) => [
      ...permissionsMoved(targetId, permissions.added, permissions.removed),
      ...groupsMoved(targetId, groups),
    ],
    emits: seenByOthers,
  }),
  'app.restored': kind({
    targetType: 'app',
    facts: Type.Object({ ...names, undoes: Type.Integer() }),
    audits: () => ({ action: 'app.restore' }),
    emits: async (tx, { targetId }) => [{ event: 'apps_changed', data: {}, to: await viewersOf(tx, targetId) }],
  }),
  'app.permission_added': kind({
    targetType: 'app',
    needs: viewersBefore,
    facts: OnePermission,
    audits: ({ facts }) => permissionAdded(facts),
    histories: ({ targetId, facts }) => permissionsMoved(targetId, [facts.permissionId], []),
    emits: seenByOthers,
  }),
  'app.permission_removed': kind({
    targetType: 'app',
    needs: viewersBefore,
    facts: OnePermission,
    audits: () => ({ action: 'app.permission.remove' }),
    histories: ({ targetId, facts }) => permissionsMoved(targetId, [], [facts.permissionId]),
    emits: seenByOthers,
  }),
  /** Accompanied by an `app.moved` for each app whose place changed. */
  'app_order.changed': kind({
    targetType: 'app',
    facts: NewOrder,
    audits: () => ({ action: 'app.reorder' }),
    emits: () => [{ event: 'apps_changed', data: {}, to: 'everyone' }],
  }),
  'app.moved': kind({
    targetType: 'app',
    facts: Type.Object({}),
    audits: 'nothing',
    emits: 'nothing',
  }),
  /** A person reordered the apps of their own launcher. */
  'apps.reordered': kind({
    targetType: 'user',
    isGathered: true,
    facts: Type.Object({ order: ids }),
    audits: 'nothing',
    emits: (_tx, { targetId }) => [{ event: 'me_changed', data: {}, to: [targetId] }],
  }),
}
