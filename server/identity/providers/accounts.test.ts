/** Proving an account, connecting one, confirming and trying with a provider, and people whom only a provider knows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPasskey, addTotp, codeOf, wrongCode } from '../../../test/factors.ts'
import { browserOf, openBrowser } from '../../../test/oidc/browser.ts'
import { lyingPortal } from '../../../test/oidc/lying-portal.ts'
import { PASSWORD } from '../../../test/portal.ts'

const lying = lyingPortal({ createPeople: true })
const { portal, signIn, change, at, link } = lying
const connect = '/sign-in/connect?provider=liar'

const identities = async ({ id }: { id: number }) =>
  (await portal.admin.get(`/users/${id}/identities`)).body as { id: number; subject: string }[]
const now = () => Math.floor(Date.now() / 1000)

test('two simultaneous first sign-ins of one person make one account, and both succeed', async () => {
  const claims = { sub: 'twice', email: 'twice@example.org', preferred_username: 'twice' }
  const came = await Promise.all(Array.from({ length: 2 }, () => signIn(claims)))
  const ids = await Promise.all(came.map(async ({ browser }) => (await browser.me()).body.id))
  assert.deepEqual([came.map(({ path }) => path), new Set(ids).size], [['/', '/'], 1])
})

test('usernames lose invalid characters, and get a number if they are taken or look alike', async () => {
  const names: [claim: string, name: string][] = [
    ['Nora.Ali@corp.example', 'Nora.Ali'],
    ['nora.ali', 'nora.ali-2'],
    ['علي بن سعيد', 'عليبنسعيد'],
    ['admin', 'admin-2'],
    ['x'.repeat(80), 'x'.repeat(60)],
  ]
  for (const [n, [preferred_username, name]] of names.entries()) {
    const { browser } = await signIn({ sub: `name-${n}`, email: `name-${n}@example.org`, preferred_username })
    assert.equal((await browser.me()).body.username, name)
  }
  assert.equal((await signIn({ sub: 'no-mail', preferred_username: 'no-mail' })).path, '/sign-in?failed=claims')
  const { audit } = await portal.traces(() => signIn({ sub: 'audited', email: 'audited@example.org' }))
  assert.deepEqual(
    audit.map(({ action, metadata }) => [action, metadata['provider']]),
    [['user.create', 'liar']],
  )
})

test('an identity is linked to an account only with its password, only in the browser that signed in, and only once', async () => {
  const huda = await portal.person('huda')
  const { browser, path } = await signIn({ sub: 'hudas', email: 'huda@example.org' })
  assert.equal(path, connect)
  const prove = (body: object, by = browser) => by.call('POST', '/auth/oidc/pending/link', body)
  assert.deepEqual([(await prove({ password: 'wrong one' })).status, (await prove({ code: '123456' })).status], [401, 401])
  assert.equal((await prove({ password: PASSWORD }, openBrowser(portal))).status, 401)
  const pending = browser.cookies().get('portal_pending')!
  const { status, body } = await prove({ password: PASSWORD })
  assert.deepEqual([status, body.id, (await browser.me()).body.id], [200, huda.id, huda.id])
  assert.deepEqual(
    (await identities(huda)).map(({ subject }) => subject),
    ['hudas'],
  )
  browser.cookies().set('portal_pending', pending)
  assert.equal((await prove({ password: PASSWORD })).status, 401)
  assert.equal((await signIn({ sub: 'hudas' })).path, '/')
  const second = await signIn({ sub: 'other', email: 'huda@example.org' })
  assert.equal((await prove({ password: PASSWORD }, second.browser)).body.code, 'identity_taken')
})

test('an account is not linked if the provider’s issuer has changed since the sign-in', async () => {
  const lina = await portal.person('lina')
  const { browser, path } = await signIn({ sub: 'linas', email: 'lina@example.org' })
  assert.equal(path, connect)
  const prove = () => browser.call('POST', '/auth/oidc/pending/link', { password: PASSWORD })
  const setIssuer = (issuer: string) =>
    portal.meddle('provider', lying.id, `update sign_in_providers set issuer = '${issuer}', updated_at = now() where id = ${lying.id}`)
  await setIssuer('https://elsewhere.example')
  assert.deepEqual([(await prove()).status, await identities(lina)], [401, []])
  // Restoring the issuer does not revive the waiting link.
  await setIssuer(lying.liar.issuer)
  assert.deepEqual([(await prove()).status, await identities(lina)], [401, []])
})

test('an account is proven by a passkey, too', async () => {
  const dana = await portal.person('dana')
  const { authenticator } = await addPasskey(dana)
  const { browser } = await signIn({ sub: 'danas', email: 'dana@example.org' })
  const { body } = await browser.call('POST', '/auth/passkeys/options', { purpose: 'link' })
  const assertion = authenticator.get(body.options)
  assert.equal((await browser.call('POST', '/auth/oidc/pending/link', { assertion })).status, 200)
  assert.deepEqual(
    (await identities(dana)).map(({ subject }) => subject),
    ['danas'],
  )
  assert.equal((await browser.call('GET', '/auth/me/security')).body.level, 2)
})

test('somebody connects a provider, sees it, and disconnects it while another way to sign in is left', async () => {
  const omar = await portal.person('omar')
  const browser = browserOf(portal, omar)
  const start = await browser.call('POST', '/auth/me/identities/liar/start', { returnTo: '/account' })
  assert.equal(await lying.liar.answer(browser, { sub: 'omars' }, { at: start.body.url }), '/account')
  const { body } = await omar.get('/auth/me/identities')
  assert.deepEqual([body.length, body[0].provider.slug, body[0].subject], [1, 'liar', undefined])
  const taken = await portal.person('taken')
  const other = browserOf(portal, taken)
  const again = await other.call('POST', '/auth/me/identities/liar/start', {})
  assert.equal(await lying.liar.answer(other, { sub: 'omars' }, { at: again.body.url }), '/account/security?failed=identity_taken')
  assert.equal((await omar.delete(`/auth/me/identities/${body[0].id}`)).status, 204)
  assert.deepEqual((await omar.get('/auth/me/identities')).body, [])
})

test('an attempt to connect fails in every session but the one that began it', async () => {
  const [one, other] = [await portal.person('session-one'), await portal.person('session-other')]
  const browser = browserOf(portal, one)
  const { body } = await browser.call('POST', '/auth/me/identities/liar/start', {})
  browser.cookies().set('portal_session', other.cookie.split('=')[1]!)
  assert.equal(await lying.liar.answer(browser, { sub: 'moved' }, { at: body.url }), '/account/security?failed=state')
  const ended = browserOf(portal, one)
  const second = await ended.call('POST', '/auth/me/identities/liar/start', {})
  await portal.admin.delete(`/users/${one.id}/sessions`)
  assert.equal(await lying.liar.answer(ended, { sub: 'moved' }, { at: second.body.url }), '/account/security?failed=state')
})

test('neither an identity that is somebody’s only way to sign in nor its provider can be deleted', async () => {
  const { browser } = await signIn({ sub: 'only', email: 'only@example.org', auth_time: now() })
  const { id } = (await browser.me()).body
  const [identity] = await identities({ id })
  assert.deepEqual((await browser.call('DELETE', `/auth/me/identities/${identity!.id}`)).body.code, 'last_sign_in_method')
  assert.equal((await portal.admin.delete(`/users/${id}/identities/${identity!.id}`)).body.code, 'last_sign_in_method')
  const refused = await portal.admin.delete(at())
  assert.deepEqual([refused.status, refused.body.code, refused.body.count > 0], [409, 'last_sign_in_method', true])
})

test('a provider confirms only the person who is linked to it, and only after a fresh sign-in there', async () => {
  const rana = await portal.person('rana')
  await link(rana, 'ranas')
  const browser = browserOf(portal, rana)
  await portal.sql(`update sessions set confirmed_at = now() - interval '16 minutes' where user_id = ${rana.id}`)
  const security = async () => (await browser.call('GET', '/auth/me/security')).body
  assert.deepEqual([(await security()).confirmedUntil, (await security()).methods], [null, ['password', 'provider']])
  const confirm = async (claims: object) => {
    const { body } = await browser.call('POST', '/auth/me/confirm/liar', {})
    assert.match(body.url, /prompt=login&max_age=0/)
    return lying.liar.answer(browser, { ...claims }, { at: body.url })
  }
  const refused = '/account/security?failed=not_allowed'
  assert.equal(await confirm({ sub: 'ranas' }), refused)
  assert.equal(await confirm({ sub: 'ranas', auth_time: now() - 400 }), refused)
  assert.equal(await confirm({ sub: 'somebody', auth_time: now() }), refused)
  assert.equal((await security()).confirmedUntil, null)
  assert.equal(await confirm({ sub: 'ranas', auth_time: now() }), '/account/security')
  assert.notEqual((await security()).confirmedUntil, null)
})

test('a provider confirms somebody with a factor only if it says that it asked for two', async () => {
  const yara = await portal.person('yara')
  await addTotp(yara)
  await link(yara, 'yaras')
  await change({ secondFactor: 'claims' })
  const browser = browserOf(portal, yara)
  await portal.sql(`update sessions set confirmed_at = now() - interval '16 minutes', level = 1 where user_id = ${yara.id}`)
  const confirm = async (amr: string[]) => {
    const { body } = await browser.call('POST', '/auth/me/confirm/liar', {})
    const path = await lying.liar.answer(browser, { sub: 'yaras', auth_time: now(), amr }, { at: body.url })
    const { confirmedUntil, level } = (await browser.call('GET', '/auth/me/security')).body
    return [path, confirmedUntil !== null, level]
  }
  assert.deepEqual(await confirm(['pwd']), ['/account/security?failed=not_allowed', false, 1])
  assert.deepEqual(await confirm(['pwd', 'otp']), ['/account/security', true, 2])
  await change({ secondFactor: 'trusted' })
})

test('signing in confirms a session only if the provider has just asked the person, and its level follows the settings', async () => {
  const session = async (claims: object) => {
    const { browser } = await signIn({ sub: 'levels', email: 'levels@example.org', ...claims })
    const { confirmedUntil, level } = (await browser.call('GET', '/auth/me/security')).body
    return [confirmedUntil !== null, level]
  }
  assert.deepEqual(await session({}), [false, 2])
  assert.deepEqual(await session({ auth_time: now() }), [true, 2])
  await change({ secondFactor: 'claims', acrValues: ['urn:strong'] })
  assert.deepEqual(await session({}), [false, 1])
  assert.deepEqual(await session({ amr: ['pwd', 'mfa'] }), [false, 2])
  assert.deepEqual(await session({ acr: 'urn:strong' }), [false, 2])
  await change({ secondFactor: 'own' })
  assert.deepEqual(await session({ amr: ['mfa'] }), [false, 1])
  await change({ secondFactor: 'trusted' })
})

test('trying a provider shows what would happen, and changes nothing', async () => {
  await change({ isActive: false })
  const before = await portal.sql('select (select count(*) from users) as users, (select count(*) from identities) as identities')
  const browser = browserOf(portal, portal.admin)
  const attempt = async (claims: object) => {
    const { body } = await browser.call('POST', `${at()}/try`)
    assert.equal(await lying.liar.answer(browser, { ...claims }, { at: body.url }), '/admin/sign-in?tried=liar')
    return (await portal.admin.get(`${at()}/try`)).body
  }
  const created = await attempt({ sub: 'tried', email: 'tried@example.org', department: 'Finance' })
  assert.deepEqual([created.outcome, created.user, created.claims.department], ['created', null, 'Finance'])
  assert.deepEqual((await attempt({ sub: 'tried', email: 'rana@example.org' })).outcome, 'ask')
  assert.deepEqual((await attempt({ sub: 'ranas' })).user.username, 'rana')
  const refused = await attempt({ sub: 'tried', nonce: 'other' })
  assert.deepEqual([refused.outcome, refused.reason, refused.claims], ['refused', 'token', {}])
  await change({ require: [{ claim: 'department', anyOf: ['Finance'] }] })
  const unwanted = await attempt({ sub: 'tried', department: 'Sales' })
  assert.deepEqual([unwanted.outcome, unwanted.reason, unwanted.claims.department], ['refused', 'not_allowed', 'Sales'])
  await change({ require: [] })
  assert.deepEqual(
    await portal.sql('select (select count(*) from users) as users, (select count(*) from identities) as identities'),
    before,
  )
  const second = await portal.person('second', { roles: ['admin'] })
  assert.equal((await second.get(`${at()}/try`)).status, 404)
  assert.equal((await portal.admin.get(`${at()}/try`)).status, 200)
  await portal.sql('update provider_tries set until = now()')
  assert.equal((await portal.admin.get(`${at()}/try`)).status, 404)
  await change({ isActive: true })
})

test('deactivating a provider ends its sessions and no others', async () => {
  const { browser } = await signIn({ sub: 'ranas' })
  const rana = await portal.stranger().signIn('rana')
  const sessionCount = async () => (await portal.admin.get(at())).body.sessionCount
  assert.ok((await sessionCount()) > 0)
  await change({ isActive: false })
  assert.equal(await sessionCount(), 0)
  assert.deepEqual([(await browser.me()).status, (await rana.get('/auth/me')).status], [401, 200])
  assert.equal((await openBrowser(portal).call('POST', '/auth/oidc/liar/start', {})).status, 404)
  await change({ isActive: true })
})

test('a session lives no longer than the provider’s settings say', async () => {
  await change({ sessionHours: 2 })
  const { browser } = await signIn({ sub: 'ranas' })
  const { body } = await browser.call('GET', '/auth/me/sessions')
  const [one] = body.filter(({ current }: { current: boolean }) => current)
  assert.ok(Math.abs(Date.parse(one.expiresAt) - Date.now() - 7_200_000) < 120_000)
  await change({ sessionHours: null })
})

test('the profile follows the claims if the provider says so, but never takes the address of another account', async () => {
  await change({ refreshProfile: true })
  const { browser } = await signIn({ sub: 'ranas', name: 'Rana Saleh', email: 'admin@localhost' })
  const { displayNameEn, email } = (await browser.me()).body
  assert.deepEqual([displayNameEn, email], ['Rana Saleh', 'rana@example.org'])
  await change({ refreshProfile: false })
})

test('people without a required claim cannot sign in', async () => {
  await change({ require: [{ claim: 'department', anyOf: ['Finance', 'true'] }] })
  for (const [department, path] of [
    ['Sales', '/sign-in?failed=not_allowed'],
    [undefined, '/sign-in?failed=not_allowed'],
    [['Sales', 'Finance'], '/'],
    [true, '/'],
  ])
    assert.deepEqual([department, (await signIn({ sub: 'ranas', department })).path], [department, path])
  await change({ require: [] })
})

test('people with one-time codes prove an account by password and code, never by a code alone', async () => {
  const salem = await portal.person('salem')
  const { secret } = await addTotp(salem)
  const { browser } = await signIn({ sub: 'salems', email: 'salem@example.org' })
  const prove = (body: object) => browser.call('POST', '/auth/oidc/pending/link', body)
  assert.equal((await prove({ code: codeOf(secret) })).body.code, 'invalid_credentials')
  const asked = await prove({ password: PASSWORD })
  assert.deepEqual([asked.status, asked.body.code, asked.body.methods], [401, 'second_factor_required', ['totp', 'recovery_code']])
  assert.deepEqual((await prove({ password: PASSWORD, code: wrongCode(secret) })).body.code, 'invalid_factor')
  const { status, body } = await prove({ password: PASSWORD, code: codeOf(secret, 1) })
  assert.deepEqual([status, body.id, (await browser.call('GET', '/auth/me/security')).body.level], [200, salem.id, 2])
})

test('where the portal asks for its own factor, the provider alone does not sign in somebody who has one', async () => {
  const maha = await portal.person('maha')
  const { secret } = await addTotp(maha)
  await link(maha, 'mahas')
  await change({ secondFactor: 'own', sessionHours: 1 })
  const { browser, path } = await signIn({ sub: 'mahas', sid: 'hers' })
  assert.deepEqual([path, (await browser.me()).status], ['/sign-in/second', 401])
  assert.equal((await browser.call('POST', '/auth/oidc/pending/link', { password: PASSWORD })).status, 401)
  assert.equal((await browser.call('POST', '/auth/login/second-factor', { code: codeOf(secret, 1) })).status, 200)
  const [session] = await portal.sql<{ level: number; sid: string; isShort: boolean }>(
    `select level, sid, lives_until < now() + interval '2 hours' as "isShort" from sessions where user_id = ${maha.id} order by id desc limit 1`,
  )
  assert.deepEqual(session, { level: 2, sid: 'hers', isShort: true })
  const nura = await portal.person('nura')
  await link(nura, 'nuras')
  assert.equal((await signIn({ sub: 'nuras' })).path, '/')
  await change({ secondFactor: 'trusted', sessionHours: null })
})
