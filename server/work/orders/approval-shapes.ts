import { Type } from 'typebox'
import { PersonSummary } from '../../people/users/shapes.ts'
import { Named, Nullable, OneOf, Shape, Text, Timestamp } from '../../platform/http/shape.ts'

const example = { id: 21, username: 'mona', displayNameAr: 'منى', displayNameEn: 'Mona', avatarUrl: null }
export const approvalStates = ['waiting', 'approved', 'denied', 'lapsed'] as const
export const lapseReasons = ['undecided', 'requester_gone'] as const

const Given = Named(
  'OrderApprovalGiven',
  Shape({
    by: PersonSummary,
    asAdmin: Type.Boolean({ description: 'Whether they approved as an administrator who is no approver of the step' }),
    note: Nullable(Type.String()),
    at: Timestamp,
  }),
  { by: example, asAdmin: false, note: null, at: '2026-03-01T09:00:00.000Z' },
)
const Step = Named(
  'OrderApprovalStep',
  Shape({
    key: Type.String(),
    nameAr: Type.String(),
    nameEn: Type.String(),
    needed: Type.Integer({ minimum: 1, description: 'How many must approve; never more than there are' }),
    approvals: Type.Array(Given),
    doneAt: Nullable(Timestamp),
  }),
  { key: 'manager', nameAr: 'المدير', nameEn: 'Manager', needed: 1, approvals: [], doneAt: null },
)
/** The approvals that an order needs before its team sees it. */
export const Approval = Named(
  'OrderApproval',
  Shape({
    state: OneOf(approvalStates),
    lapseReason: Nullable(
      OneOf(lapseReasons, { description: '`undecided` after 14 days; `requester_gone`: the account for which it is was closed' }),
    ),
    step: Nullable(Type.String({ description: 'The key of the step that is open' })),
    steps: Type.Array(Step),
    waitsFor: Type.Array(PersonSummary, { maxItems: 20, description: 'At most 20 of those who may approve the open step' }),
    lapsesAt: Nullable(Timestamp),
  }),
  { state: 'waiting', lapseReason: null, step: 'manager', waitsFor: [example], lapsesAt: '2026-03-15T09:00:00.000Z' },
)

export const OrderApproval = Named(
  'NewOrderApproval',
  Shape({ note: Type.Optional(Nullable(Text({ max: 1000, description: 'A note that the parties read' }))) }),
  { note: 'Within the budget.' },
)
export const OrderDenial = Named(
  'OrderDenial',
  Shape({ note: Type.Optional(Nullable(Text({ max: 1000, description: 'The reason, which the parties read; it must be given' }))) }),
  { note: 'Please use the printer on the second floor.' },
)
