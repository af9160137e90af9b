import { Type } from 'typebox'
import { Id, Nullable, OneOf, Shape, Timestamp } from '../platform/http/shape.ts'

/** In the order in which record() writes the event that brings it, so that both are the same text. */
export const Notification = Shape({
  id: Id,
  userId: Id,
  type: OneOf(['order', 'note', 'meeting', 'system']),
  titleAr: Type.String(),
  titleEn: Type.String(),
  bodyAr: Nullable(Type.String()),
  bodyEn: Nullable(Type.String()),
  relatedType: Nullable(Type.String()),
  relatedId: Nullable(Id),
  isRead: Type.Boolean(),
  createdAt: Timestamp,
})

export const NotificationFilter = Shape({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: 'All, where it is left out.' })),
  before: Type.Optional(Type.Integer({ minimum: 1, maximum: 2147483647, description: 'Only those older than the one with this id.' })),
  unread: Type.Optional(Type.Boolean({ description: 'Only the unread ones, when true.' })),
})
