import { Type } from 'typebox'
import { changedFields, descriptions, textsOf } from '../../platform/changes/change-kind.ts'
import { keepDeleted } from '../../platform/changes/kept.ts'
import { changed, unchanged } from '../../platform/changes/outcome.ts'
import { csvChunks } from '../../platform/csv.ts'
import { movesBetween } from '../../platform/database/sets.ts'
import { command, download, query } from '../../platform/http/endpoint.ts'
import { listOf } from '../../platform/http/lists.ts'
import { daySpan } from '../../platform/http/page.ts'
import { IdParams, ListPart, Nothing } from '../../platform/http/shape.ts'
import { countHistoryOmitted, pageHistoryRows } from '../../record/audit/queries.ts'
import { HistoryFilters, HistoryQuery, RolePermissionAuditList } from '../../record/audit/shapes.ts'
import { previewPermissions } from './impact.ts'
import {
  countRoles,
  findNamedPermission,
  findPermission,
  findPermissions,
  findRole,
  insertRole,
  listPermissionsOfRole,
  listRoles,
  lockRole,
  movePermissions,
  namesOfPermissions,
  permissionIdsOf,
  readRoleAudit,
  readRoleUsage,
  removeRole,
  updateRole,
} from './queries.ts'
import { checkPermissionsMayChange, checkRename, checkRoleMayGo } from './rules.ts'
import {
  NewRole,
  Permission,
  PermissionChoice,
  PermissionSet,
  Permissions,
  Role,
  RoleDeletionConflict,
  RoleEdit,
  RoleFilter,
  RoleInList,
  RolePermissionParams,
  RolePermissions,
  RolePermissionsImpact,
  RoleUsage,
  UnknownPermissions,
} from './shapes.ts'

const CSV_COLUMNS = ['timestamp', 'actor_username', 'added_permissions', 'removed_permissions'] as const

export const readRoles = query('GET /roles', {
  summary: 'Every role, by name, with how many people and groups hold it',
  description:
    '`userCount` counts the people who have the role directly, not those who have it through a group; `sort=holders` sorts by it. `q` searches the name and the descriptions.',
  allow: 'admin',
  scope: 'people:read',
  query: RoleFilter,
  reply: Type.Array(RoleInList),
  total: ({ db, query }) => countRoles(db, query),
  run: ({ db, actor, query, deletionHooks }) => listOf(RoleInList, listRoles(db, query, actor.language, deletionHooks('roles').counts)),
})

export const createRole = command('POST /roles', {
  summary: 'Create a role',
  description: 'It grants nothing yet.',
  allow: 'admin',
  scope: 'admin:write',
  record: Role,
  locks: 'access',
  body: NewRole,
  reply: Role,
  status: 201,
  refuses: ['name_taken'],
  run: async ({ tx, body }) => {
    const role = await insertRole(tx, body)
    return changed(role, { kind: 'role.created', targetId: role.id, facts: { name: role.name } })
  },
})

export const changeRole = command('PATCH /roles/:id', {
  summary: 'Rename or describe a role; system roles keep their names',
  description: 'Omitted fields do not change.',
  allow: 'admin',
  scope: 'admin:write',
  record: Role,
  locks: 'texts',
  params: IdParams,
  body: RoleEdit,
  reply: Role,
  refuses: ['not_found', 'system_role', 'name_taken'],
  run: async ({ tx, ifMatch, params: { id }, body }) => {
    const before = await lockRole(tx, id)
    await ifMatch(() => before)
    checkRename(before, body.name)
    const differences = changedFields(before, body)
    if (Object.keys(differences).length === 0) return unchanged(before)
    return changed(await updateRole(tx, id, body), { kind: 'role.updated', targetId: id, facts: { changed: differences } })
  },
})

