import { Type } from 'typebox'
import { type Change, type History, kind } from '../platform/change-kind.ts'

const Newcomer = Type.Object({
  username: Type.String(),
  email: Type.String(),
  roleIds: Type.Array(Type.Integer()),
  groupIds: Type.Array(Type.Integer()),
})

/** A person's sets, and the mirror of their memberships in each group's. */
const joined = ({ subject, facts }: Change<{ roleIds: number[]; groupIds: number[] }>): History[] => [
  { kind: 'user.roles', target: subject, added: facts.roleIds, removed: [] },
  { kind: 'user.groups', target: subject, added: facts.groupIds, removed: [] },
  ...facts.groupIds.map((target): History => ({ kind: 'group.users', target, added: [subject], removed: [] })),
]

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
}
