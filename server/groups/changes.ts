import { Type } from 'typebox'
import { type Event, type History, kind } from '../platform/changes/change-kind.ts'
import type { Tx } from '../platform/database/db.ts'
import { hasMoved, noMoves } from '../platform/database/sets.ts'
import { membersOf } from './queries.ts'
import { countsOf, type GroupMoves, type GroupSets, type MemberKind, memberOf, nothingMoves, parts } from './rules.ts'

const ids = Type.Array(Type.Integer())
const sets = { userIds: ids, roleIds: ids, appIds: ids }
const Moves = Type.Object({ added: ids, removed: ids })
const Updated = Type.Object({
  changed: Type.Record(Type.String(), Type.Unknown()),
  moves: Type.Object({ users: Moves, roles: Moves, apps: Moves }),
})
const Member = Type.Object({ part: Type.Unsafe<MemberKind>(Type.String()), memberId: Type.Integer() })
const Created = Type.Object({ name: Type.String(), ...sets })
const Deleted = Type.Object({
  name: Type.String(),
  descriptionAr: Type.Optional(Type.String()),
  descriptionEn: Type.Optional(Type.String()),
  ...sets,
  isForced: Type.Boolean(),
})

/** The gains and losses of a group's sets, as histories of the group and of each person who joined or left. */
function histories(group: number, moves: GroupMoves): History[] {
  return [
    ...parts.filter((part) => hasMoved(moves[part])).map((part): History => ({ kind: `group.${part}`, target: group, ...moves[part] })),
    ...moves.users.added.map((target): History => ({ kind: 'user.groups', target, added: [group], removed: [] })),
    ...moves.users.removed.map((target): History => ({ kind: 'user.groups', target, added: [], removed: [group] })),
  ]
}

type Direction = 'added' | 'removed'
const all = (direction: Direction, ids: number[]) => ({ ...noMoves, [direction]: ids })
const whole = (direction: Direction, { userIds, roleIds, appIds }: GroupSets): GroupMoves => ({
  users: all(direction, userIds),
  roles: all(direction, roleIds),
  apps: all(direction, appIds),
})
const one = (direction: Direction, { part, memberId }: { part: MemberKind; memberId: number }): GroupMoves => ({
  ...nothingMoves,
  [part]: all(direction, [memberId]),
})

const told = (event: 'apps_changed' | 'me_changed', to: number[]): Event => ({ event, data: {}, to })
const bothTold = (to: number[]) => [told('apps_changed', to), told('me_changed', to)]

/** Events for the people who joined or left, and for every member if their apps, their roles or the group's texts changed. */
async function moved(tx: Tx, group: number, moves: GroupMoves, isDescribedAnew = false) {
  const cameAndWent = [...moves.users.added, ...moves.users.removed]
  const isOfRoles = hasMoved(moves.roles)
  const isOfApps = isOfRoles || hasMoved(moves.apps)
  const all = isOfApps || isDescribedAnew ? [...(await membersOf(tx, group)), ...cameAndWent] : []
  return [told('apps_changed', isOfApps ? all : cameAndWent), told('me_changed', isOfRoles || isDescribedAnew ? all : cameAndWent)]
}
const described = ['name', 'descriptionAr', 'descriptionEn']

export const groupChanges = {
  'group.created': kind({
    targetType: 'group',
    facts: Created,
    audits: () => ({ action: 'group.create' }),
    histories: ({ targetId, facts }) => histories(targetId, whole('added', facts)),
    notifies: 'nobody',
    emits: (_tx, { facts }) => bothTold(facts.userIds),
  }),
  'group.updated': kind({
    targetType: 'group',
    facts: Updated,
    audits: ({ facts: { changed } }) => ({ action: 'group.update', metadata: { changed } }),
    histories: ({ targetId, facts }) => histories(targetId, facts.moves),
    notifies: 'nobody',
    emits: (tx, { targetId, facts }) =>
      moved(
        tx,
        targetId,
        facts.moves,
        described.some((field) => field in facts.changed),
      ),
  }),
  'group.member_added': kind({
    targetType: 'group',
    facts: Member,
    audits: ({ facts: { part, memberId } }) => ({ action: 'group.member.add', metadata: { [memberOf[part]]: memberId } }),
    histories: ({ targetId, facts }) => histories(targetId, one('added', facts)),
    notifies: 'nobody',
    emits: (tx, { targetId, facts }) => moved(tx, targetId, one('added', facts)),
  }),
  'group.member_removed': kind({
    targetType: 'group',
    facts: Member,
    audits: ({ facts: { part, memberId } }) => ({ action: 'group.member.remove', metadata: { [memberOf[part]]: memberId } }),
    histories: ({ targetId, facts }) => histories(targetId, one('removed', facts)),
    notifies: 'nobody',
    emits: (tx, { targetId, facts }) => moved(tx, targetId, one('removed', facts)),
  }),
  /** A restored group has no members, so there is nobody to tell. */
  'group.restored': kind({
    targetType: 'group',
    facts: Type.Object({ name: Type.String(), undoes: Type.Integer() }),
    audits: () => ({ action: 'group.restore' }),
    histories: 'nothing',
    notifies: 'nobody',
    emits: 'nothing',
  }),
  'group.deleted': kind({
    targetType: 'group',
    facts: Deleted,
    audits: ({ facts: { isForced, userIds, roleIds, appIds, ...names } }) => ({
      action: isForced ? 'group.force_delete' : 'group.delete',
      metadata: { ...names, ...countsOf({ userIds, roleIds, appIds }) },
    }),
    histories: ({ targetId, facts }) => histories(targetId, whole('removed', facts)),
    notifies: 'nobody',
    emits: (_tx, { facts }) => bothTold(facts.userIds),
  }),
}
