import { type Static, Type } from 'typebox'
import { checkByHand, giveUntil, readEnd, take } from '../../access/grants/queries.ts'
import { endsOf, membershipsExpired, withEnd } from '../../access/grants/rules.ts'
import { GrantEnd } from '../../access/grants/shapes.ts'
import { changedFields, descriptions, textsOf } from '../../platform/changes/change-kind.ts'
import { keepDeleted } from '../../platform/changes/kept.ts'
import { changed, changedIf, unchanged } from '../../platform/changes/outcome.ts'
import { accessUnlessTexts } from '../../platform/changes/texts.ts'
import type { Reads } from '../../platform/database/db.ts'
import { changedSet, checkKnown, hasMoved, lockExisting } from '../../platform/database/sets.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { checkDependents, takesDependents } from '../../platform/http/dependents.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { listOf } from '../../platform/http/lists.ts'
import { Id, IdParams, Named, Nothing, Shape } from '../../platform/http/shape.ts'
import { groupChanges } from './changes.ts'
import { previewSets } from './impact.ts'
import {
  addToSet,
  checkGroupExists,
  concernsGroup,
  countDependents,
  countGroups,
  dropMembers,
  findGroup,
  findGroups,
  insertGroup,
  lockGroup,
  moveMembers,
  pageMembers,
  programsIn,
  removeFromSet,
  removeGroup,
  type SetKind,
  setFields,
} from './queries.ts'
import { countsOf, type GroupMoves, type GroupSets, groupMoves, memberOf, parts, setOf, setsAfter } from './rules.ts'
import {
  CountedDetail,
  Deletion,
  Group,
  GroupDeletionConflict,
  GroupDetail,
  GroupFilter,
  GroupImpact,
  GroupMembersPage,
  GroupPatch,
  MemberParams,
  MembersQuery,
  NewGroup,
} from './shapes.ts'

export const listGroups = query('GET /groups', {
  summary: 'All groups, with the numbers of their members, roles and apps',
  description: '`q` searches the name and the descriptions.',
  allow: 'admin',
  scope: 'people:read',
  query: GroupFilter,
  reply: Type.Array(Group),
  total: ({ db, query }) => countGroups(db, query),
  run: ({ db, actor, query }) => listOf(Group, findGroups(db, query, actor.language)),
})

const counted = <G extends GroupSets>(group: G) => ({ ...group, ...countsOf(group) })
const readCounted = async (db: Reads, id: number) => counted(await findGroup(db, id))

const emptySets: GroupSets = { userIds: [], roleIds: [], appIds: [] }

export const createGroup = command('POST /groups', {
  summary: 'Create a group with its members, roles and apps',
  description: 'Everything is saved together, or nothing.',
  allow: 'admin',
  scope: 'admin:write',
  record: GroupDetail,
  locks: 'access',
  body: NewGroup,
  reply: CountedDetail,
  status: 201,
  refuses: ['unknown_ids', 'name_taken'],
  run: async ({ tx, body: { userIds, roleIds, appIds, ...fields } }) => {
    const id = await insertGroup(tx, fields)
    const { users, roles, apps } = (await moveMembers(tx, id, groupMoves(emptySets, { userIds, roleIds, appIds }))).moves
    const facts = { name: fields.name, userIds: users.added, roleIds: roles.added, appIds: apps.added }
    return changed(await readCounted(tx, id), { kind: 'group.created', targetId: id, facts })
  },
})

export const readGroup = query('GET /groups/:id', {
  summary: 'One group with its members, roles and apps',
  description: 'The sets are complete, because changing the group replaces them.',
  allow: 'admin',
  scope: 'people:read',
  record: GroupDetail,
  params: IdParams,
  reply: GroupDetail,
  refuses: ['not_found'],
  run: ({ db, params }) => findGroup(db, params.id),
})

const changedSets = (moves: GroupMoves) => Object.assign({}, ...parts.map((part) => changedSet(setOf[part], moves[part])))

/** The moves that a request asks for. `userIds` leaves out service accounts, which stay unless the difference `members` removes them. */
async function movesOf(db: Reads, before: Static<typeof GroupDetail>, given: Static<typeof GroupPatch>) {
  const { userIds = [], members } = given
  const programs = await programsIn(db, before.id, [...userIds, ...(members?.add ?? []), ...(members?.remove ?? [])])
  return groupMoves({ ...before, userIds: [...before.userIds, ...programs] }, given)
}

