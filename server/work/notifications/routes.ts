import { Type } from 'typebox'
import { changed, unchanged } from '../../platform/changes/outcome.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { IdParams, Success } from '../../platform/http/shape.ts'
import { longList } from '../../platform/http/wire.ts'
import { listNotifications, markAllRead, markRead, markReadAbout, readNotification } from './queries.ts'
import { Notification, NotificationFilter, ReadAbout, UpTo } from './shapes.ts'

export const readNotifications = query('GET /notifications', {
  summary: 'The caller’s own notifications, newest first',
  description: '`before` and `limit` page through them. Read ones are deleted after 90 days.',
  allow: 'signed-in',
  scope: 'notifications:read',
  query: NotificationFilter,
  reply: Type.Array(Notification),
  run: ({ db, actor, query }) => longList(Notification, listNotifications(db, actor.id, query)),
})

export const readOneNotification = query('GET /notifications/:id', {
  summary: 'One of the caller’s own notifications',
  description: '`relatedType` and `relatedId` name the record that it is about, while the record exists and the caller may open it.',
  allow: 'signed-in',
  scope: 'notifications:read',
  params: IdParams,
  reply: Notification,
  refuses: ['not_found'],
  run: ({ db, actor, params }) => readNotification(db, actor.id, params.id),
})

/** Reading is private to the reader: only their other pages get an event, and nothing is recorded. */
export const markNotificationRead = command('PATCH /notifications/:id/read', {
  summary: 'Mark one of the caller’s notifications as read',
  description: 'Marking a read one changes nothing. The caller’s other pages get `notifications_read`.',
  allow: 'signed-in',
  scope: 'notifications:write',
  params: IdParams,
  reply: Notification,
  refuses: ['not_found'],
  run: async ({ tx, actor, params: { id } }) => {
    const ids = await markRead(tx, actor.id, id)
    const now = await readNotification(tx, actor.id, id)
    return ids.length ? changed(now, { kind: 'notification.read', targetId: actor.id, facts: { ids } }) : unchanged(now)
  },
})

export const markAllNotificationsRead = command('POST /notifications/read-all', {
  summary: 'Mark all of the caller’s notifications as read',
  description: 'With `upTo`, newer ones stay unread. The caller’s other pages get `notifications_read`.',
  allow: 'signed-in',
  scope: 'notifications:write',
  query: UpTo,
  reply: Success,
  run: async ({ tx, actor, query: { upTo } }) => {
    const ids = await markAllRead(tx, actor.id, upTo)
    if (ids.length === 0) return unchanged({ success: true })
    return changed(
      { success: true },
      upTo === undefined
        ? { kind: 'notification.all_read', targetId: actor.id, facts: {} }
        : { kind: 'notification.read', targetId: actor.id, facts: { ids } },
    )
  },
})

export const markNotificationsReadAbout = command('POST /notifications/read-about', {
  summary: 'Mark the caller’s notifications about a record as read',
  description:
    'For pages that show the record. Succeeds even if nothing is unread or the record does not exist. The caller’s other pages get `notifications_read`.',
  allow: 'signed-in',
  scope: 'notifications:write',
  body: ReadAbout,
  reply: Success,
  run: async ({ tx, actor, body }) => {
    const ids = await markReadAbout(tx, actor.id, body)
    if (ids.length === 0) return unchanged({ success: true })
    return changed({ success: true }, { kind: 'notification.read', targetId: actor.id, facts: { ids } })
  },
})
