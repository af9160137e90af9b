import { Type } from 'typebox'
import { PersonSummary } from '../../people/users/shapes.ts'
import {
  CalendarDate,
  CheckedAlone,
  Count,
  CountsOf,
  FreeObject,
  Id,
  IdList,
  Line,
  Named,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  partQuery,
  Shape,
  Text,
  Timestamp,
} from '../../platform/http/shape.ts'
import { FormFields, ServiceForm } from '../service-forms/shapes.ts'
import { Approval } from './approval-shapes.ts'
import { OrderFile, Waiting } from './conversation-shapes.ts'
import { orderChangeNames, statuses } from './rules.ts'
import { acts, progresses, states } from './standing.ts'

export const detailsChanges = ['approval', 'released', 'message', 'note', 'waiting', 'due', 'transferred', 'reopened', 'details'] as const

export const OrderStatus = Named('ServiceOrderStatus', OneOf(statuses))

const PersonOrNull = Nullable(PersonSummary)

export const ServiceOrder = Named(
  'ServiceOrder',
  Shape({
    id: Id,
    serviceId: Id,
    userId: Id,
    assignedTo: Nullable(Id),
    notes: Nullable(Type.String()),
    status: OrderStatus,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    service: Named('ServiceSummary', Shape({ id: Id, nameAr: Type.String(), nameEn: Type.String(), imageUrl: Nullable(Type.String()) }), {
      id: 3,
      nameAr: 'قهوة',
      nameEn: 'Coffee',
    }),
    requester: PersonOrNull,
    assignee: PersonOrNull,
    next: Type.Array(OrderStatus, {
      description: 'The statuses the caller may move the order to now. Confirming receipt moves it from `pending` to `received`.',
    }),
    undoUntil: Nullable(Type.Unsafe<Date>({ ...Timestamp, description: 'The time until which a cancelled order can be restored.' })),
  }),
  { id: 31, serviceId: 3, userId: 12, assignedTo: null, notes: 'Without sugar', assignee: null, next: ['cancelled'], undoUntil: null },
)
export const ServiceOrders = Type.Array(ServiceOrder)

export const OrderFilter = Shape({
  status: Type.Optional(OrderStatus),
  assignedTo: Type.Optional(Id),
  serviceId: Type.Optional(Id),
  userId: Type.Optional(Id),
  q: Type.Optional(Line({ max: 200, description: 'Part of the service’s names, the note, or the requester’s names or e-mail address' })),
  from: Type.Optional(CalendarDate),
  to: Type.Optional(CalendarDate),
  waitingMinutes: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 525_600, description: 'Only `pending` orders that were placed at least this many minutes ago' }),
  ),
  ...pageQuery(50),
})
export const OrderPage = Named(
  'ServiceOrdersPage',
  Shape({ ...PageOf('items', ServiceOrder).properties, counts: CountsOf('ServiceOrderCounts', statuses) }),
  { totalCount: 1, limit: 50, offset: 0, nextOffset: null },
)

