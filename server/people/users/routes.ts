import { Type } from 'typebox'
import { giveUntil, readEnd, take, takeAll } from '../../access/grants/queries.ts'
import { endsOf, membershipsExpired, rolesExpired, withEnd, withoutNotice } from '../../access/grants/rules.ts'
import { requireInAdministration } from '../../platform/auth/confirmation.ts'
import { changedFields, textsOf } from '../../platform/changes/change-kind.ts'
import { changed, changedIf, unchanged } from '../../platform/changes/outcome.ts'
import { accessUnlessTexts, concernsAccess } from '../../platform/changes/texts.ts'
import { changedSet, hasMoved, lockExisting, movesBetween, noMoves } from '../../platform/database/sets.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { checkDependents, takesDependents } from '../../platform/http/dependents.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { IdParams, Nothing } from '../../platform/http/shape.ts'
import { longList } from '../../platform/http/wire.ts'
import { userChanges } from './changes.ts'
import { countPeople, listPeople } from './lists.ts'
import {
  blockCommandsOf,
  changePerson,
  countOwned,
  findRole,
  groupIdsOf,
  lockPerson,
  lockPersonWhole,
  moveGrants,
  readProfile,
  removePerson,
  roleIdsOf,
} from './queries.ts'
import { resolvePeople } from './resolving.ts'
import {
  Deletion,
  PastedTexts,
  ResolvedText,
  RoleGrant,
  RoleGrantParams,
  RoleSet,
  UserDeletionConflict,
  UserFilter,
  UserListItem,
  UserPatch,
  UserProfile,
} from './shapes.ts'

export const listUsers = query('GET /users', {
  summary: 'Everyone with an account',
  description:
    'Each with the numbers of their notes and orders. `q` ignores case, diacritics and letter variants. People who were never seen come last in every order.',
  allow: 'admin',
  scope: 'people:read',
  query: UserFilter,
  reply: Type.Array(UserListItem),
  total: ({ db, query }) => countPeople(db, query),
  run: ({ db, actor, query, deletionHooks }) =>
    longList(UserListItem, listPeople(db, query, actor.language, deletionHooks('users').counts)),
})

export const resolveUsers = query('POST /users/resolve', {
  summary: 'Find the people named in the lines of a pasted list',
  description:
    'For each text, in the order sent: the people whose username, e-mail address or display name it is. If there are none, and the text has at least three letters, the people for whom it is a part of one of these. Texts are compared as by `q`. Each text gets at most 20 people, by name.',
  allow: 'admin',
  scope: 'admin:read',
  body: PastedTexts,
  reply: Type.Array(ResolvedText),
  run: ({ db, actor, body }) => resolvePeople(db, body.texts, actor.language),
})

export const readUser = query('GET /users/:id', {
  summary: 'One person',
  description: 'The same record as the answer to creating or changing a person, with their roles and groups.',
  allow: 'admin',
  scope: 'people:read',
  record: UserProfile,
  params: IdParams,
  reply: UserProfile,
  refuses: ['not_found'],
  run: ({ db, params }) => readProfile(db, params.id),
})

export const changeUser = command('PATCH /users/:id', {
  summary: 'Change a person; `groupIds` is the exact new set',
  description:
    'Omitted fields do not change. Deactivating a person signs them out everywhere. A new e-mail address invalidates an unused reset link. If nobody has proven whose the account is, a new address ends its sessions and removes its password and its other ways in; its owner is invited to choose a password.',
  allow: 'admin',
  scope: 'admin:write',
  record: UserProfile,
  locks: accessUnlessTexts(userChanges['user.updated']),
  params: IdParams,
  body: UserPatch,
  reply: UserProfile,
  refuses: ['not_found', 'cannot_deactivate_self', 'unknown_ids', 'email_taken', 'managed_elsewhere'],
  run: async ({ tx, ifMatch, endOf, actor, session, params: { id }, body, deletionHooks, config }) => {
    const { groupIds, ...fields } = body
    const before = await lockPerson(tx, id, concernsAccess(userChanges['user.updated'], body) ? 'rights' : 'texts')
    await ifMatch(() => readProfile(tx, id))
    if (id === actor.id && fields.isActive === false) refuse('cannot_deactivate_self')
    const groups = groupIds ? movesBetween(await groupIdsOf(tx, id), groupIds) : noMoves
    await lockExisting(tx, 'groups', groups.added)
    if ('email' in changedFields(before, fields)) await requireInAdministration(tx, session)
    const by = { authorId: actor.id, holders: deletionHooks('users'), config }
    const changes = await changePerson(tx, before, { fields, groups, endOf }, by)
    return changedIf(await readProfile(tx, id), changes)
  },
})

