import { Type } from 'typebox'
import { Password } from '../../platform/auth/passwords.ts'
import { Line, Named, Shape, ShownOnce, Timestamp } from '../../platform/http/shape.ts'

export const PasswordChange = Named(
  'PasswordChange',
  Shape({
    currentPassword: Type.Optional(
      Type.String({ ...Password, description: 'Omitted by people who have no password yet; they confirm who they are instead.' }),
    ),
    newPassword: Password,
    endTokens: Type.Optional(Type.Boolean({ description: 'Whether the caller’s API tokens end, too.' })),
  }),
  { currentPassword: 'a long password', newPassword: 'a longer password' },
)

const Token = Line({ min: 1, max: 200 })
export const exampleToken = 'n4bQgYhMfWWaLqgxVrQFaOTxsrC4Is0V1sFbDwCgg8'

export const ForgottenPassword = Named(
  'ForgottenPassword',
  Shape({ identifier: Line({ min: 1, max: 320, description: 'A username or an e-mail address.' }) }),
  {
    identifier: 'sara.ahmed',
  },
)
export const ResetToken = Named('ResetToken', Shape({ token: Token }), { token: exampleToken })
export const ResetTokenValidity = Named('ResetTokenValidity', Shape({ valid: Type.Boolean() }))
export const PasswordReset = Named('PasswordReset', Shape({ token: Token, newPassword: Password }), {
  token: exampleToken,
  newPassword: 'a longer password',
})
export const ResetLink = Named('ResetLink', Shape({ resetUrl: ShownOnce(Type.String()), expiresAt: Timestamp }), {
  resetUrl: `https://portal.example.org/reset-password?token=${exampleToken}`,
})