export const changeGroup = command('PATCH /groups/:id', {
  summary: 'Change a group; `userIds`, `roleIds` and `appIds` are the exact new sets; system groups keep their names',
  description:
    'Omitted fields do not change. `userIds` has people only: service accounts are added and removed by difference. `members`, `roles` and `apps` are differences, which never undo changes by other people; a set together with its difference is refused. Adding an id that is there, or removing one that is not, changes nothing. People whose apps change get `apps_changed`.',
  allow: 'admin',
  scope: 'admin:write',
  record: GroupDetail,
  locks: accessUnlessTexts(groupChanges['group.updated']),
  params: IdParams,
  body: GroupPatch,
  reply: CountedDetail,
  refuses: ['not_found', 'unknown_ids', 'name_taken', 'system_group', 'not_requestable', 'managed_elsewhere', 'grants_admin'],
  run: async ({ tx, ifMatch, endOf, params: { id }, body: { userIds, roleIds, appIds, members, roles, apps, ...fields } }) => {
    await lockGroup(tx, id)
    const before = await findGroup(tx, id)
    await ifMatch(() => before)
    if (before.isSystem && fields.name !== undefined && fields.name !== before.name) refuse('system_group')
    const wanted = await movesOf(tx, before, { userIds, roleIds, appIds, members, roles, apps })
    const { moves, ended } = await moveMembers(tx, id, wanted, endOf)
    const differences = { ...changedFields(before, fields), ...changedSets(moves) }
    if (Object.keys(differences).length === 0) return unchanged(counted(before))
    const written = await setFields(tx, id, fields)
    const expired = membershipsExpired(ended)
    const haveSetsMoved = parts.some((part) => hasMoved(moves[part]))
    const after = haveSetsMoved || ended.length ? await readCounted(tx, id) : counted({ ...before, ...written })
    return changedIf(after, [...expired, { kind: 'group.updated', targetId: id, facts: { changed: differences, moves } }])
  },
})

export const previewGroup = query('POST /groups/:id/impact-preview', {
  summary: 'The roles and apps that active members would lose if a group changed, given everything else they hold',
  description: 'This changes nothing. It takes the same body as `PATCH /groups/{id}`.',
  allow: 'admin',
  scope: 'admin:read',
  params: IdParams,
  body: GroupPatch,
  reply: GroupImpact,
  refuses: ['not_found', 'unknown_ids'],
  run: async ({ db, actor, params: { id }, body }) => {
    const before = await findGroup(db, id)
    const moves = await movesOf(db, before, body)
    for (const part of parts) await checkKnown(db, part, moves[part].added)
    const impact = await previewSets(db, id, setsAfter(before, moves), actor.language)
    return { ...impact, noChange: !parts.some((part) => hasMoved(moves[part])) }
  },
})

export const deleteGroup = command('DELETE /groups/:id', {
  summary: 'Delete a group; with `force` even when it has members, apps or roles',
  description:
    'Without `force`, deleting a group that has any of these is refused, with their counts. System groups cannot be deleted. An unforced deletion can be undone for 30 seconds.',
  allow: 'admin',
  scope: 'admin:write',
  record: GroupDetail,
  locks: 'access',
  params: IdParams,
  confirm: { when: takesDependents },
  query: Deletion,
  reply: Nothing,
  status: 204,
  refuses: ['not_found', 'system_group', { code: 'has_dependents', body: GroupDeletionConflict }],
  run: async ({ tx, ifMatch, params: { id }, query: { force }, deletionHooks }) => {
    const holders = deletionHooks('groups')
    await holders.lock(tx, id)
    await lockGroup(tx, id)
    const group = await findGroup(tx, id)
    await ifMatch(() => group)
    if (group.isSystem) refuse('system_group')
    const { name, roleIds, appIds } = group
    const dependents = await countDependents(tx, id, holders.counts)
    const isForced = checkDependents(dependents, force)
    if (!isForced) await keepDeleted(tx, 'group', id, { groups: 'id', memberships: 'group_id', request_policies: concernsGroup(id) })
    const { taken, ended } = await dropMembers(tx, id)
    const changes = await holders.remove(tx, id, () => removeGroup(tx, id))
    const sets = { userIds: taken.map(({ userId }) => userId), roleIds, appIds, ends: endsOf('userId', { taken }) }
    return changedIf(null, [
      ...membershipsExpired(ended),
      { kind: 'group.deleted', targetId: id, facts: { name, ...textsOf(group, descriptions), ...sets, dependents, isForced } },
      ...changes,
    ])
  },
})

