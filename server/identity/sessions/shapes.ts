import { type Static, Type } from 'typebox'
import { examplePerson, personFields } from '../../people/users/shapes.ts'
import { Id, Named, Nullable, OneOf, Shape, Timestamp } from '../../platform/http/shape.ts'

const sounds = ['ding', 'chime', 'bell', 'knock', 'pop', 'alert', 'beep', 'soft'] as const
const Sound = Named('NotificationSoundId', OneOf(sounds))

export const preferences = {
  notificationSoundOrder: Sound,
  notificationSoundMeeting: Sound,
  notificationSoundNote: Sound,
  notifyOrdersEnabled: Type.Boolean(),
  notifyMeetingsEnabled: Type.Boolean(),
  notifyNotesEnabled: Type.Boolean(),
  vibrationEnabledOrder: Type.Boolean(),
  vibrationEnabledMeeting: Type.Boolean(),
  vibrationEnabledNote: Type.Boolean(),
  notificationsMuted: Type.Boolean(),
}

export const AuthUser = Named('AuthUser', Shape({ ...personFields, ...preferences }), { ...examplePerson, notificationsMuted: false })
export type AuthUser = Static<typeof AuthUser>

export const SessionView = Named(
  'Session',
  Shape({
    id: Id,
    createdAt: Timestamp,
    lastUsedAt: Timestamp,
    expiresAt: Timestamp,
    userAgent: Nullable(Type.String()),
    ip: Nullable(Type.String()),
    current: Type.Boolean({ description: 'Whether it is the session of the request.' }),
  }),
  { userAgent: 'Mozilla/5.0', ip: '192.0.2.17' },
)
