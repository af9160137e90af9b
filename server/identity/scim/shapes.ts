import { Type } from 'typebox'
import { GroupName } from '../../people/roles/shapes.ts'
import { PersonSummary } from '../../people/users/shapes.ts'
import { Count, FreeObject, Id, Name, Named, Nullable, OneOf, Shape, ShownOnce, Timestamp } from '../../platform/http/shape.ts'
import { ExpiresInDays } from '../tokens/shapes.ts'

const nameLanguages = ['auto', 'ar', 'en'] as const
const NameLanguage = Named(
  'NameLanguage',
  OneOf(nameLanguages, { description: 'The language of the names that it sends; `auto`: Arabic if a name has an Arabic letter.' }),
)
const name = { pattern: '^[a-z0-9-]{1,40}$', form: 'slug' } as const

const settings = {
  isActive: Type.Boolean(),
  adoptPeople: Type.Boolean({ description: 'Whether it takes over accounts of the same username or e-mail address.' }),
  adoptGroups: Type.Boolean({ description: 'Whether it takes over groups of the same name.' }),
  nameLanguage: NameLanguage,
  mayGrantAdmin: Type.Boolean({ description: 'Whether it may change who is an administrator.' }),
  invite: Type.Boolean({ description: 'Whether new people get a link to choose a password.' }),
}
const example = { name: 'entra', isActive: true, adoptPeople: true, adoptGroups: true, nameLanguage: 'auto' as const }
const untagged = { isUntagged: true } as const
const token = {
  id: Id,
  name: Type.String(),
  lastFour: Type.String({ examples: ['0aZ3'] }),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  lastUsedAt: Nullable(Timestamp),
  lastUsedIp: Nullable(Type.String()),
}
const exampleToken = { name: 'Entra', lastFour: '0aZ3', lastUsedIp: '192.0.2.17' }
const SourceToken = Named('SourceToken', Shape(token), exampleToken)
const refusal = {
  at: Timestamp,
  call: Type.String(),
  code: Type.String(),
  user: Nullable(PersonSummary),
  group: Nullable(GroupName),
}
const SourceRefusal = Named('SourceRefusal', Shape(refusal), { call: 'PATCH /Users/:id', code: 'not_found', group: null })

export const Source = Named(
  'Source',
  Shape({
    id: Id,
    name: Type.String(),
    baseUrl: Type.String({ description: 'The address to enter in the directory.', examples: ['https://portal.example.org/api/scim/v2'] }),
    ...settings,
    userCount: { ...Count, ...untagged },
    groupCount: { ...Count, ...untagged },
    lastCallAt: Type.Unsafe<Date | null>({ ...Nullable(Timestamp), description: 'To the minute.', ...untagged }),
    refusals: Type.Array(SourceRefusal, {
      description: 'The last 50 refused calls that a directory makes in normal operation, and the last 50 others, the newest first.',
      ...untagged,
    }),
    tokens: Type.Array(SourceToken, untagged),
    heldAt: Type.Unsafe<Date | null>({
      ...Nullable(Timestamp),
      description: 'When its deactivations were last held, because they are too many; null if none was held in the last hour.',
      ...untagged,
    }),
    heldCount: { ...Count, description: 'How many people’s deactivations are held.', ...untagged },
    createdAt: Timestamp,
  }),
  { ...example, userCount: 412, groupCount: 9, heldCount: 0 },
)

const given = Object.fromEntries(Object.entries(settings).map(([field, shape]) => [field, Type.Optional(shape)])) as {
  [Field in keyof typeof settings]: ReturnType<typeof Type.Optional<(typeof settings)[Field]>>
}
export const NewSource = Named('NewSource', Shape({ name: Type.String({ maxLength: 40, ...name }), ...given }), example)
export const SourcePatch = Named('SourceChanges', Shape(given), { isActive: true })

