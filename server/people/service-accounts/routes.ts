import { Type } from 'typebox'
import { give, take, takeAll } from '../../access/grants/queries.ts'
import { endsOf, membershipsExpired, rolesExpired, withoutNotice } from '../../access/grants/rules.ts'
import { changedFields, textsOf } from '../../platform/changes/change-kind.ts'
import { changed, changedIf, unchanged } from '../../platform/changes/outcome.ts'
import { accessUnlessTexts } from '../../platform/changes/texts.ts'
import { changedSet, hasMoved, movesBetween, noMoves } from '../../platform/database/sets.ts'
import { checkDependents } from '../../platform/http/dependents.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { IdParams, ListPart, Nothing } from '../../platform/http/shape.ts'
import { blockCommandsOf, countOwned, lockExistingPeople, removePerson, roleIdsOf, setFields } from '../users/queries.ts'
import { Deletion, UserDeletionConflict } from '../users/shapes.ts'
import { serviceAccountChanges } from './changes.ts'
import {
  countPrograms,
  findContact,
  insertProgram,
  listPrograms,
  lockProgram,
  lockProgramWhole,
  readProgram,
  roleIdsNamed,
  setContact,
} from './queries.ts'
import { NewServiceAccount, ServiceAccount, ServiceAccountPatch } from './shapes.ts'

export const listServiceAccounts = query('GET /service-accounts', {
  summary: 'The service accounts, by username',
  allow: 'admin',
  scope: 'admin:read',
  query: ListPart,
  reply: Type.Array(ServiceAccount),
  total: ({ db }) => countPrograms(db),
  run: ({ db, query }) => listPrograms(db, query),
})

export const createServiceAccount = command('POST /service-accounts', {
  summary: 'Create a service account, for a program',
  description:
    'It can hold roles and be in groups, but never the role `admin`. It has no password, is not in Everyone, and is in no list or count of people. There can be 200.',
  allow: 'admin',
  confirm: 'person',
  record: ServiceAccount,
  locks: 'access',
  body: NewServiceAccount,
  reply: ServiceAccount,
  status: 201,
  refuses: ['username_taken', 'unknown_ids', 'grants_admin', 'quota_exceeded'],
  run: async ({ tx, body: { username, nameAr = null, nameEn = null, roleNames = [], contactUserId = null, isActive = true } }) => {
    const roleIds = await roleIdsNamed(tx, roleNames)
    const id = await insertProgram(tx, { username, displayNameAr: nameAr, displayNameEn: nameEn, isActive }, contactUserId)
    const { given } = await give(tx, 'role', { userIds: [id], ids: roleIds })
    const account = await readProgram(tx, id)
    const facts = { username, roleNames: account.roleNames, roleIds: given.map((role) => role.id) }
    return changed(account, { kind: 'service_account.created', targetId: id, facts })
  },
})

export const readServiceAccount = query('GET /service-accounts/:id', {
  summary: 'One service account',
  allow: 'admin',
  scope: 'admin:read',
  record: ServiceAccount,
  params: IdParams,
  reply: ServiceAccount,
  refuses: ['not_found'],
  run: ({ db, params }) => readProgram(db, params.id),
})

export const changeServiceAccount = command('PATCH /service-accounts/:id', {
  summary: 'Change a service account; `roleNames` is the exact new set',
  description: 'Omitted fields do not change. Deactivating it ends its tokens.',
  allow: 'admin',
  confirm: 'person',
  record: ServiceAccount,
  locks: accessUnlessTexts(serviceAccountChanges['service_account.updated']),
  params: IdParams,
  body: ServiceAccountPatch,
  reply: ServiceAccount,
  refuses: ['not_found', 'unknown_ids', 'grants_admin'],
  run: async ({ tx, ifMatch, params: { id }, body: { nameAr, nameEn, roleNames, contactUserId, isActive }, deletionHooks }) => {
    const before = await lockProgram(tx, id)
    await ifMatch(() => readProgram(tx, id))
    const roles = roleNames ? movesBetween(await roleIdsOf(tx, id), await roleIdsNamed(tx, roleNames)) : noMoves
    const contact = await findContact(tx, id)
    if (contactUserId && contactUserId !== contact) await lockExistingPeople(tx, [contactUserId])

    const names = { displayNameAr: nameAr, displayNameEn: nameEn }
    const wanted = { ...names, isActive, contactUserId }
    const differences = { ...changedFields({ ...before, contactUserId: contact }, wanted), ...changedSet('roleIds', roles) }
    if (Object.keys(differences).length === 0) return unchanged(await readProgram(tx, id))
    await setFields(tx, id, { ...names, isActive })
    if (contactUserId !== undefined) await setContact(tx, id, contactUserId)
    const taken = await take(tx, 'role', { userIds: [id], ids: roles.removed })
    const { ended } = await give(tx, 'role', { userIds: [id], ids: roles.added })
    const moves = { ...roles, ...(hasMoved(roles) && { ends: endsOf('id', { taken }) }) }
    const facts = { username: before.username, changed: differences, roles: moves }
    return changedIf(await readProgram(tx, id), [
      ...rolesExpired(ended),
      { kind: 'service_account.updated', targetId: id, facts },
      ...(before.isActive && isActive === false ? await deletionHooks('users').deactivate(tx, [id]) : []),
    ])
  },
})

export const deleteServiceAccount = command('DELETE /service-accounts/:id', {
  summary: 'Delete a service account with its tokens; `force` also deletes the orders that it placed',
  description: 'Without `force`, deleting one that placed orders is refused, with the counts.',
  allow: 'admin',
  confirm: 'person',
  record: ServiceAccount,
  locks: 'leaving',
  params: IdParams,
  query: Deletion,
  reply: Nothing,
  status: 204,
  refuses: ['not_found', { code: 'has_dependents', body: UserDeletionConflict }],
  run: async ({ tx, ifMatch, params: { id }, query: { force }, deletionHooks }) => {
    const holders = deletionHooks('users')
    await blockCommandsOf(tx, id)
    await holders.lock(tx, id)
    const program = await lockProgramWhole(tx, id)
    await ifMatch(() => readProgram(tx, id))
    const owned = await countOwned(tx, id, holders.counts)
    const isForced = checkDependents(owned, force)
    const roles = await takeAll(tx, 'role', { userId: id })
    const groups = await takeAll(tx, 'group', { userId: id })
    const sets = { roleIds: roles.taken.map((role) => role.id), groupIds: groups.taken.map((group) => group.id) }
    const ends = { roleEnds: endsOf('id', roles), groupEnds: endsOf('id', groups) }
    const expired = [...rolesExpired(roles.ended), ...membershipsExpired(groups.ended)].map(withoutNotice)
    const changes = await holders.remove(tx, id, () => removePerson(tx, id))
    const names = { username: program.username, ...textsOf(program, ['displayNameAr', 'displayNameEn']) }
    return changedIf(null, [
      ...expired,
      { kind: 'service_account.deleted', targetId: id, facts: { ...names, owned, isForced, ...sets, ...ends } },
      ...changes,
    ])
  },
})