export const deleteUser = command('DELETE /users/:id', {
  summary: 'Delete a person; `force` also deletes what they own; the orders they were working on become pending again',
  description: 'Without `force`, deleting a person who owns notes or orders is refused, with the counts. The person’s sessions end.',
  allow: 'admin',
  scope: 'admin:write',
  record: UserProfile,
  locks: 'leaving',
  params: IdParams,
  confirm: { when: takesDependents },
  query: Deletion,
  reply: Nothing,
  status: 204,
  refuses: ['not_found', 'cannot_delete_self', { code: 'has_dependents', body: UserDeletionConflict }],
  run: async ({ tx, ifMatch, actor, params: { id }, query: { force }, deletionHooks }) => {
    const holders = deletionHooks('users')
    await blockCommandsOf(tx, id)
    await holders.lock(tx, id)
    const person = await lockPersonWhole(tx, id)
    const { username, email } = person
    await ifMatch(() => readProfile(tx, id))
    if (id === actor.id) refuse('cannot_delete_self')
    const owned = await countOwned(tx, id, holders.counts)
    const isForced = checkDependents(owned, force)
    const names = { username, ...textsOf(person, ['displayNameAr', 'displayNameEn']), email }
    const roles = await takeAll(tx, 'role', { userId: id })
    const groups = await takeAll(tx, 'group', { userId: id })
    const sets = { roleIds: roles.taken.map(({ id }) => id), groupIds: groups.taken.map(({ id }) => id) }
    const ends = { roleEnds: endsOf('id', roles), groupEnds: endsOf('id', groups) }
    const expired = [...rolesExpired(roles.ended), ...membershipsExpired(groups.ended)].map(withoutNotice)
    const changes = await holders.remove(tx, id, () => removePerson(tx, id))
    return changedIf(null, [
      ...expired,
      { kind: 'user.deleted', targetId: id, facts: { ...names, owned, isForced, ...sets, ...ends } },
      ...changes,
    ])
  },
})

export const addUserRole = command('POST /users/:id/roles', {
  summary: 'Give a person a role',
  description: 'If the person already holds the role directly, nothing changes but the end, where one is given.',
  allow: 'admin',
  scope: 'admin:write',
  locks: 'access',
  params: IdParams,
  body: RoleGrant,
  reply: UserProfile,
  refuses: ['not_found', 'system_role'],
  run: async ({ tx, params: { id }, body: { roleName, expiresAt } }) => {
    await lockPerson(tx, id)
    const role = (await findRole(tx, roleName)) ?? refuse('not_found')
    const end = await readEnd(tx, expiresAt)
    if (end && role.name === 'user') refuse('system_role')
    const { isNew, ended, moved } = await giveUntil(tx, 'role', { userId: id, id: role.id, end })
    const facts = { roleId: role.id, roleName: role.name }
    const changes = rolesExpired(ended)
    if (isNew) changes.push({ kind: 'user.role_added', targetId: id, facts: { ...facts, ...withEnd(end) } })
    if (moved) changes.push({ kind: 'user.role_end_changed', targetId: id, facts: { ...facts, ...moved } })
    return changedIf(await readProfile(tx, id), changes)
  },
})

export const replaceUserRoles = command('PUT /users/:id/roles', {
  summary: 'Replace the roles that a person holds directly',
  description: 'The `ETag` belongs to the person’s record. Roles held through groups stay.',
  allow: 'admin',
  scope: 'admin:write',
  record: UserProfile,
  locks: 'access',
  params: IdParams,
  body: RoleSet,
  reply: UserProfile,
  refuses: ['not_found', 'unknown_ids'],
  run: async ({ tx, ifMatch, endOf, params: { id }, body: { roleIds } }) => {
    await lockPerson(tx, id)
    await ifMatch(() => readProfile(tx, id))
    const roles = movesBetween(await roleIdsOf(tx, id), roleIds)
    await lockExisting(tx, 'roles', roles.added)
    if (!hasMoved(roles)) return unchanged(await readProfile(tx, id))
    const { ends, ended } = await moveGrants(tx, 'role', id, roles, endOf)
    const facts = { changed: changedSet('roleIds', roles), roles: { ...roles, ends } }
    return changedIf(await readProfile(tx, id), [...rolesExpired(ended), { kind: 'user.roles_replaced', targetId: id, facts }])
  },
})

export const removeUserRole = command('DELETE /users/:id/roles/:roleName', {
  summary: 'Take a role from a person; roles held through groups stay',
  description: 'If the person does not hold the role directly, nothing changes.',
  allow: 'admin',
  scope: 'admin:write',
  locks: 'access',
  params: RoleGrantParams,
  reply: UserProfile,
  refuses: ['not_found'],
  run: async ({ tx, params: { id, roleName } }) => {
    await lockPerson(tx, id)
    const role = await findRole(tx, roleName)
    const taken = role ? await take(tx, 'role', { userIds: [id], ids: [role.id] }) : []
    if (!role || taken.length === 0) return unchanged(await readProfile(tx, id))
    const facts = { roleId: role.id, roleName: role.name, ends: endsOf('id', { taken }) }
    return changed(await readProfile(tx, id), { kind: 'user.role_removed', targetId: id, facts })
  },
})
