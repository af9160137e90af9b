/** How each event changes the cache, except where a page listens to an event itself. */
import { changeAll, invalidate, invalidateBelow, invalidateRecord, invalidateWhere } from './cache.ts'
import type { Schemas } from './client.ts'
import { invalidateOften } from './often.ts'
import { applyOrderEvent, forgetOrder, updateOrder } from './orders-in-cache.ts'
import type { Readable } from './readable.ts'

type Message = Schemas['StreamMessage']
type Data<E extends Message['event']> = Extract<Message, { event: E }>['data']
type Notification = Schemas['Notification']

const read = (notification: Notification) => (notification.isRead ? notification : { ...notification, isRead: true })
/** Addresses about meetings that are read again after every change, whatever its day. */
const meetings: Readable[] = [
  '/executive-meetings/{id}',
  '/executive-meetings/requests',
  '/executive-meetings/requests/{id}',
  '/executive-meetings/tasks',
  '/executive-meetings/tasks/{id}',
  '/executive-meetings/pdf-archives',
  '/executive-meetings/tasks/counts',
  '/executive-meetings/audit-logs',
]
/** The person's grants, their requests and those that they decide on, and the groups that they can ask to join. */
const access: Readable[] = ['/auth/me/grants', '/access-requests', '/access-requests/offers']

/** Reads the details and the timeline of an order again. */
function rereadBeyond(id: number) {
  invalidateRecord('/orders/{id}/details', id)
  invalidateRecord('/orders/{id}/timeline', id)
}

export const eventsToCache: { [E in Message['event']]: (data: Data<E>) => void } = {
  order_updated({ order }) {
    updateOrder(order)
    rereadBeyond(order.id)
    invalidateOften('/orders', '/orders/details')
  },
  order_deleted({ orderId }) {
    forgetOrder(orderId)
    invalidateRecord('/orders/{id}', orderId)
    rereadBeyond(orderId)
    invalidateOften('/orders', '/orders/details', '/service-reports')
  },
  order_details_changed({ orderId }) {
    rereadBeyond(orderId)
    invalidateOften('/orders/details', '/service-reports')
  },
  order_incoming_changed(data) {
    applyOrderEvent(data)
    rereadBeyond(data.orderId)
    invalidateOften('/orders', '/orders/details', '/service-reports')
  },
  notification_created({ notification }) {
    changeAll('/notifications', (all) => (all.some(({ id }) => id === notification.id) ? all : [notification, ...all]))
    invalidate('/notifications', '/stats/home')
    // Approvers get no event for an order that waits for them, only this notification.
    if (notification.relatedType === 'order') invalidateOften('/orders/details')
  },
  notifications_read(data) {
    const isMeant = (id: number) => data.ids?.includes(id) ?? true
    changeAll('/notifications', (all) => all.map((one) => (isMeant(one.id) ? read(one) : one)))
    invalidate('/notifications', '/stats/home')
  },
  // This event is sent with every change of the person's rights.
  apps_changed: () => invalidate('/auth/me', '/auth/me/permissions', '/apps', '/stats/home', ...access),
  services_changed() {
    invalidateBelow('/service')
    invalidate('/orders/incoming', '/orders/details', '/orders/{id}/details', '/stats/home')
  },
  provisioning_changed: () => invalidate('/admin/provisioning/sources', '/admin/provisioning/sources/{id}'),
  webhooks_changed: () => invalidateBelow('/webhooks'),
  audit_stream_changed: () => invalidateBelow('/admin/audit-stream'),
  import_changed: () => invalidateBelow('/users/imports'),
  settings_changed: () => invalidate('/settings', '/admin/sign-in/settings', '/auth/me/security'),
  // Includes the notifications, because they link only to records that their reader may open.
  me_changed: () =>
    invalidate(
      '/auth/me',
      '/auth/me/permissions',
      '/apps',
      '/executive-meetings/me',
      '/notes/folders',
      '/notes/labels',
      '/notifications',
      ...access,
    ),
  access_request_changed({ requestId }) {
    invalidateRecord('/access-requests/{id}', requestId)
    invalidate(...access)
  },
  note_changed({ noteId }) {
    invalidateRecord('/notes/{id}/thread', noteId)
    invalidateRecord('/notes/{id}', noteId)
    invalidate('/notes', '/notes/received', '/notes/sent', '/notes/folders')
  },
  meetings_changed({ date }) {
    const hasDay = ({ date: one, from, to }: Record<string, unknown>) => one === date || (String(from) <= date! && date! <= String(to))
    // An event without a day is about tasks that have no day.
    if (date)
      for (const path of ['/executive-meetings', '/executive-meetings/dates', '/executive-meetings/unprintable'] as const)
        invalidateWhere(path, hasDay)
    invalidate(...meetings)
  },
  pdf_archive_changed: () => invalidate('/executive-meetings/pdf-archives'),
  session_ended: () => {},
  security_changed: () => invalidate('/auth/me/passkeys', '/auth/me/security', '/auth/me/tokens', '/auth/me/calendar'),
  // The pages of the desks listen to this event themselves.
  admin_changed: () => {},
  presence_changed: () => {},
  access_review_changed({ reviewId }) {
    invalidateRecord('/access-reviews/{id}', reviewId)
    invalidateRecord('/access-reviews/{id}/items', reviewId)
    invalidate('/access-reviews')
  },
  resync: () => invalidate(),
}
