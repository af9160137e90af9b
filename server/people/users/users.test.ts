import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meChangedFor } from '../../../test/makers.ts'
import { type Client, PASSWORD, testPortal, until } from '../../../test/portal.ts'

const portal = testPortal()
const nothing = { audit: [], histories: [], notices: [], events: [] }
const EVERYONE = 1
const roles = { user: 2, order_receiver: 3, executive_viewer: 8 }

let made: Promise<Client> | undefined
const huda = () => (made ??= portal.person('huda', { displayNameAr: 'هُدى الأحمد', displayNameEn: 'Huda' }))

const newcomer = (username: string, fields = {}) => ({ username, email: `${username}@example.org`, password: PASSWORD, ...fields })
const account = async (username: string, fields = {}) => (await portal.admin.post('/users', newcomer(username, fields))).body.id as number
const group = async (name: string, fields = {}) => (await portal.admin.post('/groups', { name, ...fields })).body.id as number

const rows: [method: string, path: (id: number) => string, body?: unknown][] = [
  ['GET', () => '/users'],
  ['POST', () => '/users', newcomer('nobody')],
  ['GET', (id) => `/users/${id}`],
  ['PATCH', (id) => `/users/${id}`, {}],
  ['DELETE', (id) => `/users/${id}`],
  ['POST', (id) => `/users/${id}/roles`, { roleName: 'user' }],
  ['DELETE', (id) => `/users/${id}/roles/user`],
  ['GET', (id) => `/users/${id}/audit`],
]
for (const [method, path, body] of rows) {
  const at = `${method} ${path(7)}`
  test(`${at}: 401 without a session, 403 for a person who is not an administrator`, async () => {
    const person = await huda()
    assert.equal((await portal.stranger().send(method, path(person.id), body)).body.code, 'unauthorized')
    assert.equal((await person.send(method, path(person.id), body)).body.code, 'forbidden')
  })
  if (path(1) === path(2)) continue
  test(`${at}: an unknown person is 404, an invalid id 400`, async () => {
    assert.deepEqual(await codes([404, 'not_found'], path(2147483647)), [])
    for (const id of [0, -1, 2147483648, 1.5]) assert.deepEqual(await codes([400, 'validation_failed'], path(id)), [])
  })
  async function codes([status, code]: [number, string], path: string) {
    const answer = await portal.admin.send(method, path, body)
    return answer.status === status && answer.body.code === code ? [] : [answer.text]
  }
}

const invalid: [what: string, method: string, path: string, body: unknown, field: string][] = [
  ['no username', 'POST', '/users', { email: 'a@example.org', password: PASSWORD }, 'username'],
  ['a username with a space', 'POST', '/users', newcomer('a b', { email: 'a@example.org' }), 'username'],
  ['a username of 65 characters', 'POST', '/users', newcomer('a'.repeat(65), { email: 'a@example.org' }), 'username'],
  ['no e-mail address', 'POST', '/users', newcomer('a', { email: 'a' }), 'email'],
  ['a short password', 'POST', '/users', newcomer('a', { password: '12345' }), 'password'],
  ['a password of 257 characters', 'POST', '/users', newcomer('a', { password: 'a'.repeat(257) }), 'password'],
  ['another language', 'POST', '/users', newcomer('a', { preferredLanguage: 'fr' }), 'preferredLanguage'],
  ['group ids as texts', 'POST', '/users', newcomer('a', { groupIds: ['1'] }), 'groupIds.0'],
  ['groups that are null', 'PATCH', '/users/1', { groupIds: null }, 'groupIds'],
  ['activity as a text', 'PATCH', '/users/1', { isActive: 'false' }, 'isActive'],
  ['a display name of 201 characters', 'PATCH', '/users/1', { displayNameEn: 'a'.repeat(201) }, 'displayNameEn'],
  ['an empty role name', 'POST', '/users/1/roles', { roleName: ' ' }, 'roleName'],
  ['no role name', 'POST', '/users/1/roles', {}, 'roleName'],
  ['another status', 'GET', '/users?status=asleep', undefined, 'status'],
  ['a group that is no id', 'GET', '/users?groupId=0', undefined, 'groupId'],
  ['a force that is no boolean', 'DELETE', '/users/1?force=yes', undefined, 'force'],
  ['no entries', 'GET', '/users/1/audit?limit=0', undefined, 'limit'],
  ['201 entries', 'GET', '/users/1/audit?limit=201', undefined, 'limit'],
  ['a negative offset', 'GET', '/users/1/audit?offset=-1', undefined, 'offset'],
  ['a negative actor', 'GET', '/users/1/audit?actorUserId=-1', undefined, 'actorUserId'],
  ['an impossible date', 'GET', '/users/1/audit?from=2026-02-30', undefined, 'from'],
  ['a date in another form', 'GET', '/users/1/audit?to=1.2.2026', undefined, 'to'],
  ['an inverted range', 'GET', '/users/1/audit?from=2026-02-02&to=2026-02-01', undefined, 'from'],
]
for (const [what, method, path, body, field] of invalid)
  test(`${method} ${path}: ${what} is 400 and names the field`, async () => {
    const { status, body: refusal } = await portal.admin.send(method, path, body)
    assert.deepEqual(
      [status, refusal.code, refusal.details.map((detail: { path: string }) => detail.path)],
      [400, 'validation_failed', [field]],
    )
  })

