import { Type } from 'typebox'
import { Id, Nullable, OneOf, Shape, Text, Timestamp } from '../platform/http/shape.ts'
import { orderChangeNames, statuses } from './rules.ts'

export const OrderStatus = OneOf(statuses)

const personFields = {
  id: Id,
  username: Type.String(),
  displayNameAr: Nullable(Type.String()),
  displayNameEn: Nullable(Type.String()),
  avatarUrl: Nullable(Type.String()),
}
interface Person {
  id: number
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
  avatarUrl: string | null
}
const PersonOrNull = Type.Unsafe<Person | null>({ ...Shape(personFields), type: ['object', 'null'] })

export const ServiceOrder = Shape({
  id: Id,
  serviceId: Id,
  userId: Id,
  assignedTo: Nullable(Id),
  notes: Nullable(Type.String()),
  status: OrderStatus,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  service: Shape({ id: Id, nameAr: Type.String(), nameEn: Type.String(), imageUrl: Nullable(Type.String()) }),
  requester: PersonOrNull,
  assignee: PersonOrNull,
  next: Type.Array(OrderStatus, {
    description: 'The statuses the caller may move the order to now. Confirming receipt moves it from `pending` to `received`.',
  }),
  undoUntil: Nullable(Timestamp),
})
export const ServiceOrders = Type.Array(ServiceOrder)

/** The facts recorded about a deleted order. */
export const KnownOrder = Shape({ id: Id, status: OrderStatus, userId: Id, assignedTo: Nullable(Id) })

export const NewOrder = Shape({ serviceId: Id, notes: Type.Optional(Nullable(Text({ max: 500 }))) })
export const Move = Shape({ status: OrderStatus })
export const SomeOrders = Shape({ ids: Type.Array(Id, { minItems: 1, maxItems: 200 }) })
export const Deletions = Shape({ deletedIds: Type.Array(Id), failedIds: Type.Array(Id) })

export const orderEvents = {
  /** To everyone who receives orders. */
  order_incoming_changed: Shape({ orderId: Id, status: OrderStatus, assignedTo: Nullable(Id), change: OneOf(orderChangeNames) }),
  /** To whoever placed it, as they see it. */
  order_updated: Shape({ order: ServiceOrder }),
  order_deleted: Shape({ orderId: Id }),
}
