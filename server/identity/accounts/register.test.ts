import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD, testPortal } from '../../../test/portal.ts'

const portal = testPortal()

const register = (fields: Record<string, unknown>) => portal.stranger().post('/auth/register', { password: PASSWORD, ...fields })
const named = (username: string, fields: Record<string, unknown> = {}) =>
  register({ username, email: `${username}@example.org`, ...fields })
const pathsOf = (body: { details?: { path: string }[] }) => body.details?.map(({ path }) => path)

test('registering signs the person in with the role user and membership in Everyone', async () => {
  const client = portal.stranger()
  const { status, body } = await client.post('/auth/register', { username: 'huda', email: 'Huda@example.org', password: PASSWORD })
  assert.equal(status, 201)
  const { id, createdAt, ...rest } = body
  assert.ok(Number.isInteger(id) && new Date(createdAt).toISOString() === createdAt)
  assert.deepEqual(rest, {
    username: 'huda',
    email: 'Huda@example.org',
    displayNameAr: null,
    displayNameEn: null,
    preferredLanguage: 'ar',
    clockStyle: null,
    clockHour12: null,
    avatarUrl: null,
    isActive: true,
    roles: ['user'],
    groups: [{ id: 1, name: 'Everyone', descriptionAr: 'جميع المستخدمين', descriptionEn: 'All users' }],
    notificationSoundOrder: 'ding',
    notificationSoundMeeting: 'chime',
    notificationSoundNote: 'pop',
    notifyOrdersEnabled: true,
    notifyMeetingsEnabled: true,
    notifyNotesEnabled: true,
    vibrationEnabledOrder: true,
    vibrationEnabledMeeting: true,
    vibrationEnabledNote: true,
    notificationsMuted: false,
  })
  assert.deepEqual((await client.get('/auth/me')).body, body)
})

test('registering is recorded in the histories of the person and of Everyone, and leaves no other trace', async () => {
  let id = 0
  const traces = await portal.traces(async () => {
    id = (await named('traced')).body.id
  })
  assert.deepEqual(traces, {
    audit: [],
    histories: [
      { kind: 'user.roles', target: id, added: [2], removed: [] },
      { kind: 'user.groups', target: id, added: [1], removed: [] },
      { kind: 'group.users', target: 1, added: [id], removed: [] },
    ],
    notices: [],
    events: [],
  })
})

const same: [title: string, first: string, second: string][] = [
  ['Latin case', 'Salem', 'sALEM'],
  ['Turkish dotted capital', 'İZGİ', 'İzgİ'],
  ['Greek case', 'ΝΙΚΗ', 'νικη'],
  ['Arabic', 'سالم', 'سالم'],
  ['composed and decomposed Latin', 'Ren\u00E9', 'rene\u0301'],
  ['composed and decomposed Arabic', '\u0622من', '\u0627\u0653من'],
  ['spaces around', 'noura', '  noura\t'],
  ['a direction override inside', 'majed', 'ma\u202Ejed'],
]
for (const [title, first, second] of same) {
  test(`usernames that differ only by ${title} are the same`, async () => {
    assert.equal((await register({ username: first, email: `${crypto.randomUUID()}@example.org` })).status, 201)
    const { status, body } = await register({ username: second, email: `${crypto.randomUUID()}@example.org` })
    assert.deepEqual([status, body.code], [400, 'username_taken'])
  })
}

test('an e-mail address that is taken in any case is refused, and no account is created', async () => {
  await register({ username: 'first', email: 'Shared@Example.org' })
  const traces = await portal.traces(async () => {
    const { status, body } = await register({ username: 'second', email: 'sHARED@eXAMPLE.ORG' })
    assert.deepEqual([status, body.code], [400, 'email_taken'])
  })
  assert.deepEqual(traces, { audit: [], histories: [], notices: [], events: [] })
  assert.equal((await named('second')).status, 201)
})

test('of many simultaneous registrations of one name, one succeeds', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => register({ username: 'wanted', email: `w${n}@example.org` })))
  assert.deepEqual(answers.map(({ status, body }) => (status === 201 ? 'created' : body.code)).sort(), [
    'created',
    ...Array(11).fill('username_taken'),
  ])
})

