/** Providers that leave the second factor to the portal. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPasskey, addTotp, codeOf } from '../../../test/factors.ts'
import { openBrowser, type TestBrowser } from '../../../test/oidc/browser.ts'
import { lyingPortal } from '../../../test/oidc/lying-portal.ts'
import { PASSWORD, until } from '../../../test/portal.ts'

const { portal, signIn, change, link } = lyingPortal({ secondFactor: 'own' })

test('a second step that a provider began fails while the provider is inactive, and once its identity is disconnected', async () => {
  const maha = await portal.person('maha')
  const { secret } = await addTotp(maha)
  await link(maha, 'mahas')
  const one = await signIn({ sub: 'mahas' })
  assert.equal(one.path, '/sign-in/second')
  const complete = async (browser: TestBrowser, code: string) => {
    const { status, body } = await browser.call('POST', '/auth/login/second-factor', { code })
    return [status, body.code]
  }
  await change({ isActive: false })
  assert.deepEqual(await complete(one.browser, codeOf(secret)), [401, 'invalid_factor'])
  await change({ isActive: true })
  assert.deepEqual(await complete(one.browser, codeOf(secret)), [401, 'invalid_factor'], 'it was switched off in between')
  assert.deepEqual(await complete((await signIn({ sub: 'mahas' })).browser, codeOf(secret)), [200, undefined])

  const other = await signIn({ sub: 'mahas' })
  await portal.meddle('user', maha.id, `delete from identities where user_id = ${maha.id}`)
  assert.deepEqual(await complete(other.browser, codeOf(secret, 1)), [401, 'invalid_factor'])
  const byPassword = openBrowser(portal)
  await byPassword.call('POST', '/auth/login', { username: 'maha', password: PASSWORD })
  assert.deepEqual(await complete(byPassword, codeOf(secret, 1)), [200, undefined])
})

test('a stream ends once its session owes the factor that its provider leaves to the portal', async () => {
  const streamOf = (browser: TestBrowser) =>
    Object.assign(portal.stranger(), { cookie: `portal_session=${browser.cookies().get('portal_session')}` }).listen()
  const [zain, rami] = [await portal.person('zain'), await portal.person('rami')]
  const { secret } = await addTotp(zain)
  await link(zain, 'zains')
  await link(rami, 'ramis')
  const { browser } = await signIn({ sub: 'zains' })
  assert.equal((await browser.call('POST', '/auth/login/second-factor', { code: codeOf(secret) })).status, 200)
  await change({ secondFactor: 'claims' })
  const weak = (await signIn({ sub: 'ramis' })).browser
  const streams = [await streamOf(browser), await streamOf(weak)]
  assert.deepEqual(
    streams.map(({ status }) => status),
    [200, 200],
  )

  await change({ secondFactor: 'own' })
  assert.equal((await browser.call('DELETE', '/auth/me/totp')).status, 204)
  await until('both streams are closed', () => streams.every(({ isOpen }) => !isOpen))
  for (const one of [browser, weak]) assert.equal((await one.call('GET', '/orders/my')).body.code, 'enrolment_required')
})

test('linking needs the second factor, not only the password', async () => {
  const nura = await portal.person('nura')
  const { authenticator } = await addPasskey(nura)
  const { browser, path } = await signIn({ sub: 'nuras', email: 'nura@example.org' })
  assert.equal(path, '/sign-in/connect?provider=liar')
  const prove = (body: object) => browser.call('POST', '/auth/oidc/pending/link', body)
  const asked = await prove({ password: PASSWORD })
  assert.deepEqual([asked.status, asked.body.code, asked.body.methods], [401, 'second_factor_required', ['passkey', 'recovery_code']])
  const { body } = await browser.call('POST', '/auth/passkeys/options', { purpose: 'link' })
  const { status } = await prove({ password: PASSWORD, assertion: authenticator.get(body.options) })
  assert.deepEqual([status, (await browser.call('GET', '/auth/me/security')).body.level], [200, 2])
})

test('an account that was proven in another tab is signed in to, not refused', async () => {
  await portal.person('dana')
  const [one, other] = [
    await signIn({ sub: 'danas', email: 'dana@example.org' }),
    await signIn({ sub: 'danas', email: 'dana@example.org' }),
  ]
  const prove = async ({ browser }: typeof one) => (await browser.call('POST', '/auth/oidc/pending/link', { password: PASSWORD })).status
  assert.deepEqual([await prove(one), await prove(other)], [200, 200])
})

test('somebody who can sign in at a provider and then show a one-time code can remove their passkey', async () => {
  const lina = await portal.person('lina')
  const { passkey } = await addPasskey(lina)
  await addTotp(lina)
  await link(lina, 'linas')
  await portal.meddle('user', lina.id, `update users set password_hash = null where id = ${lina.id}`)
  assert.equal((await lina.delete(`/auth/me/passkeys/${passkey.id}`)).status, 204)
})

test('the claims of a sign-in take effect for somebody with a factor only once the factor is shown', async () => {
  const reem = await portal.person('reem')
  const { secret } = await addTotp(reem)
  await link(reem, 'reems')
  const group = (await portal.admin.post('/groups', { name: 'Claimed' })).body.id
  await change({ refreshProfile: true, groupRules: [{ value: 'staff', groupId: group }] })
  const groups = async () => (await portal.admin.get(`/users/${reem.id}`)).body.groups.map(({ id }: { id: number }) => id)
  const profile = async () => {
    const { email, displayNameEn } = (await portal.admin.get(`/users/${reem.id}`)).body
    return [email, displayNameEn]
  }
  const before = await profile()
  const signInAs = (claims: object) => signIn({ sub: 'reems', ...claims })
  const { browser, path } = await signInAs({ email: 'reem-moved@example.org', name: 'Reem Moved', groups: ['staff'] })
  assert.equal(path, '/sign-in/second')
  assert.deepEqual([await profile(), (await groups()).includes(group)], [before, false])
  const { status, body } = await browser.call('POST', '/auth/login/second-factor', { code: codeOf(secret) })
  assert.deepEqual([status, body.email, body.displayNameEn], [200, 'reem-moved@example.org', 'Reem Moved'])
  assert.deepEqual([await profile(), (await groups()).includes(group)], [['reem-moved@example.org', 'Reem Moved'], true])
  const [{ email }] = (await portal.admin.get(`/users/${reem.id}/identities`)).body
  assert.equal(email, 'reem-moved@example.org')

  await change({ secondFactor: 'claims' })
  assert.equal((await signInAs({ email: 'thief@example.org' })).path, '/')
  assert.equal((await profile())[0], 'reem-moved@example.org')
  assert.equal((await signInAs({ email: 'reem-new@example.org', amr: ['mfa'] })).path, '/')
  assert.equal((await profile())[0], 'reem-new@example.org')
  await change({ refreshProfile: false, secondFactor: 'own', groupRules: [] })
})

test('somebody with a factor and 200 groups joins all that the claim names, and leaves the one that it no longer names', async () => {
  const salma = await portal.person('salma')
  const { recoveryCodes } = await addTotp(salma)
  await link(salma, 'salmas')
  await portal.sql(
    `begin;
     insert into groups (name) select 'Ruled ' || n from generate_series(0, 200) as n;
     insert into ledger (kind, target_type, target_id, facts) select 'test.meddled', 'group', id, '{}' from groups where name like 'Ruled %';
     commit`,
  )
  const groups = await portal.sql<{ id: number }>(`select id from groups where name like 'Ruled %' order by id`)
  const rules = groups.map(({ id }, n) => ({ value: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, groupId: id }))
  const values = rules.map(({ value }) => value)
  await change({ groupMode: 'manage', groupRules: rules, claims: { external: 'oid' } })
  const come = async (claimed: string[]) => {
    const { browser, path } = await signIn({ sub: 'salmas', oid: 'x'.repeat(4000), groups: claimed })
    assert.equal(path, '/sign-in/second')
    const { status } = await browser.call('POST', '/auth/login/second-factor', { recoveryCode: recoveryCodes!.pop() })
    assert.equal(status, 200)
    const held = new Set((await portal.admin.get(`/users/${salma.id}`)).body.groups.map(({ id }: { id: number }) => id))
    return values.filter((_, n) => held.has(rules[n]!.groupId))
  }
  assert.deepEqual(await come(values), values)
  assert.deepEqual(await come(values.slice(1)), values.slice(1))
  await change({ groupRules: [rules[0], rules[1]] })
  assert.deepEqual(await come(values.slice(2)), values.slice(2))
  assert.deepEqual(await come(['unknown', ...values.slice(1)]), values.slice(1))
  await change({ groupMode: 'add', groupRules: [], claims: { external: null } })
})
