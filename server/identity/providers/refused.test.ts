/** Answers that no honest provider sends are refused, and leave only a line in the security log. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { browserOf, openBrowser, type TestBrowser } from '../../../test/oidc/browser.ts'
import { type Liar, openLiar } from '../../../test/oidc/liar.ts'
import { addProvider } from '../../../test/oidc/provider.ts'
import { PATIENCE, testPortal } from '../../../test/portal.ts'

const portal = testPortal({ SSO_INTERNAL_HOSTS: '127.0.0.1', SECRETS_KEY: 'k'.repeat(43) })
let liar: Liar
let id: number
before(async () => {
  await portal.ready
  liar = await openLiar()
  id = await addProvider(portal, liar, {
    slug: 'liar',
    claims: { username: 'sub', email: 'email', nameAr: null, nameEn: null, language: null, groups: null },
  })
})

/** The row counts of all tables that an attempt could write, except `provider_counts` and `security_events`, which count refusals. */
async function rows() {
  const tables = await portal.sql<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
       and relname not in ('provider_counts', 'provider_states') and relname !~ '^(security_events|audit_stream)'`,
  )
  const counts = await portal.sql<{ counts: object }>(
    `select json_object(array_agg(name), array_agg(count::text)) as counts from (${tables
      .map(({ name }) => `select '${name}' as name, count(*) from ${name}`)
      .join(' union all ')}) as counted`,
  )
  return counts[0]!.counts
}

const email = { email: 'sara@example.org' }
const failed = (reason: string) => `/sign-in?failed=${reason}`
async function refused(reason: string, act: (browser: TestBrowser) => Promise<string>) {
  const browser = openBrowser(portal)
  const before = await rows()
  assert.equal(await act(browser), failed(reason))
  assert.deepEqual(await rows(), before)
  assert.equal((await browser.me()).status, 401)
  liar.repent()
}

const past = (seconds: number) => liar.now() - seconds
const lies: [what: string, reason: string, claims: () => Record<string, unknown>][] = [
  ['the issuer is another', 'token', () => ({ iss: 'https://elsewhere.example' })],
  ['the audience is another', 'token', () => ({ aud: 'other' })],
  ['of several audiences none is authorised', 'token', () => ({ aud: ['portal', 'other'] })],
  ['another of several audiences is authorised', 'token', () => ({ aud: ['portal', 'other'], azp: 'other' })],
  ['the nonce is another', 'token', () => ({ nonce: 'other' })],
  ['the nonce is missing', 'token', () => ({ nonce: undefined })],
  ['at_hash is of another access token', 'token', () => ({ at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' })],
  ['it is over', 'clock', () => ({ exp: past(61) })],
  ['it is from ten minutes ahead', 'clock', () => ({ iat: past(-600) })],
  ['it is not valid yet', 'clock', () => ({ nbf: past(-600) })],
  ['the subject is empty', 'claims', () => ({ sub: '' })],
  ['the subject is too long', 'claims', () => ({ sub: 'x'.repeat(256) })],
  ['a claim is longer than 4 KiB', 'claims', () => ({ email: `${'x'.repeat(4096)}@example.org` })],
  ['the token is longer than 64 KiB', 'claims', () => ({ padding: 'x'.repeat(66_000) })],
]
for (const [what, reason, claims] of lies)
  test(`an answer is refused if ${what}: ${reason}`, () => refused(reason, (browser) => liar.answer(browser, { ...email, ...claims() })))

test('a token signed by another key under a known name is refused', () =>
  refused('token', async (browser) => {
    await liar.addKey('other')
    return liar.answer(browser, email, { make: (claims) => liar.sign(claims, 'other', { kid: 'one' }) })
  }))
test('a token without a signature is refused', () => refused('token', (browser) => liar.answer(browser, email, { make: liar.unsigned })))
test('a token signed with the public key as a secret is refused', () =>
  refused('token', (browser) => liar.answer(browser, email, { make: liar.byPublicKey })))

test('an answer in another issuer’s name is refused', () =>
  refused('token', (browser) => liar.answer(browser, email, { query: { iss: 'https://elsewhere.example' } })))
test('an error from the provider is reported as a denial', () =>
  refused('denied', (browser) => liar.answer(browser, email, { query: { error: 'access_denied' } })))

test('userinfo about somebody else is refused', () =>
  refused('token', (browser) => {
    liar.state.userinfo = { sub: 'other', email: 'other@example.org' }
    return liar.answer(browser)
  }))

test('userinfo is asked only for claims that the id token lacks', async () => {
  for (const [claims, isAsked] of [
    [{ sub: 'told', email: 'told@example.org' }, false],
    [{ sub: 'told' }, true],
  ] as const) {
    liar.asked.length = 0
    assert.equal(await liar.answer(openBrowser(portal), claims), '/')
    assert.equal(liar.asked.includes('/userinfo'), isAsked)
  }
})

test('an answer without the issuer is refused if the metadata promise it in each answer', async () => {
  const check = () => portal.admin.post(`/admin/sign-in/providers/${id}/check`)
  Object.assign(liar.state.metadata, { authorization_response_iss_parameter_supported: true })
  await check()
  await refused('token', (browser) => liar.answer(browser, email))
  const named = await liar.answer(openBrowser(portal), { sub: 'named', email: 'named@example.org' }, { query: { iss: liar.issuer } })
  assert.equal(named, '/')
  await check()
})

const broken: [what: string, path: string, answer: Parameters<Liar['instead']['set']>[1]][] = [
  ['2 MiB', '/token', (response) => response.end('x'.repeat(2 * 1024 * 1024))],
  ['a redirect into the network', '/token', (response) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end()],
  ['nothing', '/token', (response) => response.destroy()],
  ['an error of its own', '/token', (response) => response.writeHead(502).end()],
]
for (const [what, path, answer] of broken)
  test(`a provider that answers with ${what} is unreachable`, () =>
    refused('unreachable', async (browser) => {
      const at = await browser.start('liar')
      liar.instead.set(path, answer)
      return liar.answer(browser, email, { at })
    }))

test('a provider that does not answer within ten seconds is unreachable, and the portal closes the connection', (t) =>
  refused('unreachable', async (browser) => {
    const at = await browser.start('liar')
    const late = new AbortController()
    const { timeout } = AbortSignal
    const limits: number[] = []
    t.mock.method(AbortSignal, 'timeout', (ms: number) => {
      limits.push(ms)
      return ms === 10_000 * PATIENCE ? late.signal : timeout.call(AbortSignal, ms)
    })
    const isHungUp = Promise.withResolvers<void>()
    liar.instead.set('/token', (response) => {
      response.on('close', isHungUp.resolve)
      late.abort(new DOMException('ten seconds are over', 'TimeoutError'))
    })
    const path = await liar.answer(browser, email, { at })
    await isHungUp.promise
    assert.ok(limits.includes(10_000 * PATIENCE))
    return path
  }))

const tooLarge: [what: string, lie: () => void][] = [
  ['metadata of more than 256 KiB', () => Object.assign(liar.state.metadata, { more: 'x'.repeat(256 * 1024) })],
  ['101 keys', () => Object.assign(liar.state, { published: Array(101).fill('one') })],
]
for (const [what, lie] of tooLarge)
  test(`a provider with ${what} fails its check`, async () => {
    const problems = async () => (await portal.admin.post(`/admin/sign-in/providers/${id}/check`)).body.problems
    lie()
    assert.deepEqual(
      (await problems()).map(({ code }: { code: string }) => code),
      ['malformed'],
    )
    liar.repent()
    assert.deepEqual(await problems(), [])
  })

test('a callback in a browser without an attempt is refused before the provider is asked, even if it reports an error', async () => {
  const url = new URL(await openBrowser(portal).start('liar'))
  liar.asked.length = 0
  for (const query of [{}, { error: 'access_denied' }] as Record<string, string>[])
    await refused('state', (browser) => liar.answer(browser, email, { at: url.href, query }))
  assert.deepEqual(liar.asked, [])
})

test('malformed callback parameters lead to the sign-in page', async () => {
  const callback = '/api/auth/oidc/liar/callback'
  for (const query of ['state=%00', 'state=a&state=b', 'code=%00&iss=%00&error=%00', 'session_state=%00', '%00=%00', 'state=%'])
    await refused('state', async (browser) => (await browser.follow(`${callback}?${query}`)).path)
  await refused('token', (browser) => liar.answer(browser, email, { query: { code: 'a\0b' } }))
})

test('an attempt works once, for its own provider, and leaves the browser’s other attempts alone', async () => {
  const browser = openBrowser(portal)
  const [one, other] = [await browser.start('liar'), await browser.start('liar')]
  const cookie = browser.cookies().get('portal_sso')!
  const state = new URL(one).searchParams.get('state')
  assert.equal((await browser.follow(`/api/auth/oidc/elsewhere/callback?code=code&state=${state}`)).path, failed('state'))
  browser.cookies().set('portal_sso', cookie)
  assert.equal(await liar.answer(browser, { sub: 'once', email: 'once@example.org' }, { at: one }), '/')
  browser.cookies().set('portal_sso', cookie)
  assert.equal(await liar.answer(browser, { sub: 'once' }, { at: one }), failed('state'))
  browser.cookies().set('portal_sso', cookie)
  assert.equal(await liar.answer(browser, { sub: 'once' }, { at: other }), '/')
})

test('an attempt at one provider is refused at another', async () => {
  await addProvider(portal, liar, { slug: 'second' })
  const browser = openBrowser(portal)
  const state = new URL(await browser.start('liar')).searchParams.get('state')
  liar.asked.length = 0
  assert.equal((await browser.follow(`/api/auth/oidc/second/callback?code=code&state=${state}`)).path, failed('state'))
  assert.deepEqual(liar.asked, [])
})

test('no two attempts share a secret', async () => {
  const browser = openBrowser(portal)
  const urls = [
    new URL(await browser.start('liar')),
    new URL(await browser.start('liar')),
    new URL(await openBrowser(portal).start('liar')),
  ]
  for (const name of ['state', 'nonce', 'code_challenge']) {
    const values = urls.map(({ searchParams }) => searchParams.get(name)!)
    assert.equal(new Set(values).size, urls.length, name)
    for (const value of values) assert.match(value, /^[\w-]{43}$/)
  }
})

test('a browser has five attempts, and a sixth replaces the oldest', async () => {
  const browser = openBrowser(portal)
  const tabs: string[] = []
  for (let n = 0; n < 6; n++) tabs.push(await browser.start('liar'))
  const paths: string[] = []
  for (const at of tabs) paths.push(await liar.answer(browser, { sub: 'tabs', email: 'tabs@example.org' }, { at }))
  assert.deepEqual(paths, [failed('state'), '/', '/', '/', '/', '/'])

  let at = ''
  for (let n = 0; n < 5; n++) at = await browser.start('liar', { returnTo: `/${'نور'.repeat(160)}` })
  assert.ok(browser.cookies().get('portal_sso')!.length <= 3500)
  assert.notEqual(await liar.answer(browser, { sub: 'tabs' }, { at }), failed('state'))
})

test('an attempt lasts ten minutes', async (t) => {
  const browser = openBrowser(portal)
  const at = await browser.start('liar')
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 10 * 60_000 + 1000 })
  assert.equal(await liar.answer(browser, email, { at }), failed('expired'))
})

test('after an attempt, the browser goes only to a path of the portal', async () => {
  const browser = openBrowser(portal)
  const start = (returnTo: string) => browser.call('POST', '/auth/oidc/liar/start', { returnTo })
  for (const path of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'evil',
    '',
    '/a\r\nb',
    '/\t/evil.example',
    '/..//evil.example',
  ])
    assert.deepEqual([(await start(path)).status, path], [400, path])
  const { body } = await start('/orders?from=نور&x=%0d%0a#top')
  const page = await liar.answer(browser, { sub: 'sent', email: 'sent@example.org' }, { at: body.url })
  assert.equal(page, '/orders?from=%D9%86%D9%88%D8%B1&x=%0d%0a')
})

test('signing in ends the session that the browser presented, and makes the browser a known one', async () => {
  const former = await portal.person('former')
  const browser = browserOf(portal, former)
  assert.equal(await liar.answer(browser, { sub: 'latter', email: 'latter@example.org' }), '/')
  assert.deepEqual([(await browser.me()).body.username, (await former.get('/auth/me')).status], ['latter', 401])
  assert.ok(browser.cookies().get('portal_device'))
})

test('metadata of another issuer is refused', async () => {
  const { status, body } = await portal.admin.post('/admin/sign-in/providers', {
    slug: 'changed',
    nameAr: 'آخر',
    nameEn: 'Other',
    issuer: `${liar.issuer}/elsewhere`,
    clientId: 'portal',
  })
  assert.equal(status, 201)
  liar.instead.set('/elsewhere/.well-known/openid-configuration', (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ issuer: liar.issuer }))
  })
  const checked = await portal.admin.post(`/admin/sign-in/providers/${body.id}/check`)
  assert.deepEqual(
    checked.body.problems.map(({ code }: { code: string }) => code),
    ['wrong_issuer'],
  )
  const active = await portal.admin.patch(`/admin/sign-in/providers/${body.id}`, { isActive: true })
  assert.deepEqual([active.status, active.body.details[0].path, active.body.details[0].rule], [400, 'isActive', 'checked'])
})
