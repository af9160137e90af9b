import { Type } from 'typebox'
import { deletionEvents } from '../orders/rules.ts'
import { KnownOrder } from '../orders/shapes.ts'
import { type Change, type Event, type History, kind } from '../platform/changes/change-kind.ts'
import { hasMoved, type Moves } from '../platform/database/sets.ts'

const ids = Type.Array(Type.Integer())
const Newcomer = Type.Object({ username: Type.String(), email: Type.String(), roleIds: ids, groupIds: ids })
const Updated = Type.Object({
  changed: Type.Record(Type.String(), Type.Unknown()),
  groups: Type.Object({ added: ids, removed: ids }),
})
const RoleMove = Type.Object({ roleId: Type.Integer(), roleName: Type.String() })
const Deleted = Type.Object({
  username: Type.String(),
  email: Type.String(),
  roleIds: ids,
  groupIds: ids,
  owned: Type.Object({ noteCount: Type.Integer(), orderCount: Type.Integer() }),
  isForced: Type.Boolean(),
  orders: Type.Array(KnownOrder),
})

/** What a person's memberships gained and lost, and the mirror of it in each group's. */
function memberships(user: number, moves: Moves): History[] {
  if (!hasMoved(moves)) return []
  return [
    { kind: 'user.groups', target: user, ...moves },
    ...moves.added.map((target): History => ({ kind: 'group.users', target, added: [user], removed: [] })),
    ...moves.removed.map((target): History => ({ kind: 'group.users', target, added: [], removed: [user] })),
  ]
}
function roles(user: number, moves: Moves): History[] {
  return hasMoved(moves) ? [{ kind: 'user.roles', target: user, ...moves }] : []
}

const joined = ({ subject, facts: { roleIds, groupIds } }: Change<{ roleIds: number[]; groupIds: number[] }>) => [
  ...roles(subject, { added: roleIds, removed: [] }),
  ...memberships(subject, { added: groupIds, removed: [] }),
]
const appsChanged = (user: number): Event[] => [{ event: 'apps_changed', data: {}, to: [user] }]

export const userChanges = {
  'user.registered': kind({ about: 'user', facts: Newcomer, audits: 'nothing', histories: joined, tells: 'nobody', emits: 'nothing' }),
  'user.created': kind({
    about: 'user',
    facts: Newcomer,
    audits: () => ({ action: 'user.create' }),
    histories: joined,
    tells: 'nobody',
    emits: 'nothing',
  }),
  'user.updated': kind({
    about: 'user',
    facts: Updated,
    audits: ({ facts: { changed } }) => ({ action: 'user.update', metadata: { changed } }),
    histories: ({ subject, facts }) => memberships(subject, facts.groups),
    tells: 'nobody',
    emits: (_tx, { subject, facts }) => (hasMoved(facts.groups) ? appsChanged(subject) : []),
  }),
  'user.role_added': kind({
    about: 'user',
    facts: RoleMove,
    audits: () => ({ action: 'user.role.add' }),
    histories: ({ subject, facts: { roleId } }) => roles(subject, { added: [roleId], removed: [] }),
    tells: 'nobody',
    emits: (_tx, { subject }) => appsChanged(subject),
  }),
  'user.role_removed': kind({
    about: 'user',
    facts: RoleMove,
    audits: () => ({ action: 'user.role.remove' }),
    histories: ({ subject, facts: { roleId } }) => roles(subject, { added: [], removed: [roleId] }),
    tells: 'nobody',
    emits: (_tx, { subject }) => appsChanged(subject),
  }),
  'user.deleted': kind({
    about: 'user',
    facts: Deleted,
    audits: ({ facts: { username, email, owned, isForced } }) => ({
      action: isForced ? 'user.force_delete' : 'user.delete',
      metadata: { username, email, ...owned },
    }),
    histories: ({ subject, facts: { roleIds, groupIds } }) => [
      ...roles(subject, { added: [], removed: roleIds }),
      ...memberships(subject, { added: [], removed: groupIds }),
    ],
    tells: 'nobody',
    /** `reach` is everyone who receives orders. */
    emits: (_tx, { facts: { orders }, reach }) => deletionEvents(orders, reach as number[]),
  }),
}
