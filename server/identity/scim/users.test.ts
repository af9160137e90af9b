/** People whom a directory creates, finds, changes and deletes. */
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
const profile = async (id: string) => (await portal.admin.get(`/users/${id}`)).body

test('a source creates a person, with a username derived from the userName', async () => {
  const { status, body, headers } = await source.call('POST', '/Users', {
    schemas: [USER],
    userName: 'Huda.Salem@example.org',
    externalId: 'A1',
    name: { givenName: 'هدى', familyName: 'سالم' },
    emails: [{ value: 'huda.salem@example.org', type: 'work', primary: true }],
    preferredLanguage: 'ar-SA',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { employeeNumber: 701984, manager: '7' },
    password: 'secret',
    unknown: 1,
  })
  assert.equal(status, 201)
  assert.equal(headers.get('content-type'), 'application/scim+json; charset=utf-8')
  assert.equal(headers.get('location'), `http://localhost:3000/api/scim/v2/Users/${body.id}`)
  assert.equal(headers.get('etag'), body.meta.version)
  assert.deepEqual(body['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'], { employeeNumber: 701984, manager: { value: '7' } })
  assert.deepEqual([body.userName, body.active, body.externalId], ['Huda.Salem@example.org', true, 'A1'])
  assert.equal('password' in body, false)
  const { username, displayNameAr, displayNameEn, email, preferredLanguage, roles } = await profile(body.id)
  assert.deepEqual(
    [username, displayNameAr, displayNameEn, email, preferredLanguage, roles],
    ['Huda.Salem', 'هدى سالم', null, 'huda.salem@example.org', 'ar', ['user']],
  )
})

test('a second person with the same externalId, or the same userName regardless of case, is refused', async () => {
  await source.person('same@example.org', { externalId: 'S1' })
  for (const more of [{ userName: 'SAME@example.org' }, { userName: 'other@example.org', externalId: 'S1' }]) {
    const { status, body } = await source.call('POST', '/Users', { emails: [{ value: 'new@example.org' }], ...more })
    assert.deepEqual([status, body.status, body.scimType, body.code], [409, '409', 'uniqueness', 'username_taken'])
  }
})

test('each form of filter finds the people who meet it', async () => {
  const { id } = await source.person('found@example.org', { externalId: 'jyoung', displayName: 'Jo Young', name: { givenName: 'Jo' } })
  for (const filter of [
    'userName eq "FOUND@example.org"',
    'externalId eq "jyoung"',
    'externalId eq jyoung',
    `id eq "${id}"`,
    'emails[type eq "work"].value eq "found@example.org"',
    'emails[type eq "work" and value eq "found@example.org"]',
    'emails.value eq "found@example.org"',
    'displayName eq "jo young" and active eq true',
    'urn:ietf:params:scim:schemas:core:2.0:User:name.givenName eq "Jo" and not (displayName sw "x")',
    'displayName co "young"',
    `${Array(6).fill('not (displayName sw "x")').join(' and ')} and id eq "${id}"`,
    '(userName sw "found@" or externalId eq "none") and meta.created gt "2020-01-01T00:00:00Z"',
  ]) {
    const { status, body } = await source.find(filter)
    assert.deepEqual([status, body.totalResults, body.Resources?.[0]?.id], [200, 1, id], filter)
  }
  const nobody = await source.find('userName eq "nobody@example.org"')
  assert.deepEqual([nobody.status, nobody.body.totalResults, nobody.body.Resources], [200, 0, []])
})

test('an externalId is compared as it is written, and all other texts regardless of case', async () => {
  const { id } = await source.person('Case@example.org', { externalId: 'CaseX1', displayName: 'Case Test', name: { familyName: 'Test' } })
  const work = (condition: string) => `emails[type eq "WORK" and value ${condition}]`
  const matching = ['userName ew "CASE@EXAMPLE.ORG"', 'externalId co "aseX"', 'name.familyName co "TES"', work('sw "CASE@"')]
  for (const filter of matching) assert.deepEqual((await source.find(filter)).body.Resources?.[0]?.id, id, filter)
  for (const filter of ['externalId co "casex1"', 'externalId sw "casex1"', 'externalId eq "casex1"', work('co "nobody"')])
    assert.equal((await source.find(filter)).body.totalResults, 0, filter)
})

