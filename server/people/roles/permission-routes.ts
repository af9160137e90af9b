import { Type } from 'typebox'
import { changedFields, descriptions, textsOf } from '../../platform/changes/change-kind.ts'
import { keepDeleted } from '../../platform/changes/kept.ts'
import { changed, unchanged } from '../../platform/changes/outcome.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { listOf } from '../../platform/http/lists.ts'
import { IdParams, Nothing } from '../../platform/http/shape.ts'
import {
  countDependents,
  countPermissions,
  findPermission,
  insertPermission,
  listPermissions,
  lockPermission,
  removePermission,
  updatePermission,
} from './queries.ts'
import { checkPermissionMayGo } from './rules.ts'
import { NewPermission, Permission, PermissionDeletionConflict, PermissionEdit, PermissionFilter, PermissionInList } from './shapes.ts'

export const readPermissions = query('GET /permissions', {
  summary: 'Every permission, by name',
  description:
    'The built-in ones and those that administrators have added, each with the numbers of roles that grant it and of apps that require it. People hold permissions through roles. `q` searches the name and the descriptions.',
  allow: 'admin',
  scope: 'people:read',
  query: PermissionFilter,
  reply: Type.Array(PermissionInList),
  total: ({ db, query }) => countPermissions(db, query),
  run: ({ db, actor, query, deletionHooks }) =>
    listOf(PermissionInList, listPermissions(db, query, actor.language, deletionHooks('permissions').counts)),
})

export const readPermission = query('GET /permissions/:id', {
  summary: 'One permission',
  description: '`dependents/roles` and `dependents/apps` list the roles that grant it and the apps that require it.',
  allow: 'admin',
  scope: 'people:read',
  record: Permission,
  params: IdParams,
  reply: Permission,
  refuses: ['not_found'],
  run: ({ db, params }) => findPermission(db, params.id),
})

export const createPermission = command('POST /permissions', {
  summary: 'Create a custom permission',
  description: 'It grants nothing by itself: roles grant it, apps require it.',
  allow: 'admin',
  scope: 'admin:write',
  record: Permission,
  locks: 'access',
  body: NewPermission,
  reply: Permission,
  status: 201,
  refuses: ['name_taken'],
  run: async ({ tx, body }) => {
    const permission = await insertPermission(tx, body)
    return changed(permission, { kind: 'permission.created', targetId: permission.id, facts: { name: permission.name } })
  },
})

export const deletePermission = command('DELETE /permissions/:id', {
  summary: 'Delete a permission that no role grants and no app requires',
  description: 'Deleting a permission in use is refused, with the counts. A deletion can be undone for 30 seconds.',
  allow: 'admin',
  scope: 'admin:write',
  record: Permission,
  locks: 'access',
  params: IdParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found', 'system_permission', { code: 'has_dependents', body: PermissionDeletionConflict }],
  run: async ({ tx, ifMatch, params: { id }, deletionHooks }) => {
    const holders = deletionHooks('permissions')
    await holders.lock(tx, id)
    const permission = await lockPermission(tx, id)
    await ifMatch(() => permission)
    checkPermissionMayGo(permission, await countDependents(tx, id, holders.counts))
    await keepDeleted(tx, 'permission', id, { permissions: 'id' })
    const changes = await holders.remove(tx, id, () => removePermission(tx, id))
    return changed(
      null,
      { kind: 'permission.deleted', targetId: id, facts: { name: permission.name, ...textsOf(permission, descriptions) } },
      ...changes,
    )
  },
})

export const changePermission = command('PATCH /permissions/:id', {
  summary: 'Change the descriptions of a permission; its name is fixed',
  description: 'Omitted fields do not change.',
  allow: 'admin',
  scope: 'admin:write',
  record: Permission,
  locks: 'texts',
  params: IdParams,
  body: PermissionEdit,
  reply: Permission,
  refuses: ['not_found'],
  run: async ({ tx, ifMatch, params: { id }, body }) => {
    const before = await lockPermission(tx, id)
    await ifMatch(() => before)
    const differences = changedFields(before, body)
    if (Object.keys(differences).length === 0) return unchanged(before)
    return changed(await updatePermission(tx, id, body), { kind: 'permission.updated', targetId: id, facts: { changed: differences } })
  },
})
