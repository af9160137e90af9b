import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers, meChangedFor } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'

const portal = testPortal()

const nothing = { audit: [], histories: [], notices: [], events: [] }

test('strangers cannot change a profile', async () => {
  for (const path of ['language', 'clock-style', 'clock-hour12', 'notification-preferences', 'profile']) {
    assert.equal((await portal.stranger().patch(`/auth/me/${path}`, {})).status, 401, path)
  }
})

const taken: [path: string, body: Record<string, unknown>, then?: Record<string, unknown>][] = [
  ['language', { language: 'en' }, { preferredLanguage: 'en' }],
  ['language', { language: 'ar' }, { preferredLanguage: 'ar' }],
  ...['full', 'digital', 'digital-no-seconds', 'analog', 'minimal', null].map((clockStyle): [string, Record<string, unknown>] => [
    'clock-style',
    { clockStyle },
  ]),
  ...[true, false, null].map((clockHour12): [string, Record<string, unknown>] => ['clock-hour12', { clockHour12 }]),
  ...['ding', 'chime', 'bell', 'knock', 'pop', 'alert', 'beep', 'soft'].map((sound): [string, Record<string, unknown>] => [
    'notification-preferences',
    { notificationSoundOrder: sound, notificationSoundMeeting: sound, notificationSoundNote: sound },
  ]),
  ['notification-preferences', { notifyOrdersEnabled: false, notifyMeetingsEnabled: false, notifyNotesEnabled: false }],
  ['notification-preferences', { vibrationEnabledOrder: false, vibrationEnabledMeeting: false, vibrationEnabledNote: false }],
  ['notification-preferences', { notificationsMuted: true }],
  ['notification-preferences', {}],
  ['profile', { displayNameAr: 'هدى', displayNameEn: 'Huda' }],
  ['profile', { displayNameEn: null }],
  ['profile', { displayNameAr: ' هدى\u202E ' }, { displayNameAr: 'هدى' }],
  ['profile', { avatarUrl: null }],
  ['profile', { avatarUrl: ' ' }, { avatarUrl: null }],
  ['profile', {}],
]
for (const [path, body, then = body] of taken) {
  test(`${path} accepts ${JSON.stringify(body)} and changes nothing else`, async () => {
    const before = (await portal.admin.get('/auth/me')).body
    const answer = await portal.admin.patch(`/auth/me/${path}`, body)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, { ...before, ...then })
    assert.deepEqual((await portal.admin.get('/auth/me')).body, answer.body)
  })
}

const wrong: [path: string, field: string, values: unknown[]][] = [
  ['language', 'language', ['', 'fr', 'AR', null, 7, undefined]],
  ['clock-style', 'clockStyle', ['', 'round', 7, undefined]],
  ['clock-hour12', 'clockHour12', ['true', 12, 0, undefined]],
  ['notification-preferences', 'notificationSoundOrder', ['', 'gong', null, 7]],
  ['notification-preferences', 'notificationsMuted', ['true', 1, null]],
  ['profile', 'displayNameAr', [7, 'x'.repeat(201), []]],
  [
    'profile',
    'avatarUrl',
    [
      'http://example.org/a.png',
      'javascript:alert(1)',
      'data:image/png;base64,AAAA',
      '//example.org/a.png',
      '/objects/../secret',
      '/objects/',
      '/etc/passwd',
      'https://',
      'https://example.org/a b.png',
      'https://example.org/"><script>',
      `https://example.org/${'x'.repeat(2000)}`,
      7,
    ],
  ],
]
for (const [path, field, values] of wrong) {
  test(`${path} refuses a wrong ${field} and stays unchanged`, async () => {
    const before = (await portal.admin.get('/auth/me')).body
    for (const value of values) {
      const { status, body } = await portal.admin.patch(`/auth/me/${path}`, { [field]: value })
      assert.deepEqual([status, body.code, body.details?.[0].path], [400, 'validation_failed', field], JSON.stringify(value))
    }
    assert.deepEqual((await portal.admin.get('/auth/me')).body, before)
  })
}

test('a person’s permissions follow each change of their roles at once', async () => {
  const { newPermission, newRole } = makers(portal)
  const permission = await newPermission()
  const [role, other] = [await newRole(['orders.receive']), await newRole(['orders.receive', permission.name])]
  const huda = await portal.person('allowed', { roles: [role.name, other.name] })
  const permissions = async () => (await huda.get('/auth/me/permissions')).body.permissions
  assert.deepEqual(await permissions(), ['orders.receive', permission.name])
  await portal.admin.put(`/roles/${other.id}/permissions`, { permissionIds: [] })
  assert.deepEqual(await permissions(), ['orders.receive'])
  await portal.admin.delete(`/users/${huda.id}/roles/${role.name}`)
  assert.deepEqual(await permissions(), [])
})

test('changes of preferences are not audited, and only the person’s own pages get an event', async () => {
  const huda = await portal.person('private')
  const expected = { ...nothing, events: [meChangedFor(huda.id)] }
  assert.deepEqual(await portal.traces(() => huda.patch('/auth/me/notification-preferences', { notificationsMuted: true })), expected)
  assert.deepEqual(await portal.traces(() => huda.patch('/auth/me/profile', { displayNameEn: 'H' })), expected)
})

test('a change to the same values writes nothing', async () => {
  const huda = await portal.person('same')
  const count = async () => (await portal.sql<{ count: number }>(`select count(*)::int as count from ledger`))[0]!.count
  const before = await count()
  await huda.patch('/auth/me/language', { language: 'ar' })
  await huda.patch('/auth/me/clock-style', { clockStyle: null })
  await huda.patch('/auth/me/notification-preferences', {})
  assert.equal(await count(), before)
})

test('fields that belong to other operations are ignored', async () => {
  const huda = await portal.person('slip')
  const body = {
    displayNameEn: 'H',
    isActive: false,
    username: 'root',
    email: 'x@y',
    passwordHash: 'x',
    preferredLanguage: 'en',
    roles: ['admin'],
  }
  const answer = (await huda.patch('/auth/me/profile', body)).body
  assert.deepEqual(
    [answer.displayNameEn, answer.isActive, answer.username, answer.preferredLanguage, answer.roles],
    ['H', true, 'slip', 'ar', ['user']],
  )
  assert.equal((await huda.get('/auth/me')).status, 200)
})

test('simultaneous changes of different fields all take effect', async () => {
  const huda = await portal.person('both')
  await Promise.all([
    huda.patch('/auth/me/language', { language: 'en' }),
    huda.patch('/auth/me/clock-hour12', { clockHour12: true }),
    huda.patch('/auth/me/profile', { displayNameEn: 'Huda' }),
    huda.patch('/auth/me/notification-preferences', { notifyNotesEnabled: false }),
  ])
  const { preferredLanguage, clockHour12, displayNameEn, notifyNotesEnabled } = (await huda.get('/auth/me')).body
  assert.deepEqual([preferredLanguage, clockHour12, displayNameEn, notifyNotesEnabled], ['en', true, 'Huda', false])
})

test('people see changes of their roles and groups that administrators make', async () => {
  const huda = await portal.person('followed')
  assert.deepEqual((await huda.get('/auth/me')).body.roles, ['user'])
  await portal.admin.post(`/users/${huda.id}/roles`, { roleName: 'order_receiver' })
  assert.deepEqual((await huda.get('/auth/me')).body.roles, ['order_receiver', 'user'])
  await portal.admin.patch(`/users/${huda.id}`, { groupIds: [] })
  assert.deepEqual((await huda.get('/auth/me')).body.groups, [])
})