export const NewOrder = Named(
  'NewServiceOrder',
  Shape({
    serviceId: Id,
    notes: Type.Optional(Nullable(Text({ max: 500 }))),
    formVersion: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 0,
          maximum: 2147483647,
          description: 'The version of the form that was answered; the present one if omitted',
        }),
      ),
    ),
    answers: Type.Optional(Nullable(FreeObject({ maxBytes: 16 * 1024, description: 'By the keys of the fields, at most 16 KiB' }))),
    forUserId: Type.Optional(Nullable(Type.Integer({ ...Id, description: 'For whom it is, where that is not the caller' }))),
  }),
  { serviceId: 3, notes: 'Without sugar' },
)
/** The current form, in the refusal of answers to an earlier version. */
export const FormChanged = Named('FormChanged', Shape({ form: ServiceForm }))
const Words = Nullable(Type.String())
const OrderTimes = Named(
  'OrderTimes',
  Shape({
    receiveBy: Nullable(Timestamp),
    completeBy: Nullable(Timestamp),
    receivedAt: Nullable(Timestamp),
    completedAt: Nullable(Timestamp),
    receivedInTime: Nullable(Type.Boolean()),
    completedInTime: Nullable(Type.Boolean()),
    isLate: Type.Boolean({ description: 'Whether the next target has been missed' }),
    minutesUsed: Nullable(
      Type.Integer({
        minimum: 0,
        description: 'Working minutes since it was placed, or until it was completed or cancelled. Null if its calendar is deleted',
      }),
    ),
  }),
  { receivedAt: null, completedAt: null, receivedInTime: null, completedInTime: null, isLate: false, minutesUsed: 12 },
)
export const OrderDetails = Named(
  'OrderDetails',
  Shape({
    orderId: Id,
    teamId: Nullable(Id),
    teamNameAr: Words,
    teamNameEn: Words,
    formVersion: Nullable(Type.Integer({ description: 'Null where it was placed without a form.' })),
    fields: Nullable(FormFields),
    answers: Type.Unsafe<Record<string, unknown> | null>({
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'By the keys of the fields. A person is `{id, nameAr, nameEn}`, with the names of that time.',
    }),
    files: Type.Array(OrderFile, { description: 'Those of the answers' }),
    wantedAt: Nullable(Timestamp),
    beneficiary: PersonOrNull,
    approval: Nullable(Approval),
    times: OrderTimes,
    waiting: Nullable(Waiting),
    progress: OneOf(progresses, {
      description: 'Where it stands: its status, unless it waits for an approval (`held`) or for somebody, or is wanted later',
    }),
    cancelReason: Nullable(Type.String()),
    reopenCount: Count,
    lastMessageAt: Nullable(Timestamp),
    unread: Type.Unsafe<boolean | null>({
      ...Nullable(Type.Boolean()),
      isUntagged: true,
      description: 'Whether the caller was told of messages and has not read them; null for those who do not read messages',
    }),
    may: Type.Array(OneOf(acts), { description: 'What the caller may do now' }),
  }),
  {
    ...{ orderId: 31, teamId: 4, teamNameEn: 'IT support', formVersion: 2, answers: { drink: 'tea' }, files: [], wantedAt: null },
    ...{ approval: null, waiting: null, progress: 'received', cancelReason: null, reopenCount: 0, may: ['message', 'note', 'wait'] },
  },
)
export const DetailsFilter = Shape({
  view: Type.Optional(
    OneOf(['mine', 'approve', 'team', 'incoming', 'all'], {
      default: 'mine',
      description:
        '`mine`: those that the caller placed or that are for them; `approve`: those whose open step the caller can approve, or has approved, oldest first; `team`: those of the teams that the caller receives for or leads; `incoming`: those that the caller, a receiver of orders, can claim or is working on; `all`: for administrators',
    }),
  ),
  ids: Type.Optional(IdList),
  teamId: Type.Optional(Id),
  serviceId: Type.Optional(Id),
  status: Type.Optional(OrderStatus),
  state: Type.Optional(
    OneOf(states, { description: 'Open orders that wait for an approval (`held`) or for somebody, are late, due today, or wanted later' }),
  ),
  assignedTo: Type.Optional(
    Type.String({ pattern: '^(me|none|[1-9]\\d{0,9})$', form: 'assignee', description: '`me`, `none`, or the id of a person' }),
  ),
  q: Type.Optional(Line({ max: 200, description: 'Part of the names of the service or of its parties, the note, or the answers' })),
  from: Type.Optional(CalendarDate),
  to: Type.Optional(CalendarDate),
  sort: Type.Optional(
    OneOf(['due', 'newest'], {
      description:
        '`due`, soonest first, if it is omitted for `team` and `incoming`; otherwise `newest`. `approve` is always oldest first.',
    }),
  ),
  ...pageQuery(50),
})
/** As `OrderDetails`, in a list: without the fields of the form and the files. */
const ListedOrderDetails = Named('ListedOrderDetails', Shape((({ fields: _, files: __, ...rest }) => rest)(OrderDetails.properties)), {
  orderId: 31,
  teamId: 4,
  teamNameEn: 'IT support',
})
export const OrderDetailsPage = Named(
  'OrderDetailsPage',
  Shape({
    ...PageOf('items', Named('OrderWithDetails', Shape({ order: ServiceOrder, details: ListedOrderDetails }), {})).properties,
    counts: CountsOf('OrderStateCounts', states),
  }),
  { totalCount: 1, limit: 50, offset: 0, nextOffset: null },
)
const Reason = Nullable(Text({ min: 1, max: 500, description: 'Why it is cancelled, for the requester; ignored with any other status' }))
export const Cancellation = Shape({ reason: Type.Optional(Reason) })
export const Move = Named('OrderMove', Shape({ status: OrderStatus, reason: Type.Optional(CheckedAlone(Reason)) }), { status: 'preparing' })
export const Receivers = Type.Array(
  Named(
    'Receiver',
    Shape({
      user: PersonSummary,
      open: Type.Integer({ minimum: 0, description: 'The number of orders that they are working on' }),
      present: Type.Boolean({ description: 'Whether they have the portal open, that is, an open event stream' }),
    }),
    { open: 2, present: true },
  ),
)
export const ReceiversQuery = Shape({
  orderId: Type.Optional(Id),
  q: Type.Optional(Line({ max: 200, description: 'Part of the username or of a display name' })),
  ...partQuery,
})
export const Assignment = Named('OrderAssignment', Shape({ userId: Id }), { userId: 15 })
export const Transfer = Named(
  'OrderTransfer',
  Shape({ teamId: Id, note: Type.Optional(Nullable(Text({ max: 500, description: 'A note to the teams' }))) }),
  { teamId: 4, note: 'Needs a new cable' },
)
const Notice = Type.Optional(Nullable(Type.String()))
/** The notice of a paused service, in the refusal of an order; absent if the service is unavailable for another reason. */
export const ServicePaused = Named(
  'ServicePaused',
  Shape({ noticeAr: Notice, noticeEn: Notice, until: Type.Optional(Nullable(Timestamp)) }),
  { noticeEn: 'Closed for the inventory' },
)
/** The order in the refusal of a claim. */
export const ClaimLost = Named('ClaimLost', Shape({ status: OrderStatus, assignedTo: Nullable(Id) }), {
  status: 'received',
  assignedTo: 15,
})
export const SomeOrders = Named('OrderSelection', Shape({ ids: Type.Array(Id, { minItems: 1, maxItems: 200 }) }), { ids: [31, 32] })
export const Deletions = Named('OrderDeletions', Shape({ deletedIds: Type.Array(Id), failedIds: Type.Array(Id) }), {
  deletedIds: [31],
  failedIds: [32],
})