export const deleteRole = command('DELETE /roles/:id', {
  summary: 'Delete a role that nobody holds',
  description: 'While people or groups hold it, the deletion is refused, with the counts. A deletion can be undone for 30 seconds.',
  allow: 'admin',
  scope: 'admin:write',
  record: Role,
  locks: 'access',
  params: IdParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found', 'system_role', { code: 'has_dependents', body: RoleDeletionConflict }],
  run: async ({ tx, ifMatch, params: { id }, deletionHooks }) => {
    const holders = deletionHooks('roles')
    await holders.lock(tx, id)
    const role = await lockRole(tx, id)
    await ifMatch(() => role)
    checkRoleMayGo(role, await readRoleUsage(tx, id, holders.counts))
    const permissionIds = await permissionIdsOf(tx, id)
    await keepDeleted(tx, 'role', id, { roles: 'id', role_permissions: 'role_id', second_factor_roles: 'role_id', direct_roles: 'role_id' })
    const changes = await holders.remove(tx, id, () => removeRole(tx, id))
    return changed(
      null,
      { kind: 'role.deleted', targetId: id, facts: { name: role.name, ...textsOf(role, descriptions), permissionIds } },
      ...changes,
    )
  },
})

export const readRole = query('GET /roles/:id', {
  summary: 'One role',
  description: '`isSystem` marks the roles whose names and permissions are fixed.',
  allow: 'admin',
  scope: 'people:read',
  record: Role,
  params: IdParams,
  reply: Role,
  refuses: ['not_found'],
  run: ({ db, params }) => findRole(db, params.id),
})

export const showRoleUsage = query('GET /roles/:id/usage', {
  summary: 'How many people and groups hold a role',
  description: '`userCount` counts the people who have the role directly, not those who have it through a group.',
  allow: 'admin',
  scope: 'people:read',
  params: IdParams,
  reply: RoleUsage,
  refuses: ['not_found'],
  run: ({ db, params, deletionHooks }) => readRoleUsage(db, params.id, deletionHooks('roles').counts),
})

export const readRolePermissions = query('GET /roles/:id/permissions', {
  summary: 'The permissions that a role grants',
  description:
    'Everyone who has the role, directly or through a group, holds these permissions. `If-Match` takes the `ETag` of the complete list.',
  allow: 'admin',
  scope: 'people:read',
  record: RolePermissions,
  params: IdParams,
  query: ListPart,
  reply: Permissions,
  refuses: ['not_found'],
  run: async ({ db, actor, params: { id }, query }) => {
    await findRole(db, id)
    return listPermissionsOfRole(db, id, actor.language, query)
  },
})

export const replaceRolePermissions = command('PUT /roles/:id/permissions', {
  summary: 'Replace the permissions of a role; every call is recorded',
  description: 'Unknown ids are refused with 404. Holders of the role get `apps_changed`.',
  allow: 'admin',
  confirm: 'administration',
  record: RolePermissions,
  locks: 'access',
  params: IdParams,
  body: PermissionSet,
  reply: Permissions,
  refuses: [{ code: 'not_found', body: UnknownPermissions }, 'system_role_permissions'],
  run: async ({ tx, ifMatch, actor, params: { id }, body: { permissionIds } }) => {
    const role = await findRole(tx, id)
    await ifMatch(() => listPermissionsOfRole(tx, id, actor.language))
    const permissions = await findPermissions(tx, permissionIds, actor.language)
    checkPermissionsMayChange(role)
    const before = await permissionIdsOf(tx, id)
    const after = permissions.map((permission) => permission.id).sort((a, b) => a - b)
    const moves = movesBetween(before, after)
    await movePermissions(tx, id, moves)
    const facts = {
      permissionNames: await namesOfPermissions(tx, [...before, ...moves.added]),
      previousPermissionIds: before,
      newPermissionIds: after,
      addedPermissionIds: moves.added,
      removedPermissionIds: moves.removed,
    }
    return changed(permissions, { kind: 'role.permissions_replaced', targetId: id, facts })
  },
})

