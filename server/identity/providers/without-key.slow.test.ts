/** An instance without SECRETS_KEY beside one that has it, on a database with secrets. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addTotp, codeOf } from '../../../test/factors.ts'
import { browserOf, openBrowser } from '../../../test/oidc/browser.ts'
import { lyingPortal } from '../../../test/oidc/lying-portal.ts'
import { addProvider } from '../../../test/oidc/provider.ts'
import { Client, PASSWORD, testPortal } from '../../../test/portal.ts'
import { fingerprintOf } from '../factors/rules.ts'
import { clientHashOf } from './attempts.ts'

/** A public client: the portal needs no secret for it. */
const lying = lyingPortal({ clientSecret: undefined, createPeople: true })
const { portal, link } = lying
const bare = testPortal({ SSO_INTERNAL_HOSTS: '127.0.0.1' })
const outcome = ({ status, body }: { status: number; body: { code?: string } }) => `${status} ${body.code ?? ''}`.trim()

test('without SECRETS_KEY, calls that need a secret answer 503', async () => {
  const keyless = await portal.another({ SECRETS_KEY: '' })
  const browserAt = (one: Client) => browserOf({ base: keyless.base, instance: keyless }, one)
  const [holder, beginner] = [await portal.person('holder'), await portal.person('beginner')]
  const { secret } = await addTotp(holder)
  await beginner.post('/auth/me/totp')
  const { liar, id } = lying
  const secretId = await addProvider(portal, liar, { slug: 'secret' })
  const tries = '/admin/sign-in/providers'
  const trying = browserOf(portal, portal.admin)
  await liar.answer(trying, {}, { at: (await trying.call('POST', `${tries}/${id}/try`)).body.url })
  assert.equal((await portal.admin.get(`${tries}/${id}/try`)).status, 200)

  const stranger = openBrowser({ base: keyless.base, instance: keyless })
  const login = await stranger.call('POST', '/auth/login', { username: 'holder', password: PASSWORD })
  assert.equal(outcome(login), '401 second_factor_required')
  const begun = openBrowser(portal)
  assert.equal(await liar.answer(begun, { email: 'holder@example.org' }), '/sign-in/connect?provider=liar')
  const comer = openBrowser({ base: keyless.base, instance: keyless })
  for (const [name, value] of begun.cookies()) comer.cookies().set(name, value)

  const code = codeOf(secret)
  const [admin, one, other] = [browserAt(portal.admin), browserAt(holder), browserAt(beginner)]
  const answers = {
    'a code after the password': await stranger.call('POST', '/auth/login/second-factor', { code }),
    'a code that connects an account': await comer.call('POST', '/auth/oidc/pending/link', { password: PASSWORD, code }),
    'a code that confirms': await one.call('POST', '/auth/me/confirm', { code }),
    'the first code': await other.call('POST', '/auth/me/totp/confirm', { code }),
    'signing in with a provider': await stranger.call('POST', '/auth/oidc/secret/start', {}),
    'signing in with a provider that needs no secret': await stranger.call('POST', '/auth/oidc/liar/start', {}),
    'confirming with a provider': await other.call('POST', '/auth/me/confirm/secret', {}),
    'connecting a provider': await other.call('POST', '/auth/me/identities/secret/start', {}),
    'trying a provider': await admin.call('POST', `${tries}/${id}/try`),
    'the result of a try': await admin.call('GET', `${tries}/${id}/try`),
    'adding a provider with a secret': await admin.call('POST', tries, {
      ...{ slug: 'third', nameAr: 'ثالث', nameEn: 'Third', issuer: liar.issuer, clientId: 'portal', clientSecret: 'hunter2' },
    }),
    'switching a provider on': await admin.call('PATCH', `${tries}/${id}`, { isActive: true }),
    'a new secret of a provider': await admin.call('PATCH', `${tries}/${secretId}`, { clientSecret: 'hunter2' }),
  }
  const outcomes = Object.fromEntries(Object.entries(answers).map(([what, answer]) => [what, outcome(answer)]))
  assert.deepEqual(outcomes, Object.fromEntries(Object.keys(answers).map((what) => [what, '503 secrets_not_configured'])))
})

test('without SECRETS_KEY, the sign-in page shows no provider, and people who signed in with one still sign out there', async () => {
  const keyless = await portal.another({ SECRETS_KEY: '' })
  await lying.change({ logout: 'provider', logoutHint: 'id_token' })
  const badr = await portal.person('badr')
  await link(badr, 'badr')
  const { browser: before } = await lying.signIn({ sub: 'badr' })
  const there = openBrowser({ base: keyless.base, instance: keyless })
  for (const [name, value] of before.cookies()) there.cookies().set(name, value)
  assert.equal((await there.me()).status, 200)
  const left = await there.call('POST', '/auth/logout')
  assert.equal(left.status, 200)
  assert.equal(new URL(left.body.endSessionUrl).searchParams.has('id_token_hint'), false)
  const providersAt = async (base: string) => (await new Client(base).get('/auth/methods')).body.providers.length
  assert.deepEqual([await providersAt(keyless.base), (await providersAt(portal.base)) > 0], [0, true])
})