export const orderEvents = {
  /** Sent to the people who receive the order, or did before it was handed over. */
  order_incoming_changed: Shape({ orderId: Id, status: OrderStatus, assignedTo: Nullable(Id), change: OneOf(orderChangeNames) }),
  /** Sent to the requester and to the beneficiary of the order, as each sees it. */
  order_updated: Shape(
    { order: ServiceOrder },
    { description: 'To the requester and the person for whom it is, when an order was placed or has moved on.' },
  ),
  order_deleted: Shape({ orderId: Id }),
  order_details_changed: Shape(
    { orderId: Id, change: OneOf(detailsChanges) },
    {
      description:
        'To everyone who may read that part of the order: a step of its `approval`, its release (`released`), a `message`, a `note` to the team, `waiting` that begins or ends, `due`: a target is near or missed, `transferred` to another team, `reopened`, or anything else of its `details`.',
    },
  ),
}

/** The orders that would be deleted with the person who placed them, for a caller who may delete that person. */
export const UserDependentOrdersPage = Named(
  'UserDependentOrdersPage',
  PageOf(
    'items',
    Named(
      'UserDependentOrder',
      Shape({
        id: Id,
        status: OrderStatus,
        notes: Nullable(Type.String()),
        createdAt: Timestamp,
        serviceId: Id,
        serviceNameAr: Type.String(),
        serviceNameEn: Type.String(),
      }),
      { id: 31, serviceId: 3, serviceNameAr: 'قهوة', serviceNameEn: 'Coffee' },
    ),
  ),
)
