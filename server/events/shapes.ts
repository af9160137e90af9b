/** What each event of a stream tells. */
import { Type } from 'typebox'
import { Notification } from '../notifications/shapes.ts'
import { OrderStatus, ServiceOrder } from '../orders/shapes.ts'
import { CalendarDate, Id, Nullable, OneOf, Shape } from '../platform/http/shape.ts'

const Nothing = Shape({})

export const eventPayloads = {
  notification_created: Shape({ notification: Notification }),
  order_incoming_changed: Shape({
    orderId: Id,
    status: OrderStatus,
    assignedTo: Nullable(Id),
    change: OneOf(['placed', 'claimed', 'changed', 'cancelled', 'restored', 'deleted']),
  }),
  order_updated: Shape({ order: ServiceOrder }),
  order_deleted: Shape({ orderId: Id }),
  apps_changed: Nothing,
  note_changed: Shape({ noteId: Id, change: OneOf(['received', 'replied', 'status', 'updated', 'deleted']) }),
  meetings_changed: Shape({ date: CalendarDate }),
  session_ended: Shape({ reason: Type.String() }),
  resync: Nothing,
}
