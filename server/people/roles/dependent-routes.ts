import { query } from '../../platform/http/endpoint.ts'
import { IdParams } from '../../platform/http/shape.ts'
import { DependentsQuery } from '../users/shapes.ts'
import { pageAppsAsking, pageGroupsWith, pageHolders, pageRolesWith } from './dependents.ts'
import { findPermission, findRole } from './queries.ts'
import { PermissionDependentAppsPage, PermissionDependentRolesPage, RoleDependentGroupsPage, RoleDependentUsersPage } from './shapes.ts'

export const readRoleUsers = query('GET /roles/:id/dependents/users', {
  summary: 'The people who hold a role directly, by username',
  description: 'People who hold it through a group are members of a group that `dependents/groups` lists.',
  allow: 'admin',
  scope: 'people:read',
  params: IdParams,
  query: DependentsQuery,
  reply: RoleDependentUsersPage,
  refuses: ['not_found'],
  run: async ({ db, actor, params: { id }, query }) => {
    await findRole(db, id)
    return pageHolders(db, id, query, actor.language)
  },
})

export const readRoleGroups = query('GET /roles/:id/dependents/groups', {
  summary: 'The groups that give a role to their members, by name',
  description: 'A refused deletion of the role counts them as `groupCount`.',
  allow: 'admin',
  scope: 'people:read',
  params: IdParams,
  query: DependentsQuery,
  reply: RoleDependentGroupsPage,
  refuses: ['not_found'],
  run: async ({ db, actor, params: { id }, query }) => {
    await findRole(db, id)
    return pageGroupsWith(db, id, query, actor.language)
  },
})

export const readPermissionRoles = query('GET /permissions/:id/dependents/roles', {
  summary: 'The roles that grant a permission, by name',
  description: 'A refused deletion of the permission counts them as `roleCount`.',
  allow: 'admin',
  scope: 'people:read',
  params: IdParams,
  query: DependentsQuery,
  reply: PermissionDependentRolesPage,
  refuses: ['not_found'],
  run: async ({ db, actor, params: { id }, query }) => {
    await findPermission(db, id)
    return pageRolesWith(db, id, query, actor.language)
  },
})

export const readPermissionApps = query('GET /permissions/:id/dependents/apps', {
  summary: 'The apps that require a permission, inactive ones included',
  description: 'A refused deletion of the permission counts them as `appCount`.',
  allow: 'admin',
  scope: 'people:read',
  params: IdParams,
  query: DependentsQuery,
  reply: PermissionDependentAppsPage,
  refuses: ['not_found'],
  run: async ({ db, params: { id }, query }) => {
    await findPermission(db, id)
    return pageAppsAsking(db, id, query)
  },
})
