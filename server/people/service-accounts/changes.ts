import { Type } from 'typebox'
import { EndMoves } from '../../access/grants/rules.ts'
import { type History, kind } from '../../platform/changes/change-kind.ts'
import { hasMoved, type Moves } from '../../platform/database/sets.ts'

const ids = Type.Array(Type.Integer())
const ends = Type.Optional(EndMoves)
const roleMoves = Type.Object({ added: ids, removed: ids, ends })
const quiet = { emits: 'nothing' } as const

const rolesOf = (target: number, moves: Moves): History[] => (hasMoved(moves) ? [{ kind: 'user.roles', target, ...moves }] : [])

export const serviceAccountChanges = {
  'service_account.created': kind({
    targetType: 'user',
    facts: Type.Object({ username: Type.String(), roleNames: Type.Array(Type.String()), roleIds: ids }),
    isSecurityEvent: true,
    audits: ({ facts: { roleIds: _, ...shown } }) => ({ action: 'service_account.create', metadata: shown }),
    histories: ({ targetId, facts }) => rolesOf(targetId, { added: facts.roleIds, removed: [] }),
    ...quiet,
  }),
  'service_account.updated': kind({
    texts: ['nameAr', 'nameEn'],
    targetType: 'user',
    facts: Type.Object({ username: Type.String(), changed: Type.Record(Type.String(), Type.Unknown()), roles: roleMoves }),
    isSecurityEvent: true,
    audits: ({ facts: { roles: _, ...shown } }) => ({ action: 'service_account.update', metadata: shown }),
    histories: ({ targetId, facts }) => rolesOf(targetId, facts.roles),
    ...quiet,
  }),
  'service_account.deleted': kind({
    targetType: 'user',
    facts: Type.Object({
      username: Type.String(),
      displayNameAr: Type.Optional(Type.String()),
      displayNameEn: Type.Optional(Type.String()),
      roleIds: ids,
      groupIds: ids,
      roleEnds: ends,
      groupEnds: ends,
      owned: Type.Record(Type.String(), Type.Integer()),
      isForced: Type.Boolean(),
    }),
    isSecurityEvent: true,
    audits: ({ facts: { owned, isForced, roleIds: _, groupIds: __, roleEnds: ___, groupEnds: ____, ...names } }) => ({
      action: 'service_account.delete',
      metadata: { ...names, ...owned, ...(isForced && { isForced }) },
    }),
    histories: ({ targetId, facts: { roleIds, groupIds, roleEnds, groupEnds } }) => [
      ...rolesOf(targetId, { added: [], removed: roleIds, ...(roleEnds && { ends: roleEnds }) }),
      ...leftGroups(targetId, groupIds, groupEnds ?? []),
    ],
    ...quiet,
  }),
}

/** The histories of the account and of each group that it leaves. */
function leftGroups(id: number, groupIds: number[], groupEnds: { id: number; from: string | null; to: string | null }[]): History[] {
  if (groupIds.length === 0) return []
  const endsOf = (group: number) => groupEnds.filter((end) => end.id === group).map((end) => ({ ...end, id }))
  return [
    { kind: 'user.groups', target: id, added: [], removed: groupIds, ends: groupEnds },
    ...groupIds.map((target): History => ({ kind: 'group.users', target, added: [], removed: [id], ends: endsOf(target) })),
  ]
}
