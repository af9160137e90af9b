import { Type } from 'typebox'
import {
  Count,
  Description,
  Id,
  Ids,
  Line,
  Name,
  Named,
  Nullable,
  PageOf,
  PartialShape,
  PersonIds,
  pageQuery,
  partQuery,
  Shape,
  sortQuery,
  Timestamp,
} from '../platform/http/shape.ts'
import { PersonSummary } from '../users/shapes.ts'

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
const exampleCounts = { memberCount: 14, appCount: 2, roleCount: 1 }

export const Group = Named('Group', Shape({ ...described, ...counts }), { name: 'Finance', isSystem: false, ...exampleCounts })
export const GroupDetail = Named('GroupDetail', Shape({ ...described, ...sets }), { name: 'Finance', isSystem: false })
export const CountedDetail = Named('CountedGroupDetail', Shape({ ...described, ...sets, ...counts }), {
  name: 'Finance',
  isSystem: false,
  ...exampleCounts,
})
/** The counts in the refusal of a deletion. */
export const GroupDeletionConflict = Named('GroupDeletionConflict', Shape(counts), exampleCounts)

export const GroupFilter = Shape({
  q: Type.Optional(Line({ max: 200, description: 'Part of the name or a description' })),
  ...sortQuery(['name', 'createdAt', 'members']),
  ...partQuery,
})

const fields = {
  name: Name({ min: 1, max: 200, description: 'Unique regardless of case' }),
  descriptionAr: Type.Optional(Description),
  descriptionEn: Type.Optional(Description),
  appIds: Type.Optional(Ids),
  roleIds: Type.Optional(Ids),
  userIds: Type.Optional(PersonIds),
}
export const NewGroup = Named('NewGroup', Shape(fields), { name: 'Finance', roleIds: [4], userIds: [12, 13] })
const MemberDifference = Named('MemberDifference', PartialShape({ add: PersonIds, remove: PersonIds }), { add: [14], remove: [12] })
const SetDifference = Named('SetDifference', PartialShape({ add: Ids, remove: Ids }), { add: [4] })
export const GroupPatch = Named(
  'GroupChanges',
  Shape({
    ...fields,
    name: Type.Optional(fields.name),
    members: Type.Optional(MemberDifference),
    roles: Type.Optional(SetDifference),
    apps: Type.Optional(SetDifference),
  }),
  { members: { add: [14], remove: [12] } },
)
export const Deletion = Shape({ force: Type.Optional(Type.Boolean({ default: false })) })

export const MembersQuery = Shape({
  ...pageQuery(50),
  q: Type.Optional(Line({ max: 200, description: 'Part of the username, the e-mail address or a display name' })),
})
export const GroupMembersPage = Named(
  'GroupMembersPage',
  PageOf('items', Named('GroupMember', Shape({ ...PersonSummary.properties, isActive: Type.Boolean() }), { username: 'sara.ahmed' })),
)
export const MemberParams = Shape({ id: Id, memberId: Id })

export const GroupImpact = Named(
  'GroupImpact',
  Shape({
    lostRoles: Type.Array(
      Named('LostRoles', Shape({ userId: Id, roleNames: Type.Array(Type.String()) }), { userId: 12, roleNames: ['finance'] }),
    ),
    lostApps: Type.Array(Named('LostApps', Shape({ userId: Id, appIds: Type.Array(Id) }), { userId: 12 })),
    affectedUserCount: Count,
    noChange: Type.Boolean({ description: 'Whether the members, roles and apps would stay as they are.' }),
  }),
  { affectedUserCount: 1, noChange: false },
)
