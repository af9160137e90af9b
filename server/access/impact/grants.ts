/** The grants of roles and groups: everything that decides who sees what, except the people in them. */
import type { Guarded } from '../../work/apps/rules.ts'
import type { Links } from './links.ts'

interface Permission {
  name: string
  isSystem: boolean
}
interface Group {
  name: string
  isSystem: boolean
}
export interface Role {
  id: number
  name: string
  descriptionAr: string | null
  descriptionEn: string | null
  isSystem: boolean
}
export interface App {
  id: number
  slug: string
  nameAr: string
  nameEn: string
  isActive: boolean
}

export interface Grants {
  permissions: Map<number, Permission>
  groups: Map<number, Group>
  /** Sorted by name. */
  roles: Map<number, Role>
  /** In the default order of a launcher. */
  apps: Map<number, App>
  adminRole: number
  groupRoles: Links
  groupApps: Links
  rolePermissions: Links
  appPermissions: Links
}

/** A copy that can be changed. */
export const copyOf = ({ permissions, groups, roles, apps, ...rest }: Grants): Grants => ({
  adminRole: rest.adminRole,
  permissions: new Map(permissions),
  groups: new Map(groups),
  roles: new Map(roles),
  apps: new Map(apps),
  groupRoles: rest.groupRoles.copy(),
  groupApps: rest.groupApps.copy(),
  rolePermissions: rest.rolePermissions.copy(),
  appPermissions: rest.appPermissions.copy(),
})

export const permissionName = (grants: Grants, id: number) => grants.permissions.get(id)!.name

const namedIn = (records: ReadonlyMap<number, { name: string }>, id: number) => ({ id, name: records.get(id)!.name })
export const permissionRef = (grants: Grants, id: number) => namedIn(grants.permissions, id)
export const groupRef = (grants: Grants, id: number) => namedIn(grants.groups, id)
export const roleRef = (grants: Grants, id: number) => namedIn(grants.roles, id)

/** The conditions for seeing an app. Nobody sees an app that does not exist. */
export function guardOf(grants: Grants, appId: number): Guarded {
  return {
    isActive: grants.apps.get(appId)?.isActive ?? false,
    permissions: [...grants.appPermissions.of('app', appId)].map((id) => permissionName(grants, id)),
    groups: [...grants.groupApps.of('app', appId)],
  }
}

/** The apps that a role opens to its holders; for the role `admin`, all apps. */
export function* appsOpenedBy(grants: Grants, roleId: number) {
  if (roleId === grants.adminRole) yield* grants.apps.keys()
  for (const permission of grants.rolePermissions.of('role', roleId)) yield* grants.appPermissions.of('permission', permission)
}

export function* rolesOpening(grants: Grants, appId: number) {
  yield grants.adminRole
  for (const permission of grants.appPermissions.of('app', appId)) yield* grants.rolePermissions.of('permission', permission)
}