test('a filter that cannot be read, or is too large, is refused', async () => {
  for (const filter of [
    'userName',
    'userName eq',
    'userName eq "a',
    'nickName eq "a"',
    '__proto__ eq "a"',
    'constructor.name pr',
    '((((((userName pr))))))',
    'not '.repeat(9),
  ]) {
    const { status, body } = await source.find(filter)
    assert.deepEqual([status, body.scimType], [400, 'invalidFilter'], filter)
  }
  for (const filter of ['('.repeat(20_000), Array(20_000).fill('id pr').join(' or ')]) {
    const { status, body } = await source.call('POST', '/Users/.search', { filter })
    assert.deepEqual([status, body.scimType], [400, 'tooMany'])
  }
})

test('each form of patch that directories send changes the attribute that it names', async () => {
  const { id } = await source.person('patched@example.org', { displayName: 'Before' })
  const path = `/Users/${id}`
  for (const [operations, expected] of [
    [[{ op: 'Replace', path: 'displayName', value: 'After' }], { displayName: 'After' }],
    [[{ op: 'replace', value: { active: false } }], { active: false }],
    [[{ op: 'Replace', path: 'active', value: 'True' }], { active: true }],
    [
      [{ op: 'replace', value: { 'name.familyName': 'Young', 'emails[type eq "home"].value': 'home@example.org' } }],
      { name: { familyName: 'Young' } },
    ],
    [[{ op: 'add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'Sales' }], {}],
    [
      [
        { op: 'Remove', path: 'title' },
        { op: 'add', path: '__proto__.polluted', value: 1 },
        { op: 'add', value: { constructor: 1 } },
      ],
      { title: undefined },
    ],
  ] as const) {
    const { status, body } = await source.patch(path, ...operations)
    assert.equal(status, 200, JSON.stringify(body))
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(body[name], value, name)
  }
  assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false)
  const { body } = await source.get(path)
  assert.deepEqual(
    body.emails.map(({ type }: { type: string }) => type),
    ['work', 'home'],
  )
  assert.deepEqual((await profile(id)).displayNameEn, 'After')
})

test('if a value becomes primary, the others no longer are', async () => {
  for (const [n, operation] of [
    { op: 'add', path: 'emails', value: [{ value: 'newer0@example.org', type: 'home', primary: true }] },
    { op: 'replace', path: 'emails[type eq "home"].primary', value: 'True' },
    { op: 'replace', value: { 'emails[type eq "home"]': { value: 'newer2@example.org', primary: true } } },
  ].entries()) {
    const [older, newer] = [`older${n}@example.org`, `newer${n}@example.org`]
    const { id } = await source.person(older)
    await source.patch(`/Users/${id}`, { op: 'add', path: 'emails', value: [{ value: newer, type: 'home' }] })
    const { emails } = (await source.patch(`/Users/${id}`, operation)).body
    assert.deepEqual(emails[0], { value: older, type: 'work', primary: false })
    assert.deepEqual([emails.length, emails[1].value, String(emails[1].primary).toLowerCase()], [2, newer, 'true'])
    assert.equal((await profile(id)).email, newer)
  }
})

test('a list that is sent whole keeps all its values but duplicates', async () => {
  const [first, second] = [
    { value: 'whole@example.org', type: 'work', primary: true },
    { value: 'part@example.org', type: 'work' },
  ]
  const person = { userName: 'whole@example.org', emails: [first, second, second] }
  const { id } = await source.person('whole@example.org', person)
  for (const call of [
    () => source.get(`/Users/${id}`),
    () => source.call('PUT', `/Users/${id}`, person),
    () => source.patch(`/Users/${id}`, { op: 'replace', path: 'emails', value: [first, second] }),
    () => source.patch(`/Users/${id}`, { op: 'add', path: 'emails', value: [second] }),
  ])
    assert.deepEqual((await call()).body.emails, [first, second])
  const third = { value: 'third@example.org', type: 'WORK' }
  const { emails } = (await source.patch(`/Users/${id}`, { op: 'add', path: 'emails', value: [third] })).body
  assert.deepEqual(emails, [third, second])
})

test('a patch that changes nothing leaves no trace and keeps the tag, and a patch with a stale tag is refused', async () => {
  const { id, meta } = await source.person('still@example.org')
  const traces = await portal.traces(async () => {
    for (const operations of [[], [{ op: 'replace', path: 'active', value: true }]]) {
      const { status, headers } = await source.patch(`/Users/${id}`, ...operations)
      assert.deepEqual([status, headers.get('etag')], [200, meta.version])
    }
  })
  assert.deepEqual(traces, { audit: [], histories: [], notices: [], events: [] })
  const stale = await source.call('PATCH', `/Users/${id}`, { Operations: [] }, { 'if-match': 'W/"stale"' })
  assert.deepEqual([stale.status, stale.body.code], [412, 'changed_meanwhile'])
})

test('PUT clears absent names, keeps activity and externalId, and is refused without an e-mail address', async () => {
  const { id } = await source.person('put@example.org', { displayName: 'Put', externalId: 'P1', active: false })
  const { status, body } = await source.call('PUT', `/Users/${id}`, {
    userName: 'put@example.org',
    emails: [{ value: 'put2@example.org' }],
  })
  assert.deepEqual([status, body.active, body.externalId, body.displayName], [200, false, 'P1', undefined])
  const { displayNameEn, email, isActive } = await profile(id)
  assert.deepEqual([displayNameEn, email, isActive], [null, 'put2@example.org', false])
  assert.equal((await source.call('PUT', `/Users/${id}`, { userName: 'put@example.org' })).body.scimType, 'invalidValue')
})

test('a person whom the source deletes is deactivated and hidden from it, and gets the same id when created again', async () => {
  const { id } = await source.person('gone@example.org', { externalId: 'G1' })
  assert.equal((await source.call('DELETE', `/Users/${id}`)).status, 204)
  assert.equal((await source.get(`/Users/${id}`)).status, 404)
  assert.equal((await source.call('DELETE', `/Users/${id}`)).status, 404)
  assert.equal((await profile(id)).isActive, false)
  const again = await source.person('gone@example.org')
  assert.deepEqual([again.id, again.active, (await profile(id)).isActive], [id, true, true])
})

test('a source finds an account that an administrator made, and adopts it by its first change', async () => {
  const made = await portal.admin.post('/users', {
    username: 'known',
    email: 'known@example.org',
    password: 'a long password',
    displayNameAr: 'معروف',
  })
  const found = (await source.find('userName eq "known@example.org"')).body.Resources[0]
  assert.equal(found.id, String(made.body.id))
  assert.equal((await source.find('userName sw "known"')).body.totalResults, 0)
  assert.equal((await source.call('DELETE', `/Users/${found.id}`)).status, 404)
  const traces = await portal.traces(() => source.patch(`/Users/${found.id}`, { op: 'add', path: 'title', value: 'Clerk' }))
  assert.deepEqual(
    traces.audit.map(({ action }) => action),
    ['user.adopt', 'user.update'],
  )
  assert.equal((await source.find('userName eq "known@example.org"')).body.totalResults, 1)
  assert.equal((await profile(found.id)).displayNameAr, 'معروف')
})

test('an account of a stranger, of another source, or of an administrator is never adopted', async () => {
  await portal.stranger().post('/auth/register', { username: 'claimed', email: 'claimed@example.org', password: 'a long password' })
  const other = await newSource(portal)
  await other.person('theirs@example.org')
  await portal.person('boss', { roles: ['admin'] })
  for (const [userName, code] of [
    ['claimed@example.org', 'email_taken'],
    ['theirs@example.org', 'email_taken'],
    ['boss@example.org', 'grants_admin'],
  ] as const) {
    const { status, body } = await source.call('POST', '/Users', { userName })
    assert.deepEqual([status, body.scimType, body.code], [409, 'uniqueness', code], userName)
    assert.equal((await source.find(`userName eq "${userName}"`)).body.totalResults, 0)
  }
  const { body } = await portal.admin.get('/notifications')
  assert.equal(body.filter(({ titleEn }: { titleEn: string }) => titleEn === 'An account without a confirmed address').length, 1)
})

test('an administrator lets a source adopt an account that nobody has proven, which is cleared first', async () => {
  const stranger = portal.stranger()
  const email = 'handed@example.org'
  await stranger.post('/auth/register', { username: 'handed', email, password: 'a long password' })
  const create = () => source.call('POST', '/Users', { userName: email, externalId: 'H1' })
  assert.equal((await create()).body.code, 'email_taken')
  const { id } = (await stranger.get('/auth/me')).body
  const traces = await portal.traces(async () => assert.equal((await portal.admin.post(`/users/${id}/adoption`)).status, 204))
  assert.deepEqual(traces.audit, [{ action: 'user.adopt', type: 'user', target: id, metadata: { isByHand: true } }])
  assert.equal((await stranger.get('/auth/me')).status, 401)
  assert.equal((await stranger.post('/auth/login', { username: 'handed', password: 'a long password' })).status, 401)
  const adopted = await create()
  assert.deepEqual([adopted.status, adopted.body.id], [201, String(id)])
  const again = await portal.traces(async () => assert.equal((await portal.admin.post(`/users/${id}/adoption`)).status, 204))
  assert.deepEqual(again, { audit: [], histories: [], notices: [], events: [] })
  assert.equal((await portal.admin.post('/users/2147483647/adoption')).body.code, 'not_found')
})

test('an administrator cannot switch on a person whom the source switched off', async () => {
  const { id } = await source.person('off@example.org', { active: false })
  const { status, body } = await portal.admin.patch(`/users/${id}`, { isActive: true })
  assert.deepEqual([status, body.code, body.source.name], [409, 'managed_elsewhere', source.name])
  const many = await portal.admin.post('/users/bulk-change', { ids: [Number(id)], set: { isActive: true } })
  assert.deepEqual([many.body.doneIds, many.body.failed[0].code], [[], 'managed_elsewhere'])
})

test('an account is found by a userName in another Unicode form', async () => {
  const made = await portal.admin.post('/users', { username: 'jose', email: 'jos\u00e9@example.org', password: 'a long password' })
  const userName = ' jose\u0301@example.org'
  assert.equal((await source.find(`userName eq "${userName}"`)).body.Resources[0]?.id, String(made.body.id))
  const { status, body } = await source.call('POST', '/Users', { userName })
  assert.deepEqual([status, body.id, body.userName], [201, String(made.body.id), userName])
})

test('the twentieth deactivation of an hour is held, and released by an administrator', async () => {
  const own = await newSource(portal)
  const ids: string[] = []
  for (let n = 0; n < 25; n++) ids.push((await own.person(`held${n}@example.org`)).id)
  const off = (id: string) => own.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
  for (const id of ids.slice(0, 19)) assert.equal((await off(id)).status, 200)
  const { status, headers, body } = await off(ids[19]!)
  assert.deepEqual([status, headers.get('retry-after'), body.code], [429, '3600', 'rate_limited'])
  assert.equal((await own.call('DELETE', `/Users/${ids[20]}`)).status, 429)
  assert.equal((await own.patch(`/Users/${ids[19]}`, { op: 'add', path: 'title', value: 'Clerk' })).status, 200)
  const shown = (await portal.admin.get(`/admin/provisioning/sources/${own.id}`)).body
  assert.equal(shown.heldCount, 2)
  assert.ok(shown.heldAt)
  assert.equal((await portal.admin.post(`/admin/provisioning/sources/${own.id}/release`, { allow: 1 })).status, 200)
  assert.equal((await off(ids[19]!)).status, 200)
  assert.equal((await off(ids[21]!)).status, 429)
})
