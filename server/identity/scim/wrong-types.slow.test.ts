/** Bodies of a directory in which one value has a wrong type. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { testPortal } from '../../../test/portal.ts'
import { newSource, type TestSource, USER } from '../../../test/scim.ts'

const portal = testPortal()
let source: TestSource
before(async () => {
  await portal.ready
  source = await newSource(portal)
})

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
/** Values as JSON text, because a number may be too large for JavaScript and a string may be malformed. */
const WRONG = [
  'null',
  'true',
  '7',
  '-1.5',
  '1e400',
  '99999999999999999999',
  '""',
  '"x"',
  '" "',
  String.raw`"a\u0000"`,
  String.raw`"\ud800"`,
  '"\u202e"',
  JSON.stringify('ل'.repeat(5000)),
  '[]',
  '[null]',
  '[[]]',
  '[{}]',
  '[{"value": null}, {"value": {}}, {"value": 7, "primary": true}, {"value": "y", "primary": true}]',
  '{}',
  '{"value": {}}',
  '{"value": "x", "primary": true}',
  '{"__proto__": {"value": 1}, "constructor": 1}',
  '{"toString": 1, "valueOf": 1}',
]

const person = (name: string) => ({
  schemas: [USER, ENTERPRISE],
  userName: name,
  externalId: `id of ${name}`,
  active: true,
  displayName: 'Huda',
  name: { givenName: 'Huda', familyName: 'Salem', formatted: 'Huda Salem' },
  emails: [{ value: name, type: 'work', primary: true }],
  preferredLanguage: 'ar',
  [ENTERPRISE]: { employeeNumber: '7', manager: { value: '3' }, department: 'IT' },
})
const patch = (...Operations: object[]) => ({ schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations })
const MARK = '\u0001'

/** The body as JSON, with each of its values in turn replaced by a mark. */
function* marked(body: unknown, rebuild: (part: unknown) => unknown = (part) => part): Generator<string> {
  yield JSON.stringify(rebuild(MARK))
  if (typeof body !== 'object' || body === null) return
  for (const [key, value] of Object.entries(body))
    yield* marked(value, (part) => rebuild(Array.isArray(body) ? body.with(Number(key), part) : { ...body, [key]: part }))
}

let names = 0
const calls: Record<string, () => Promise<[method: string, path: string, body: object]>> = {
  'POST /Users': async () => ['POST', '/Users', person(`new-${++names}@example.org`)],
  'PUT /Users/:id': async () => {
    const { id } = await source.person(`put-${++names}@example.org`)
    return ['PUT', `/Users/${id}`, { id, ...person(`put-${names}@example.org`) }]
  },
  ...Object.fromEntries(
    Object.entries({
      'without a path': {
        op: 'replace',
        value: { id: '7', active: false, 'name.givenName': 'A', emails: [{ value: 'a@example.org' }], [`${ENTERPRISE}:department`]: 'x' },
      },
      'a name': { op: 'add', path: 'name.familyName', value: 'A' },
      'an address': { op: 'replace', path: 'emails[type eq "work"].value', value: 'b@example.org' },
      'a manager': { op: 'Add', path: `${ENTERPRISE}:manager`, value: { value: '3' } },
      'a flag': { op: 'Replace', path: 'active', value: 'False' },
      'a removal': { op: 'remove', path: 'emails[value eq "b@example.org"]' },
    }).map(([title, operation]) => [
      `PATCH /Users/:id, ${title}`,
      async (): Promise<[string, string, object]> => [
        'PATCH',
        `/Users/${(await source.person(`patched-${++names}@example.org`)).id}`,
        patch(operation),
      ],
    ]),
  ),
  'POST /Groups': async () => [
    'POST',
    '/Groups',
    { schemas: ['x'], displayName: `Group ${++names}`, externalId: `g${names}`, members: [{ value: '3', display: 'x' }] },
  ],
  'PUT /Groups/:id': async () => {
    const { id } = await source.group(`Put ${++names}`)
    return ['PUT', `/Groups/${id}`, { id, displayName: `Put ${names}`, externalId: 'x', members: [{ value: '3' }] }]
  },
  ...Object.fromEntries(
    Object.entries({
      'members added': { op: 'add', path: 'members', value: [{ value: '3' }] },
      'members removed': { op: 'remove', path: 'members', value: [{ value: '3' }] },
      'one removed': { op: 'remove', path: 'members[value eq "3"]' },
      'a name': { op: 'replace', value: { displayName: 'Renamed', externalId: 'y' } },
    }).map(([title, operation]) => [
      `PATCH /Groups/:id, ${title}`,
      async (): Promise<[string, string, object]> => [
        'PATCH',
        `/Groups/${(await source.group(`Patched ${++names}`)).id}`,
        patch(operation),
      ],
    ]),
  ),
  'POST /Users/.search': async () => [
    'POST',
    '/Users/.search',
    {
      schemas: ['x'],
      filter: 'userName sw "a"',
      attributes: ['userName'],
      excludedAttributes: ['emails'],
      startIndex: 1,
      count: 2,
      sortBy: 'userName',
      sortOrder: 'ascending',
    },
  ],
  'POST /Groups/.search': async () => [
    'POST',
    '/Groups/.search',
    { filter: 'displayName sw "a"', attributes: ['displayName'], startIndex: 1, count: 2 },
  ],
}

for (const [title, request] of Object.entries(calls))
  test(`no value of a wrong type in ${title} causes a server error`, async () => {
    const [method, path, body] = await request()
    for (const text of marked(body))
      for (const value of WRONG) {
        const sent = text.replace(JSON.stringify(MARK), () => value)
        const answer = await source.client.send(method, `/scim/v2${path}`, sent, { 'content-type': 'application/scim+json' })
        const { status } = answer
        if (status >= 500 || (status >= 400 && answer.body?.status !== String(status)))
          assert.fail(`${status} ${sent.slice(0, 600)} ${answer.text.slice(0, 300)}`)
        if (status >= 400) continue
        const read = await source.get(path.replace('/.search', ''))
        assert.ok(read.status < 500, `${read.status} after ${sent.slice(0, 600)}`)
        if (status === 201) await source.call('DELETE', `${path}/${answer.body.id}`)
      }
  })
