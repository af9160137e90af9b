import { Type } from 'typebox'
import {
  Count,
  Description,
  Id,
  Ids,
  Line,
  Named,
  Nullable,
  PageOf,
  PartialShape,
  partQuery,
  Shape,
  sortQuery,
  Timestamp,
} from '../../platform/http/shape.ts'

const description = { descriptionAr: Nullable(Type.String()), descriptionEn: Nullable(Type.String()) }
const describing = { descriptionAr: Type.Optional(Description), descriptionEn: Type.Optional(Description) }

const RoleName = Line({
  min: 1,
  max: 64,
  pattern: '^[A-Za-z][A-Za-z0-9_.-]{0,63}$',
  form: 'roleName',
  description: 'Latin letters, digits, `.`, `_` and `-`, beginning with a letter; unique regardless of case.',
})
const roleFields = { id: Id, name: Type.String(), ...description, isSystem: Type.Boolean(), createdAt: Timestamp }

const q = Type.Optional(Line({ max: 200, description: 'Part of the name or a description' }))
export const RoleFilter = Shape({ q, ...sortQuery(['name', 'createdAt', 'holders']), ...partQuery })
export const PermissionFilter = Shape({ q, ...partQuery })

export const RoleUsage = Named('RoleUsage', Shape({ userCount: Count, groupCount: Count }), { userCount: 6, groupCount: 1 })
/** The counts in the refusal to delete a role. */
export const RoleDeletionConflict = Named('RoleDeletionConflict', Shape(RoleUsage.properties), { userCount: 6, groupCount: 1 })
/** The counts in the refusal to delete a permission. */
export const PermissionDeletionConflict = Named('PermissionDeletionConflict', Shape({ roleCount: Count, appCount: Count }), {
  roleCount: 2,
  appCount: 1,
})
export const Role = Named('Role', Shape(roleFields), { name: 'finance', isSystem: false })
export const RoleInList = Named('RoleInList', Shape({ ...roleFields, ...RoleUsage.properties, permissionIds: Type.Array(Id) }), {
  name: 'finance',
  isSystem: false,
  userCount: 6,
  groupCount: 1,
  permissionIds: [4, 9],
})
export const NewRole = Named('NewRole', Shape({ name: RoleName, ...describing }), {
  name: 'finance',
  descriptionEn: 'Sees what finance sees',
})
export const RoleEdit = Named('RoleChanges', Shape({ name: Type.Optional(RoleName), ...describing }), {
  descriptionEn: 'Sees what finance sees',
})

export const Permission = Named('Permission', Shape({ id: Id, name: Type.String(), ...description }), { id: 9, name: 'portal.finance' })
export const Permissions = Type.Array(Permission)
export const PermissionInList = Named(
  'PermissionInList',
  Shape({ ...Permission.properties, isSystem: Type.Boolean(), roleCount: Count, appCount: Count }),
  { id: 9, name: 'portal.finance', isSystem: true, roleCount: 1, appCount: 3 },
)
/** The permissions of a role, as a record with an ETag. */
export const RolePermissions = Named('RolePermissions', Type.Array(Permission))
export const NewPermission = Named(
  'NewPermission',
  Shape({
    name: Line({
      min: 3,
      max: 100,
      pattern: '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)+$',
      form: 'permissionName',
      description: 'Two or more words joined by dots, as in `orders.receive`.',
    }),
    ...describing,
  }),
  { name: 'reports.read', descriptionEn: 'Reads the reports' },
)

export const PermissionEdit = Named('PermissionChanges', PartialShape({ descriptionAr: Description, descriptionEn: Description }), {
  descriptionEn: 'Reads the reports',
})

const named = { id: Id, name: Type.String(), ...description }
const person = { displayNameAr: Nullable(Type.String()), displayNameEn: Nullable(Type.String()), avatarUrl: Nullable(Type.String()) }
export const RoleDependentUsersPage = Named(
  'RoleDependentUsersPage',
  PageOf(
    'items',
    Named('RoleDependentUser', Shape({ id: Id, username: Type.String(), ...person, isActive: Type.Boolean() }), { username: 'sara.ahmed' }),
  ),
)
export const RoleDependentGroupsPage = Named(
  'RoleDependentGroupsPage',
  PageOf('items', Named('RoleDependentGroup', Shape(named), { name: 'Finance' })),
)
export const PermissionDependentRolesPage = Named(
  'PermissionDependentRolesPage',
  PageOf('items', Named('PermissionDependentRole', Shape({ ...named, isSystem: Type.Boolean() }), { name: 'finance', isSystem: false })),
)
export const PermissionDependentAppsPage = Named(
  'PermissionDependentAppsPage',
  PageOf(
    'items',
    Named(
      'PermissionDependentApp',
      Shape({ id: Id, slug: Type.String(), nameAr: Type.String(), nameEn: Type.String(), isActive: Type.Boolean() }),
      { slug: 'travel', nameAr: 'السفر', nameEn: 'Travel' },
    ),
  ),
)

/** The unknown ids in the refusal of permissions that do not exist. */
export const UnknownPermissions = Named('UnknownPermissions', PartialShape({ unknownIds: Type.Array(Id) }), { unknownIds: [9] })
export const PermissionSet = Named('PermissionSet', Shape({ permissionIds: Ids }), { permissionIds: [4, 9] })
export const PermissionChoice = Named('PermissionChoice', Shape({ permissionId: Id }), { permissionId: 9 })
export const RolePermissionParams = Shape({ id: Id, permissionId: Id })

export const GroupName = Named('GroupName', Shape({ id: Id, name: Type.String() }), { name: 'Finance' })
export const NamedGroups = Type.Array(GroupName)
export const RolePermissionsImpact = Named(
  'RolePermissionsImpact',
  Shape({
    removed: Type.Array(
      Named(
        'LostPermission',
        Shape({ permissionId: Id, permissionName: Type.String(), userCount: Count, groupCount: Count, groups: NamedGroups }),
        { permissionId: 9, permissionName: 'portal.finance', userCount: 6, groupCount: 1 },
      ),
    ),
    totalAffectedUsers: Count,
  }),
  { totalAffectedUsers: 6 },
)
