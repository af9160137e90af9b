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
  Text,
  Timestamp,
} from '../../platform/http/shape.ts'
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
const memberEnds = Type.Array(Named('MemberEnd', Shape({ userId: Id, expiresAt: Timestamp }), { userId: 13 }), {
  description: 'The memberships that end, soonest first.',
})
export const GroupDetail = Named('GroupDetail', Shape({ ...described, ...sets, memberEnds }), { name: 'Finance', isSystem: false })
export const CountedDetail = Named('CountedGroupDetail', Shape({ ...described, ...sets, memberEnds, ...counts }), {
  name: 'Finance',
  isSystem: false,
  ...exampleCounts,
})
/** The counts in the refusal of a deletion. */
export const GroupDeletionConflict = Named('GroupDeletionConflict', Shape(counts), exampleCounts)

export const GroupFilter = Shape({
  q: Type.Optional(Line({ max: 200, description: 'Part of the name or a description' })),
  sourceId: Type.Optional(Type.Integer({ ...Id, description: 'The source that manages their members' })),
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

const PolicyIds = Type.Array(Id, { maxItems: 100 })
const Note = Nullable(Text({ max: 500, description: 'What people read before they ask' }))
const policy = {
  requestable: Type.Boolean({ default: false, description: 'Whether people can ask to join' }),
  askerGroupIds: Type.Array(Id, {
    maxItems: 100,
    description: 'The groups whose members may ask; empty: everyone may. To all others, the group is unknown.',
  }),
  approverUserIds: PolicyIds,
  approverGroupIds: PolicyIds,
  minApprovals: Type.Integer({
    minimum: 1,
    maximum: 5,
    description: 'How many approvals a request needs, but never more than there are people who may decide on it',
  }),
  maxDays: Nullable(Type.Integer({ minimum: 1, maximum: 1825, description: 'How long a membership may last' })),
  reasonRequired: Type.Boolean(),
  noteAr: Note,
  noteEn: Note,
}
const examplePolicy = {
  requestable: true,
  askerGroupIds: [5],
  approverUserIds: [12],
  approverGroupIds: [8],
  minApprovals: 1,
  maxDays: 90,
  reasonRequired: true,
  noteEn: 'For the budget round',
}
/** Omitted fields get their defaults. */
export const NewRequestPolicy = Named('NewRequestPolicy', PartialShape(policy), examplePolicy)
export const RequestPolicy = Named(
  'RequestPolicy',
  Shape({
    ...policy,
    openApproverGroupIds: Type.Array(Id, {
      description: 'The groups of approvers that can themselves be asked for. The `ETag` does not change with them.',
      isUntagged: true,
    }),
  }),
  { ...examplePolicy, openApproverGroupIds: [] },
)
