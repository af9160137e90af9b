/** Nobody can lock another person out, and limits do not reveal who has an account. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { type Answer, Client, openInstance, PASSWORD, testPortal, until } from '../../../test/portal.ts'

const portal = testPortal({ RATE_LIMITS: 'on', TRUST_PROXY: '1' })

let addresses = 0
const anywhere = () => `198.51.100.${addresses++ % 250}`

const send = (client: Client, path: string, body: object, address = anywhere()) =>
  client.send('POST', path, body, { 'x-forwarded-for': address })
const signIn = (client: Client, username: string, password = PASSWORD, address = anywhere()) =>
  send(client, '/auth/login', { username, password }, address)
const guess = (username: string, address = anywhere()) => signIn(portal.stranger(), username, 'wrong one', address)
const forget = (client: Client, identifier: string) => send(client, '/auth/forgot-password', { identifier })

async function times(count: number, act: () => Promise<Answer>) {
  const statuses = []
  for (let n = 0; n < count; n++) statuses.push((await act()).status)
  return statuses
}
const all = (count: number, status: number) => Array(count).fill(status)

/** A browser in which someone has signed in. */
async function browserOf(username: string) {
  const browser = portal.stranger()
  assert.equal((await signIn(browser, username)).status, 200)
  return browser
}
const tokenOf = ({ device }: Client) => device.split('=')[1]!

test('strangers who guess passwords cannot lock people out of a browser they have signed in with', async () => {
  await portal.person('haunted')
  const browser = await browserOf('haunted')
  assert.deepEqual(await times(11, () => guess('haunted')), [...all(10, 401), 429])
  assert.equal((await signIn(portal.stranger(), 'haunted')).status, 429)
  browser.cookie = ''
  assert.deepEqual(await times(9, () => signIn(browser, 'haunted@example.org', 'wrong one')), all(9, 401))
  assert.equal((await signIn(browser, 'haunted')).status, 200)
})

test('people behind one IP address cannot lock each other out of a browser they have signed in with', async () => {
  await portal.person('neighbour')
  const browser = await browserOf('neighbour')
  let victims = 0
  assert.deepEqual(await times(101, () => guess(`victim${victims++}`, '192.0.2.7')), [...all(100, 401), 429])
  assert.equal((await signIn(browser, 'neighbour', PASSWORD, '192.0.2.7')).status, 200)
})

test('a known browser has ten tries of its own', async () => {
  await portal.person('forgetful')
  const browser = await browserOf('forgetful')
  assert.deepEqual(await times(11, () => signIn(browser, 'forgetful', 'wrong one')), [...all(10, 401), 429])
  assert.equal((await signIn(browser, 'forgetful')).status, 429)
  assert.equal((await signIn(portal.stranger(), 'forgetful')).status, 200)
})

test('a browser is known only for the people who have signed in with it', async () => {
  await portal.person('owner')
  await portal.person('guest')
  const browser = await browserOf('owner')
  assert.equal((await signIn(browser, 'guest')).status, 200)
  for (const name of ['owner', 'guest', 'admin']) await times(10, () => guess(name))
  assert.deepEqual(
    [(await signIn(browser, 'owner')).status, (await signIn(browser, 'guest')).status, (await signIn(browser, 'admin')).status],
    [200, 200, 429],
  )
})

test('each sign-in gives the browser a new token and voids the old one', async () => {
  await portal.person('renewed')
  const browser = await browserOf('renewed')
  const copy = Object.assign(portal.stranger(), { device: browser.device })
  assert.equal((await signIn(browser, 'renewed')).status, 200)
  assert.notEqual(browser.device, copy.device)
  await times(10, () => guess('renewed'))
  assert.deepEqual([(await signIn(copy, 'renewed')).status, (await signIn(browser, 'renewed')).status], [429, 200])
})

test('a browser stays known for a year', async () => {
  const huda = await portal.person('faraway')
  const browser = await browserOf('faraway')
  await times(10, () => guess('faraway'))
  assert.equal((await signIn(browser, 'faraway')).status, 200)
  await portal.sql(`update devices set known_at = now() - interval '366 days' where user_id = ${huda.id}`)
  assert.equal((await signIn(browser, 'faraway')).status, 429)
})

test('a malformed device cookie is ignored', async () => {
  await portal.person('feigned')
  await times(10, () => guess('feigned'))
  for (const value of ['', 'x', 'x'.repeat(43), '%00', "' or true --"]) {
    const browser = Object.assign(portal.stranger(), { device: `portal_device=${value}` })
    assert.equal((await signIn(browser, 'feigned')).status, 429, value)
  }
})

