/** Providers that do not answer, change their keys, or have a wrong clock. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runJob } from '../../../test/jobs.ts'
import { openBrowser } from '../../../test/oidc/browser.ts'
import { lyingPortal } from '../../../test/oidc/lying-portal.ts'
import { addProvider } from '../../../test/oidc/provider.ts'

const lying = lyingPortal({ createPeople: true })
const { portal, signIn, at } = lying
const come = async (claims: object = {}) => (await signIn({ sub: 'sara', email: 'sara@example.org', ...claims })).path
const isReachable = async () => (await portal.stranger().get('/auth/methods')).body.providers[0].isReachable
const silent = (paths: string[]) => {
  for (const path of paths) lying.liar.instead.set(path, (response) => response.destroy())
}
const METADATA = '/.well-known/openid-configuration'

test('a new key verifies at once; a withdrawn one verifies nothing after ten minutes', async (t) => {
  const { liar } = lying
  assert.equal(await come(), '/')
  const now = Date.now()
  t.mock.timers.enable({ apis: ['Date'], now: now + 31_000 })
  await liar.addKey('two')
  Object.assign(liar.state, { published: ['one', 'two'], kid: 'two' })
  assert.equal(await come(), '/')
  Object.assign(liar.state, { published: ['two'], kid: 'one' })
  t.mock.timers.setTime(now + 31_000 + 10 * 60_000 - 1000)
  assert.equal(await come(), '/', 'the keys are kept for so long')
  t.mock.timers.setTime(now + 31_000 + 10 * 60_000 + 1000)
  assert.equal(await come(), '/sign-in?failed=token')
  assert.equal(await come(), '/sign-in?failed=token')
  liar.repent()
  t.mock.timers.setTime(now + 31_000 + 11 * 60_000)
  assert.equal(await come(), '/')
})

test('tokens with unknown keys make the portal fetch the keys at most every 30 seconds', async (t) => {
  const { liar } = lying
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_600_000 })
  assert.equal(await come(), '/')
  liar.asked.length = 0
  await liar.addKey('three')
  liar.state.kid = 'three'
  for (let n = 0; n < 3; n++) assert.equal(await come(), '/sign-in?failed=token')
  assert.equal(liar.asked.filter((path) => path === '/jwks').length, 0)
  t.mock.timers.tick(31_000)
  for (let n = 0; n < 3; n++) await come()
  assert.equal(liar.asked.filter((path) => path === '/jwks').length, 1)
  liar.repent()
})

for (const [off, path] of [
  [59, '/'],
  [61, '/sign-in?failed=clock'],
] as const)
  test(`a clock that is ${off} s off either way leads to ${path}`, async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
    const { liar } = lying
    assert.equal(await come({ iat: liar.now() + off }), path)
    assert.equal(await come({ iat: liar.now() + off, nbf: liar.now() + off }), path)
    assert.equal(await come({ iat: liar.now() - 600, exp: liar.now() - off }), path)
  })

test('a provider that does not answer is reported as unreachable, and the first sign-in after its return works', async () => {
  const { liar } = lying
  const browser = openBrowser(portal)
  const begun = await browser.start('liar')
  silent([METADATA, '/token', '/jwks'])
  assert.equal(await isReachable(), true)
  assert.equal(await liar.answer(browser, { sub: 'sara' }, { at: begun }), '/sign-in?failed=unreachable')
  assert.equal(await isReachable(), false)
  const start = () => browser.call('POST', '/auth/oidc/liar/start', {})
  assert.deepEqual([(await start()).status, (await start()).body.code], [503, 'unavailable'])
  for (const path of ['/auth/me/confirm/liar', '/auth/me/identities/liar/start', `${lying.at()}/try`]) {
    const { status, body } = await portal.admin.post(path, {})
    assert.deepEqual([path, status, body.code], [path, 503, 'unavailable'])
  }
  liar.repent()
  assert.equal(await come(), '/')
  assert.equal(await isReachable(), true)
})

test('administrators are told once of a provider that has not answered for a quarter of an hour', async () => {
  silent([METADATA])
  await portal.sql('update provider_states set fetched_at = null')
  const watch = async () => (await portal.traces(() => runJob(portal, 'watch_providers'))).notices.map(({ titleEn }) => titleEn)
  assert.deepEqual(await watch(), [])
  await portal.sql(`update provider_states set unreachable_since = unreachable_since - interval '16 minutes'`)
  assert.deepEqual([await watch(), await watch()], [['A sign-in provider does not answer'], []])
  lying.liar.repent()
  await watch()
  const [state] = await portal.sql<{ unreachableSince: Date | null }>('select unreachable_since as "unreachableSince" from provider_states')
  assert.equal(state!.unreachableSince, null)
})

test('refusals are counted by their reasons, and only for attempts that the browser itself began', async () => {
  const before = (await portal.admin.get(at())).body.refusals24h
  await come({ nonce: 'other' })
  await openBrowser(portal).follow('/api/auth/oidc/liar/callback?state=foreign&error=x')
  await portal.instance.providers.note()
  const after = (await portal.admin.get(at())).body.refusals24h
  assert.deepEqual(after, { ...before, token: (before.token ?? 0) + 1 })
})

test('a check names by how many seconds the provider’s clock is off', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  lying.liar.instead.set(METADATA, (response) => {
    const answer = { issuer: lying.liar.issuer }
    const date = new Date(Date.now() - 120_000).toUTCString()
    const paths = { authorization_endpoint: '/authorize', token_endpoint: '/token', jwks_uri: '/jwks' }
    const endpoints = Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, lying.liar.issuer + path]))
    response.writeHead(200, { date }).end(JSON.stringify({ ...answer, ...endpoints, id_token_signing_alg_values_supported: ['ES256'] }))
  })
  const { body } = await portal.admin.post(`${at()}/check`)
  assert.ok(Math.abs(body.clockSeconds - 120) <= 1)
  assert.deepEqual(
    body.problems.map(({ code }: { code: string }) => code),
    ['clock'],
  )
  lying.liar.repent()
})

test('metadata that was fetched before its provider got another issuer, or was deleted, is not stored', async () => {
  const { liar } = lying
  const metadata = await (await fetch(`${liar.issuer}${METADATA}`)).text()
  const id = await addProvider(portal, liar, { slug: 'second' })
  const setIssuer = (issuer: string) => `update sign_in_providers set issuer = '${issuer}' where id = ${id}`
  for (const statement of [setIssuer('https://other.example.org'), `delete from sign_in_providers where id = ${id}`]) {
    await portal.meddle('provider', id, setIssuer(liar.issuer))
    await portal.sql(`delete from provider_states where provider_id = ${id}`)
    liar.instead.set(METADATA, async (response) => {
      await portal.meddle('provider', id, statement)
      response.writeHead(200, { 'content-type': 'application/json' }).end(metadata)
    })
    await runJob(portal, 'watch_providers')
    assert.deepEqual(await portal.sql(`select from provider_states where provider_id = ${id} and metadata is not null`), [])
  }
  assert.deepEqual(await portal.sql(`select from sign_in_providers where id = ${id}`), [])
  liar.repent()
})

test('the last good metadata is used for a day, also after a restart', async (t) => {
  const { liar } = lying
  const sessions: string[] = []
  for (const _ of ['one', 'other']) {
    const browser = openBrowser(portal)
    assert.equal(await liar.answer(browser, { sub: 'sara' }), '/')
    sessions.push(browser.cookies().get('portal_session')!)
  }
  await portal.admin.patch(at(), { logout: 'provider' })
  silent([METADATA])
  await portal.stop()
  await portal.startAgain()
  const signOut = async (session: string) => {
    const browser = openBrowser(portal)
    browser.cookies().set('portal_session', session)
    return (await browser.call('POST', '/auth/logout')).body
  }
  const now = Date.now()
  t.mock.timers.enable({ apis: ['Date'], now: now + 24.9 * 3_600_000 })
  assert.match((await signOut(sessions[0]!)).endSessionUrl, /\/end\?/)
  t.mock.timers.setTime(now + 25.1 * 3_600_000)
  assert.deepEqual(await signOut(sessions[1]!), { success: true })
  assert.equal((await openBrowser(portal).call('POST', '/auth/oidc/liar/start', {})).status, 503)
  liar.repent()
})