test('a list holds the fields of UserProfile, with the counts and without preferences', async () => {
  const { id } = await huda()
  const { body } = await portal.admin.get('/users?q=huda')
  assert.deepEqual(body, [{ ...(await portal.admin.get(`/users/${id}`)).body, noteCount: 0, orderCount: 0 }])
  const fields = ['avatarUrl', 'clockHour12', 'clockStyle', 'createdAt', 'displayNameAr', 'displayNameEn', 'email', 'groups', 'id']
  const others = ['invitation', 'isActive', 'lastSeenAt', 'noteCount', 'orderCount', 'preferredLanguage', 'roleIds', 'roles', 'username']
  assert.deepEqual(Object.keys(body[0]).sort(), [...fields, ...others])
})

const found: [what: string, query: string, usernames: string[]][] = [
  ['part of a username, in any case', 'q=EEKE', ['seeker_1']],
  ['part of an e-mail address', 'q=1%40example', ['seeker_1']],
  ['Arabic without marks and with other letters', `q=${encodeURIComponent('اسماء الجزيره')}`, ['seeker_1']],
  ['digits of either script', `q=${encodeURIComponent('٤٢')}`, ['seeker_1']],
  ['a percent sign as itself', 'q=100%25', ['other']],
  ['an underscore as itself', 'q=r_', ['seeker_1']],
  ['a backslash as itself', 'q=%5C', []],
  ['nothing that spans two fields', 'q=seeker_1seeker', []],
  ['people who are disabled', 'status=disabled&q=example', ['other']],
  ['people who are active', 'status=active&q=ker', ['seeker_1']],
  ['members of a group that does not exist', 'groupId=2147483647', []],
  ['holders of a role that does not exist', 'role=nobody', []],
  ['ids, passing over those of nobody', 'ids=2147483647,9999999999', []],
]
test('people are found by their names, addresses, status, groups, roles and ids', async (t) => {
  await account('seeker_1', { displayNameAr: 'أَسْمـاء الجزيرة', displayNameEn: 'Room 42' })
  await portal.admin.patch(`/users/${await account('other', { displayNameEn: '100% here' })}`, { isActive: false })
  for (const [what, query, usernames] of found)
    await t.test(what, async () => {
      const { body } = await portal.admin.get(`/users?${query}`)
      assert.deepEqual(
        body.map(({ username }: { username: string }) => username),
        usernames,
      )
    })
})

test('the list can be filtered by group, and is sorted by names in the reader’s language', async () => {
  const id = await group('Sorted')
  const names = [
    ['sorted1', 'ياسر', 'Basil'],
    ['sorted2', 'باسل', 'yasir'],
    ['sorted3', null, 'amal'],
  ] as const
  for (const [username, displayNameAr, displayNameEn] of names) await account(username, { displayNameAr, displayNameEn, groupIds: [id] })
  const order = async () => (await portal.admin.get(`/users?groupId=${id}`)).body.map((one: { username: string }) => one.username)
  assert.deepEqual(await order(), ['sorted2', 'sorted1', 'sorted3'])
  await portal.admin.patch('/auth/me/language', { language: 'en' })
  assert.deepEqual(await order(), ['sorted3', 'sorted1', 'sorted2'])
  await portal.admin.patch('/auth/me/language', { language: 'ar' })
})