test('the device cookie is set for a year at sign-in and registration, is hidden from scripts, and survives signing out', async () => {
  await portal.person('keeper')
  const form = /^portal_device=[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/
  const browser = portal.stranger()
  const [session, device, ...others] = (await signIn(browser, 'keeper')).headers.getSetCookie()
  assert.match(session!, /^portal_session=/)
  assert.match(device!, form)
  assert.deepEqual(others, [])
  const left = await browser.post('/auth/logout')
  assert.deepEqual(
    left.headers.getSetCookie().map((cookie) => cookie.split('=')[0]),
    ['portal_session'],
  )
  const newcomer = { username: 'newcomer', email: 'newcomer@example.org', password: PASSWORD }
  assert.match((await send(portal.stranger(), '/auth/register', newcomer)).headers.getSetCookie()[1]!, form)
  const wrong = await guess('keeper')
  assert.deepEqual(wrong.headers.getSetCookie(), [])
})

test('behind https the device cookie is bound to the host', async () => {
  await portal.person('bound')
  const { base, close } = await openInstance(portal.connection, { PUBLIC_URL: 'https://portal.example.org', RATE_LIMITS: 'on' })
  const browser = new Client(base)
  const { headers } = await browser.post('/auth/login', { username: 'bound', password: PASSWORD })
  assert.match(headers.getSetCookie()[1]!, /^__Host-portal_device=[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  await close()
})

test('device tokens are stored as hashes, for the last fifty browsers of a person', async () => {
  const huda = await portal.person('travelled')
  const first = await browserOf('travelled')
  const stored = () =>
    portal.sql<{ hash: string }>(`select token_hash as hash from devices where user_id = ${huda.id} order by known_at, token_hash`)
  assert.deepEqual(await stored(), [{ hash: createHash('sha256').update(tokenOf(first)).digest('base64url') }])
  for (let n = 0; n < 50; n++) await browserOf('travelled')
  const hashes = (await stored()).map(({ hash }) => hash)
  assert.equal(hashes.length, 50)
  assert.ok(!hashes.includes(createHash('sha256').update(tokenOf(first)).digest('base64url')))
})

test('strangers who ask for reset links cannot keep people from asking in a browser they have signed in with', async () => {
  await portal.person('mailed')
  const browser = await browserOf('mailed')
  assert.deepEqual(await times(6, () => forget(portal.stranger(), 'mailed')), [...all(5, 200), 429])
  assert.deepEqual(await alternate((name) => forget(browser, name), ['mailed', 'mailed@example.org'], 6), [...all(5, 200), 429])
})

test('a password reset lifts every limit on the account, and makes the browser known', async () => {
  const huda = await portal.person('freed')
  const browser = await browserOf('freed')
  await times(10, () => guess('freed'))
  await times(10, () => signIn(browser, 'freed', 'wrong one'))
  await times(5, () => forget(portal.stranger(), 'freed@example.org'))
  const { body } = await portal.admin.post(`/auth/admin/users/${huda.id}/issue-reset-link`)
  const token = new URL(body.resetUrl).searchParams.get('token')
  const elsewhere = portal.stranger()
  assert.equal((await send(elsewhere, '/auth/reset-password', { token, newPassword: 'another one' })).status, 200)
  assert.equal((await signIn(portal.stranger(), 'freed', 'another one')).status, 200)
  assert.equal((await signIn(browser, 'freed', 'another one')).status, 200)
  assert.equal((await forget(portal.stranger(), 'freed')).status, 200)
  await times(10, () => guess('freed'))
  assert.equal((await signIn(elsewhere, 'freed', 'another one')).status, 200)
})

/** The answers to a stranger who tries two names in turn. */
const alternate = (act: (name: string) => Promise<Answer>, names: string[], count: number) => {
  let asked = 0
  return times(count, () => act(names[asked++ % names.length]!))
}

test('limits do not reveal whether two names belong to one person, to two or to nobody', async () => {
  const make = (username: string, email: string) => portal.admin.post('/users', { username, email, password: PASSWORD })
  await make('linked', 'l.surname@corp.example')
  await make('first.one', 'first@corp.example')
  await make('second', 'second.one@corp.example')
  const pairs = [
    ['linked', 'l.surname@corp.example'],
    ['first.one', 'second.one@corp.example'],
    ['ghost', 'g.surname@corp.example'],
  ]
  for (const pair of pairs) {
    assert.deepEqual(await alternate(guess, pair, 22), [...all(20, 401), 429, 429], String(pair))
    assert.deepEqual(await alternate((name) => forget(portal.stranger(), name), pair, 12), [...all(10, 200), 429, 429], String(pair))
  }
})

test('a username and an e-mail address that begins with it share their tries, whether an account has them or not', async () => {
  await portal.person('single')
  for (const name of ['single', 'nobody']) {
    assert.deepEqual(await alternate(guess, [name, `${name}@example.org`], 11), [...all(10, 401), 429], name)
    assert.deepEqual(
      await alternate((name) => forget(portal.stranger(), name), [name, `${name}@example.org`], 6),
      [...all(5, 200), 429],
      name,
    )
  }
})

test('after ten wrong passwords under any of an account’s names, the right one is refused as well', async () => {
  await portal.admin.post('/users', { username: 'doubled', email: 'd.surname@corp.example', password: PASSWORD })
  assert.deepEqual(await alternate(guess, ['doubled', 'd.surname@corp.example'], 10), all(10, 401))
  const { status, body } = await signIn(portal.stranger(), 'doubled')
  assert.deepEqual([status, body.code], [401, 'invalid_credentials'])
})

test('a person is sent five reset links an hour at most, whichever of their names are used', async () => {
  await portal.admin.post('/users', { username: 'pestered', email: 'p.surname@corp.example', password: PASSWORD })
  await alternate((name) => forget(portal.stranger(), name), ['pestered', 'p.surname@corp.example'], 10)
  const jobs = `select from graphile_worker.jobs where task_identifier = 'answer_forgotten_password'`
  await until('they are dealt with', async () => (await portal.sql(jobs)).length === 0)
  const [row] = await portal.sql<{ count: number }>(
    `select count(*)::int as count from ledger where kind = 'user.reset_asked' and target_id = (select id from users where username = 'pestered')`,
  )
  assert.equal(row!.count, 5)
})