export const NewSourceToken = Named('NewSourceToken', Shape({ name: Name({ min: 1, max: 60 }), expiresInDays: ExpiresInDays }), {
  name: 'Entra',
  expiresInDays: 365,
})
export const CreatedSourceToken = Named(
  'CreatedSourceToken',
  Shape({ ...token, token: ShownOnce(Type.String({ description: 'The token; it is never shown again.' })) }),
  { ...exampleToken, token: 'bwi_4fJq0cVbN2sXyT8LhRz6WmKpGdE1uA9oQi3BCMp0aZ3' },
)
export const Release = Named(
  'SourceRelease',
  Shape({ allow: Type.Integer({ minimum: 1, maximum: 100_000, description: 'How many deactivations to let through.' }) }),
  { allow: 40 },
)

const Manager = Named('ManagingSource', Shape({ id: Id, name: Type.String() }), { name: 'entra' })
const externalId = Type.Unsafe<string | null>({ ...Nullable(Type.String()), description: 'The id at the source, if it sent one.' })
export const UserProvisioning = Named(
  'UserProvisioning',
  Shape({
    source: Nullable(Manager),
    userName: Nullable(Type.String()),
    externalId,
    attributes: FreeObject({ maxBytes: 64 * 1024, description: 'What the source sent, as it sent it.' }),
    isSwitchedOff: Type.Boolean({ description: 'The source has deactivated them: only the source activates them again.' }),
    isUnproven: Type.Boolean({
      description: 'Nobody has proven the address, except perhaps a provider: at most the source of that provider takes the account over.',
    }),
    hasOlderWays: Type.Boolean({
      description:
        'A way into the account is older than its address, so that no provider connects it before its owner proves that it is theirs.',
    }),
  }),
  { userName: 'sara.ahmed@example.org', externalId: '5f2c', attributes: { title: 'Clerk' }, isUnproven: false, hasOlderWays: false },
)
export const GroupProvisioning = Named('GroupProvisioning', Shape({ source: Nullable(Manager), externalId }), { externalId: '5f2c' })

const MIB = 1024 * 1024
/**
 * A resource or a patch. The endpoints check it themselves, because the case of attribute names does not count and unknown attributes are
 * ignored.
 */
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const ScimBody = Named('ScimBody', FreeObject({ maxBytes: MIB, description: 'A resource, a patch or a search of RFC 7644.' }), {
  schemas: [USER],
  userName: 'sara.ahmed@example.org',
})
export const ScimGroupBody = Named('ScimGroupBody', FreeObject({ maxBytes: 8 * MIB, description: 'A group or a patch of one.' }), {
  schemas: [GROUP],
  displayName: 'Finance',
  members: [{ value: '12' }],
})
export const ScimReply = Named('ScimReply', FreeObject({ maxBytes: 8 * MIB, description: 'A resource or a list of RFC 7643 and 7644.' }), {
  schemas: [USER],
  id: '12',
  userName: 'sara.ahmed@example.org',
  active: true,
})

/** Any malformed id counts as an unknown one. */
export const ScimId = Shape({ id: Type.String({ maxLength: 500 }) }, { isCheckedAlone: true })

export const scimEvents = {
  provisioning_changed: Shape(
    {},
    { description: 'To administrators, when a source is set up, changed or deleted, or its deactivations are held.' },
  ),
}

const parameter = (description: string) => Type.Optional(Type.Unsafe<unknown>({ type: 'string', description }))
/** The parameters of lists, which the endpoints read themselves: unknown ones are ignored. */
export const ScimList = Type.Unsafe<Record<string, unknown>>(
  Shape(
    {
      filter: parameter('A filter of RFC 7644, of at most 1,000 characters'),
      startIndex: parameter('From 1'),
      count: parameter('At most 500; 100 if it is omitted'),
      attributes: parameter('Only these attributes, joined by commas'),
      excludedAttributes: parameter('All but these'),
    },
    { isCheckedAlone: true },
  ),
)
