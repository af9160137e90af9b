import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { type Answer, Client, openInstance, PASSWORD, testPortal } from '../../../test/portal.ts'
import { networkOf } from '../../platform/auth/limits.ts'

const env = { RATE_LIMITS: 'on', TRUST_PROXY: '1' }
const portal = testPortal(env)

const from = (address: string, path: string, body: unknown, base = portal.base) =>
  new Client(base).send('POST', path, body, { 'x-forwarded-for': address })
let addresses = 0
const anywhere = () => `198.51.100.${addresses++ % 250}`

const wrong = (username: string, address = anywhere(), base = portal.base) =>
  from(address, '/auth/login', { username, password: 'wrong one' }, base)
const right = (username: string, address = anywhere(), base = portal.base) =>
  from(address, '/auth/login', { username, password: PASSWORD }, base)
const times = <T>(count: number, act: (n: number) => Promise<T>) => Promise.all(Array.from({ length: count }, (_, n) => act(n)))
const count = (answers: Answer[], status: number) => answers.filter((answer) => answer.status === status).length

function assertLimited({ status, body, headers }: Answer, most: number) {
  assert.deepEqual([status, body.code], [429, 'rate_limited'])
  const seconds = Number(headers.get('retry-after'))
  assert.ok(Number.isInteger(seconds) && seconds > most - 60 && seconds <= most, String(seconds))
}

test('ten wrong passwords block an account for a quarter of an hour under all of its names, even for the right password', async () => {
  await portal.person('Blocked')
  for (const name of ['blocked', 'BLOCKED', 'blocked@example.org', 'Blocked@EXAMPLE.org', ' blocked ', ...Array(5).fill('blocked')]) {
    assert.equal((await wrong(name)).status, 401)
  }
  assertLimited(await wrong('blocked'), 900)
  assertLimited(await right('blocked@example.org'), 900)
  await portal.sql('update rate_limits set expires_at = now()')
  assert.equal((await right('blocked')).status, 200)
})

test('every refusal of a locked-out person says what to do, also one that looks like a wrong password', async () => {
  await portal.sql('delete from rate_limits')
  await portal.person('puzzled')
  const texts = ({ body: { messageEn, messageAr } }: Answer) => [messageEn, messageAr] as string[]
  const answers = [await wrong('puzzled'), ...(await times(10, () => wrong('puzzled')))]
  await portal.sql('delete from rate_limits')
  // Tries under two names, so that only the limit of the account is reached.
  await portal.admin.patch(`/users/${(await portal.admin.get('/users?q=puzzled')).body[0].id}`, { email: 'other-name@example.org' })
  for (let n = 0; n < 10; n++) await wrong(n % 2 ? 'puzzled' : 'other-name@example.org')
  const silent = await right('puzzled')
  assert.deepEqual([silent.status, silent.body.code], [401, 'invalid_credentials'])
  for (const answer of [...answers, silent]) {
    assert.ok([401, 429].includes(answer.status))
    const [en, ar] = texts(answer)
    assert.match(en!, /[Ww]ait 15 minutes,? or ask for a new password\.$/)
    assert.match(ar!, /انتظر 15 دقيقة أو اطلب كلمة مرور جديدة\.$/)
  }
})

test('successful sign-ins are not counted', async () => {
  await portal.person('frequent')
  for (let n = 0; n < 9; n++) await wrong('frequent')
  for (let n = 0; n < 15; n++) assert.equal((await right('frequent')).status, 200)
  assert.equal((await wrong('frequent')).status, 401)
  assertLimited(await right('frequent'), 900)
})

test('an unknown name is blocked like a known one', async () => {
  assert.equal(count(await times(10, (n) => wrong(n % 2 ? 'NOBODY' : 'nobody')), 401), 10)
  assertLimited(await wrong('Nobody'), 900)
})

test('a malformed sign-in is not counted', async () => {
  await portal.person('clumsy')
  for (let n = 0; n < 15; n++) assert.equal((await from('192.0.2.9', '/auth/login', { username: 'clumsy' })).status, 400)
  assert.equal((await right('clumsy', '192.0.2.9')).status, 200)
})

test('a hundred wrong passwords block the address they come from, and no other address', async () => {
  await portal.person('neighbour')
  assert.equal(count(await times(100, (n) => wrong(`victim${n}`, '192.0.2.1')), 401), 100)
  assertLimited(await right('neighbour', '192.0.2.1'), 900)
  assert.equal((await right('neighbour', '192.0.2.2')).status, 200)
})

test('tries at a blocked account do not count against the address', async () => {
  await portal.person('colleague')
  await times(10, () => wrong('hammered', '192.0.2.3'))
  assert.equal(count(await times(120, () => wrong('hammered', '192.0.2.3')), 429), 120)
  assert.equal((await right('colleague', '192.0.2.3')).status, 200)
})

test('with one try left, sign-ins with the right password take turns until a wrong password uses up the try', async () => {
  await portal.person('spread')
  const other = await portal.another()
  for (let n = 0; n < 10; n++) assert.equal((await wrong('spread', undefined, n % 2 ? other.base : portal.base)).status, 401)
  assertLimited(await right('spread', undefined, portal.base), 900)
  assertLimited(await right('spread', undefined, other.base), 900)
})

