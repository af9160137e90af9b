/** What each event of the document means for the cache; the one place that says so. */
import { cache, changeAll, invalidate } from './cache.ts'
import type { Schemas } from './client.ts'

type Message = Schemas['StreamMessage']
type Data<E extends Message['event']> = Extract<Message, { event: E }>['data']
type Order = Schemas['ServiceOrder']
type Notification = Schemas['Notification']

const put = (order: Order) => (all: Order[]) => all.map((one) => (one.id === order.id ? order : one))
const read = (notification: Notification) => (notification.isRead ? notification : { ...notification, isRead: true })

export const eventsToCache: { [E in Message['event']]: (data: Data<E>) => unknown } = {
  order_updated({ order }) {
    changeAll('/orders/my', put(order))
    changeAll('/orders/incoming', put(order))
    cache.setQueriesData<Order>({ queryKey: ['/orders/{id}'], predicate: isOf(order.id) }, order)
    return invalidate('/orders')
  },
  order_deleted({ orderId }) {
    changeAll('/orders/my', (all) => all.filter(({ id }) => id !== orderId))
    changeAll('/orders/incoming', (all) => all.filter(({ id }) => id !== orderId))
    cache.removeQueries({ queryKey: ['/orders/{id}'], predicate: isOf(orderId) })
    return invalidate('/orders')
  },
  order_incoming_changed: () => invalidate('/orders/incoming', '/orders'),
  notification_created({ notification }) {
    changeAll('/notifications', (all) => (all.some(({ id }) => id === notification.id) ? all : [notification, ...all]))
    return invalidate('/notifications', '/stats/home')
  },
  notifications_read(data) {
    const isMeant = (id: number) => data.ids?.includes(id) ?? true
    changeAll('/notifications', (all) => all.map((one) => (isMeant(one.id) ? read(one) : one)))
    return invalidate('/notifications', '/stats/home')
  },
  apps_changed: () => invalidate('/apps', '/stats/home'),
  services_changed: () => invalidate('/services', '/service-categories', '/stats/home'),
  settings_changed: () => invalidate('/settings'),
  me_changed: () => invalidate('/auth/me', '/apps', '/executive-meetings/me'),
  note_changed({ noteId }) {
    cache.invalidateQueries({ queryKey: ['/notes/{id}/thread'], predicate: isOf(noteId) })
    cache.invalidateQueries({ queryKey: ['/notes/{id}'], predicate: isOf(noteId) })
    return invalidate('/notes', '/notes/received', '/notes/sent')
  },
  meetings_changed: () => cache.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/executive-meetings') }),
  session_ended: () => {},
  resync: () => cache.invalidateQueries(),
}

const isOf =
  (id: number) =>
  ({ queryKey }: { queryKey: readonly unknown[] }) =>
    (queryKey[1] as { path?: { id?: number } } | undefined)?.path?.id === id
