import { type Static, Type } from 'typebox'
import { Password } from '../../platform/auth/passwords.ts'
import { Count, Id, Int, Line, Name, Named, Nullable, OneOf, PartialShape, Shape, Timestamp } from '../../platform/http/shape.ts'
import { factorFields } from '../factors/shapes.ts'

/** The name of a provider in URLs; not `pending`, which has another meaning there. */
const ProviderSlug = Type.String({
  pattern: '^(?!pending$)[a-z0-9-]{1,40}$',
  form: 'slug',
  description: 'Lower-case letters, digits and hyphens; not `pending`.',
  examples: ['entra'],
})
export const SlugParams = Shape({ slug: Type.String({ maxLength: 40 }) })

const ClaimName = Line({ min: 1, max: 200 })
const claims = {
  username: ClaimName,
  email: ClaimName,
  nameAr: Nullable(ClaimName),
  nameEn: Nullable(ClaimName),
  language: Nullable(ClaimName),
  groups: Nullable(ClaimName),
  external: Nullable(
    Line({ min: 1, max: 200, description: 'The claim with the id that the source of `sourceId` gives the person; Entra: `oid`.' }),
  ),
}
const usualClaims = {
  ...{ username: 'preferred_username', email: 'email', nameAr: null, nameEn: 'name', language: 'locale', groups: 'groups' },
  external: null,
}
export const ClaimNames = Named('ClaimNames', Shape(claims), usualClaims)
const ClaimNamesEdit = Named('ClaimNamesChanges', PartialShape(claims), { groups: 'roles' })
export type ClaimNames = Static<typeof ClaimNames>
export const defaultClaims: ClaimNames = usualClaims

const Value = Line({ min: 1, max: 500 })
const Requirement = Named('ClaimRequirement', Shape({ claim: ClaimName, anyOf: Type.Array(Value, { minItems: 1, maxItems: 100 }) }), {
  claim: 'department',
  anyOf: ['Finance'],
})
const GroupRule = Named(
  'ProviderGroupRule',
  Shape({
    value: Value,
    groupId: Id,
    grantsAdmin: Type.Optional(Type.Boolean({ description: 'Needed for a group that gives the role `admin`.' })),
  }),
  { value: 'portal-finance', groupId: 5 },
)

const clientAuths = ['basic', 'post', 'none', 'private_key_jwt'] as const
const linkings = ['ask', 'verified_email', 'never'] as const

const fields = {
  nameAr: Name({ min: 1, max: 100 }),
  nameEn: Name({ min: 1, max: 100 }),
  iconName: Line({ min: 1, max: 100 }),
  sortOrder: Int,
  isActive: Type.Boolean({ description: 'Needs a check without problems since `issuer`, `clientId` or the secret last changed.' }),
  isDefault: Type.Boolean({ description: 'The sign-in page goes there at once. One provider at most: a new one takes it from the old.' }),
  issuer: Line({
    min: 1,
    max: 500,
    description: 'An https address; http only of a host in `SSO_INTERNAL_HOSTS`. It cannot change while identities exist.',
  }),
  clientId: Line({ min: 1, max: 500 }),
  clientAuth: OneOf(clientAuths, {
    description: '`basic` by default with a secret, `none` without. For `private_key_jwt`, the portal makes a key (ES256).',
  }),
  scopes: Line({ min: 1, max: 500, description: 'With spaces between them, `openid` among them.' }),
  claims: ClaimNames,
  require: Type.Array(Requirement, { maxItems: 20, description: 'Claims that people must have, all of them.' }),
  createPeople: Type.Boolean({ description: 'Whether unknown people get an account.' }),
  linking: OneOf(linkings, {
    description:
      'What happens if an account has the claimed address: `ask` wants it proven once; `verified_email` links it at once if the address is verified, of one of `domains`, and was given to the account by an administrator or proven by mail; `never` refuses.',
  }),
  domains: Type.Array(Line({ min: 1, max: 253 }), {
    maxItems: 100,
    description: 'The domains of addresses this provider speaks for, each exactly.',
  }),
  // From 2,001 rules up to this length, the refusal is `quota_exceeded`; a longer list is a malformed body.
  groupRules: Type.Array(GroupRule, { maxItems: 4000, description: 'At most 2,000.' }),
  groupMode: OneOf(['add', 'manage'], {
    description: '`add` puts people into groups. `manage` takes them out, too, and nobody else may change who is in these groups.',
  }),
  sourceId: Nullable(
    Type.Integer({
      ...Id,
      description: 'The provisioning source of the same directory: the claim `external` finds its people by their `externalId`.',
    }),
  ),
  refreshProfile: Type.Boolean({
    description:
      'Whether names and the e-mail address follow the claims at each sign-in. Those of people of a source do not, nor do the addresses of administrators, of exceptions, and of people with a second factor who have not shown it.',
  }),
  secondFactor: OneOf(['trusted', 'claims', 'own'], {
    description:
      '`trusted`: the provider sees to it. `claims`: it counts if `amr` or `acr` says so. `own`: the portal asks for a factor of its own.',
  }),
  acrValues: Type.Array(Value, { maxItems: 20 }),
  sessionHours: Nullable(Type.Integer({ minimum: 1, maximum: 720, description: 'A session that begins here lives no longer.' })),
  logout: OneOf(['local', 'provider'], { description: 'Whether signing out leads to the provider’s own sign-out.' }),
  logoutHint: OneOf(['client_id', 'id_token'], {
    description: 'What the provider’s sign-out is told. `id_token` has the person in an address.',
  }),
}
const clientSecret = Nullable(Line({ max: 2000, clears: true, description: 'Write only: `hasSecret` says whether there is one.' }))

