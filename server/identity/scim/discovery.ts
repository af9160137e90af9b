/** The portal's description of its SCIM (RFC 7643, 5 to 7). */
import { type Attribute, ENTERPRISE, GROUP, PORTAL, schemasOf, USER } from './schema.ts'

const CORE = 'urn:ietf:params:scim:schemas:core:2.0'

export const serviceProviderConfig = (base: string) => ({
  schemas: [`${CORE}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: 500 },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'OAuth Bearer Token',
      description: 'A token that an administrator made for the source',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

const resourceType = (base: string, name: 'User' | 'Group', schema: string, extensions: readonly string[]) => ({
  schemas: [`${CORE}:ResourceType`],
  id: name,
  name,
  endpoint: `/${name}s`,
  schema,
  schemaExtensions: extensions.map((urn) => ({ schema: urn, required: false })),
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
})
export const resourceTypes = (base: string) => [
  resourceType(base, 'User', USER, [ENTERPRISE, PORTAL]),
  resourceType(base, 'Group', GROUP, []),
]

const types = { text: 'string', flag: 'boolean', complex: 'complex', list: 'complex' } as const
const common = (name: string, type: string, isReadOnly: boolean) => ({
  name,
  type,
  multiValued: false,
  description: name,
  required: false,
  caseExact: false,
  mutability: isReadOnly ? 'readOnly' : 'readWrite',
  returned: 'default',
  uniqueness: 'none',
})
/** Attributes that every resource has; no schema lists them. */
const UNLISTED = new Set(['id', 'schemas', 'meta', 'externalId'])

const described = ({ name, kind, parts, isReadOnly }: Attribute, isRequired: boolean) => ({
  ...common(name, types[kind], isReadOnly),
  multiValued: kind === 'list',
  required: isRequired,
  ...(name === 'userName' && { uniqueness: 'server' }),
  ...(name === 'roles' && { returned: 'request' }),
  ...(parts.size > 0 && {
    subAttributes: [...parts.values()].map((part) => common(part, part === 'primary' ? 'boolean' : 'string', isReadOnly)),
  }),
})

const names: Record<string, string> = { [USER]: 'User', [GROUP]: 'Group', [ENTERPRISE]: 'Enterprise User', [PORTAL]: 'Portal User' }
const REQUIRED = new Map([
  [USER, 'userName'],
  [GROUP, 'displayName'],
])

export const schemas = (base: string) =>
  [...schemasOf.User, ...schemasOf.Group].map(([id, attributes]) => ({
    schemas: [`${CORE}:Schema`],
    id,
    name: names[id]!,
    description: names[id]!,
    attributes: [...attributes.values()]
      .filter(({ name }) => !UNLISTED.has(name))
      .map((attribute) => described(attribute, REQUIRED.get(id) === attribute.name)),
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
  }))
