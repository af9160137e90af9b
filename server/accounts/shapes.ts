import { type Static, Type } from 'typebox'
import { Password } from '../platform/auth/passwords.ts'
import { AssetUrl, DisplayName, Id, Line, Nullable, OneOf, PartialShape, Shape, Timestamp } from '../platform/http/shape.ts'
import { newPerson, personFields } from '../users/shapes.ts'

export const sounds = ['ding', 'chime', 'bell', 'knock', 'pop', 'alert', 'beep', 'soft'] as const

const preferences = {
  notificationSoundOrder: OneOf(sounds),
  notificationSoundMeeting: OneOf(sounds),
  notificationSoundNote: OneOf(sounds),
  notifyOrdersEnabled: Type.Boolean(),
  notifyMeetingsEnabled: Type.Boolean(),
  notifyNotesEnabled: Type.Boolean(),
  vibrationEnabledOrder: Type.Boolean(),
  vibrationEnabledMeeting: Type.Boolean(),
  vibrationEnabledNote: Type.Boolean(),
  notificationsMuted: Type.Boolean(),
}

export const AuthUser = Shape({ ...personFields, ...preferences })
export type AuthUser = Static<typeof AuthUser>

export const Registration = Shape(newPerson)
export const Credentials = Shape({ username: Line({ min: 1, max: 320 }), password: Password })
export const Preferences = PartialShape(preferences)
export const Profile = Shape({
  displayNameAr: Type.Optional(DisplayName),
  displayNameEn: Type.Optional(DisplayName),
  avatarUrl: Type.Optional(AssetUrl),
})
export const PasswordChange = Shape({ currentPassword: Password, newPassword: Password })

export const Token = Type.String({ minLength: 1, maxLength: 200 })
export const ResetLink = Shape({ resetUrl: Type.String(), expiresAt: Timestamp })

export const SessionView = Shape({
  id: Id,
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
  expiresAt: Timestamp,
  userAgent: Nullable(Type.String()),
  ip: Nullable(Type.String()),
  current: Type.Boolean(),
})