export const readGroupMembers = query('GET /groups/:id/members', {
  summary: 'The members of a group, by name',
  description: '`q` ignores case, diacritics and letter variants. Inactive members are included.',
  allow: 'admin',
  scope: 'people:read',
  params: IdParams,
  query: MembersQuery,
  reply: GroupMembersPage,
  refuses: ['not_found'],
  run: async ({ db, actor, params: { id }, query }) => {
    await checkGroupExists(db, id)
    return pageMembers(db, id, query, actor.language)
  },
})

export const addGroupUser = command('POST /groups/:id/users', {
  summary: 'Put a person into a group',
  description: 'Adding a member again changes nothing but the end, where one is given. People whose apps change get `apps_changed`.',
  allow: 'admin',
  scope: 'admin:write',
  locks: 'access',
  params: IdParams,
  body: Named('GroupUser', Shape({ userId: Id, expiresAt: GrantEnd })),
  reply: GroupDetail,
  status: 201,
  refuses: ['not_found', 'unknown_ids', 'system_group', 'managed_elsewhere'],
  run: async ({ tx, params: { id }, body: { userId, expiresAt } }) => {
    const { isSystem } = await lockGroup(tx, id)
    await lockExisting(tx, 'users', [userId])
    const end = await readEnd(tx, expiresAt)
    if (end && isSystem) refuse('system_group')
    await checkByHand(tx, [id], { ends: Boolean(end) })
    const { isNew, ended, moved } = await giveUntil(tx, 'group', { userId, id, end })
    const changes = membershipsExpired(ended)
    if (isNew) changes.push({ kind: 'group.member_added', targetId: id, facts: { part: 'users', memberId: userId, ...withEnd(end) } })
    if (moved) changes.push({ kind: 'group.member_end_changed', targetId: id, facts: { userId, ...moved } })
    return changedIf(await findGroup(tx, id), changes)
  },
})

const removal = {
  description: 'If it is not there, nothing changes. People whose apps change get `apps_changed`.',
  allow: 'admin',
  scope: 'admin:write',
  locks: 'access',
  params: MemberParams,
  reply: Nothing,
  status: 204,
} as const

export const removeGroupUser = command('DELETE /groups/:id/users/:memberId', {
  ...removal,
  summary: 'Take a person out of a group',
  refuses: ['not_found', 'managed_elsewhere'],
  run: async ({ tx, params: { id, memberId } }) => {
    await lockGroup(tx, id)
    await checkByHand(tx, [id])
    const taken = await take(tx, 'group', { userIds: [memberId], ids: [id] })
    if (taken.length === 0) return unchanged(null)
    const ends = endsOf('userId', { taken })
    return changed(null, { kind: 'group.member_removed', targetId: id, facts: { part: 'users', memberId, ends } })
  },
})

const bodyNames = { roles: 'GroupRole', apps: 'GroupApp' }

const adding = <P extends SetKind>(part: P, summary: string) =>
  command(`POST /groups/:id/${part}`, {
    summary,
    description: 'Adding it again changes nothing. People whose apps change get `apps_changed`.',
    allow: 'admin',
    scope: 'admin:write',
    locks: 'access',
    params: IdParams,
    body: Named(bodyNames[part], Shape({ [memberOf[part]]: Id })),
    reply: GroupDetail,
    status: 201,
    refuses: ['not_found', 'unknown_ids', ...(part === 'roles' ? (['not_requestable', 'grants_admin'] as const) : [])],
    run: async ({ tx, params: { id }, body }) => {
      const memberId = body[memberOf[part]]!
      await lockGroup(tx, id)
      await lockExisting(tx, part, [memberId])
      const added = await addToSet(tx, id, part, [memberId])
      const group = await findGroup(tx, id)
      if (added.length === 0) return unchanged(group)
      return changed(group, { kind: 'group.member_added', targetId: id, facts: { part, memberId } })
    },
  })

const removing = (part: SetKind, summary: string) =>
  command(`DELETE /groups/:id/${part}/:memberId`, {
    ...removal,
    summary,
    refuses: ['not_found'],
    run: async ({ tx, params: { id, memberId } }) => {
      await lockGroup(tx, id)
      const removed = await removeFromSet(tx, id, part, [memberId])
      if (removed.length === 0) return unchanged(null)
      return changed(null, { kind: 'group.member_removed', targetId: id, facts: { part, memberId } })
    },
  })

export const addGroupRole = adding('roles', 'Give a role to the members of a group')
export const addGroupApp = adding('apps', 'Grant an app to the members of a group')
export const removeGroupRole = removing('roles', 'Take a role from the members of a group')
export const removeGroupApp = removing('apps', 'Take an app from the members of a group')
