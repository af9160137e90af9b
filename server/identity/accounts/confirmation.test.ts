import assert from 'node:assert/strict'
import { test } from 'node:test'
import argon2 from '@node-rs/argon2'
import { silence } from '../../../test/makers.ts'
import { type Client, PASSWORD, testPortal } from '../../../test/portal.ts'

const portal = testPortal()

/** Moves the time at which the sessions of a person were confirmed. */
const confirmedAgo = ({ id }: Client, ago: string) =>
  portal.sql(`update sessions set confirmed_at = now() - $2::interval where user_id = $1`, [id, ago])
const security = async (one: Client) => (await one.get('/auth/me/security')).body
const confirm = (one: Client, body: unknown = { password: PASSWORD }) => one.post('/auth/me/confirm', body)
const stateOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]

test('signing in confirms a session for fifteen minutes', async () => {
  const huda = await portal.person('huda')
  const { confirmedUntil, ...rest } = await security(huda)
  const left = Date.parse(confirmedUntil) - Date.now()
  assert.ok(left > 0 && left <= 15 * 60_000, String(left))
  assert.deepEqual(rest, {
    level: 1,
    methods: ['password'],
    hasPassword: true,
    passkeyCount: 0,
    totpSince: null,
    recoveryCodesLeft: 0,
    duty: null,
    mostTokenDays: 365,
  })
  await confirmedAgo(huda, '16 minutes')
  assert.equal((await security(huda)).confirmedUntil, null)
})

test('the password confirms the session that sends it, and no other', async () => {
  const desk = await portal.person('desk')
  const phone = await portal.stranger().signIn('desk')
  await confirmedAgo(desk, '1 hour')
  const traces = await portal.traces(async () => {
    const { status, body } = await confirm(desk)
    assert.equal(status, 200)
    assert.deepEqual(body, { confirmedUntil: (await security(desk)).confirmedUntil })
  })
  assert.deepEqual(traces, silence)
  assert.notEqual((await security(desk)).confirmedUntil, null)
  assert.equal((await security(phone)).confirmedUntil, null)
})

test('a wrong password confirms nothing', async () => {
  const noura = await portal.person('noura')
  await confirmedAgo(noura, '1 hour')
  assert.deepEqual(stateOf(await confirm(noura, { password: 'not mine' })), [400, 'invalid_password'])
  assert.equal((await security(noura)).confirmedUntil, null)
})

test('a confirmation without a proof, or with a malformed one, is refused', async () => {
  const rami = await portal.person('rami')
  for (const body of [{}, { unknown: 1 }, { password: '' }, { password: 5 }, { password: null }, ''])
    assert.deepEqual(stateOf(await confirm(rami, body)), [400, 'validation_failed'], JSON.stringify(body))
  assert.deepEqual(stateOf(await portal.stranger().post('/auth/me/confirm', { password: PASSWORD })), [401, 'unauthorized'])
})

/** A person without a password, with a session that was confirmed `ago`. */
async function withoutPassword(username: string, ago: string) {
  const one = await portal.person(username)
  await portal.meddle('user', one.id, `update users set password_hash = null where id = ${one.id}`)
  await confirmedAgo(one, ago)
  return one
}

test('someone without a password sets one after a confirmation', async () => {
  const dana = await withoutPassword('dana', '1 minute')
  assert.deepEqual([(await security(dana)).hasPassword, (await security(dana)).methods], [false, []])
  const { status, body } = await dana.post('/auth/me/password', { newPassword: 'a first one' })
  assert.deepEqual([status, body], [200, (await dana.get('/auth/me')).body])
  assert.equal((await security(dana)).hasPassword, true)
  await portal.stranger().signIn('dana', 'a first one')
})

test('someone without a password cannot set one without a confirmation, whatever current password they send', async () => {
  const sami = await withoutPassword('sami', '16 minutes')
  const refused = await sami.post('/auth/me/password', { newPassword: 'a first one' })
  assert.deepEqual([...stateOf(refused), refused.body.methods], [403, 'confirmation_required', []])
  assert.deepEqual(stateOf(await confirm(sami)), [403, 'confirmation_required'])
  const guessed = await sami.post('/auth/me/password', { currentPassword: PASSWORD, newPassword: 'a first one' })
  assert.deepEqual(stateOf(guessed), [400, 'invalid_password'])
  assert.equal((await portal.stranger().post('/auth/login', { username: 'sami', password: 'a first one' })).status, 401)
})

test('a confirmation does not stand in for a current password', async () => {
  const lama = await portal.person('lama')
  const { status, body } = await lama.post('/auth/me/password', { newPassword: 'another one' })
  assert.deepEqual(
    [status, body.details.map(({ path, rule }: { path: string; rule: string }) => [path, rule])],
    [400, [['currentPassword', 'required']]],
  )
})

const open = (passwords: string) => portal.meddle('sign_in_settings', 1, `update sign_in_settings set passwords = '${passwords}'`)

test('someone without a password cannot set one if passwords are closed while it is hashed', async (t) => {
  const amal = await withoutPassword('amal', '1 minute')
  const hash = t.mock.method(argon2, 'hash', async () => {
    await open('exceptions')
    return 'a hash'
  })
  const answer = await amal.post('/auth/me/password', { newPassword: 'a first one' })
  hash.mock.restore()
  await open('everyone')
  assert.deepEqual([...stateOf(answer), (await security(amal)).hasPassword], [403, 'forbidden', false])
})

test('someone without a password cannot set one while passwords are for exceptions', async () => {
  const rania = await withoutPassword('rania', '1 minute')
  await open('exceptions')
  const answer = await rania.post('/auth/me/password', { newPassword: 'a first one' })
  await open('everyone')
  assert.deepEqual([...stateOf(answer), (await security(rania)).hasPassword], [403, 'forbidden', false])
})