for (const registrationOpen of [true, false])
  test(`without SECRETS_KEY, a database reader cannot forge a sign-in, registration ${registrationOpen ? 'open' : 'closed'}`, async () => {
    await portal.admin.patch('/settings', { registrationOpen })
    const keyless = await portal.another({ SECRETS_KEY: '' })
    const reader = await portal.person(`reader-${registrationOpen}`)
    const { recoveryCodes } = await addTotp(reader)
    const { body: group } = await portal.admin.post('/groups', { name: `Administrators ${registrationOpen}`, roleIds: [] })
    await lying.change({ groupRules: [{ value: 'portal-admins', groupId: group.id }], secondFactor: 'own' })
    await link(reader, `own ${registrationOpen}`)
    const [stored] = await portal.sql<{ version: Date; identityId: number; issuer: string; clientId: string; fingerprint: string }>(
      `select p.updated_at as version, p.issuer, p.client_id as "clientId", i.id as "identityId", u.password_hash as fingerprint
       from sign_in_providers p join identities i on i.provider_id = p.id join users u on u.id = i.user_id where u.id = ${reader.id}`,
    )
    const { version, identityId, issuer, clientId, fingerprint } = stored!
    const settings = { provider: lying.id, version: version.getTime() }
    const browser = openBrowser({ base: keyless.base, instance: keyless })
    // The keyless instance encrypts with the key that a reader of the database finds.
    const bring = (name: string, value: unknown) => browser.cookies().set(name, keyless.encryptedCookies.encrypt(name, value, 600))
    const until = Date.now() + 600_000
    const claimed = {
      ...{ subject: 'anybody', username: null, email: null, isEmailVerified: true, nameAr: null, nameEn: null, language: null, sid: null },
      ...{ groups: ['portal-admins'], isOverage: false, isFresh: true, isStrong: true },
    }
    bring('portal_pending', { for: 'link', id: 'a', userId: reader.id, until, claimed, returnTo: null, ...settings })
    assert.equal(outcome(await browser.call('POST', '/auth/oidc/pending/link', { password: PASSWORD })), '503 secrets_not_configured')
    bring('portal_pending', {
      ...{ for: 'second_factor', id: 'b', userId: reader.id, until, fingerprint: fingerprintOf(fingerprint) },
      by: { providerId: lying.id, identityId, sid: null, hours: null, version: version.getTime() },
    })
    const second = await browser.call('POST', '/auth/login/second-factor', { recoveryCode: recoveryCodes![0] })
    assert.equal(outcome(second), '503 secrets_not_configured')
    const attempt = { provider: lying.id, client: clientHashOf({ issuer, clientId }), state: 's', nonce: 'n', verifier: 'v'.repeat(43) }
    bring('portal_sso', [{ ...attempt, purpose: 'sign_in', returnTo: null, session: null, at: Date.now() }])
    assert.equal((await browser.follow('/api/auth/oidc/liar/callback?state=s&code=c')).path, '/sign-in?failed=state')
    assert.equal((await browser.me()).status, 401)
    const [{ identities }] = (await portal.sql(`select count(*)::int as identities from identities where subject = 'anybody'`)) as [
      { identities: number },
    ]
    assert.equal(identities, 0)
    await lying.change({ groupRules: [], secondFactor: 'trusted' })
  })

test('a portal that never had SECRETS_KEY stores a public client, and refuses to activate it', async () => {
  const answers = []
  for (const registrationOpen of [true, false]) {
    await bare.admin.patch('/settings', { registrationOpen })
    const fields = { slug: `public-${registrationOpen}`, nameAr: 'عام', nameEn: 'Public', issuer: lying.liar.issuer, clientId: 'portal' }
    const { body } = await bare.admin.post('/admin/sign-in/providers', fields)
    const at = `/admin/sign-in/providers/${body.id}`
    assert.deepEqual((await bare.admin.post(`${at}/check`)).body.problems, [])
    answers.push(outcome(await bare.admin.patch(at, { isActive: true })), (await bare.admin.get(at)).body.isActive)
    answers.push((await bare.stranger().post(`/auth/oidc/public-${registrationOpen}/start`, {})).status)
  }
  assert.deepEqual(answers, ['503 secrets_not_configured', false, 404, '503 secrets_not_configured', false, 404])
})