const wrong: [path: string, values: unknown[]][] = [
  [
    'username',
    [
      '',
      '   ',
      '\u202E\u0007',
      'a b',
      'a/b',
      'a@b',
      'a+b',
      '😀',
      'x'.repeat(65),
      'a\u200Bb',
      '\u0301x',
      'a.\u0301',
      'admin\u3164',
      'a\u115fb',
      'a\u034fb',
      'a\ufe0fb',
      7,
      null,
      ['huda'],
      undefined,
    ],
  ],
  ['email', ['', 'x', '@', 'a@', '@b', 'a b@c', 'a@b@c', 'a@b,c@d', '<a@b>', 'a\u200B@b', `${'x'.repeat(251)}@b.c`, 7, null, undefined]],
  ['password', ['', '12345', '😀😀😀😀😀', 'x'.repeat(257), 123456, null, undefined]],
  ['displayNameAr', ['x'.repeat(201), 7, {}]],
  ['displayNameEn', ['x'.repeat(201), 7, []]],
  ['preferredLanguage', ['', 'AR', 'fr', null, 1]],
]
for (const [path, values] of wrong) {
  test(`a wrong ${path} is refused with a detail for that field`, async () => {
    for (const value of values) {
      const { status, body } = await named('nobody', { [path]: value })
      assert.deepEqual([status, body.code, pathsOf(body)], [400, 'validation_failed', [path]], JSON.stringify(value))
    }
  })
}

test('a refusal names every failing field, and a body that is not an object is refused', async () => {
  assert.deepEqual(pathsOf((await register({ password: '', preferredLanguage: 'fr' })).body)?.sort(), [
    'email',
    'password',
    'preferredLanguage',
    'username',
  ])
  for (const body of [[], 'null', '"huda"', '7', '{"username":', undefined]) {
    assert.equal((await portal.stranger().post('/auth/register', body)).status, 400)
  }
})

test('values at the bounds are accepted', async () => {
  const long = 'ن'.repeat(64)
  assert.equal((await register({ username: long, email: 'a@b', password: '😀😀😀😀😀😀' })).body.username, long)
  assert.equal(
    (await named('محمد.٧_-x', { email: `${'x'.repeat(64)}@b.c`, password: 'x'.repeat(256), displayNameAr: 'م'.repeat(200) })).status,
    201,
  )
})

test('texts are stored cleaned, and the password exactly as sent', async () => {
  const password = ' pass\u202Eword\u0301 '
  const client = portal.stranger()
  const { body } = await client.post('/auth/register', {
    username: ' clean\u2066 ',
    email: ' clean@example.org\u0085',
    password,
    displayNameAr: '\u202Bهدى\u202C',
    displayNameEn: '  Rene\u0301\r\n\tB\u0007 ',
    preferredLanguage: 'en',
  })
  const { username, email, displayNameAr, displayNameEn, preferredLanguage } = body
  assert.deepEqual(
    { username, email, displayNameAr, displayNameEn, preferredLanguage },
    { username: 'clean', email: 'clean@example.org', displayNameAr: 'هدى', displayNameEn: 'Ren\u00E9 B', preferredLanguage: 'en' },
  )
  assert.equal((await portal.stranger().post('/auth/login', { username: 'clean', password })).status, 200)
  assert.equal((await portal.stranger().post('/auth/login', { username: 'clean', password: password.trim() })).status, 401)
})

test('fields that newcomers may not set are ignored', async () => {
  const sent = `{"username": "sly", "email": "sly@example.org", "password": "${PASSWORD}", "id": 999, "isActive": false, "roles": ["admin"],
    "isAdmin": true, "groups": [], "passwordHash": "x", "__proto__": {"roles": ["admin"]}, "constructor": {"x": 1}}`
  const { status, body } = await portal.stranger().post('/auth/register', sent)
  assert.deepEqual([status, body.isActive, body.roles, body.groups.length, body.id === 999], [201, true, ['user'], 1, false])
})

test('characters that the database cannot store are refused', async () => {
  for (const username of ['"a\\u0000b"', '"a\\uD800b"']) {
    const { status } = await portal
      .stranger()
      .post('/auth/register', `{"username": ${username}, "email": "z@example.org", "password": "${PASSWORD}"}`)
    assert.equal(status, 400)
  }
})

test('nobody can register while registration is closed', async () => {
  await portal.meddle('settings', 1, 'update settings set registration_open = false')
  const { status, body, headers } = await named('late')
  assert.deepEqual([status, body.code, headers.getSetCookie()], [403, 'registration_closed', []])
  assert.equal((await named('late', { password: 'x' })).status, 400)
  await portal.meddle('settings', 1, 'update settings set registration_open = true')
  assert.equal((await named('late')).status, 201)
})

test('passwords are stored as hashes only', async () => {
  await named('hashed', { password: 'unforgettable' })
  const [row] = await portal.sql<{ hash: string; stored: string }>(
    `select password_hash as hash, users::text as stored from users where username = 'hashed'`,
  )
  assert.match(row!.hash, /^\$argon2id\$/)
  assert.ok(!row!.stored.includes('unforgettable'))
  const [ledger] = await portal.sql<{ count: number }>(
    `select count(*)::int as count from ledger where facts::text like '%unforgettable%' or facts::text like '%argon2%'`,
  )
  assert.equal(ledger!.count, 0)
})
