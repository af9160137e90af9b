/** Resources as they are sent, and as they are kept. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { testPortal } from '../../../test/portal.ts'
import { newSource, type TestSource } from '../../../test/scim.ts'

const portal = testPortal()
let source: TestSource
before(async () => {
  await portal.ready
  source = await newSource(portal)
})

test('a person or group that the caller already has is not sent again', async () => {
  const [person, group] = [await source.person('known@example.org'), await source.group('Known')]
  for (const path of [`/Users/${person.id}`, `/Groups/${group.id}`]) {
    const { headers } = await source.get(path)
    const ask = (tag: string) => source.call('GET', path, undefined, { 'if-none-match': tag })
    const [same, other] = [await ask(headers.get('etag')!), await ask('W/"other"')]
    assert.deepEqual([same.status, same.text, same.headers.get('etag'), other.status], [304, '', headers.get('etag'), 200], path)
  }
})

test('a part of an attribute that is null has no value', async () => {
  const { id } = await source.person('parts@example.org', { name: { familyName: 'Young', givenName: 'Huda' } })
  const home = { type: 'home', value: 'home@example.org', display: 'Home' }
  for (const [operation, expected] of [
    [{ op: 'replace', path: 'name', value: { familyName: null } }, { name: { givenName: 'Huda' } }],
    [{ op: 'replace', value: { name: { givenName: null } } }, { name: undefined }],
    [{ op: 'add', path: 'phoneNumbers', value: [home] }, { phoneNumbers: [home] }],
    [
      { op: 'add', path: 'phoneNumbers[type eq "home"]', value: { display: null } },
      { phoneNumbers: [{ type: 'home', value: home.value }] },
    ],
    [{ op: 'replace', path: 'phoneNumbers', value: [{ value: null }] }, { phoneNumbers: undefined }],
  ] as const) {
    const { status, body } = await source.patch(`/Users/${id}`, operation)
    assert.equal(status, 200, JSON.stringify(body))
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(body[name], value, JSON.stringify(operation))
  }
})

test('PATCH removes the values that it describes: by their `value` or, without one, by all the parts that it names', async () => {
  const [home, work] = ['home', 'work'].map((type) => ({ type, locality: 'Riyadh', country: 'SA' }))
  const [mobile, desk] = [
    { value: '1', type: 'mobile' },
    { value: '2', type: 'work' },
  ]
  const { id } = await source.person('described@example.org', { addresses: [home, work], phoneNumbers: [mobile, desk] })
  for (const [path, value, left] of [
    ['addresses', [{ ...home, country: 'EG' }], [home, work]],
    ['addresses', [{ unknown: 'x' }], [home, work]],
    ['addresses', 'Riyadh', [home, work]],
    ['addresses', [home], [work]],
    ['phoneNumbers', [{ value: '1', type: 'other' }], [desk]],
    ['addresses', { country: 'SA' }, undefined],
  ] as const) {
    const { status, body } = await source.patch(`/Users/${id}`, { op: 'remove', path, value })
    assert.deepEqual([status, body[path]], [200, left], JSON.stringify(value))
  }
})

test('the language of a person is that of the first attribute that names one', async () => {
  const { id } = await source.person('language@example.org')
  for (const [preferredLanguage, locale, expected] of [
    ['de', null, 'en'],
    ['English', 'ar-EG', 'ar'],
    ['arn-CL', 'ar-EG', 'en'],
    ['1', 'ARB', 'ar'],
    ['English', null, 'ar'],
    ['en-GB', 'ar-EG', 'en'],
    ['arz', 'en-US', 'ar'],
    ['', 'en_US', 'en'],
  ] as const) {
    const { status } = await source.patch(`/Users/${id}`, { op: 'replace', value: { preferredLanguage, locale } })
    const person = (await portal.admin.get(`/users/${id}`)).body
    assert.deepEqual([status, person.preferredLanguage], [200, expected], `${preferredLanguage} ${locale}`)
  }
})

test('a call that asks for the attributes of the schema of groups gets the members, too', async () => {
  const { id } = await source.person('whole@example.org')
  const group = await source.group('Whole', [id])
  const urn = 'urn:ietf:params:scim:schemas:core:2.0:Group'
  for (const path of [`/Groups/${group.id}?attributes=${urn}`, `/Groups?filter=id eq "${group.id}"&attributes=${urn}`]) {
    const { body } = await source.get(encodeURI(path))
    const { displayName, members } = body.Resources?.[0] ?? body
    assert.deepEqual([displayName, members?.map(({ value }: { value: string }) => value)], ['Whole', [id]], path)
  }
})

test('PUT sets exactly the members that it sends, and keeps the members if the attribute is missing', async () => {
  const people: string[] = []
  for (const name of ['one', 'two', 'three']) people.push((await source.person(`${name}@example.org`)).id)
  const { id } = await source.group('Exact', people.slice(0, 2))
  const membersOf = async () => (await source.get(`/Groups/${id}`)).body.members.map(({ value }: { value: string }) => value)
  const put = (body: object) => source.call('PUT', `/Groups/${id}`, { displayName: 'Exact', ...body })
  const first = await put({ members: [{ value: people[2] }] })
  assert.deepEqual([first.status, first.body.members.map(({ value }: { value: string }) => value)], [200, [people[2]]])
  await put({})
  assert.deepEqual(await membersOf(), [people[2]])
  await put({ members: null })
  assert.deepEqual(await membersOf(), [])
  const stale = await source.call('PUT', `/Groups/${id}`, { displayName: 'Exact' }, { 'if-match': first.headers.get('etag')! })
  assert.equal(stale.status, 412)
})