test('of sixty simultaneous wrong tries only ten are checked, at one instance or over two', async () => {
  const other = await portal.another()
  await portal.person('stormed')
  const alone = await times(60, () => wrong('stormed'))
  assert.deepEqual([count(alone, 401), count(alone, 429)], [10, 50])
  await portal.person('besieged')
  const both = await times(60, (n) => wrong('besieged', undefined, n % 2 ? other.base : portal.base))
  assert.deepEqual([count(both, 401), count(both, 429)], [10, 50])
})

test('forty simultaneous sign-ins with the right password all succeed and are not counted, at one instance or over two', async () => {
  const other = await portal.another()
  await portal.person('busy')
  assert.equal(count(await times(40, () => right('busy')), 200), 40)
  assert.equal(count(await times(40, (n) => right('busy', undefined, n % 2 ? other.base : portal.base)), 200), 40)
  assert.equal(count(await times(10, () => wrong('busy')), 401), 10)
  assertLimited(await right('busy'), 900)
})

test('tries that a killed instance left unfinished use up the limit like wrong ones', async () => {
  await portal.person('orphaned')
  await wrong('orphaned')
  const name = createHash('sha256').update('orphaned').digest('base64url')
  await portal.sql(`update rate_limits set counted = 7, under_way = 2 where key = 'login_name:${name}'`)
  assert.equal((await right('orphaned')).status, 200)
  await wrong('orphaned')
  assertLimited(await right('orphaned'), 900)
})

test('with one try left, sign-ins with the right password take turns until a wrong one uses it up', async () => {
  await portal.person('narrow')
  await times(9, () => wrong('narrow'))
  assert.equal(count(await times(20, () => right('narrow')), 200), 20)
  const mixed = await Promise.all([wrong('narrow'), ...Array.from({ length: 10 }, () => right('narrow'))])
  assert.equal(mixed[0]!.status, 401)
  assert.equal(count(mixed, 200) + count(mixed, 429), 10)
  assertLimited(await right('narrow'), 900)
})

test('wrong current passwords in a password change are limited, separately from sign-ins', async () => {
  const huda = await portal.person('guesser')
  const guess = (currentPassword: string) => huda.post('/auth/me/password', { currentPassword, newPassword: 'another one' })
  for (let n = 0; n < 10; n++) assert.equal((await guess('wrong one')).status, 400)
  assertLimited(await guess(PASSWORD), 900)
  assert.equal((await right('guesser')).status, 200)
})

test('a new password that is too short does not count as a try of the old one', async () => {
  const huda = await portal.person('hasty')
  for (let n = 0; n < 12; n++)
    assert.equal((await huda.post('/auth/me/password', { currentPassword: PASSWORD, newPassword: 'x' })).body.code, 'validation_failed')
  assert.equal((await huda.post('/auth/me/password', { currentPassword: PASSWORD, newPassword: 'another one' })).status, 200)
})

test('reset links can be requested five times an hour per name, in any case, whether an account has the name or not', async () => {
  for (const name of ['Forgetful', 'nobody-at-all']) {
    const ask = (identifier: string) => from(anywhere(), '/auth/forgot-password', { identifier })
    for (const identifier of [name, name.toUpperCase(), name.toLowerCase(), ` ${name} `, name])
      assert.equal((await ask(identifier)).status, 200)
    assertLimited(await ask(name.toUpperCase()), 3600)
    assert.equal((await ask(`${name}2`)).status, 200)
  }
})

test('three hundred people an hour can register from one address', async () => {
  const register = (fields: object, address: string) =>
    from(address, '/auth/register', { username: 'new', email: 'new@example.org', password: 'x', ...fields })
  assert.equal(count(await times(300, () => register({}, '203.0.113.1')), 400), 300)
  assertLimited(await register({ password: PASSWORD }, '203.0.113.1'), 3600)
  assert.equal((await register({ password: PASSWORD }, '203.0.113.2')).status, 201)
})

test('the counts are stored without names and addresses', async () => {
  const rows = await portal.sql<{ key: string }>('select key from rate_limits')
  assert.ok(rows.length > 10)
  for (const { key } of rows) assert.match(key, /^[a-z_]+:[\w-]{43}$/)
})

test('RATE_LIMITS=off turns the limits off', async (t) => {
  const { base, close } = await openInstance(portal.connection, { RATE_LIMITS: 'off' })
  t.after(close)
  assert.equal(count(await times(15, () => wrong('nobody', anywhere(), base)), 401), 15)
})

test('an IPv6 address counts as its network, an IPv4 address as itself in every notation', () => {
  assert.equal(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:2:ffff::9'))
  assert.notEqual(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:3::1'))
  assert.equal(networkOf('::ffff:192.0.2.1'), networkOf('192.0.2.1'))
  assert.notEqual(networkOf('192.0.2.1'), networkOf('192.0.2.2'))
})
