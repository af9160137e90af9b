import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { addTotp, codeOf } from '../../../test/factors.ts'
import { type Client, PASSWORD, testPortal } from '../../../test/portal.ts'

const portal = testPortal({ SECRETS_KEY: Buffer.alloc(32, 'k').toString('base64url') })

mock.timers.enable({ apis: ['Date'], now: Date.now() })

const trust = (isOn: boolean) => portal.meddle('sign_in_settings', 1, `update sign_in_settings set trust_devices = ${isOn}`)
const login = async (browser: Client, { username }: Client) => {
  const { status, body } = await browser.post('/auth/login', { username, password: PASSWORD })
  return status === 200 ? 200 : body.code
}
/** A browser in which the person has signed in with a code, and which they have marked as trusted. */
async function trusted(username: string) {
  const person = await portal.person(username)
  const { secret } = await addTotp(person)
  const browser = portal.stranger()
  assert.equal(await login(browser, person), 'second_factor_required')
  assert.equal((await browser.post('/auth/login/second-factor', { code: codeOf(secret), trustDevice: true })).status, 200)
  return { person, browser, secret }
}

test('a trusted browser is not asked for a code for 30 days, however often its person signs in', async () => {
  await trust(true)
  const { person, browser } = await trusted('huda')
  assert.deepEqual([await login(browser, person), await login(browser, person)], [200, 200])
  const { level, confirmedUntil } = (await browser.get('/auth/me/security')).body
  assert.deepEqual([level, confirmedUntil], [1, null])
  assert.equal(await login(portal.stranger(), person), 'second_factor_required')
  const other = await portal.person('neighbour')
  await addTotp(other)
  assert.equal(await login(Object.assign(portal.stranger(), { device: browser.device }), other), 'second_factor_required')
  await portal.sql(`update devices set trusted_until = trusted_until - interval '30 days' where user_id = ${person.id}`)
  assert.equal(await login(browser, person), 'second_factor_required')
})

test('a browser is trusted only while the settings allow it, and never if they forbade it at the sign-in', async () => {
  await trust(false)
  const { person, browser } = await trusted('untrusting')
  assert.equal(await login(browser, person), 'second_factor_required')
  await trust(true)
  assert.equal(await login(browser, person), 'second_factor_required')
  const { person: other, browser: second } = await trusted('trusting')
  await trust(false)
  assert.equal(await login(second, other), 'second_factor_required')
})

test('a browser is trusted only if its person asks for it', async () => {
  await trust(true)
  const person = await portal.person('careful')
  const { secret } = await addTotp(person)
  const browser = portal.stranger()
  await login(browser, person)
  await browser.post('/auth/login/second-factor', { code: codeOf(secret) })
  assert.equal(await login(browser, person), 'second_factor_required')
})

test('no browser is trusted once a factor was removed or an administrator has ended the sessions', async () => {
  await trust(true)
  const { person, browser } = await trusted('moving')
  await person.delete('/auth/me/totp')
  await addTotp(person)
  assert.equal(await login(browser, person), 'second_factor_required')
  const { person: other, browser: second } = await trusted('robbed')
  assert.equal(await login(second, other), 200)
  await portal.admin.delete(`/users/${other.id}/sessions`)
  assert.equal(await login(second, other), 'second_factor_required')
})