test('a new person gets the role user, Everyone and the requested groups, and all histories are recorded', async () => {
  const id = await group('Readers')
  let answer!: Awaited<ReturnType<Client['post']>>
  const traces = await portal.traces(
    async () => (answer = await portal.admin.post('/users', newcomer('noura', { displayNameEn: ' Noura ', groupIds: [id, EVERYONE, id] }))),
  )
  assert.equal(answer.status, 201)
  const { id: noura, createdAt: _, ...profile } = answer.body
  assert.deepEqual(profile, {
    username: 'noura',
    email: 'noura@example.org',
    displayNameAr: null,
    displayNameEn: 'Noura',
    preferredLanguage: 'ar',
    clockStyle: null,
    clockHour12: null,
    avatarUrl: null,
    isActive: true,
    invitation: null,
    lastSeenAt: null,
    roleIds: [roles.user],
    roles: ['user'],
    groups: [
      { id: EVERYONE, name: 'Everyone', descriptionAr: 'جميع المستخدمين', descriptionEn: 'All users' },
      { id, name: 'Readers', descriptionAr: null, descriptionEn: null },
    ],
  })
  const facts = { username: 'noura', email: 'noura@example.org', roleIds: [roles.user], groupIds: [EVERYONE, id] }
  assert.deepEqual(traces, {
    ...nothing,
    audit: [{ action: 'user.create', type: 'user', target: noura, metadata: facts }],
    histories: [
      { kind: 'user.roles', target: noura, added: [roles.user], removed: [] },
      { kind: 'user.groups', target: noura, added: [EVERYONE, id], removed: [] },
      { kind: 'group.users', target: EVERYONE, added: [noura], removed: [] },
      { kind: 'group.users', target: id, added: [noura], removed: [] },
    ],
  })
  await portal.stranger().signIn('noura')
})

const refused: [what: string, body: object, status: number, code: string][] = [
  ['a username that is taken in another case', newcomer('HUDA', { email: 'free@example.org' }), 409, 'username_taken'],
  ['an e-mail address that is taken in another case', newcomer('free', { email: 'HUDA@Example.org' }), 409, 'email_taken'],
  ['groups that do not exist', newcomer('free', { groupIds: [EVERYONE, 2147483647, 2147483646, 2147483647] }), 400, 'unknown_ids'],
]
for (const [what, body, status, code] of refused)
  test(`nobody is created with ${what}`, async () => {
    let answer!: Awaited<ReturnType<Client['post']>>
    assert.deepEqual(await portal.traces(async () => (answer = await portal.admin.post('/users', body))), nothing)
    assert.deepEqual([answer.status, answer.body.code], [status, code])
    if (code === 'unknown_ids') assert.deepEqual(answer.body.unknownIds, [2147483646, 2147483647])
    assert.deepEqual((await portal.admin.get('/users?q=free')).body, [])
  })

test('of many simultaneous requests for one username, one succeeds', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) => portal.admin.post('/users', newcomer('twin', { email: `twin${i}@example.org` }))),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409, 409, 409])
})

test('an update records each changed field, and nothing else', async () => {
  const id = await account('basma', { displayNameEn: 'Basma' })
  const traces = await portal.traces(() =>
    portal.admin.patch(`/users/${id}`, {
      displayNameAr: 'بسمة',
      displayNameEn: 'Basma',
      preferredLanguage: 'en',
      username: 'root',
      passwordHash: 'x',
    }),
  )
  const changed = { displayNameAr: { from: null, to: 'بسمة' }, preferredLanguage: { from: 'ar', to: 'en' } }
  const audit = [{ action: 'user.update', type: 'user', target: id, metadata: { changed } }]
  assert.deepEqual(traces, { ...nothing, audit, events: [meChangedFor(id)] })
  const { username, displayNameAr, preferredLanguage } = (await portal.admin.get(`/users/${id}`)).body
  assert.deepEqual([username, displayNameAr, preferredLanguage], ['basma', 'بسمة', 'en'])
})

test('an update that changes nothing returns the profile and leaves no trace', async () => {
  const { id } = await huda()
  for (const body of [{}, { displayNameEn: 'Huda', isActive: true, groupIds: [EVERYONE, EVERYONE] }])
    assert.deepEqual(
      await portal.traces(async () => assert.equal((await portal.admin.patch(`/users/${id}`, body)).body.username, 'huda')),
      nothing,
    )
})

