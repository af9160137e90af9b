import { type Static, Type } from 'typebox'
import { type EndMove, EndMoves, endGiven } from '../../access/grants/rules.ts'
import { type Event, type History, kind } from '../../platform/changes/change-kind.ts'
import type { Tx } from '../../platform/database/db.ts'
import { hasMoved, noMoves } from '../../platform/database/sets.ts'
import { membersOf } from './queries.ts'
import { type GroupMoves, type GroupSets, type MemberKind, type MovesWithEnds, memberOf, nothingMoves, parts } from './rules.ts'

const ids = Type.Array(Type.Integer())
const sets = { userIds: ids, roleIds: ids, appIds: ids }
const Moves = Type.Object({ added: ids, removed: ids })
/** The ends of memberships that were given or lost; `id` is the person. */
const ends = Type.Optional(EndMoves)
const Updated = Type.Object({
  changed: Type.Record(Type.String(), Type.Unknown()),
  moves: Type.Object({ users: Type.Object({ added: ids, removed: ids, ends }), roles: Moves, apps: Moves }),
})
const Member = Type.Object({
  part: Type.Unsafe<MemberKind>(Type.String()),
  memberId: Type.Integer(),
  expiresAt: Type.Optional(Type.String()),
  ends,
  /** The request by which a person became a member. */
  requestId: Type.Optional(Type.Integer()),
  /** The member left the group by themselves. */
  givenBack: Type.Optional(Type.Literal(true)),
  /** The review of access that took the membership away. */
  accessReviewId: Type.Optional(Type.Integer()),
  /** The provider whose claims moved the person. */
  provider: Type.Optional(Type.String()),
})
const Created = Type.Object({ name: Type.String(), ...sets })
const Deleted = Type.Object({
  name: Type.String(),
  descriptionAr: Type.Optional(Type.String()),
  descriptionEn: Type.Optional(Type.String()),
  ...sets,
  ends,
  /** The counts in the refusal of an unforced deletion, which do not include service accounts. */
  dependents: Type.Object({ memberCount: Type.Integer(), appCount: Type.Integer(), roleCount: Type.Integer() }),
  isForced: Type.Boolean(),
})

/** The gains and losses of a group's sets, as histories of the group and of each person who joined or left. */
function histories(group: number, moves: MovesWithEnds): History[] {
  const endsByPerson = Map.groupBy(moves.users.ends ?? [], ({ id }) => id)
  const endsOf = (person: number) => endsByPerson.get(person)?.map((end) => ({ ...end, id: group })) ?? []
  return [
    ...parts.filter((part) => hasMoved(moves[part])).map((part): History => ({ kind: `group.${part}`, target: group, ...moves[part] })),
    ...moves.users.added.map((target): History => ({ kind: 'user.groups', target, added: [group], removed: [], ends: endsOf(target) })),
    ...moves.users.removed.map((target): History => ({ kind: 'user.groups', target, added: [], removed: [group], ends: endsOf(target) })),
  ]
}

type Direction = 'added' | 'removed'
const all = (direction: Direction, ids: number[]) => ({ ...noMoves, [direction]: ids })
const whole = (direction: Direction, { userIds, roleIds, appIds, ends }: GroupSets & { ends?: EndMove[] | undefined }): MovesWithEnds => ({
  users: { ...all(direction, userIds), ...(ends && { ends }) },
  roles: all(direction, roleIds),
  apps: all(direction, appIds),
})
const one = (direction: Direction, { part, memberId, expiresAt, ends }: Static<typeof Member>): MovesWithEnds => ({
  ...nothingMoves,
  [part]: { ...all(direction, [memberId]), ends: expiresAt ? [endGiven(memberId, expiresAt)] : (ends ?? []) },
})

const eventFor = (event: 'apps_changed' | 'me_changed', to: number[]): Event => ({ event, data: {}, to })
const bothEvents = (to: number[]) => [eventFor('apps_changed', to), eventFor('me_changed', to)]

