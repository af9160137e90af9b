import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client, openInstance, PASSWORD, testPortal, until } from '../../../test/portal.ts'
import { fieldError } from '../../platform/errors/field-errors.ts'

const portal = testPortal()

const again = ({ username }: Client) => portal.stranger().signIn(username)
const change = (one: Client, newPassword: unknown = 'another one', currentPassword: unknown = PASSWORD) =>
  one.post('/auth/me/password', { currentPassword, newPassword })
const signIn = (username: string, password: string) => portal.stranger().post('/auth/login', { username, password })

test('a new password replaces the old one', async () => {
  const huda = await portal.person('huda')
  const { status, body } = await change(huda)
  assert.equal(status, 200)
  assert.deepEqual(body, (await huda.get('/auth/me')).body)
  assert.deepEqual([(await signIn('huda', PASSWORD)).status, (await signIn('huda', 'another one')).status], [401, 200])
})

test('a password change ends the other sessions, whose streams give the reason, and keeps the session that made it', async () => {
  const laptop = await portal.person('desk')
  const [phone, tablet] = [await again(laptop), await again(laptop)]
  const [atLaptop, atPhone, atTablet] = [await laptop.listen(), await phone.listen(), await tablet.listen()]
  const traces = await portal.traces(() => change(laptop))
  assert.deepEqual(traces, {
    audit: [],
    histories: [],
    notices: [],
    events: [{ event: 'session_ended', data: { reason: 'password_changed' }, to: [laptop.id] }],
  })
  for (const stream of [atPhone, atTablet]) {
    await until('it is closed', () => !stream.isOpen)
    assert.deepEqual(
      stream.events.map(({ event, data }) => [event, data]),
      [['session_ended', { reason: 'password_changed' }]],
    )
  }
  assert.deepEqual([(await phone.get('/auth/me')).status, (await laptop.get('/auth/me')).status], [401, 200])
  await portal.sql(`insert into events (event, data, recipients) values ('poke', '{}', array[${laptop.id}])`)
  await atLaptop.next('poke')
  assert.deepEqual(atLaptop.seen('session_ended'), [])
})

test('a wrong current password is refused and changes nothing', async () => {
  const huda = await portal.person('wrong')
  const phone = await again(huda)
  const traces = await portal.traces(async () => {
    const { status, body } = await change(huda, 'another one', 'not mine')
    assert.deepEqual([status, body.code], [400, 'invalid_password'])
  })
  assert.deepEqual(traces.events, [])
  assert.deepEqual([(await phone.get('/auth/me')).status, (await signIn('wrong', PASSWORD)).status], [200, 200])
})

test('a new password has the same bounds as in registration', async () => {
  const huda = await portal.person('bounds')
  for (const wrong of ['', '12345', '😀😀😀😀😀', 'x'.repeat(257), null, 123456, undefined]) {
    const { status, body } = await portal
      .stranger()
      .signIn('bounds')
      .then((one) => one.post('/auth/me/password', { currentPassword: PASSWORD, newPassword: wrong }))
    assert.deepEqual([status, body.code, body.details[0].path], [400, 'validation_failed', 'newPassword'], String(wrong))
  }
  assert.equal((await change(huda, 'x'.repeat(256))).status, 200)
})

test('PASSWORD_MIN_LENGTH sets the shortest password', async () => {
  const { base, close } = await openInstance(portal.connection, { PASSWORD_MIN_LENGTH: '10' })
  const client = new Client(base)
  const short = await client.post('/auth/register', { username: 'long', email: 'long@example.org', password: '123456789' })
  assert.deepEqual([short.status, short.body.details], [400, [fieldError('password', 'minLength', { limit: 10 })]])
  assert.equal((await client.post('/auth/register', { username: 'long', email: 'long@example.org', password: '1234567890' })).status, 201)
  assert.equal((await client.post('/auth/me/password', { currentPassword: '1234567890', newPassword: '123456789' })).status, 400)
  await close()
})

test('of two simultaneous changes from the same password, one succeeds', async () => {
  const laptop = await portal.person('twice')
  const phone = await again(laptop)
  const statuses = (await Promise.all([change(laptop, 'from the desk'), change(phone, 'from the phone')]))
    .map(({ status }) => status)
    .sort()
  assert.ok(statuses[0] === 200 && statuses[1] !== 200, String(statuses))
})

test('a password change voids the reset link asked for before it', async () => {
  const huda = await portal.person('linked')
  const { resetUrl } = (await portal.admin.post(`/auth/admin/users/${huda.id}/issue-reset-link`)).body
  const token = new URL(resetUrl).searchParams.get('token')
  await change(huda)
  assert.deepEqual((await portal.stranger().post('/auth/reset-password/verify', { token })).body, { valid: false })
})

test('no password reaches the ledger', async () => {
  const huda = await portal.person('secret')
  await change(huda, 'never written down')
  const found = await portal.sql(`select from ledger where facts::text like '%never written%' or facts::text like '%argon2%'`)
  assert.equal(found.length, 0)
})