test('a deactivated person is signed out everywhere, with the reason, and can sign in once activated again', async () => {
  const salem = await portal.person('salem')
  const stream = await salem.listen()
  const traces = await portal.traces(() => portal.admin.patch(`/users/${salem.id}`, { isActive: false }))
  assert.deepEqual(traces, {
    ...nothing,
    audit: [{ action: 'user.update', type: 'user', target: salem.id, metadata: { changed: { isActive: { from: true, to: false } } } }],
    events: [meChangedFor(salem.id), { event: 'session_ended', data: { reason: 'deactivated' }, to: [salem.id] }],
  })
  assert.deepEqual((await stream.next('session_ended')).data, { reason: 'deactivated' })
  await until('the stream is closed', () => !stream.isOpen)
  assert.equal((await salem.get('/auth/me')).status, 401)
  assert.equal((await salem.post('/auth/login', { username: 'salem', password: PASSWORD })).body.code, 'invalid_credentials')

  assert.deepEqual((await portal.traces(() => portal.admin.patch(`/users/${salem.id}`, { isActive: true }))).events, [
    meChangedFor(salem.id),
  ])
  assert.equal((await salem.get('/auth/me')).status, 401)
  await salem.signIn('salem')
})

for (const [act, method, path, body, code] of [
  ['deactivate', 'PATCH', '/users/me', { isActive: false, displayNameEn: 'Gone' }, 'cannot_deactivate_self'],
  ['delete', 'DELETE', '/users/me', undefined, 'cannot_delete_self'],
  ['delete by force', 'DELETE', '/users/me?force=true', undefined, 'cannot_delete_self'],
] as const)
  test(`nobody can ${act} themselves`, async () => {
    const act = () => portal.admin.send(method, path.replace('me', String(portal.admin.id)), body)
    assert.deepEqual(await portal.traces(async () => assert.equal((await act()).body.code, code)), nothing)
  })

for (const [how, query] of [
  ['', ''],
  [', forced or not, when they own nothing', '?force=true'],
] as const)
  test(`a deletion ends sessions, empties roles and groups with their histories, and is recorded${how}`, async () => {
    const id = await group(`Left ${query}`)
    const gone = await portal.person(`gone${query.length}`, { groupIds: [id], roles: ['order_receiver'] })
    const stream = await gone.listen()
    const traces = await portal.traces(async () => assert.equal((await portal.admin.delete(`/users/${gone.id}${query}`)).status, 204))
    const metadata = { username: gone.username, email: `${gone.username}@example.org`, noteCount: 0, orderCount: 0 }
    assert.deepEqual(traces, {
      ...nothing,
      audit: [{ action: 'user.delete', type: 'user', target: gone.id, metadata }],
      histories: [
        { kind: 'user.roles', target: gone.id, added: [], removed: [roles.user, roles.order_receiver] },
        { kind: 'user.groups', target: gone.id, added: [], removed: [EVERYONE, id] },
        { kind: 'group.users', target: EVERYONE, added: [], removed: [gone.id] },
        { kind: 'group.users', target: id, added: [], removed: [gone.id] },
      ],
      events: [{ event: 'session_ended', data: { reason: 'deleted' }, to: [gone.id] }],
    })
    assert.deepEqual((await stream.next('session_ended')).data, { reason: 'deleted' })
    await until('the stream is closed', () => !stream.isOpen)
    assert.equal((await gone.get('/auth/me')).status, 401)
    assert.deepEqual(await portal.traces(async () => assert.equal((await portal.admin.delete(`/users/${gone.id}`)).status, 404)), nothing)
  })

test('a deletion removes everything that belongs to the person', async () => {
  const rima = await portal.person('rima')
  const fields = { slug: 'opened', nameAr: 'تطبيق', nameEn: 'Opened', iconName: 'grid', route: '/opened', color: 'blue' }
  const { body: app } = await portal.admin.post('/apps', fields)
  const { body: link } = await portal.admin.post(`/auth/admin/users/${rima.id}/issue-reset-link`)
  await rima.post(`/apps/${app.id}/open`)
  await rima.put('/me/app-order', { order: [app.id] })
  assert.equal((await portal.admin.delete(`/users/${rima.id}`)).status, 204)
  const token = new URL(link.resetUrl).searchParams.get('token')
  assert.equal((await rima.post('/auth/reset-password/verify', { token })).body.valid, false)
  const left = await portal.sql('select from app_opens where user_id = $1 union all select from app_orders where user_id = $1', [rima.id])
  assert.deepEqual([left, await portal.sql('select count from app_open_days where count <> forgotten')], [[], []])
})