/** Events for the people who joined or left, and for every member if the group's apps, roles or texts changed. */
async function moved(tx: Tx, group: number, moves: GroupMoves, isDescribedAnew = false) {
  const cameAndWent = [...moves.users.added, ...moves.users.removed]
  const isOfRoles = hasMoved(moves.roles)
  const isOfApps = isOfRoles || hasMoved(moves.apps)
  const all = isOfApps || isDescribedAnew ? [...(await membersOf(tx, group)), ...cameAndWent] : []
  return [eventFor('apps_changed', isOfApps ? all : cameAndWent), eventFor('me_changed', isOfRoles || isDescribedAnew ? all : cameAndWent)]
}
const described = ['name', 'descriptionAr', 'descriptionEn']

export const groupChanges = {
  'group.created': kind({
    targetType: 'group',
    facts: Created,
    audits: () => ({ action: 'group.create' }),
    histories: ({ targetId, facts }) => histories(targetId, whole('added', facts)),
    emits: (_tx, { facts }) => bothEvents(facts.userIds),
  }),
  'group.updated': kind({
    targetType: 'group',
    texts: described,
    facts: Updated,
    audits: ({ facts: { changed } }) => ({ action: 'group.update', metadata: { changed } }),
    histories: ({ targetId, facts }) => histories(targetId, facts.moves),
    emits: (tx, { targetId, facts }) =>
      moved(
        tx,
        targetId,
        facts.moves,
        described.some((field) => field in facts.changed),
      ),
  }),
  /** A source moved people. One call may move thousands, so the facts hold the moves and nothing else. */
  'group.members_moved': kind({
    targetType: 'group',
    facts: Type.Object({ added: ids, removed: ids, ends }),
    audits: ({ facts: { added, removed } }) => ({ action: 'group.update', metadata: { added, removed } }),
    histories: ({ targetId, facts }) => histories(targetId, { ...nothingMoves, users: facts }),
    emits: (tx, { targetId, facts }) => moved(tx, targetId, { ...nothingMoves, users: facts }),
  }),
  'group.member_added': kind({
    targetType: 'group',
    facts: Member,
    audits: ({ facts: { part, memberId, expiresAt, requestId, provider } }) => ({
      action: 'group.member.add',
      metadata: {
        [memberOf[part]]: memberId,
        ...(expiresAt && { expiresAt }),
        ...(requestId && { requestId }),
        ...(provider && { provider }),
      },
    }),
    histories: ({ targetId, facts }) => histories(targetId, one('added', facts)),
    emits: (tx, { targetId, facts }) => moved(tx, targetId, one('added', facts)),
  }),
  'group.member_removed': kind({
    targetType: 'group',
    facts: Member,
    audits: ({ facts: { part, memberId, givenBack, accessReviewId, provider } }) => ({
      action: 'group.member.remove',
      metadata: {
        [memberOf[part]]: memberId,
        ...(givenBack && { givenBack }),
        ...(accessReviewId && { accessReviewId }),
        ...(provider && { provider }),
      },
    }),
    histories: ({ targetId, facts }) => histories(targetId, one('removed', facts)),
    emits: (tx, { targetId, facts }) => moved(tx, targetId, one('removed', facts)),
  }),
  'group.request_policy_changed': kind({
    targetType: 'group',
    facts: Type.Object({ changed: Type.Record(Type.String(), Type.Unknown()) }),
    audits: () => ({ action: 'group.request_policy.update' }),
    emits: 'nothing',
  }),
  /** A restored group has no people as members, so there is nobody to tell. Service accounts that come back have changes of their own. */
  'group.restored': kind({
    targetType: 'group',
    facts: Type.Object({ name: Type.String(), undoes: Type.Integer() }),
    audits: () => ({ action: 'group.restore' }),
    emits: 'nothing',
  }),
  'group.deleted': kind({
    targetType: 'group',
    facts: Deleted,
    audits: ({ facts: { isForced, dependents, userIds: _, roleIds: __, appIds: ___, ends: ____, ...names } }) => ({
      action: isForced ? 'group.force_delete' : 'group.delete',
      metadata: { ...names, ...dependents },
    }),
    histories: ({ targetId, facts }) => histories(targetId, whole('removed', facts)),
    emits: (_tx, { facts }) => bothEvents(facts.userIds),
    settles: ({ targetId }) => [{ relatedType: 'group', relatedId: targetId }],
  }),
}
