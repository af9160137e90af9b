/** Claims that only a signed token may make, metadata in unusual forms, and malformed answers. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { browserOf, openBrowser } from '../../../test/oidc/browser.ts'
import { lyingPortal } from '../../../test/oidc/lying-portal.ts'

const lying = lyingPortal({ createPeople: true })
const { portal, change, at, link } = lying
const failed = (reason: string) => `/sign-in?failed=${reason}`

const atHash = Buffer.from(hash('sha256', 'access', 'buffer'))
  .subarray(0, 16)
  .toString('base64url')
const forms: [what: string, of: (issuer: string) => Record<string, string>][] = [
  [
    'an upper-case scheme',
    (issuer) => ({ token_endpoint: `${issuer}/token`.replace('http', 'HTTP'), jwks_uri: `${issuer}/jwks`.replace('http', 'HTTP') }),
  ],
  [
    'dots in its paths',
    (issuer) => ({ token_endpoint: `${issuer}/x/../token`, jwks_uri: `${issuer}/./jwks`, userinfo_endpoint: `${issuer}/%2e/userinfo` }),
  ],
  [
    'an empty user name',
    (issuer) => ({ token_endpoint: `${issuer}/token`.replace('//', '//@'), jwks_uri: `${issuer}/jwks`.replace('//', '//@') }),
  ],
]
for (const [what, of] of forms)
  test(`a provider whose metadata has ${what} works, within the same limits`, async () => {
    const { liar } = lying
    Object.assign(liar.state.metadata, of(liar.issuer))
    assert.deepEqual((await portal.admin.post(`${at()}/check`)).body.problems, [])
    await change({ nameEn: what })
    liar.asked.length = 0
    const claims = { sub: what, email: `${hash('md5', what)}@example.org`, at_hash: atHash }
    for (let n = 0; n < 3; n++) assert.equal(await liar.answer(openBrowser(portal), claims), '/')
    assert.equal(liar.asked.filter((path) => path === '/jwks').length, 1, 'the keys are kept')
    assert.equal(await liar.answer(openBrowser(portal), { ...claims, at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' }), failed('token'))
    assert.equal(await liar.answer(openBrowser(portal), { ...claims, padding: 'x'.repeat(66_000) }), failed('claims'))
    liar.repent()
    await portal.admin.post(`${at()}/check`)
    await change({ nameEn: 'Work account' })
  })

test('claims about the sign-in itself are never taken from userinfo', async () => {
  const { liar } = lying
  await change({ secondFactor: 'claims', acrValues: ['high'] })
  const sayAll = () =>
    Object.assign(liar.state.userinfo, { email: 'sara@example.org', amr: ['mfa'], acr: 'high', auth_time: liar.now(), sid: 'of userinfo' })
  const securityOf = async (claims: object) => {
    const browser = openBrowser(portal)
    sayAll()
    assert.equal(await liar.answer(browser, { sub: 'sara', ...claims }), '/')
    const { level, confirmedUntil } = (await browser.call('GET', '/auth/me/security')).body
    const sids = await portal.sql<{ sid: string | null }>('select sid from sessions order by id desc limit 1')
    return [level, confirmedUntil !== null, sids[0]!.sid]
  }
  assert.deepEqual(await securityOf({}), [1, false, null])
  assert.deepEqual(await securityOf({ amr: ['hwk'], auth_time: liar.now(), sid: 'own' }), [2, true, 'own'])

  const person = await portal.person('confirming')
  await link(person, 'confirming')
  const browser = browserOf(portal, person)
  const begun = (await browser.call('POST', '/auth/me/confirm/liar', {})).body.url
  sayAll()
  assert.equal(await liar.answer(browser, { sub: 'confirming', amr: ['mfa'] }, { at: begun }), '/account/security?failed=not_allowed')
  liar.repent()
})

test('a required claim about the sign-in must be in the token, and userinfo cannot say that groups are missing', async () => {
  const { liar } = lying
  const { body: group } = await portal.admin.post('/groups', { name: 'Finance' })
  await change({
    secondFactor: 'trusted',
    require: [{ claim: 'acr', anyOf: ['high'] }],
    groupRules: [{ value: 'finance', groupId: group.id }],
    groupMode: 'manage',
  })
  const userinfo = { email: 'mona@example.org', acr: 'high', hasgroups: true, _claim_names: { groups: 'src1' } }
  Object.assign(liar.state.userinfo, userinfo)
  assert.equal(await liar.answer(openBrowser(portal), { sub: 'mona' }), failed('not_allowed'))
  const come = (groups: string[]) => liar.answer(openBrowser(portal), { sub: 'mona', acr: 'high', groups })
  const members = async () => (await portal.admin.get(`/groups/${group.id}`)).body.userIds.length
  assert.deepEqual([await come(['finance']), await members()], ['/', 1])
  assert.deepEqual([await come([]), await members()], ['/', 0])
  liar.repent()
  await change({ require: [], groupRules: [], groupMode: 'add' })
})

test('an address counts as verified only if it needs no normalising and comes in the same response as email_verified', async () => {
  const { liar } = lying
  const { body: victim } = await portal.admin.post('/users', {
    username: 'victim',
    email: 'victim@corp.example',
    password: 'correct horse battery',
  })
  assert.ok(victim.id)
  await change({ linking: 'verified_email', domains: ['corp.example'] })
  const ask = '/sign-in/connect?provider=liar'
  const verified = { email_verified: true }
  for (const email of [' victim@corp.example ', 'victim@corp.example\n', '\u202evictim@corp.example'])
    assert.equal(await liar.answer(openBrowser(portal), { sub: 'spaces', email, ...verified }), ask)
  await change({ claims: { username: 'sub', email: 'mail', nameAr: null, nameEn: null, language: null, groups: null } })
  Object.assign(liar.state.userinfo, { mail: 'victim@corp.example' })
  assert.equal(await liar.answer(openBrowser(portal), { sub: 'other side', email: 'own@corp.example', ...verified }), ask)
  liar.repent()
  assert.equal(await liar.answer(openBrowser(portal), { sub: 'victims', mail: 'victim@corp.example', ...verified }), '/')
  await change({ linking: 'ask', domains: [] })
})

const noTokens: unknown[] = [
  '',
  'nonsense',
  'a.b.c',
  'bnVsbA.e30.e30',
  `${Buffer.from('[]').toString('base64url')}..`,
  null,
  7,
  {},
  ['a'],
  undefined,
]
test('a malformed id token and an answer without one fail as `token`', async () => {
  const { liar } = lying
  for (const token of noTokens) {
    const make = () => token as string
    assert.equal(await liar.answer(openBrowser(portal), { sub: 'sara' }, { make }), failed('token'), JSON.stringify(token))
  }
  for (const text of ['', 'nonsense', '[]', 'null']) {
    const begun = await openBrowser(portal)
    liar.instead.set('/token', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(text))
    assert.equal(await liar.answer(begun, { sub: 'sara' }), failed('token'), text)
  }
  liar.repent()
})

test('a callback with neither a code nor an error fails as `token`, and the provider is not asked', async () => {
  const { liar } = lying
  for (const query of ['', '&code=', '&code=a&code=b', '&session_state=x']) {
    const browser = openBrowser(portal)
    const state = new URL(await browser.start('liar')).searchParams.get('state')
    liar.asked.length = 0
    assert.equal((await browser.follow(`/api/auth/oidc/liar/callback?state=${state}${query}`)).path, failed('token'), query)
    assert.deepEqual(liar.asked, [])
  }
})
