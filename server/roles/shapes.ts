import { Type } from 'typebox'
import { Count, Description, Id, Ids, Line, Nullable, Shape, Timestamp } from '../platform/http/shape.ts'

const description = { descriptionAr: Nullable(Type.String()), descriptionEn: Nullable(Type.String()) }
const describing = { descriptionAr: Type.Optional(Description), descriptionEn: Type.Optional(Description) }

const RoleName = Line({
  min: 1,
  max: 64,
  pattern: '^[A-Za-z][A-Za-z0-9_.-]{0,63}$',
  description: 'Latin letters, digits, `.`, `_` and `-`, beginning with a letter; unique without regard to case.',
})
const roleFields = { id: Id, name: Type.String(), ...description, isSystem: Type.Boolean(), createdAt: Timestamp }

export const RoleUsage = Shape({ userCount: Count, groupCount: Count })
export const Role = Shape(roleFields)
export const RoleInList = Shape({ ...roleFields, ...RoleUsage.properties })
export const NewRole = Shape({ name: RoleName, ...describing })
export const RoleEdit = Shape({ name: Type.Optional(RoleName), ...describing })

export const Permission = Shape({ id: Id, name: Type.String(), ...description })
export const Permissions = Type.Array(Permission)
export const NewPermission = Shape({
  name: Line({
    min: 3,
    max: 100,
    pattern: '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)+$',
    description: 'Two or more words joined by dots, as in `orders.receive`.',
  }),
  ...describing,
})

export const PermissionSet = Shape({ permissionIds: Ids })
export const PermissionChoice = Shape({ permissionId: Id })
export const RolePermissionParams = Shape({ id: Id, permissionId: Id })

export const NamedGroups = Type.Array(Shape({ id: Id, name: Type.String() }))
export const RolePermissionsImpact = Shape({
  removed: Type.Array(Shape({ permissionId: Id, permissionName: Type.String(), userCount: Count, groupCount: Count, groups: NamedGroups })),
  totalAffectedUsers: Count,
})
