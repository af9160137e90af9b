/** A second opinion: another implementation, `scimmy`, reads the answers and applies the same patches. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { Messages, Schemas } from 'scimmy'
import { testPortal } from '../../../test/portal.ts'
import { newSource, type TestSource } from '../../../test/scim.ts'
import { generated } from '../../../test/suite.ts'
import { readPatch } from './patch.ts'
import { applyMoves, type PersonState } from './person.ts'

const portal = testPortal()
let source: TestSource
before(async () => {
  await portal.ready
  source = await newSource(portal)
})

test('another implementation reads the answers about people and groups', async () => {
  const person = await source.person('model@example.org', {
    name: { givenName: 'Mo', familyName: 'Del' },
    displayName: 'Mo Del',
    title: 'Clerk',
  })
  const group = await source.group('Model', [person.id])
  const read = new Schemas.User((await source.get(`/Users/${person.id}`)).body, 'out') as unknown as Record<string, unknown>
  assert.deepEqual([read['id'], read['userName'], read['displayName'], read['title']], [person.id, 'model@example.org', 'Mo Del', 'Clerk'])
  const readGroup = new Schemas.Group((await source.get(`/Groups/${group.id}`)).body, 'out') as unknown as Record<string, unknown>
  assert.deepEqual([readGroup['id'], readGroup['displayName']], [group.id, 'Model'])
})

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const attributes = {
  displayName: 'Mo Del',
  name: { givenName: 'Mo', familyName: 'Del' },
  title: 'Clerk',
  emails: [
    { value: 'work@example.org', type: 'work', primary: true },
    { value: 'home@example.org', type: 'home' },
  ],
  phoneNumbers: [{ value: '1', type: 'work' }],
  [ENTERPRISE]: { department: 'Office', employeeNumber: '7' },
}
const text = fc.stringMatching(/^[a-z]{1,5}$/)
const address = text.map((name) => `${name}@example.org`)
const single = fc.constantFrom('displayName', 'title', 'nickName', 'userType')
const part = fc.constantFrom('givenName', 'familyName', 'middleName')
const extra = fc.constantFrom('department', 'employeeNumber', 'division').map((name) => `${ENTERPRISE}:${name}`)
const type = fc.constantFrom('work', 'home')
const sets = fc.constantFrom('add', 'replace')
/**
 * The forms of RFC 7644, 3.5.2, on which both implementations agree. Left out: `replace` of a complex attribute with some of its parts,
 * which `scimmy` takes for the whole; and a second value of one type, which replaces the first in the portal.
 */
const operation = fc.oneof(
  fc.record({
    op: sets,
    path: fc.oneof(
      single,
      extra,
      part.map((name) => `name.${name}`),
    ),
    value: text,
  }),
  fc.record({
    op: fc.constant('remove'),
    path: fc.oneof(
      single,
      extra,
      part.map((name) => `name.${name}`),
      fc.constantFrom('name', 'emails'),
    ),
  }),
  fc.record({ op: sets, value: fc.dictionary(single, text, { minKeys: 1 }) }),
  fc.record({ op: sets, value: fc.record({ name: fc.dictionary(part, text, { minKeys: 1 }) }) }),
  fc.record({ op: fc.constant('add'), path: fc.constant('name'), value: fc.dictionary(part, text, { minKeys: 1 }) }),
  fc.record({ op: fc.constant('replace'), path: fc.constant('emails'), value: address.map((value) => [{ value, type: 'work' }]) }),
  fc.record({ op: fc.constant('remove'), path: type.map((name) => `emails[type eq "${name}"]`) }),
  fc.record({ op: sets, path: fc.constantFrom('active'), value: fc.boolean() }),
)
/** Operations on the work address, which every person has. */
const ofWork = fc.oneof(
  fc.record({ op: sets, path: fc.constant('emails[type eq "work"].value'), value: address }),
  fc.record({
    op: fc.constant('replace'),
    path: fc.constant('emails[type eq "work"]'),
    value: fc.oneof(
      fc.record({ value: address, type: fc.constant('work') }),
      fc.record({ value: address, type: fc.constant('work'), display: text }),
    ),
  }),
  fc.record({ op: fc.constant('add'), path: fc.constant('emails'), value: address.map((value) => [{ value, type: 'other' }]) }),
)

/** A resource without empty attributes and with its lists sorted, for comparison. */
function plain(resource: Record<string, unknown>): unknown {
  const sorted = (list: unknown[]) => list.map((one) => JSON.stringify(Object.entries(one as object).toSorted())).toSorted()
  return Object.fromEntries(
    Object.entries(resource)
      .filter(([name, value]) => !['schemas', 'id', 'meta'].includes(name) && value !== undefined && JSON.stringify(value) !== '{}')
      .map(([name, value]) => [name, Array.isArray(value) ? sorted(value) : value]),
  )
}

test('ten thousand patches have the same result as in another implementation', async () => {
  Schemas.User.definition.extend(Schemas.EnterpriseUser.definition, false)
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']
  const before: PersonState = { userName: 'mo@example.org', externalId: null, active: true, switchedOff: false, attributes }
  const patch = fc.tuple(fc.option(ofWork, { nil: undefined }), fc.array(operation, { maxLength: 3 }))
  await fc.assert(
    fc.asyncProperty(patch, async ([first, others]) => {
      const Operations = first ? [first, ...others] : others
      fc.pre(Operations.length > 0)
      const { userName, active, attributes: ours } = applyMoves(before, await readPatch('User', { Operations }))
      const resource = new Schemas.User(
        { userName: before.userName, active: true, id: '7', ...structuredClone(attributes) } as never,
        'out',
      )
      const theirs = await new Messages.PatchOp({ schemas, Operations } as never).apply(resource as never)
      assert.deepEqual(plain({ userName, active, ...ours }), plain(JSON.parse(JSON.stringify(theirs ?? resource))))
    }),
    generated(200, 10_000),
  )
})