export const addRolePermission = command('POST /roles/:id/permissions', {
  summary: 'Grant a permission to a role',
  description: 'Granting a permission again changes nothing.',
  allow: 'admin',
  confirm: 'administration',
  locks: 'access',
  params: IdParams,
  body: PermissionChoice,
  reply: Permission,
  status: 201,
  refuses: [{ code: 'not_found', body: UnknownPermissions }, 'system_role_permissions'],
  run: async ({ tx, params: { id }, body: { permissionId } }) => {
    const role = await findRole(tx, id)
    const permission = await findNamedPermission(tx, permissionId)
    checkPermissionsMayChange(role)
    const moves = movesBetween(await permissionIdsOf(tx, id), [permissionId])
    if (moves.added.length === 0) return unchanged(permission)
    await movePermissions(tx, id, { added: moves.added, removed: [] })
    return changed(permission, { kind: 'role.permission_added', targetId: id, facts: { permissionId, permissionName: permission.name } })
  },
})

export const removeRolePermission = command('DELETE /roles/:id/permissions/:permissionId', {
  summary: 'Withdraw a permission from a role',
  description: 'Withdrawing a permission that is not granted changes nothing.',
  allow: 'admin',
  confirm: 'administration',
  locks: 'access',
  params: RolePermissionParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found', 'system_role_permissions'],
  run: async ({ tx, params: { id, permissionId } }) => {
    checkPermissionsMayChange(await findRole(tx, id))
    const held = await permissionIdsOf(tx, id)
    if (!held.includes(permissionId)) return unchanged(null)
    const { name: permissionName } = await findPermission(tx, permissionId)
    await movePermissions(tx, id, { added: [], removed: [permissionId] })
    return changed(null, { kind: 'role.permission_removed', targetId: id, facts: { permissionId, permissionName } })
  },
})

export const previewRolePermissions = query('POST /roles/:id/permissions/impact-preview', {
  summary: 'The permissions that people would lose if a role granted exactly these',
  description: 'This changes nothing; unknown ids are ignored.',
  allow: 'admin',
  scope: 'admin:read',
  params: IdParams,
  body: PermissionSet,
  reply: RolePermissionsImpact,
  refuses: ['not_found'],
  run: async ({ db, actor, params: { id }, body: { permissionIds } }) => {
    await findRole(db, id)
    return previewPermissions(db, id, permissionIds, actor.language)
  },
})

export const showRoleAudit = query('GET /roles/:id/audit', {
  summary: 'The permissions that a role gained and lost, newest first',
  description:
    'Each entry has its author and time, what was added and removed, and the set before and after. `from` and `to` are days in UTC, both inclusive.',
  allow: 'admin',
  scope: 'audit:read',
  params: IdParams,
  query: HistoryQuery,
  reply: RolePermissionAuditList,
  refuses: ['not_found'],
  run: async ({ db, params: { id }, query }) => {
    daySpan(query)
    await findRole(db, id)
    return readRoleAudit(db, id, query)
  },
})

export const exportRoleAudit = download('GET /roles/:id/audit.csv', {
  summary: 'The history of a role’s permissions as a CSV file of at most 10,000 rows',
  description:
    'The text begins with a byte-order mark; permissions are joined by `; `. If there are more rows, `X-Rows-Omitted` has the number of the omitted ones, and one more row says so in its first cell.',
  allow: 'admin',
  scope: 'audit:read',
  params: IdParams,
  query: HistoryFilters,
  contentType: 'text/csv; charset=utf-8',
  example: 'timestamp,actor_username,added_permissions,removed_permissions\n',
  refuses: ['not_found'],
  run: async ({ db, actor, params: { id }, query }) => {
    daySpan(query)
    const { name } = await findRole(db, id)
    const kinds = ['role.permissions'] as const
    const omitted = await countHistoryOmitted(db, kinds, id, query)
    return {
      filename: `role-${name}-audit-${new Date().toISOString().slice(0, 10)}.csv`,
      contentType: 'text/csv; charset=utf-8',
      omitted,
      chunks: csvChunks(CSV_COLUMNS, pageHistoryRows(db, kinds, id, query), { omitted, language: actor.language }),
    }
  },
})
