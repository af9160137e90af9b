/** Calls that no honest directory makes. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { before, test } from 'node:test'
import { testPortal } from '../../../test/portal.ts'
import { newSource, type TestSource, USER } from '../../../test/scim.ts'

const portal = testPortal()
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
let source: TestSource
before(async () => {
  await portal.ready
  source = await newSource(portal)
})

test('names of JavaScript’s own properties are never used as keys', async () => {
  const { id } = await source.person('keys@example.org')
  for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
    for (const path of [
      name,
      `${name}.polluted`,
      `name.${name}`,
      `emails[${name} eq "x"].value`,
      `urn:ietf:params:scim:schemas:core:2.0:User:${name}`,
    ])
      assert.ok([200, 400].includes((await source.patch(`/Users/${id}`, { op: 'add', path, value: { polluted: 1 } })).status), path)
    const raw = `{"Operations": [{"op": "add", "value": {"${name}": {"polluted": 1}, "name": {"${name}": "x"}}}]}`
    const { send } = source.client
    assert.equal((await send('PATCH', `/scim/v2/Users/${id}`, raw, { 'content-type': 'application/json' })).status, 200, name)
    assert.equal((await source.find(`${name} eq "x"`)).body.scimType, 'invalidFilter')
  }
  const clean: Record<string, unknown> = {}
  assert.equal(clean['polluted'], undefined)
})

test('too many operations, members, levels or bytes are refused', async () => {
  const { id } = await source.group('Full')
  const many = Array.from({ length: 1001 }, () => ({ op: 'add', path: 'externalId', value: 'x' }))
  assert.deepEqual((await source.patch(`/Groups/${id}`, ...many)).body.scimType, 'tooMany')
  const members = Array.from({ length: 60_001 }, (_, n) => ({ value: String(n + 1) }))
  assert.deepEqual((await source.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: members })).body.scimType, 'tooMany')
  const twice = await source.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: Array(1000).fill({ value: '2147483647' }) })
  assert.equal(twice.body.scimType, 'invalidValue')
  const large = await source.call('POST', '/Users', { userName: 'large@example.org', title: 'x'.repeat(9000) })
  assert.deepEqual([large.status, large.body.scimType], [400, 'invalidValue'])
  const huge = await source.call('POST', '/Users', { userName: 'huge@example.org', title: 'x'.repeat(1024 * 1024) })
  assert.deepEqual([huge.status, huge.body.status, huge.body.code], [413, '413', 'too_large'])
})

test('a list of too many values is refused at once', async () => {
  const userName = 'many@example.org'
  const values = (count: number) => Array.from({ length: count }, (_, n) => 100_000 + n)
  const many = await source.call('POST', '/Users', { userName, emails: values(140_000) })
  assert.deepEqual([many.status, many.body.scimType], [400, 'tooMany'])
  const list = await source.call('POST', '/Users', { userName, phoneNumbers: values(101) })
  assert.deepEqual([list.status, list.body.scimType], [400, 'invalidValue'])
  const { id } = await source.person(userName, { phoneNumbers: values(100) })
  const one = await source.patch(`/Users/${id}`, { op: 'add', path: 'phoneNumbers', value: '1' })
  assert.deepEqual([one.status, one.body.scimType], [400, 'invalidValue'])
  const lists = Array.from({ length: 11 }, () => ({ op: 'replace', path: 'phoneNumbers', value: values(100) }))
  assert.equal((await source.patch(`/Users/${id}`, ...lists)).body.scimType, 'tooMany')
})

test('each key of an object counts as an operation', async () => {
  const { id } = await source.person('keyed@example.org')
  const group = await source.group('Keyed')
  const keys = (list: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${list}[value eq ${100_000 + n}].value`, `${n}`]))
  for (const [method, path, body] of [
    ['PATCH', `/Users/${id}`, { Operations: [{ op: 'add', value: keys('emails', 20_000) }] }],
    ['POST', '/Users', { userName: 'keys2@example.org', ...keys('emails', 20_000) }],
    ['PATCH', `/Groups/${group.id}`, { Operations: [{ op: 'add', value: keys('members', 150_000) }] }],
    ['PUT', `/Groups/${group.id}`, keys('members', 20_000)],
  ] as const) {
    const answer = await source.call(method, path, body)
    assert.deepEqual([answer.status, answer.body.scimType], [400, 'tooMany'], `${method} ${path}`)
  }
})

test('a call that names too many attributes is refused', async () => {
  for (const name of ['attributes', 'excludedAttributes'])
    for (const path of ['/Users/.search', '/Groups/.search'])
      for (const list of [Array(250_000).fill('a'), 'a,'.repeat(250_000)]) {
        const { status, body } = await source.call('POST', path, { [name]: list })
        assert.deepEqual([status, body.scimType], [400, 'tooMany'], `${name} ${path}`)
      }
})

test('an id of a wrong type is refused like the id of another resource', async () => {
  const { id, userName, emails } = await source.person('identified@example.org')
  const group = await source.group('Identified')
  for (const wrong of [{ toString: 1 }, {}, [], [id], true, '', ' ', 1.5])
    for (const [method, path, body] of [
      ['PUT', `/Users/${id}`, { id: wrong, userName, emails }],
      ['PATCH', `/Users/${id}`, { Operations: [{ op: 'replace', path: 'id', value: wrong }] }],
      ['PUT', `/Groups/${group.id}`, { id: wrong, displayName: 'Identified' }],
      ['PATCH', `/Groups/${group.id}`, { Operations: [{ op: 'replace', value: { id: wrong } }] }],
    ] as const) {
      const answer = await source.call(method, path, body)
      assert.deepEqual([answer.status, answer.body.scimType], [400, 'mutability'], `${method} ${path} ${JSON.stringify(wrong)}`)
    }
  assert.equal((await source.patch(`/Users/${id}`, { op: 'replace', path: 'id', value: Number(id) })).status, 200)
})

test('an email address with a type of any length is stored and found', async () => {
  const type = Array.from({ length: 78 }, (_, n) => hash('sha256', `${n}`)).join('')
  const emails = [{ value: 'typed@example.org', type }]
  const { id } = await source.person('typed@example.org', { emails })
  const [found] = (await source.find('emails.value eq "typed@example.org"')).body.Resources
  assert.deepEqual([found.id, found.emails], [id, emails])
  const long = 'Work'.repeat(100)
  await source.patch(`/Users/${id}`, { op: 'add', path: 'emails', value: [{ value: 'long@example.org', type: long }] })
  assert.equal((await source.find(`emails[type eq "${long}" and value eq "long@example.org"]`)).body.Resources[0]?.id, id)
})

test('unknown attributes and schemas are ignored, however they are written', async () => {
  const { id } = await source.person('unaware@example.org')
  const group = await source.group('Unaware')
  const names = [
    'urn:ietf:params:scim:schemas:extension:acme:2.0:User:address.city',
    'urn:acme:1.0.0:User',
    'urn:acme:1.0.0:User:tags[type eq "a"].value',
    `${USER}:tags[type eq "a"].value`,
    'tags[type is not a filter]',
    'favourite colour',
    '',
  ]
  const fields = Object.fromEntries(names.map((name) => [name, 'x']))
  for (const path of names.filter(Boolean))
    for (const op of ['add', 'replace', 'remove']) {
      assert.equal((await source.patch(`/Users/${id}`, { op, path, value: 'x' })).status, 200, `${op} ${path}`)
      assert.equal((await source.patch(`/Groups/${group.id}`, { op, path, value: 'x' })).status, 204, `${op} ${path}`)
    }
  assert.equal((await source.patch(`/Users/${id}`, { op: 'add', value: { ...fields, [ENTERPRISE]: fields } })).status, 200)
  await source.person('unaware2@example.org', { ...fields, [ENTERPRISE]: fields })
  await source.group('Unaware 2', [], fields)
  for (const path of ['emails[[', 'name.givenName.x', 'active[value eq "x"]'])
    assert.equal((await source.patch(`/Users/${id}`, { op: 'add', path, value: 'x' })).body.scimType, 'invalidPath', path)
})

test('every call answers 404 to a malformed id', async () => {
  for (const id of ['%00', 'a%00b', 'x'.repeat(400)]) {
    for (const type of ['Users', 'Groups'])
      for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', { Operations: [] }]] as const)
        assert.equal((await source.call(method, `/${type}/${id}`, body)).status, 404, `${method} ${type} ${id}`)
    for (const type of ['Schemas', 'ResourceTypes']) assert.equal((await source.get(`/${type}/${id}`)).status, 404, `${type} ${id}`)
  }
})

test('wrong types get a clear answer', async () => {
  const { id } = await source.person('types@example.org')
  for (const body of [
    { userName: 1.5e300 },
    { userName: ['a'] },
    { userName: 'a@example.org', emails: 'nobody' },
    { userName: 'a@example.org', emails: [{ value: 'not an address' }] },
    { userName: 'a@example.org', active: 'maybe' },
    { userName: 'a@example.org', externalId: 'x'.repeat(256) },
    { userName: 'a@example.org', name: 'x' },
    { userName: '' },
    {},
  ])
    assert.ok([400].includes((await source.call('POST', '/Users', body)).status), JSON.stringify(body))
  for (const operation of [
    1,
    null,
    { op: 'move' },
    { op: 'add' },
    { op: 'remove' },
    { op: 'add', path: 7 },
    { op: 'replace', path: 'active', value: [] },
  ])
    assert.equal((await source.call('PATCH', `/Users/${id}`, { Operations: [operation] })).status, 400, JSON.stringify(operation))
  assert.equal((await source.call('PATCH', `/Users/${id}`, { Operations: 'x' })).body.scimType, 'invalidSyntax')
  for (const query of ['count=x', 'startIndex=1.5']) assert.equal((await source.get(`/Users?${query}`)).body.scimType, 'invalidValue')
  for (const wrong of ['0', '1e9', '٧', '99999999999', 'none']) assert.equal((await source.get(`/Users/${wrong}`)).status, 404)
  const { body } = await source.get('/Users?count=0&startIndex=-5&aadOptscim062020=true')
  assert.deepEqual([body.Resources, body.startIndex, typeof body.totalResults], [[], 1, 'number'])
})

test('an exception of the required sign-in is neither found nor changed', async () => {
  const { id } = await source.person('glass@example.org')
  await portal.admin.post(`/users/${id}/roles`, { roleName: 'admin' })
  assert.equal((await portal.admin.post(`/users/${id}/sign-in-exception`)).status, 200)
  assert.equal((await source.get(`/Users/${id}`)).status, 404)
  for (const filter of [`id eq "${id}"`, 'userName eq "glass@example.org"', 'emails.value eq "glass@example.org"'])
    assert.equal((await source.find(filter)).body.totalResults, 0, filter)
  assert.equal((await source.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })).status, 404)
  assert.equal((await source.call('POST', '/Users', { userName: 'glass@example.org' })).status, 409)
})

test('of simultaneous calls of two directories that create the same person, one succeeds', async () => {
  const other = await newSource(portal)
  const answers = await Promise.all(
    [source, other, source, other].map((one) => one.call('POST', '/Users', { userName: 'race@example.org' })),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409, 409])
})

test('each attribute is compared by each operator with each kind of value, or the filter is refused', async () => {
  await source.group('Compared', [(await source.person('compared@example.org', { displayName: 'Compared' })).id])
  const times = ['meta.created', 'meta.lastModified']
  const paths = {
    Users: ['id', 'userName', 'externalId', 'active', 'displayName', 'name.familyName', 'emails', 'emails.value', 'manager', ...times],
    Groups: ['id', 'displayName', 'externalId', 'members', 'members.value', ...times],
  }
  const inLists = { Users: ['value', 'type', 'display', 'primary'].map((part) => `emails[${part} ?]`), Groups: ['members[value ?]'] }
  const values = ['"%_"', '"2026-01-01T00:00:00Z"', 'a', 'true', 'null', '"a\\u0000"']
  for (const type of ['Users', 'Groups'] as const)
    for (const term of [...paths[type].map((path) => `${path} ?`), ...inLists[type]])
      for (const comparison of ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'].flatMap((op) =>
        values.map((one) => `${op} ${one}`),
      )) {
        const filter = term.replace('?', () => comparison)
        const { status, body } = await source.find(filter, type)
        if (status !== 200) assert.deepEqual([status, body.scimType], [400, 'invalidFilter'], filter)
      }
})
