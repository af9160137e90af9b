import { Type } from 'typebox'
import { Id, Named, Nullable, OneOf, Shape, Timestamp } from '../../platform/http/shape.ts'

export const noticeTypes = ['order', 'note', 'meeting', 'system'] as const

/**
 * The types of records that notifications are about. A person who is notified of a record can fetch it while it exists and they have the
 * role for it. If the record is deleted, the notification keeps only its type; if the role is lost, it names no record.
 */
export const relatedTypes = [
  'order',
  'note',
  'meeting',
  'meeting_request',
  'meeting_task',
  'user',
  'group',
  'role',
  'access_request',
  'access_review',
] as const

/** The texts of a notice's template, in which `{name}` stands for a value. */
export interface NoticeTexts {
  titleAr: string
  titleEn: string
  bodyAr: string | null
  bodyEn: string | null
  /** The page to which a mail links; without it, the notice is not mailed. */
  mailed?: string
}

/** The fields are in the order in which `record()` writes the event, so that the list and the event are the same text. */
export const Notification = Named(
  'Notification',
  Shape({
    id: Id,
    userId: Id,
    type: Named('NotificationType', OneOf(noticeTypes)),
    titleAr: Type.String(),
    titleEn: Type.String(),
    bodyAr: Nullable(Type.String()),
    bodyEn: Nullable(Type.String()),
    relatedType: Nullable(Named('RelatedType', OneOf(relatedTypes))),
    relatedId: Nullable(Id),
    joinUrl: Nullable(
      Type.String({
        description: 'Where the meeting that it is about is held online, while it is scheduled and the recipient attends it.',
      }),
    ),
    isRead: Type.Boolean(),
    createdAt: Timestamp,
  }),
  {
    userId: 12,
    titleAr: 'تم استلام طلبك',
    titleEn: 'Your order was received',
    bodyAr: 'قهوة',
    bodyEn: 'Coffee',
    relatedType: 'order',
    relatedId: 31,
    joinUrl: null,
    isRead: false,
  },
)

export const NotificationFilter = Shape({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: 'Without it, the list is complete.' })),
  before: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2147483647, description: 'Only notifications older than the one with this id.' }),
  ),
  unread: Type.Optional(Type.Boolean({ description: 'Only unread notifications, when true.' })),
})

export const UpTo = Shape({
  upTo: Type.Optional(Type.Integer({ minimum: 1, maximum: 2147483647, description: 'The id of the newest notification to mark as read.' })),
})

export const ReadAbout = Named('NotificationSubject', Shape({ relatedType: Named('RelatedType', OneOf(relatedTypes)), relatedId: Id }), {
  relatedType: 'order',
  relatedId: 31,
})

export const notificationEvents = {
  notification_created: Shape({ notification: Notification }),
  /** Sent to the other pages of the person who read them: the ids, or `all`. */
  notifications_read: Shape({ ids: Type.Optional(Type.Array(Id)), all: Type.Optional(Type.Boolean()) }),
}
