/** An instance without SECRETS_KEY beside one that has it, on a database with secrets. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addTotp, codeOf } from '../../../test/factors.ts'
import { browserOf, openBrowser } from '../../../test/oidc/browser.ts'
import { lyingPortal } from '../../../test/oidc/lying-portal.ts'
import { addProvider } from '../../../test/oidc/provider.ts'
import { type Client, PASSWORD } from '../../../test/portal.ts'

/** A public client: the portal needs no secret for it. */
const lying = lyingPortal({ clientSecret: undefined, createPeople: true })
const { portal, link } = lying
const outcome = ({ status, body }: { status: number; body: { code?: string } }) => `${status} ${body.code ?? ''}`.trim()

test('without SECRETS_KEY, what needs a secret answers 503', async () => {
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
  const comer = openBrowser({ base: keyless.base, instance: keyless })
  assert.equal(await liar.answer(comer, { email: 'holder@example.org' }), '/sign-in/connect?provider=liar')

  const code = codeOf(secret)
  const [admin, one, other] = [browserAt(portal.admin), browserAt(holder), browserAt(beginner)]
  const answers = {
    'a code after the password': await stranger.call('POST', '/auth/login/second-factor', { code }),
    'a code that connects an account': await comer.call('POST', '/auth/oidc/pending/link', { password: PASSWORD, code }),
    'a code that confirms': await one.call('POST', '/auth/me/confirm', { code }),
    'the first code': await other.call('POST', '/auth/me/totp/confirm', { code }),
    'signing in with a provider': await stranger.call('POST', '/auth/oidc/secret/start', {}),
    'confirming with a provider': await other.call('POST', '/auth/me/confirm/secret', {}),
    'connecting a provider': await other.call('POST', '/auth/me/identities/secret/start', {}),
    'trying a provider': await admin.call('POST', `${tries}/${id}/try`),
    'the result of a try': await admin.call('GET', `${tries}/${id}/try`),
    'adding a provider with a secret': await admin.call('POST', tries, {
      ...{ slug: 'third', nameAr: 'ثالث', nameEn: 'Third', issuer: liar.issuer, clientId: 'portal', clientSecret: 'hunter2' },
    }),
    'a new secret of a provider': await admin.call('PATCH', `${tries}/${secretId}`, { clientSecret: 'hunter2' }),
  }
  const outcomes = Object.fromEntries(Object.entries(answers).map(([what, answer]) => [what, outcome(answer)]))
  assert.deepEqual(outcomes, Object.fromEntries(Object.keys(answers).map((what) => [what, '503 secrets_not_configured'])))
})

test('without SECRETS_KEY, people come in and out by a provider that needs no secret', async () => {
  const keyless = await portal.another({ SECRETS_KEY: '' })
  await lying.change({ logout: 'provider', logoutHint: 'id_token' })
  const badr = await portal.person('badr')
  await link(badr, 'badr')
  const sessionOf = async () => (await lying.signIn({ sub: 'badr' })).browser
  const before = await sessionOf()
  const there = openBrowser({ base: keyless.base, instance: keyless })
  for (const [name, value] of before.cookies()) there.cookies().set(name, value)
  const left = await there.call('POST', '/auth/logout')
  assert.equal(left.status, 200)
  assert.equal(new URL(left.body.endSessionUrl).searchParams.has('id_token_hint'), false)

  assert.equal(await lying.liar.answer(there, { sub: 'badr' }), '/')
  assert.equal((await there.me()).body.username, 'badr')
})
