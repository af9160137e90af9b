import { type Static, Type } from 'typebox'
import { PersonSummary, UserProfile } from '../../people/users/shapes.ts'
import { Id, IdList, Line, Named, Nullable, OneOf, PageOf, PartialShape, pageQuery, Shape, Timestamp } from '../../platform/http/shape.ts'
import { conditions } from './rules.ts'

const who = ['everyone', 'exceptions'] as const

const fields = {
  passwords: OneOf(who, { description: 'Who signs in by password. With `exceptions`, everyone else signs in through a provider.' }),
  passkeys: OneOf(who, { description: 'Who signs in by passkey.' }),
  graceDays: Type.Integer({
    minimum: 0,
    maximum: 90,
    description: 'How long people have to set up a second factor that their role requires.',
  }),
  confirmAdministration: Type.Boolean({
    description:
      'Whether administrators must confirm, too, before they give or take the role `admin`, delete with `force=true`, issue reset links, end sessions of others, change an e-mail address, registration, or the permissions of a role.',
  }),
  tokenMaxDays: Type.Integer({ minimum: 1, maximum: 1095, description: 'The longest life of a personal API token.' }),
  personalTokens: Type.Boolean({ description: 'Whether people may have API tokens.' }),
  trustDevices: Type.Boolean({ description: 'Whether people may skip the second step for 30 days in a browser.' }),
}
const secondFactorRoles = { description: 'The names of the roles whose holders must have a second factor.', uniqueItems: true }
const example = { secondFactorRoles: ['admin'], graceDays: 14, tokenMaxDays: 365 } as const

export const SignInSettings = Named(
  'SignInSettings',
  Shape({ ...fields, secondFactorRoles: Type.Array(Type.String(), secondFactorRoles), updatedAt: Type.Optional(Timestamp) }),
  { ...example, secondFactorRoles: ['admin'] },
)
export type SignInSettings = Static<typeof SignInSettings>

export const Requirements = Named(
  'SignInRequirements',
  Shape({
    conditions: Type.Array(Named('SignInCondition', Shape({ rule: OneOf(conditions), isMet: Type.Boolean() }))),
    exceptions: Type.Array(
      Named(
        'SignInException',
        Shape({
          id: Id,
          username: Type.String(),
          displayNameAr: Nullable(Type.String()),
          displayNameEn: Nullable(Type.String()),
          hasPassword: Type.Boolean({ description: 'Whether they have chosen a password that is long enough since they became one.' }),
          hasFactor: Type.Boolean(),
        }),
        { username: 'sara.ahmed', displayNameAr: 'سارة أحمد', displayNameEn: 'Sara Ahmed' },
      ),
    ),
  }),
)

export const ExceptionProfile = Named('ExceptionProfile', Shape({ ...UserProfile.properties, isException: Type.Boolean() }))

export const SignInSettingsEdit = Named(
  'SignInSettingsChanges',
  PartialShape({
    ...fields,
    secondFactorRoles: Type.Array(Line({ min: 1, max: 100 }), { ...secondFactorRoles, maxItems: 1000 }),
  }),
  { graceDays: 14 },
)

export const WithoutFactorQuery = Shape({
  ...pageQuery(50),
  roleIds: IdList,
  graceDays: Type.Integer({ minimum: 0, maximum: 90 }),
})
export const WithoutFactorPage = Named(
  'PeopleWithoutFactor',
  PageOf('items', Named('PersonWithoutFactor', Shape({ person: PersonSummary, until: Timestamp }))),
)