const exampleNames = { slug: 'entra', nameAr: 'حساب المؤسسة', nameEn: 'Work account', iconName: 'key-round' }
const exampleClient = { issuer: 'https://login.microsoftonline.com/8d2b/v2.0', clientId: 'f1c2a9e8' }

export const ProviderEdit = Named('ProviderChanges', PartialShape({ ...fields, claims: ClaimNamesEdit, clientSecret }), {
  createPeople: true,
})
export type ProviderEdit = Static<typeof ProviderEdit>

export const NewProvider = Named(
  'NewProvider',
  Shape({
    ...ProviderEdit.properties,
    slug: ProviderSlug,
    nameAr: fields.nameAr,
    nameEn: fields.nameEn,
    issuer: fields.issuer,
    clientId: fields.clientId,
  }),
  { ...exampleNames, ...exampleClient },
)
export type NewProvider = Static<typeof NewProvider>

const untagged = { isUntagged: true } as const
const Refusals = Type.Record(Type.String(), Count, { description: 'By their reason.', ...untagged })

export const Provider = Named(
  'Provider',
  Shape({
    id: Id,
    slug: ProviderSlug,
    ...fields,
    groupRules: Type.Array(GroupRule),
    hasSecret: Type.Boolean(),
    isChecked: Type.Boolean({ description: 'Whether a check found no problems since `issuer`, `clientId` or the secret last changed.' }),
    redirectUrl: Type.String({ description: 'To enter at the provider.' }),
    backchannelUrl: Type.String({ description: 'To enter at the provider, if it has back-channel logout.' }),
    jwksUrl: Nullable(Type.String({ description: 'The portal’s public key, for `private_key_jwt`.' })),
    identityCount: Type.Integer({ minimum: 0, ...untagged }),
    sessionCount: Type.Integer({ minimum: 0, description: 'Living sessions that began there.', ...untagged }),
    isReachable: Type.Boolean(untagged),
    lastSignInAt: Nullable(Type.Unsafe<Date>({ type: 'string', format: 'date-time' })),
    signIns24h: Type.Integer({ minimum: 0, ...untagged }),
    refusals24h: Refusals,
    overage24h: Type.Integer({ minimum: 0, description: 'Sign-ins without groups, because the claims had no room for them.', ...untagged }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
  {
    ...exampleNames,
    ...exampleClient,
    scopes: 'openid profile email',
    clientAuth: 'basic',
    hasSecret: true,
    domains: ['example.org'],
    acrValues: [],
    refusals24h: { denied: 2 },
  },
)
Object.assign(Provider.properties.lastSignInAt, untagged)
export type Provider = Static<typeof Provider>

const Problem = Named('ProviderProblem', Shape({ code: Type.String(), messageAr: Type.String(), messageEn: Type.String() }), {
  code: 'unreachable',
  messageAr: 'لا يردّ مزوّد الدخول.',
  messageEn: 'The provider does not answer.',
})
export const ProviderCheck = Named(
  'ProviderCheck',
  Shape({
    issuer: Type.String(),
    algorithms: Type.Array(Type.String()),
    endpoints: Type.Record(Type.String(), Type.String()),
    backchannelLogout: Type.Boolean(),
    clockSeconds: Nullable(Type.Integer({ description: 'How far the portal’s clock is ahead of the provider’s.' })),
    problems: Type.Array(Problem),
  }),
  { issuer: exampleClient.issuer, algorithms: ['RS256'], backchannelLogout: true, clockSeconds: 0, problems: [] },
)
export type ProviderCheck = Static<typeof ProviderCheck>

/** The numbers in two refusals: of a new issuer, the identities that exist; of a deletion, the people without another way to sign in. */
export const ProviderConflict = Named('ProviderConflict', Shape({ identityCount: Count }), { identityCount: 412 })
export const LastMethodConflict = Named('LastMethodConflict', Shape({ count: Count }), { count: 3 })
export const Deletion = Shape({ force: Type.Optional(Type.Boolean({ default: false })) })

export const GoTo = Named('ProviderAddress', Shape({ url: Type.String({ description: 'Where the browser goes next.' }) }), {
  url: 'https://login.example.org/authorize?client_id=f1c2a9e8',
})
const ReturnTo = Type.String({
  maxLength: 501,
  pattern: '^/(?![/\\\\])[^\\u0000-\\u001f]{0,500}$',
  form: 'route',
  description: 'A path of the portal.',
  examples: ['/orders'],
})
export const Start = Named('ProviderStart', Shape({ loginHint: Type.Optional(Line({ max: 320 })), returnTo: Type.Optional(ReturnTo) }), {
  returnTo: '/orders',
})
export const Return = Named('ProviderReturn', Shape({ returnTo: Type.Optional(ReturnTo) }), { returnTo: '/account/security' })

export const AccountProof = Named(
  'AccountProof',
  Shape(
    { password: Type.Optional(Password), ...factorFields },
    { description: 'A password, with `code` or `recoveryCode` if needed; or an `assertion`.' },
  ),
  { password: 'a long password' },
)

const button = {
  slug: Type.String(),
  nameAr: Type.String(),
  nameEn: Type.String(),
}
export const SignInMethods = Named(
  'SignInMethods',
  Shape({
    password: OneOf(['everyone', 'exceptions']),
    passkeys: OneOf(['everyone', 'exceptions']),
    registration: Type.Boolean(),
    providers: Type.Array(
      Shape({
        ...button,
        issuer: Type.String({ description: 'By which the start of a directory’s own tile names it.' }),
        iconName: Type.String(),
        isDefault: Type.Boolean(),
        isReachable: Type.Boolean(),
      }),
    ),
  }),
  { password: 'everyone', passkeys: 'everyone', registration: true, providers: [] },
)

const identity = {
  id: Id,
  provider: Shape(button),
  email: Nullable(Type.String()),
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
}
const exampleIdentity = { email: 'sara.ahmed@example.org' }
export const OwnIdentity = Named('OwnIdentity', Shape(identity), exampleIdentity)
export const Identity = Named('Identity', Shape({ ...identity, subject: Type.String() }), { ...exampleIdentity, subject: 'AAAAAKj2' })
export const IdentityParams = Shape({ id: Id, identityId: Id })

export const LogoutForm = Named('LogoutToken', Shape({ logout_token: Type.String({ maxLength: 16_384 }) }), { logout_token: 'eyJhbGciOi' })

export const ProviderTry = Named(
  'ProviderTry',
  Shape({
    claims: Type.Record(Type.String(), Type.Unknown()),
    outcome: OneOf(['known', 'linked', 'ask', 'created', 'refused'], { description: 'What signing in would do.' }),
    reason: Nullable(Type.String({ description: 'Why it would be refused.' })),
    user: Nullable(Shape({ id: Id, username: Type.String() })),
    groupsGained: Type.Array(Type.String()),
    groupsLost: Type.Array(Type.String()),
  }),
  {
    claims: { sub: 'AAAAAKj2' },
    outcome: 'known',
    reason: null,
    user: { id: 12, username: 'sara.ahmed' },
    groupsGained: ['Finance'],
    groupsLost: [],
  },
)
export type ProviderTry = Static<typeof ProviderTry>
