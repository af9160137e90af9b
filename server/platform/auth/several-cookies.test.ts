/** A browser may send several cookies of one name: of a parent domain, or of an older path. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPasskey, assertionOf } from '../../../test/factors.ts'
import { type Client, PASSWORD, testPortal } from '../../../test/portal.ts'

const portal = testPortal({ RATE_LIMITS: 'on', TRUST_PROXY: '1' })

const STALE = `portal_session=${'A'.repeat(43)}`
const STALE_DEVICE = `portal_device=${'A'.repeat(43)}`
/** A browser that sends other cookies before and after those of the client. */
const amid = ({ cookie, device }: Client, ...others: string[]) =>
  Object.assign(portal.stranger(), { cookie: [...others, cookie, STALE].join('; '), device: device && `${STALE_DEVICE}; ${device}` })
const statusOf = async (client: Client) => (await client.get('/auth/me')).status

test('of several session cookies, the one of a valid session counts, at any position', async () => {
  const huda = await portal.person('several')
  const ended = await portal.stranger().signIn('several')
  const { cookie } = ended
  await ended.post('/auth/logout')
  for (const others of [[STALE], [cookie], ['portal_session='], ['portal_session=x y'], Array(10).fill(STALE), [STALE, cookie]])
    assert.equal(await statusOf(amid(huda, ...others)), 200, others.join('; '))
  assert.equal(await statusOf(Object.assign(portal.stranger(), { cookie: `${STALE}; ${cookie}` })), 401)
})

test('a stream opens with the valid one of several session cookies, and ends with its session', async () => {
  const huda = await portal.person('streaming')
  const stream = await amid(huda, STALE).listen()
  assert.equal(stream.status, 200)
  await huda.post('/auth/logout')
  assert.deepEqual((await stream.next('session_ended')).data, { reason: 'logout' })
})

test('signing out ends every session that the browser sent', async () => {
  const huda = await portal.person('leaving')
  const other = await portal.stranger().signIn('leaving')
  const elsewhere = await portal.stranger().signIn('leaving')
  assert.equal((await amid(huda, STALE, other.cookie).post('/auth/logout')).status, 200)
  assert.deepEqual([await statusOf(huda), await statusOf(other), await statusOf(elsewhere)], [401, 401, 200])
})

test('signing in ends every session that the browser sent', async () => {
  const huda = await portal.person('returning')
  const other = await portal.stranger().signIn('returning')
  await amid(huda, STALE, other.cookie).signIn('returning')
  assert.deepEqual([await statusOf(huda), await statusOf(other)], [401, 401])
})

test('with an API token, no cookie counts', async () => {
  const huda = await portal.person('tokened')
  assert.equal((await huda.get('/auth/me', { authorization: 'Bearer none' })).status, 401)
})

test('someone confirms with a passkey in a browser that sends a stale session first', async () => {
  const huda = await portal.person('confirming')
  const { authenticator } = await addPasskey(huda)
  const browser = amid(huda, STALE)
  const assertion = await assertionOf(browser, authenticator, 'confirm')
  assert.equal((await browser.post('/auth/me/confirm', { assertion })).status, 200)
})

const guess = (browser: Client, username: string, password = 'wrong one') =>
  browser.send('POST', '/auth/login', { username, password }, { 'x-forwarded-for': '198.51.100.7' })

test('of several device cookies, the one of a browser in which the person has signed in counts', async () => {
  await portal.person('haunted')
  const browser = await portal.stranger().signIn('haunted')
  for (let n = 0; n < 11; n++) await guess(portal.stranger(), 'haunted')
  assert.equal((await guess(portal.stranger(), 'haunted', PASSWORD)).status, 429)
  assert.equal((await guess(amid(browser, STALE), 'haunted', PASSWORD)).status, 200)
})

test('signing in voids every device token that the browser sent', async () => {
  await portal.person('owner')
  await portal.person('guest')
  const one = await portal.stranger().signIn('owner')
  const two = await portal.stranger().signIn('owner')
  for (const { device } of [one, two]) await Object.assign(portal.stranger(), { device }).signIn('guest')
  const before = await portal.sql<{ count: number }>('select count(*)::int as count from devices')
  const both = Object.assign(portal.stranger(), { device: `${one.device}; ${two.device}` })
  await both.signIn('guest')
  const after = await portal.sql<{ count: number }>('select count(*)::int as count from devices')
  assert.equal(after[0]!.count, before[0]!.count + 1)
})

test('of several encrypted cookies, the one that the portal wrote counts', async () => {
  const huda = await portal.person('challenged')
  const { authenticator } = await addPasskey(huda)
  const browser = portal.stranger()
  const assertion = await assertionOf(browser, authenticator, 'sign_in')
  browser.cookie = 'portal_challenge=stale'
  assert.equal((await browser.post('/auth/passkeys/sign-in', { assertion })).status, 200)
})
