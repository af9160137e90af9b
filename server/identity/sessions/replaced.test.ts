/** A sign-in ends earlier sessions, and signing out clears the browser's data. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, PASSWORD, testPortal } from '../../../test/portal.ts'

const portal = testPortal()

const copyOf = ({ cookie }: Client) => Object.assign(portal.stranger(), { cookie })
const isIn = async (client: Client) => (await client.get('/auth/me')).status === 200

test('signing in ends the session that the browser presented, and its stream, but no other session', async () => {
  await portal.person('again')
  const [browser, phone] = [await portal.stranger().signIn('again'), await portal.stranger().signIn('again')]
  const former = copyOf(browser)
  const stream = await former.listen()
  const traces = await portal.traces(() => browser.signIn('again'))
  assert.deepEqual(traces, {
    audit: [],
    histories: [],
    notices: [],
    events: [{ event: 'session_ended', data: { reason: 'replaced' }, to: [browser.id] }],
  })
  assert.deepEqual((await stream.next('session_ended')).data, { reason: 'replaced' })
  assert.deepEqual([await isIn(former), await isIn(browser), await isIn(phone)], [false, true, true])
})

test('signing in or registering as someone else ends the session that the browser presented', async () => {
  await portal.person('first')
  await portal.person('second')
  const browser = await portal.stranger().signIn('first')
  const first = copyOf(browser)
  await browser.signIn('second')
  const second = copyOf(browser)
  assert.deepEqual([await isIn(first), await isIn(second)], [false, true])
  await browser.post('/auth/register', { username: 'third', email: 'third@example.org', password: PASSWORD })
  assert.deepEqual([await isIn(second), (await browser.get('/auth/me')).body.username], [false, 'third'])
})

test('a failed sign-in ends no session', async () => {
  await portal.person('failing')
  const browser = await portal.stranger().signIn('failing')
  assert.equal((await browser.post('/auth/login', { username: 'failing', password: 'wrong one' })).status, 401)
  assert.equal(await isIn(browser), true)
})

test('a person has at most fifty sessions: a new one ends the oldest, even if many begin at once', async () => {
  const huda = await portal.person('popular')
  const second = await portal.stranger().signIn('popular')
  for (let n = 2; n < 50; n++) await portal.stranger().signIn('popular')
  const living = async () => (await second.get('/auth/me/sessions')).body?.length
  assert.deepEqual([await living(), await isIn(huda)], [50, true])
  await portal.stranger().signIn('popular')
  assert.deepEqual([await living(), await isIn(huda), await isIn(second)], [50, false, true])
  await Promise.all(Array.from({ length: 8 }, () => portal.stranger().signIn('popular')))
  const [row] = await portal.sql<{ count: number }>(
    `select count(*)::int as count from sessions where user_id = ${huda.id} and ended_at is null and expires_at > now()`,
  )
  assert.equal(row!.count, 50)
})

test('only signing out makes the browser clear its data of the portal', async () => {
  const huda = await portal.person('leaver')
  const clears = async (asked: ReturnType<Client['get']>) => (await asked).headers.get('clear-site-data')
  assert.equal(await clears(huda.get('/auth/me')), null)
  const phone = await portal.stranger().signIn('leaver')
  const [{ id }] = (await phone.get('/auth/me/sessions')).body.filter(({ current }: { current: boolean }) => !current)
  assert.equal(await clears(phone.delete(`/auth/me/sessions/${id}`)), null)
  assert.equal(await clears(phone.post('/auth/logout')), '"cache"')
  const tablet = await portal.stranger().signIn('leaver')
  const [current] = (await tablet.get('/auth/me/sessions')).body
  assert.equal(await clears(tablet.delete(`/auth/me/sessions/${current.id}`)), '"cache"')
})
