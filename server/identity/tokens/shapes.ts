import { Type } from 'typebox'
import { Count, Id, Name, Named, Nullable, OneOf, PageOf, pageQuery, Shape, ShownOnce, Timestamp } from '../../platform/http/shape.ts'
import { DEFAULT_DAYS, givenScopes, MOST_SERVICE_DAYS, scopeNames } from './rules.ts'

const Scope = Named('TokenScope', OneOf(scopeNames))
const GivenScope = Named('GivenTokenScope', OneOf(givenScopes))
const exampleScopes: (typeof givenScopes)[number][] = ['orders:read', 'orders:write']

const fields = {
  id: Id,
  name: Type.String(),
  scopes: Type.Array(Scope),
  lastFour: Type.String({ description: 'The last four characters of the token.', examples: ['0aZ3'] }),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  lastUsedAt: Nullable(Timestamp),
  lastUsedIp: Nullable(Type.String()),
}
const example = { name: 'Stock report', scopes: exampleScopes, lastFour: '0aZ3', lastUsedIp: '192.0.2.17' }

export const ApiToken = Named('ApiToken', Shape(fields), example)
export const CreatedApiToken = Named(
  'CreatedApiToken',
  Shape({ ...fields, token: ShownOnce(Type.String({ description: 'The token; it is never shown again.' })) }),
  { ...example, token: 'bwp_4fJq0cVbN2sXyT8LhRz6WmKpGdE1uA9oQi3BCMp0aZ3' },
)

export const ExpiresInDays = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: MOST_SERVICE_DAYS,
    description: `${DEFAULT_DAYS} if it is omitted, or the longest life of a token where that is less.`,
  }),
)

export const NewApiToken = Named(
  'NewApiToken',
  Shape({
    name: Name({ min: 1, max: 60 }),
    scopes: Type.Array(GivenScope, { minItems: 1, maxItems: givenScopes.length, uniqueItems: true }),
    expiresInDays: ExpiresInDays,
  }),
  { name: 'Stock report', scopes: exampleScopes, expiresInDays: 90 },
)

const Owner = Named(
  'TokenOwner',
  Shape({
    id: Id,
    username: Type.String(),
    kind: OneOf(['person', 'service']),
    sourceId: Type.Optional({ ...Id, description: 'The source that the service account belongs to; absent for others.' }),
    displayNameAr: Nullable(Type.String()),
    displayNameEn: Nullable(Type.String()),
  }),
  { username: 'sara.ahmed', kind: 'person', displayNameAr: 'سارة أحمد', displayNameEn: 'Sara Ahmed' },
)
const OwnedApiToken = Named('OwnedApiToken', Shape({ ...fields, owner: Owner }), example)
export const ApiTokensPage = Named('ApiTokensPage', PageOf('items', OwnedApiToken))
export const ApiTokensQuery = Shape({
  userId: Type.Optional({ ...Id, description: 'Only the tokens of this person or service account.' }),
  expiresWithinDays: Type.Optional({ ...Count, maximum: MOST_SERVICE_DAYS, description: 'Only those that end within so many days.' }),
  ...pageQuery(50),
})

export const FoundToken = Named('FoundToken', Shape({ token: Type.String() }), {
  token: 'bwp_4fJq0cVbN2sXyT8LhRz6WmKpGdE1uA9oQi3BCMp0aZ3',
})
