import { Type } from 'typebox'
import { type EndMove, EndMoves, endGiven } from '../../access/grants/rules.ts'
import { type ChangeOf, type Event, type History, kind } from '../../platform/changes/change-kind.ts'
import { hasMoved, type Moves } from '../../platform/database/sets.ts'

const ids = Type.Array(Type.Integer())
/** The ends of grants that were given or lost; `id` is the group or role. */
const ends = Type.Optional(EndMoves)
/** The import that made the change. */
const importId = Type.Optional(Type.Integer())
const Newcomer = Type.Object({
  username: Type.String(),
  email: Type.String(),
  roleIds: ids,
  groupIds: ids,
  isInvited: Type.Optional(Type.Literal(true)),
  /** The provider whose claims made the account. */
  provider: Type.Optional(Type.String()),
  importId,
})
const Updated = Type.Object({
  changed: Type.Record(Type.String(), Type.Unknown()),
  groups: Type.Object({ added: ids, removed: ids, ends }),
  /** The provider whose claims the profile follows. */
  provider: Type.Optional(Type.String()),
  importId,
})
const Replaced = Type.Object({
  changed: Type.Record(Type.String(), Type.Unknown()),
  roles: Type.Object({ added: ids, removed: ids, ends }),
})
const RoleMove = Type.Object({
  roleId: Type.Integer(),
  roleName: Type.String(),
  expiresAt: Type.Optional(Type.String()),
  ends,
  /** The review of access that took the role away. */
  accessReviewId: Type.Optional(Type.Integer()),
})
const Deleted = Type.Object({
  username: Type.String(),
  displayNameAr: Type.Optional(Type.String()),
  displayNameEn: Type.Optional(Type.String()),
  email: Type.String(),
  roleIds: ids,
  groupIds: ids,
  roleEnds: ends,
  groupEnds: ends,
  /** How many records of each kind were deleted with the person, by the names of the counts in the reply. */
  owned: Type.Record(Type.String(), Type.Integer()),
  isForced: Type.Boolean(),
})

interface GrantMoves extends Moves {
  ends?: EndMove[] | undefined
}
/** The gains and losses of a person's memberships, as histories of the person and of each group. */
function memberships(user: number, moves: GrantMoves): History[] {
  if (!hasMoved(moves)) return []
  const endsOf = (group: number) => (moves.ends ?? []).filter(({ id }) => id === group).map((end) => ({ ...end, id: user }))
  return [
    { kind: 'user.groups', target: user, ...moves },
    ...moves.added.map((target): History => ({ kind: 'group.users', target, added: [user], removed: [], ends: endsOf(target) })),
    ...moves.removed.map((target): History => ({ kind: 'group.users', target, added: [], removed: [user], ends: endsOf(target) })),
  ]
}
function roles(user: number, moves: GrantMoves): History[] {
  return hasMoved(moves) ? [{ kind: 'user.roles', target: user, ...moves }] : []
}

const joined = ({ targetId, facts: { roleIds, groupIds } }: ChangeOf<{ roleIds: number[]; groupIds: number[] }>) => [
  ...roles(targetId, { added: roleIds, removed: [] }),
  ...memberships(targetId, { added: groupIds, removed: [] }),
]
const appsChanged = (user: number): Event => ({ event: 'apps_changed', data: {}, to: [user] })
const meChanged = (user: number): Event => ({ event: 'me_changed', data: {}, to: [user] })

export const userChanges = {
  'user.registered': kind({
    targetType: 'user',
    facts: Newcomer,
    audits: 'nothing',
    histories: joined,
    emits: 'nothing',
  }),
  'user.created': kind({
    targetType: 'user',
    facts: Newcomer,
    audits: () => ({ action: 'user.create' }),
    histories: joined,
    emits: 'nothing',
  }),
  'user.updated': kind({
    targetType: 'user',
    facts: Updated,
    audits: ({ facts: { changed, groups: _, ...from } }) => ({ action: 'user.update', metadata: { changed, ...from } }),
    texts: ['displayNameAr', 'displayNameEn', 'avatarUrl', 'preferredLanguage'],
    histories: ({ targetId, facts }) => memberships(targetId, facts.groups),
    emits: (_tx, { targetId, facts }) => [...(hasMoved(facts.groups) ? [appsChanged(targetId)] : []), meChanged(targetId)],
  }),
  'user.role_added': kind({
    targetType: 'user',
    facts: RoleMove,
    audits: ({ facts: { ends: _, ...facts } }) => ({ action: 'user.role.add', metadata: facts }),
    histories: ({ targetId, facts: { roleId, expiresAt } }) =>
      roles(targetId, { added: [roleId], removed: [], ...(expiresAt && { ends: [endGiven(roleId, expiresAt)] }) }),
    emits: (_tx, { targetId }) => [appsChanged(targetId), meChanged(targetId)],
  }),
  'user.role_removed': kind({
    targetType: 'user',
    facts: RoleMove,
    audits: ({ facts: { ends: _, ...facts } }) => ({ action: 'user.role.remove', metadata: facts }),
    histories: ({ targetId, facts: { roleId, ends } }) => roles(targetId, { added: [], removed: [roleId], ends }),
    emits: (_tx, { targetId }) => [appsChanged(targetId), meChanged(targetId)],
  }),
  'user.roles_replaced': kind({
    targetType: 'user',
    facts: Replaced,
    audits: ({ facts: { changed } }) => ({ action: 'user.roles.replace', metadata: { changed } }),
    histories: ({ targetId, facts }) => roles(targetId, facts.roles),
    emits: (_tx, { targetId }) => [appsChanged(targetId), meChanged(targetId)],
  }),
  'user.deleted': kind({
    targetType: 'user',
    facts: Deleted,
    audits: ({ facts: { owned, isForced, roleIds: _, groupIds: __, roleEnds: ___, groupEnds: ____, ...names } }) => ({
      action: isForced ? 'user.force_delete' : 'user.delete',
      metadata: { ...names, ...owned },
    }),
    histories: ({ targetId, facts: { roleIds, groupIds, roleEnds, groupEnds } }) => [
      ...roles(targetId, { added: [], removed: roleIds, ends: roleEnds }),
      ...memberships(targetId, { added: [], removed: groupIds, ends: groupEnds }),
    ],
    emits: 'nothing',
    settles: ({ targetId }) => [{ relatedType: 'user', relatedId: targetId }],
  }),
}
