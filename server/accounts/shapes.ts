import { type Static, Type } from 'typebox'
import { Password } from '../platform/auth/passwords.ts'
import { AssetUrl, DisplayName, Id, LanguageCode, Line, Nullable, OneOf, PartialShape, Shape, Timestamp } from '../platform/http/shape.ts'

export const clockStyles = ['full', 'digital', 'digital-no-seconds', 'analog', 'minimal'] as const
export const sounds = ['ding', 'chime', 'bell', 'knock', 'pop', 'alert', 'beep', 'soft'] as const

export const GroupSummary = Shape({
  id: Id,
  name: Type.String(),
  descriptionAr: Nullable(Type.String()),
  descriptionEn: Nullable(Type.String()),
})

/** What AuthUser and UserProfile share. */
export const personFields = {
  id: Id,
  username: Type.String(),
  email: Type.String(),
  displayNameAr: Nullable(Type.String()),
  displayNameEn: Nullable(Type.String()),
  preferredLanguage: Type.String(),
  clockStyle: Nullable(OneOf(clockStyles)),
  clockHour12: Nullable(Type.Boolean()),
  avatarUrl: Nullable(Type.String()),
  isActive: Type.Boolean(),
  roles: Type.Array(Type.String()),
  groups: Type.Array(GroupSummary),
  createdAt: Timestamp,
}

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

export const Username = Line({
  min: 1,
  max: 64,
  pattern: '^[\\p{L}\\p{Nd}._-]+$',
  description: 'Letters and digits of any script, `.`, `_` and `-`; unique without regard to case.',
})
export const Email = Line({ min: 3, max: 254, pattern: '^[^\\s\\p{Cf}@<>()\\[\\],;:"\\\\]+@[^\\s\\p{Cf}@<>()\\[\\],;:"\\\\]+$' })

export const newPerson = {
  username: Username,
  email: Email,
  password: Password,
  displayNameAr: Type.Optional(DisplayName),
  displayNameEn: Type.Optional(DisplayName),
  preferredLanguage: Type.Optional(LanguageCode),
}
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
