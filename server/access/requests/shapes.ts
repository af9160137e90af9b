import { Type } from 'typebox'
import { Count, Id, Line, ListPart, Named, Nullable, OneOf, PageOf, pageQuery, Shape, Text, Timestamp } from '../../platform/http/shape.ts'
import { AuditActor, actorOrNull } from '../../record/audit/shapes.ts'
import { lapseReasons, statuses } from './rules.ts'

const Status = Named('AccessRequestStatus', OneOf(statuses))
const MOST_DAYS = 1825
const Days = (description: string) => Nullable(Type.Integer({ minimum: 1, maximum: MOST_DAYS, description }))
const text = Type.String()
const textOrNull = Nullable(text)

/** An app as grants and offers show it. */
const GrantedApp = Named('GrantedApp', Shape({ id: Id, nameAr: text, nameEn: text, iconName: text, imageUrl: textOrNull, color: text }), {
  nameAr: 'السفر',
  nameEn: 'Travel',
  iconName: 'plane',
  color: '#0a7',
})
const described = { id: Id, name: text, descriptionAr: textOrNull, descriptionEn: textOrNull }

export const OffersQuery = Shape({
  q: Type.Optional(Line({ max: 200, description: 'Part of the name, a description, a note or the name of an app' })),
  appId: Type.Optional(Type.Integer({ ...Id, description: 'Only groups that would show the caller this app' })),
  appSlug: Type.Optional(Line({ max: 100, description: 'The same, by the slug of the app, which is in its address' })),
  ...pageQuery(50),
})
const Offer = Named(
  'AccessOffer',
  Shape({
    groupId: Id,
    name: text,
    descriptionAr: textOrNull,
    descriptionEn: textOrNull,
    noteAr: textOrNull,
    noteEn: textOrNull,
    apps: Type.Array(GrantedApp, { description: 'The active apps that the caller would newly see' }),
    maxDays: Nullable(Type.Integer({ minimum: 1, maximum: MOST_DAYS })),
    reasonRequired: Type.Boolean(),
    state: OneOf(['pending', 'member', 'open'], {
      description: 'Whether a request of the caller is pending; otherwise, whether they are a member.',
    }),
    requestId: Nullable(Type.Integer({ ...Id, description: 'The pending request' })),
    memberUntil: Nullable(Timestamp),
  }),
  { name: 'Finance', noteEn: 'For the budget round', maxDays: 90, reasonRequired: true, state: 'open', requestId: null, memberUntil: null },
)
export const OffersPage = Named('AccessOffersPage', PageOf('items', Offer))

const Reason = Text({ min: 1, max: 1000, description: 'The reason, for the people who decide' })
export const NewAccessRequest = Named(
  'NewAccessRequest',
  Shape({
    groupId: Id,
    reason: Type.Optional(Nullable(Reason)),
    days: Type.Optional(Days('For how long; null: without an end, as far as the group allows it')),
  }),
  { groupId: 7, reason: 'I prepare the budget.', days: 30 },
)
export const AlreadyRequested = Shape({ requestId: Id })
/** Groups that do not exist, or that the person may not ask for. */
export const UnknownGroups = Named('UnknownGroups', Shape({ unknownIds: Type.Array(Id) }), { unknownIds: [9] })

const Approval = Named(
  'AccessApproval',
  Shape({ approver: AuditActor, note: textOrNull, days: Days('The longest time that this approver allows'), at: Timestamp }),
)
const Gains = Named(
  'AccessGains',
  Shape({
    roles: Type.Array(Named('GainedRole', Shape(described), { name: 'finance' })),
    permissions: Type.Array(Named('GainedPermission', Shape(described), { name: 'portal.finance' })),
    apps: Type.Array(GrantedApp),
  }),
)
export const AccessRequest = Named(
  'AccessRequest',
  Shape({
    id: Id,
    groupId: Id,
    groupName: text,
    groupDescriptionAr: textOrNull,
    groupDescriptionEn: textOrNull,
    requester: AuditActor,
    reason: textOrNull,
    days: Days('For how long it asks; null: without an end'),
    status: Status,
    lapseReason: Nullable(OneOf(lapseReasons)),
    approvals: Type.Array(Approval),
    neededApprovals: Type.Integer({ minimum: 1, maximum: 5 }),
    decidedBy: actorOrNull,
    decisionNote: textOrNull,
    decidedAt: Nullable(Timestamp),
    grantEndsAt: Nullable(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    mayDecide: Type.Boolean({ description: 'Whether the caller may decide on it now' }),
    gains: Type.Optional(Gains),
    memberCount: Type.Optional({ ...Count, description: 'The `ETag` does not change with it.', isUntagged: true }),
  }),
  {
    groupName: 'Finance',
    groupDescriptionAr: 'المالية',
    groupDescriptionEn: 'Finance',
    reason: 'I prepare the budget.',
    days: 30,
    status: 'pending',
    lapseReason: null,
    approvals: [],
    neededApprovals: 1,
    decidedBy: null,
    decisionNote: null,
    decidedAt: null,
    grantEndsAt: null,
    mayDecide: true,
    memberCount: 14,
  },
)
export const AccessRequestsPage = Named('AccessRequestsPage', PageOf('items', AccessRequest))

export const RequestsQuery = Shape({
  view: Type.Optional(
    OneOf(['mine', 'review', 'all'], {
      default: 'mine',
      description: 'The caller’s own; those that wait for the caller, oldest first; or, for administrators, all.',
    }),
  ),
  status: Type.Optional(Status),
  groupId: Type.Optional(Id),
  userId: Type.Optional(Type.Integer({ ...Id, description: 'The requester' })),
  ...pageQuery(50),
})

export const ApprovalBody = Named(
  'NewAccessApproval',
  Shape({
    days: Type.Optional(Days('The longest time to allow, at most as long as asked for')),
    note: Type.Optional(Nullable(Text({ max: 1000, description: 'A note that the requester reads' }))),
  }),
  { days: 14 },
)
export const Denial = Named(
  'AccessDenial',
  Shape({ note: Text({ min: 1, max: 1000, description: 'The reason, which the requester reads' }) }),
  { note: 'Please ask your manager first.' },
)

export const GrantsQuery = ListPart
const Grant = Named(
  'Grant',
  Shape({
    kind: OneOf(['group', 'role']),
    ...described,
    since: Nullable(Timestamp),
    expiresAt: Nullable(Timestamp),
    requestId: Nullable(Type.Integer({ ...Id, description: 'The request by which they became a member' })),
    canGiveBack: Type.Boolean(),
    apps: Type.Array(GrantedApp, { description: 'The active apps that it shows' }),
  }),
  { kind: 'group', name: 'Finance', requestId: 31, canGiveBack: true },
)
export const Grants = Type.Array(Grant)

export const GivenBackParams = Shape({ groupId: Id })

export const accessRequestEvents = {
  access_request_changed: Shape(
    { requestId: Id, status: Status },
    { description: 'To the requester and the approvers of a request, at each of its steps.' },
  ),
}
