/** Signing out at the provider, and being signed out by it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addTotp, codeOf } from '../../../test/factors.ts'
import { openBrowser, type TestBrowser } from '../../../test/oidc/browser.ts'
import { lyingPortal } from '../../../test/oidc/lying-portal.ts'
import { addProvider, openProvider } from '../../../test/oidc/provider.ts'
import { Client, until } from '../../../test/portal.ts'

const lying = lyingPortal({ createPeople: true }, { RATE_LIMITS: 'on' })
const { portal, signIn, change } = lying
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

let tokens = 0
type Json = Record<string, unknown>
const logoutToken = (claims: Json, header: Json = { typ: 'logout+jwt' }) => {
  const { liar } = lying
  const usual = { iss: liar.issuer, aud: 'portal', iat: liar.now(), jti: `token-${tokens++}`, events: { [EVENT]: {} } }
  return liar.sign(JSON.parse(JSON.stringify({ ...usual, ...claims })), 'one', header)
}
const claimsOf = (sub: string) => ({
  ...{ iss: lying.liar.issuer, aud: 'portal', iat: lying.liar.now(), jti: `token-${tokens++}`, events: { [EVENT]: {} }, sub },
})
async function send(token: string, base = portal.base) {
  const form = String(new URLSearchParams({ logout_token: token }))
  return new Client(base).send('POST', '/auth/oidc/liar/backchannel-logout', form, FORM)
}
const come = async (claims: Json) => (await signIn({ email: `${claims['sub']}@example.org`, ...claims })).browser
const isIn = async (browser: TestBrowser) => (await browser.me()).status === 200

test('a logout token ends the sessions of its sid, or all of its sub without one; sessions that began another way stay', async () => {
  const [one, two] = [await come({ sub: 'amal', sid: 's1' }), await come({ sub: 'amal', sid: 's2' })]
  const other = await come({ sub: 'badr', sid: 's2' })
  const { id } = (await one.me()).body
  await portal.meddle(
    'user',
    id,
    `update users set password_hash = (select password_hash from users where username = 'admin') where id = ${id}`,
  )
  const byPassword = await portal.stranger().signIn('amal', 'correct horse')
  const { status, headers } = await send(await logoutToken({ sid: 's1' }))
  assert.deepEqual([status, headers.get('cache-control')], [200, 'no-store'])
  assert.deepEqual([await isIn(one), await isIn(two), await isIn(other)], [false, true, true])
  await send(await logoutToken({ sid: 's2', sub: 'badr' }))
  assert.deepEqual([await isIn(two), await isIn(other)], [true, false])
  const three = await come({ sub: 'amal' })
  const { events } = await portal.traces(async () => send(await logoutToken({ sub: 'amal' })))
  assert.deepEqual([await isIn(two), await isIn(three), (await byPassword.get('/auth/me')).status], [false, false, 200])
  assert.deepEqual(
    events.map(({ event, data, to }) => [event, data, to]),
    [['session_ended', { reason: 'provider' }, [id]]],
  )
})

test('a logout token voids sign-ins of its session that wait for a second factor, but none of other sessions', async () => {
  await change({ secondFactor: 'own' })
  const her = await portal.person('waiting')
  await lying.link(her, 'waiting')
  const { secret } = await addTotp(her)
  const waiting = async () => come({ sub: 'waiting', email: 'waiting@example.org', sid: 'w1' })
  const complete = async (browser: TestBrowser, step = 0) =>
    (await browser.call('POST', '/auth/login/second-factor', { code: codeOf(secret, step) })).status
  for (const over of [{ sid: 'w1' }, { sub: 'waiting' }, { sub: 'waiting', sid: 'w1' }]) {
    const browser = await waiting()
    assert.equal((await send(await logoutToken(over))).status, 200)
    assert.equal(await complete(browser), 401)
  }
  const [unconcerned, later] = [await waiting(), await waiting()]
  for (const over of [{ sid: 'w2' }, { sub: 'nobody' }, { sub: 'nobody', sid: 'w1' }]) await send(await logoutToken(over))
  assert.equal(await complete(unconcerned), 200)
  assert.equal(await complete(later, 1), 200)
  await change({ secondFactor: 'trusted' })
})

test('a logout token voids just the sign-ins that began before it, though the clocks of instances differ', async (t) => {
  await change({ secondFactor: 'own' })
  const her = await portal.person('skewed')
  await lying.link(her, 'skewed')
  const { secret } = await addTotp(her)
  const waiting = async () => come({ sub: 'skewed', email: 'skewed@example.org' })
  const complete = async (browser: TestBrowser) =>
    (await browser.call('POST', '/auth/login/second-factor', { code: codeOf(secret) })).status
  const sendAt = async (skewMs: number) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + skewMs })
    assert.equal((await send(await logoutToken({ sub: 'skewed' }))).status, 200)
    t.mock.timers.reset()
  }
  const before = await waiting()
  await sendAt(-30_000)
  assert.equal(await complete(before), 401)
  await sendAt(30_000)
  assert.equal(await complete(await waiting()), 200)
  await change({ secondFactor: 'trusted' })
})

test('a sign-in fails if its session is ended while the portal asks the provider for the claims', async () => {
  const { liar } = lying
  const claims = { sub: 'overtaken', email: 'overtaken@example.org', sid: 'o1' }
  const statuses: number[] = []
  for (const over of [{ sid: 'o1' }, { sub: 'overtaken' }]) {
    liar.instead.set('/token', async (response) => {
      statuses.push((await send(await logoutToken(over))).status)
      const tokens = { access_token: 'access', token_type: 'Bearer', id_token: liar.state.idToken }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(tokens))
    })
    const { browser, path } = await signIn(claims)
    assert.deepEqual([path, await isIn(browser)], ['/sign-in?failed=not_allowed', false])
  }
  assert.deepEqual(statuses, [200, 200])
  liar.repent()
  assert.equal((await signIn(claims)).path, '/')
})

test('a logout token for an unknown session or subject is accepted', async () => {
  assert.equal((await send(await logoutToken({ sid: 'nobody' }))).status, 200)
  assert.equal((await send(await logoutToken({ sub: 'nobody' }))).status, 200)
  assert.equal((await send(await logoutToken({ sub: 'nobody', sid: null }))).status, 200)
  assert.equal((await send(await logoutToken({ sub: 'nobody' }, {}))).status, 200, 'no type is named')
})

const invalid: [what: string, claims: () => Json, header?: Json][] = [
  ['a nonce', () => ({ sub: 'x', nonce: 'n' })],
  ['no events', () => ({ sub: 'x', events: undefined })],
  ['other events', () => ({ sub: 'x', events: { other: {} } })],
  ['a list as its event', () => ({ sub: 'x', events: { [EVENT]: [] } })],
  ['a text as its event', () => ({ sub: 'x', events: { [EVENT]: 'x' } })],
  ['a list of events', () => ({ sub: 'x', events: [EVENT] })],
  ['neither sub nor sid', () => ({})],
  ['no jti', () => ({ sub: 'x', jti: undefined })],
  ['an age of two days', () => ({ sub: 'x', iat: lying.liar.now() - 2 * 86_400 })],
  ['a time in three minutes', () => ({ sub: 'x', iat: lying.liar.now() + 180 })],
  ['a time that is over', () => ({ sub: 'x', exp: lying.liar.now() - 180 })],
  ['another audience', () => ({ sub: 'x', aud: 'other' })],
  ['another issuer', () => ({ sub: 'x', iss: 'https://elsewhere.example' })],
  ['another type', () => ({ sub: 'x' }), { typ: 'at+jwt' }],
]
test('an invalid logout token ends nothing', async () => {
  const browser = await come({ sub: 'x', sid: 'x' })
  for (const [what, claims, header] of invalid) {
    const { status, body } = await send(await logoutToken(claims(), header))
    assert.deepEqual([what, status, body.error], [what, 400, 'invalid_request'])
  }
  for (const token of ['', 'nonsense', lying.liar.unsigned({ sub: 'x' }), lying.liar.byPublicKey({ sub: 'x' })])
    assert.equal((await send(token)).status, 400)
  assert.ok(await isIn(browser))
})

test('a logout token works once', async () => {
  const token = await logoutToken({ sub: 'again' })
  const first = await come({ sub: 'again' })
  assert.equal((await send(token)).status, 200)
  assert.equal(await isIn(first), false)
  const second = await come({ sub: 'again' })
  assert.equal((await send(token)).status, 400)
  assert.ok(await isIn(second))
})

test('a logout token that practically never expires works once, too', async () => {
  const token = await logoutToken({ sub: 'x', exp: 1e20 })
  assert.deepEqual([(await send(token)).status, (await send(token)).status], [200, 400])
})

test('of a thousand sessions, a sid ends one and a sub ends all, with their streams at another instance', async () => {
  const other = await portal.another()
  const streamOf = (browser: TestBrowser) =>
    Object.assign(new Client(other.base), { cookie: `portal_session=${browser.cookies().get('portal_session')}` }).listen()
  const [kept, leaving] = [await come({ sub: 'many', sid: 'kept' }), await come({ sub: 'many', sid: 'leaving' })]
  const stranger = await come({ sub: 'few', sid: 'few' })
  const { id } = (await kept.me()).body
  await portal.sql(
    `insert into sessions (token_hash, user_id, expires_at, provider_id, identity_id, sid)
     select 'hash' || n, $1, now() + interval '1 day', i.provider_id, i.id, 'sid' || n from generate_series(1, 998) as n, identities i
     where i.user_id = $1`,
    [id],
  )
  const living = async () =>
    (await portal.sql<{ sid: string }>('select sid from sessions where user_id = $1 and ended_at is null', [id])).map(({ sid }) => sid)
  const streams = { kept: await streamOf(kept), leaving: await streamOf(leaving), stranger: await streamOf(stranger) }

  const one = await portal.traces(async () => send(await logoutToken({ sid: 'leaving' })))
  assert.deepEqual((await streams.leaving.next('session_ended')).data, { reason: 'provider' })
  await until('the stream is closed', () => !streams.leaving.isOpen)
  const left = await living()
  assert.deepEqual([left.length, left.includes('leaving'), one.events.length], [999, false, 1])
  assert.deepEqual([await isIn(kept), await isIn(leaving), streams.kept.isOpen], [true, false, true])

  await send(await logoutToken({ sub: 'many' }))
  await until('the stream is closed', () => !streams.kept.isOpen)
  assert.deepEqual([await living(), await isIn(kept)], [[], false])
  assert.deepEqual([await isIn(stranger), streams.stranger.isOpen], [true, true])
  streams.stranger.close()
})

test('valid logout tokens are never limited; after 100 invalid ones from an address, invalid ones get 429', async () => {
  for (let n = 0; n < 3; n++) assert.equal((await send(await logoutToken({ sid: `evening-${n}` }))).status, 200)
  const statuses = new Set<number>()
  for (let n = 0; n < 101; n++) statuses.add((await send('nonsense')).status)
  assert.deepEqual([...statuses], [400, 429])
  const browser = await come({ sub: 'evening' })
  assert.equal((await send(await logoutToken({ sub: 'evening' }))).status, 200)
  assert.equal(await isIn(browser), false)
  const again = await send('nonsense')
  assert.deepEqual([again.status, Number(again.headers.get('retry-after')) > 0], [429, true])
  await portal.sql('delete from rate_limits')
})

test('while keys cannot be fetched, tokens by a new key get 503, and the keys are asked for every 30 s at most', async (t) => {
  const { liar } = lying
  const browser = await come({ sub: 'outage' })
  const now = Date.now()
  t.mock.timers.enable({ apis: ['Date'], now: now + 31_000 })
  await liar.addKey('new')
  Object.assign(liar.state, { published: ['one', 'new'] })
  const byNewKey = () => liar.sign({ ...claimsOf('outage') }, 'new', { typ: 'logout+jwt' })
  liar.asked.length = 0
  for (const out of [503, 404, 200]) {
    liar.instead.set('/jwks', (response) => response.writeHead(out).end('<html>'))
    for (let n = 0; n < 3; n++) {
      const { status, headers } = await send(await byNewKey())
      assert.deepEqual([out, status, headers.get('retry-after')], [out, 503, '30'])
    }
    t.mock.timers.tick(31_000)
  }
  assert.equal(liar.asked.filter((path) => path === '/jwks').length, 3)
  assert.deepEqual(await portal.sql(`select from rate_limits where key like 'logout%' and counted > 0`), [], 'it counts as no try')
  const known = await come({ sub: 'known' })
  assert.equal((await send(await logoutToken({ sub: 'known' }))).status, 200, 'known keys go on')
  assert.equal(await isIn(known), false)
  liar.repent()
  Object.assign(liar.state, { published: ['one', 'new'] })
  assert.equal((await send(await byNewKey())).status, 200)
  assert.equal(await isIn(browser), false)
  liar.repent()
  await portal.sql('delete from rate_limits')
})

test('signing out returns the address at which the provider ends its own session, if the settings say so', async () => {
  const out = async (browser: TestBrowser) => (await browser.call('POST', '/auth/logout')).body
  assert.deepEqual(await out(await come({ sub: 'local' })), { success: true })
  await change({ logout: 'provider' })
  const { endSessionUrl, success } = await out(await come({ sub: 'there' }))
  const url = new URL(endSessionUrl)
  assert.deepEqual(
    [success, url.origin + url.pathname, Object.fromEntries(url.searchParams)],
    [true, `${lying.liar.issuer}/end`, { client_id: 'portal', post_logout_redirect_uri: 'http://localhost:3000/sign-in?local=1' }],
  )
  await change({ logoutHint: 'id_token' })
  const hinted = new URL((await out(await come({ sub: 'hinted' }))).endSessionUrl)
  assert.equal(hinted.searchParams.get('id_token_hint'), lying.liar.state.idToken)
  assert.deepEqual((await portal.admin.post('/auth/logout')).body, { success: true })
})

test('a real provider accepts the address at which its session ends', async () => {
  const real = await openProvider({ portalUrl: portal.instance.config.publicUrl, base: portal.base })
  await Object.assign(portal.admin, await portal.stranger().signIn('admin', 'correct horse'))
  await addProvider(portal, real, { logout: 'provider', logoutHint: 'id_token' })
  real.accounts.set('real', { email: 'real@example.org' })
  const other = openBrowser(portal)
  real.as = 'real'
  assert.equal(await other.signIn(), '/')
  const { endSessionUrl } = (await other.call('POST', '/auth/logout')).body
  const page = await (await other.ask(endSessionUrl)).text()
  assert.match(page, /name="xsrf"/)
})
