/** What each event of the document means for the cache; the one place that says so. */
import { changeAll, invalidate, invalidateRecord, type Readable } from './cache.ts'
import type { Schemas } from './client.ts'

type Message = Schemas['StreamMessage']
type Data<E extends Message['event']> = Extract<Message, { event: E }>['data']
type Order = Schemas['ServiceOrder']
type Notification = Schemas['Notification']

const put = (order: Order) => (all: Order[]) => all.map((one) => (one.id === order.id ? order : one))
const read = (notification: Notification) => (notification.isRead ? notification : { ...notification, isRead: true })
const meetings: Readable[] = [
  '/executive-meetings',
  '/executive-meetings/{id}',
  '/executive-meetings/dates',
  '/executive-meetings/requests',
  '/executive-meetings/requests/{id}',
  '/executive-meetings/tasks',
  '/executive-meetings/tasks/{id}',
]

export const eventsToCache: { [E in Message['event']]: (data: Data<E>) => void } = {
  order_updated({ order }) {
    changeAll('/orders/my', put(order))
    changeAll('/orders/incoming', put(order))
    changeAll('/orders/{id}', (one) => (one.id === order.id ? order : one))
    invalidate('/orders')
  },
  order_deleted({ orderId }) {
    changeAll('/orders/my', (all) => all.filter(({ id }) => id !== orderId))
    changeAll('/orders/incoming', (all) => all.filter(({ id }) => id !== orderId))
    invalidateRecord('/orders/{id}', orderId)
    invalidate('/orders')
  },
  order_incoming_changed: () => invalidate('/orders/incoming', '/orders'),
  notification_created({ notification }) {
    changeAll('/notifications', (all) => (all.some(({ id }) => id === notification.id) ? all : [notification, ...all]))
    invalidate('/notifications', '/stats/home')
  },
  notifications_read(data) {
    const isMeant = (id: number) => data.ids?.includes(id) ?? true
    changeAll('/notifications', (all) => all.map((one) => (isMeant(one.id) ? read(one) : one)))
    invalidate('/notifications', '/stats/home')
  },
  apps_changed: () => invalidate('/apps', '/stats/home'),
  services_changed: () => invalidate('/services', '/service-categories', '/stats/home'),
  settings_changed: () => invalidate('/settings'),
  me_changed: () => invalidate('/auth/me', '/apps', '/executive-meetings/me'),
  note_changed({ noteId }) {
    invalidateRecord('/notes/{id}/thread', noteId)
    invalidateRecord('/notes/{id}', noteId)
    invalidate('/notes', '/notes/received', '/notes/sent', '/notes/folders')
  },
  meetings_changed: () => invalidate(...meetings),
  session_ended: () => {},
  resync: () => invalidate(),
}
