import { type Static, Type } from 'typebox'
import { ClockStyle, exampleAccount, NewUser, newPerson, UserProfile } from '../../people/users/shapes.ts'
import { confirmationMethods } from '../../platform/auth/confirmation.ts'
import { Password } from '../../platform/auth/passwords.ts'
import {
  AssetUrl,
  CheckedAlone,
  Count,
  DisplayName,
  Id,
  LanguageCode,
  Line,
  Named,
  Nullable,
  OneOf,
  PartialShape,
  Shape,
  ShownOnce,
  Timestamp,
} from '../../platform/http/shape.ts'
import { verdictFields } from '../../platform/http/verdicts.ts'
import { Duty, factorFields } from '../factors/shapes.ts'
import { exampleToken } from '../passwords/shapes.ts'
import { preferences } from '../sessions/shapes.ts'

export const SignedOut = Named(
  'SignedOut',
  Shape({
    success: Type.Boolean(),
    endSessionUrl: Type.Optional(Type.String({ description: 'Where the browser goes to sign out at the provider, too.' })),
  }),
  { success: true },
)
export const OwnPermissions = Named('OwnPermissions', Shape({ permissions: Type.Array(Type.String()) }), {
  permissions: ['orders.receive'],
})

export const Registration = Named('Registration', Shape(newPerson), exampleAccount)
export const Credentials = Named('Credentials', Shape({ username: Line({ min: 1, max: 320 }), password: Password }), {
  username: 'sara.ahmed',
  password: 'a long password',
})
export const Preferences = Named('NotificationPreferences', PartialShape(preferences), {
  notificationSoundOrder: 'chime',
  vibrationEnabledNote: false,
})
export const LanguageChoice = Named('LanguageChoice', Shape({ language: LanguageCode }))
export const ClockStyleChoice = Named('ClockStyleChoice', Shape({ clockStyle: Nullable(ClockStyle) }), { clockStyle: 'analog' })
export const ClockHoursChoice = Named('ClockHoursChoice', Shape({ clockHour12: Nullable(Type.Boolean()) }), { clockHour12: true })
export const Profile = Named(
  'ProfileChanges',
  Shape({
    displayNameAr: Type.Optional(DisplayName),
    displayNameEn: Type.Optional(DisplayName),
    avatarUrl: Type.Optional(AssetUrl),
  }),
  { displayNameAr: 'سارة أحمد', displayNameEn: 'Sara Ahmed', avatarUrl: null },
)
export const Confirmation = Named(
  'Confirmation',
  Shape(
    { password: Type.Optional(Password), ...factorFields },
    { description: 'Exactly one of `password`, `code`, `recoveryCode` and `assertion`.' },
  ),
  { password: 'a long password' },
)
export const Confirmed = Named('Confirmed', Shape({ confirmedUntil: Timestamp }))

export const OwnSecurity = Named(
  'OwnSecurity',
  Shape({
    confirmedUntil: Nullable(Timestamp),
    level: Type.Integer({ minimum: 1, maximum: 2, description: '2 if the session began with two factors, or was confirmed by one.' }),
    methods: Type.Array(OneOf(confirmationMethods), { description: 'What `POST /auth/me/confirm` and its page accept.' }),
    hasPassword: Type.Boolean(),
    passkeyCount: Count,
    totpSince: Nullable(Timestamp),
    recoveryCodesLeft: Count,
    duty: Duty,
    mostTokenDays: Nullable(
      Type.Integer({ description: 'How long an API token that they make may last, in days; null while nobody may have one.' }),
    ),
  }),
  { level: 1, methods: ['password'], passkeyCount: 0, recoveryCodesLeft: 0, mostTokenDays: 365 },
)

const invitation = {
  resetUrl: ShownOnce(Type.String({ description: 'The link to hand to the person; null if it is mailed.' })),
  expiresAt: Timestamp,
  mailed: Type.Boolean({ description: 'Whether the link is mailed; the mail is sent after the answer.' }),
}
const exampleInvitation = { resetUrl: `https://portal.example.org/reset-password?token=${exampleToken}`, mailed: false }
const InvitedUser = Named('InvitedUser', Shape({ user: UserProfile, ...invitation }), exampleInvitation)
export const CreatedUser = Named(
  'CreatedUser',
  Type.Unsafe<Static<typeof UserProfile> | Static<typeof InvitedUser>>({
    oneOf: [UserProfile, InvitedUser],
    description: 'The new person; an invited one comes with the invitation.',
  }),
)
export const NewUsers = Named('NewUsers', Shape({ items: Type.Array(CheckedAlone(NewUser), { minItems: 1, maxItems: 500 }) }))
export const CreatedUsers = Named(
  'CreatedUsers',
  Shape({
    doneIds: Type.Array(Id),
    invitations: Type.Array(Named('Invitation', Shape({ id: Id, ...invitation }), exampleInvitation)),
    failed: Type.Array(Named('FailedItem', Shape({ index: Count, ...verdictFields }), { code: 'username_taken' })),
  }),
)
