import { Type } from 'typebox'
import { Count, Description, Id, Ids, Line, Nullable, Shape, Timestamp } from '../platform/http/shape.ts'

const described = {
  id: Id,
  name: Type.String(),
  descriptionAr: Nullable(Type.String()),
  descriptionEn: Nullable(Type.String()),
  isSystem: Type.Boolean(),
  createdAt: Timestamp,
}
const sets = { appIds: Type.Array(Id), roleIds: Type.Array(Id), userIds: Type.Array(Id) }
const counts = { memberCount: Count, appCount: Count, roleCount: Count }

export const Group = Shape({ ...described, ...counts })
export const GroupDetail = Shape({ ...described, ...sets })
export const CountedDetail = Shape({ ...described, ...sets, ...counts })

export const GroupFilter = Shape({ q: Type.Optional(Line({ max: 200, description: 'Part of the name or a description' })) })

const fields = {
  name: Line({ min: 1, max: 200, description: 'Unique without regard to case' }),
  descriptionAr: Type.Optional(Description),
  descriptionEn: Type.Optional(Description),
  appIds: Type.Optional(Ids),
  roleIds: Type.Optional(Ids),
  userIds: Type.Optional(Ids),
}
export const NewGroup = Shape(fields)
export const GroupPatch = Shape({ ...fields, name: Type.Optional(fields.name) })
export const Deletion = Shape({ force: Type.Optional(Type.Boolean({ default: false })) })

export const MemberParams = Shape({ id: Id, memberId: Id })

export const GroupImpact = Shape({
  lostRoles: Type.Array(Shape({ userId: Id, roleNames: Type.Array(Type.String()) })),
  lostApps: Type.Array(Shape({ userId: Id, appIds: Type.Array(Id) })),
  affectedUserCount: Count,
  noChange: Type.Boolean({ description: 'Whether the members, roles and apps would stay as they are.' }),
})
