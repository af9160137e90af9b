import { Type } from 'typebox'
import { unchanged } from '../platform/changes/outcome.ts'
import { command, query } from '../platform/http/endpoint.ts'
import { IdParams, Success } from '../platform/http/shape.ts'
import { refuse } from '../platform/refusal.ts'
import { listNotifications, markAllRead, markRead, readNotification } from './queries.ts'
import { Notification, NotificationFilter } from './shapes.ts'

export const readNotifications = query('GET /notifications', {
  summary: 'The caller’s own notifications, newest first',
  description: '`before` and `limit` page through them. Read ones are kept for 90 days.',
  allow: 'signed-in',
  query: NotificationFilter,
  reply: Type.Array(Notification),
  run: ({ db, actor, query }) => listNotifications(db, actor.id, query),
})

export const readOneNotification = query('GET /notifications/:id', {
  summary: 'One of the caller’s own notifications',
  allow: 'signed-in',
  params: IdParams,
  reply: Notification,
  refuses: ['not_found'],
  run: ({ db, actor, params }) => readNotification(db, actor.id, params.id),
})

/** Reading is private to the reader, so nothing is recorded. */
export const markNotificationRead = command('PATCH /notifications/:id/read', {
  summary: 'Mark one of the caller’s notifications as read',
  description: 'Marking a read one changes nothing.',
  allow: 'signed-in',
  params: IdParams,
  reply: Notification,
  refuses: ['not_found'],
  run: async ({ tx, actor, params }) => unchanged((await markRead(tx, actor.id, params.id)) ?? refuse('not_found')),
})

export const markAllNotificationsRead = command('POST /notifications/read-all', {
  summary: 'Mark all of the caller’s notifications as read',
  allow: 'signed-in',
  reply: Success,
  run: async ({ tx, actor }) => {
    await markAllRead(tx, actor.id)
    return unchanged({ success: true })
  },
})
