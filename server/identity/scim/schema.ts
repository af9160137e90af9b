/** The attributes that SCIM knows of people, found by name regardless of case. No name that a caller sends is ever used as a key. */

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
export const PORTAL = 'urn:ietf:params:scim:schemas:extension:bawaba:2.0:User'
export const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

export interface Attribute {
  name: string
  schema: string
  kind: 'text' | 'flag' | 'complex' | 'list'
  /** The names of its parts, keyed by the names in lower case. */
  parts: ReadonlyMap<string, string>
  isReadOnly: boolean
}

const partsOf = (names: readonly string[]) => new Map(names.map((name) => [name.toLowerCase(), name]))
const attribute =
  (kind: Attribute['kind'], parts: readonly string[] = [], isReadOnly = false) =>
  (name: string, schema: string): Attribute => ({ name, schema, kind, parts: partsOf(parts), isReadOnly })
const text = attribute('text')
const own = attribute('list', ['value', 'display', 'type', 'primary', '$ref'])
const shown = attribute('list', ['value', 'display', 'type', '$ref'], true)

const core: Record<string, (name: string, schema: string) => Attribute> = {
  id: attribute('text', [], true),
  schemas: attribute('list', [], true),
  meta: attribute('complex', ['resourceType', 'created', 'lastModified', 'location', 'version'], true),
  externalId: text,
  userName: text,
  active: attribute('flag'),
  name: attribute('complex', ['formatted', 'familyName', 'givenName', 'middleName', 'honorificPrefix', 'honorificSuffix']),
  displayName: text,
  nickName: text,
  profileUrl: text,
  title: text,
  userType: text,
  preferredLanguage: text,
  locale: text,
  timezone: text,
  emails: own,
  phoneNumbers: own,
  ims: own,
  photos: own,
  entitlements: own,
  x509Certificates: own,
  addresses: attribute('list', [
    'formatted',
    'streetAddress',
    'locality',
    'region',
    'postalCode',
    'country',
    'type',
    'primary',
    'value',
    'display',
  ]),
  groups: shown,
  roles: shown,
}
const enterprise = {
  employeeNumber: text,
  costCenter: text,
  organization: text,
  division: text,
  department: text,
  manager: attribute('complex', ['value', '$ref', 'displayName']),
}
const portal = { displayNameAr: text, displayNameEn: text }

const named = (schema: string, attributes: typeof core) =>
  new Map(Object.entries(attributes).map(([name, make]) => [name.toLowerCase(), make(name, schema)]))

/** The attributes of each schema of people, by their names in lower case. */
const userSchemas: ReadonlyMap<string, ReadonlyMap<string, Attribute>> = new Map([
  [USER, named(USER, core)],
  [ENTERPRISE, named(ENTERPRISE, enterprise)],
  [PORTAL, named(PORTAL, portal)],
])
const groupSchemas: typeof userSchemas = new Map([
  [
    GROUP,
    named(GROUP, {
      id: core['id']!,
      schemas: core['schemas']!,
      meta: core['meta']!,
      externalId: text,
      displayName: text,
      members: attribute('list', ['value', 'display', 'type', '$ref']),
    }),
  ],
])
export const schemasOf = { User: userSchemas, Group: groupSchemas }
export type ResourceType = keyof typeof schemasOf

/** Splits a path into the URN of its schema, which may be missing, and the rest, which is empty after the URN alone. */
export function splitUrn(type: ResourceType, path: string): { schema: string | undefined; rest: string } {
  const lower = path.toLowerCase()
  for (const urn of schemasOf[type].keys()) {
    if (lower === urn.toLowerCase()) return { schema: urn, rest: '' }
    if (lower.startsWith(`${urn.toLowerCase()}:`)) return { schema: urn, rest: path.slice(urn.length + 1) }
  }
  return { schema: undefined, rest: path }
}

/** The attribute of this name; without a schema, in the first schema that has it. */
export function findAttribute(type: ResourceType, schema: string | undefined, name: string): Attribute | undefined {
  const lower = name.toLowerCase()
  if (schema !== undefined) return schemasOf[type].get(schema)?.get(lower)
  for (const attributes of schemasOf[type].values()) {
    const found = attributes.get(lower)
    if (found) return found
  }
  return undefined
}

/** The value of a field, by its name regardless of case; undefined if the object lacks it. */
export const fieldOf = (object: Record<string, unknown>, name: string) =>
  Object.entries(object).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
