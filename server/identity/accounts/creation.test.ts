/** Administrators create accounts: one, many at once, and by invitation. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { makers, silence } from '../../../test/makers.ts'
import { type Answer, PASSWORD, testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const make = makers(portal)
const [EVERYONE, UNKNOWN] = [1, 2147483647]
const USER = 2
before(() => portal.ready)

const newcomer = (username: string, fields: object = {}) => ({
  username,
  email: `${username}@example.org`,
  password: PASSWORD,
  ...fields,
})
const invited = (username: string, fields: object = {}) => ({ username, email: `${username}@example.org`, invite: true, ...fields })
const profileOf = async (id: number) => (await portal.admin.get(`/users/${id}`)).body
const tokenOf = (resetUrl: string) => new URL(resetUrl).searchParams.get('token')
const codes = (failed: { code: string }[]) => failed.map(({ code }) => code)

test('an invitation returns a link for seven days, and is accepted with the password that its owner chooses', async () => {
  let answer!: Answer
  const traces = await portal.traces(async () => (answer = await portal.admin.post('/users', invited('guest', { groupIds: [EVERYONE] }))))
  const { user, resetUrl, expiresAt, mailed } = answer.body
  const metadata = { username: 'guest', email: 'guest@example.org', roleIds: [USER], groupIds: [EVERYONE], isInvited: true }
  assert.deepEqual(traces, {
    ...silence,
    audit: [
      { action: 'user.create', type: 'user', target: user.id, metadata },
      { action: 'user.reset_link.issue', type: 'user', target: user.id, metadata: { username: 'guest' } },
    ],
    histories: [
      { kind: 'user.roles', target: user.id, added: [USER], removed: [] },
      { kind: 'user.groups', target: user.id, added: [EVERYONE], removed: [] },
      { kind: 'group.users', target: EVERYONE, added: [user.id], removed: [] },
    ],
  })
  assert.deepEqual([answer.status, mailed, user.invitation, user.lastSeenAt], [201, false, 'pending', null])
  const read = await portal.admin.get(`/users/${user.id}`)
  assert.deepEqual([read.body, read.headers.get('etag')], [user, answer.headers.get('etag')])
  const days = (Date.parse(expiresAt) - Date.now()) / (24 * 3_600_000)
  assert.ok(days > 6.9 && days <= 7)

  const guest = portal.stranger()
  for (const password of ['', '-', 'null', PASSWORD])
    assert.equal((await guest.post('/auth/login', { username: 'guest', password })).status, password ? 401 : 400)
  const chosen = { token: tokenOf(resetUrl), newPassword: 'chosen by me' }
  assert.equal((await guest.post('/auth/reset-password', chosen)).status, 200)
  assert.equal((await guest.post('/auth/reset-password', chosen)).body.code, 'invalid_token')
  await guest.signIn('guest', 'chosen by me')
  assert.equal((await profileOf(user.id)).invitation, 'accepted')
  const { body: link } = await portal.admin.post(`/auth/admin/users/${user.id}/issue-reset-link`)
  await guest.post('/auth/reset-password', { token: tokenOf(link.resetUrl), newPassword: 'chosen again' })
  assert.equal((await profileOf(user.id)).invitation, 'accepted')
  assert.equal((await profileOf(portal.admin.id)).invitation, null)
})

test('an account has either a password or an invitation', async () => {
  for (const [fields, rule] of [
    [{ invite: true, password: PASSWORD }, 'exclusive'],
    [{ invite: false, password: undefined }, 'required'],
    [{ password: undefined }, 'required'],
  ] as const) {
    const { status, body } = await portal.admin.post('/users', newcomer('either', fields))
    assert.deepEqual(
      [status, body.details.map(({ path, rule }: { path: string; rule: string }) => [path, rule])],
      [400, [['password', rule]]],
    )
  }
  assert.deepEqual((await portal.admin.get('/users?q=either')).body, [])
})

test('in a bulk call, each faulty account gets a verdict, and the others are created', async () => {
  const group = await make.newGroup()
  await portal.person('known')
  const items = [
    newcomer('many-1', { groupIds: [group.id], displayNameAr: ' كثير ' }),
    newcomer('KNOWN'),
    newcomer('many-2', { email: 'known@EXAMPLE.org' }),
    newcomer('many 3', { email: 'many-3@example.org' }),
    newcomer('many-4', { password: '12345' }),
    newcomer('many-5', { groupIds: [UNKNOWN] }),
    invited('many-6'),
    newcomer('many-1', { email: 'other@example.org' }),
    newcomer('many-7', { email: 'many-1@example.org' }),
    { username: 'many-8' },
    'many-9',
    newcomer('many-10', { passwordHash: 'x', isActive: false }),
  ]
  let answer!: Answer
  const { audit, histories } = await portal.traces(async () => (answer = await portal.admin.post('/users/bulk', { items })))
  const { doneIds, invitations, failed } = answer.body
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(
    (await Promise.all(doneIds.map(profileOf))).map(({ username, displayNameAr, isActive }) => [username, displayNameAr, isActive]),
    [
      ['many-1', 'كثير', true],
      ['many-6', null, true],
      ['many-10', null, true],
    ],
  )
  assert.deepEqual(
    failed.map(({ index, code }: { index: number; code: string }) => [index, code]),
    [
      [1, 'username_taken'],
      [2, 'email_taken'],
      [3, 'validation_failed'],
      [4, 'validation_failed'],
      [5, 'unknown_ids'],
      [7, 'username_taken'],
      [8, 'email_taken'],
      [9, 'validation_failed'],
      [10, 'validation_failed'],
    ],
  )
  assert.deepEqual(
    failed.map(({ details = [] }: { details?: { path: string }[] }) => details.map(({ path }) => path).join()),
    ['', '', 'username', 'password', '', '', '', 'email', ''],
  )
  for (const { messageAr, messageEn } of failed) assert.ok(/[\u0600-\u06FF]/.test(messageAr) && /[a-z]/.test(messageEn))
  assert.deepEqual(
    audit.map(({ action, target }) => [action, target]),
    [
      ['user.create', doneIds[0]],
      ['user.create', doneIds[1]],
      ['user.reset_link.issue', doneIds[1]],
      ['user.create', doneIds[2]],
    ],
  )
  assert.deepEqual(
    histories.filter(({ kind, target }) => kind === 'group.users' && target === group.id).map(({ added }) => added),
    [[doneIds[0]]],
  )
  assert.deepEqual(
    invitations.map(({ id, mailed }: { id: number; mailed: boolean }) => [id, mailed]),
    [[doneIds[1], false]],
  )
  const { body } = await portal.stranger().post('/auth/reset-password/verify', { token: tokenOf(invitations[0].resetUrl) })
  assert.equal(body.valid, true)
  await portal.stranger().signIn('many-1')
})

test('a bulk call in which every account is refused leaves no trace, and a repeated call creates nobody twice', async () => {
  const again = (items: object[]) => portal.admin.send('POST', '/users/bulk', { items }, { 'idempotency-key': 'once and for all' })
  const nobody = await portal.traces(async () => {
    const { body } = await portal.admin.post('/users/bulk', { items: [newcomer('admin'), {}] })
    assert.deepEqual([body.doneIds, codes(body.failed)], [[], ['username_taken', 'validation_failed']])
  })
  assert.deepEqual(nobody, silence)
  const [first, second] = [await again([newcomer('once')]), await again([newcomer('once')])]
  assert.equal(first.body.doneIds.length, 1)
  assert.deepEqual(second.body, first.body)
  for (const items of [[], Array.from({ length: 501 }, () => ({})), 'x', null])
    assert.deepEqual((await portal.admin.post('/users/bulk', { items })).body.details[0].path, 'items')
})

test('a link stays void after its person was deactivated and activated again', async () => {
  const { body } = await portal.admin.post('/users', invited('put.off'))
  for (const isActive of [false, true]) await portal.admin.patch(`/users/${body.user.id}`, { isActive })
  const answer = await portal.stranger().post('/auth/reset-password', { token: tokenOf(body.resetUrl), newPassword: 'chosen by me' })
  assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_token'])
})
