/** Administrators manage providers, and strangers see little of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lyingPortal } from '../../../test/oidc/lying-portal.ts'
import type { Answer } from '../../../test/portal.ts'

const lying = lyingPortal({ slug: 'first', sortOrder: 1 })
const { portal, at, change, link } = lying
const issuer = 'https://login.example.org'
const names = { nameAr: 'حساب', nameEn: 'Account' }
const add = (slug: string, fields: object = {}) =>
  portal.admin.post('/admin/sign-in/providers', { slug, ...names, issuer, clientId: 'portal', ...fields })
const code = ({ status, body }: Answer) => [status, body?.code]
const details = ({ status, body }: Answer) => [status, body.details?.map(({ path, rule }: { path: string; rule: string }) => [path, rule])]

test('a provider is added inactive, with the documented defaults, and its secret is never shown', async () => {
  const secret = 'only the two know it'
  const { status, body, text } = await add('entra', { clientSecret: secret })
  const { id, createdAt, updatedAt, ...shown } = body
  assert.deepEqual([status, text.includes(secret)], [201, false])
  assert.deepEqual(shown, {
    slug: 'entra',
    ...names,
    iconName: 'log-in',
    sortOrder: 0,
    isActive: false,
    isDefault: false,
    issuer,
    clientId: 'portal',
    clientAuth: 'basic',
    scopes: 'openid profile email',
    claims: {
      username: 'preferred_username',
      email: 'email',
      nameAr: null,
      nameEn: 'name',
      language: 'locale',
      groups: 'groups',
      external: null,
    },
    require: [],
    createPeople: false,
    linking: 'ask',
    domains: [],
    groupRules: [],
    groupMode: 'add',
    sourceId: null,
    refreshProfile: false,
    secondFactor: 'trusted',
    acrValues: [],
    sessionHours: null,
    logout: 'local',
    logoutHint: 'client_id',
    hasSecret: true,
    isChecked: false,
    redirectUrl: `${portal.instance.config.publicUrl}/api/auth/oidc/entra/callback`,
    backchannelUrl: `${portal.instance.config.publicUrl}/api/auth/oidc/entra/backchannel-logout`,
    jwksUrl: null,
    identityCount: 0,
    sessionCount: 0,
    isReachable: true,
    lastSignInAt: null,
    signIns24h: 0,
    refusals24h: {},
    overage24h: 0,
  })
  const read = await portal.admin.get(`/admin/sign-in/providers/${id}`)
  assert.deepEqual([read.body, read.text.includes(secret)], [body, false])
  assert.deepEqual(code(await add('entra')), [409, 'slug_taken'])
  assert.equal((await add('public')).body.clientAuth, 'none')
})

for (const [what, slug, fields, path, rule] of [
  ['the slug `pending`', 'pending', {}, 'slug', 'pattern'],
  ['a slug in upper case', 'Entra', {}, 'slug', 'pattern'],
  ['a slug of 41 characters', 'x'.repeat(41), {}, 'slug', 'pattern'],
  ['an issuer without TLS that the operator has not named', 'plain', { issuer: 'http://login.example.org' }, 'issuer', 'providerAddress'],
  ['a password in the issuer', 'account', { issuer: 'https://a:b@login.example.org' }, 'issuer', 'providerAddress'],
  ['a query in the issuer', 'query', { issuer: 'https://login.example.org/?x=1' }, 'issuer', 'providerAddress'],
  ['no scope openid', 'scopes', { scopes: 'profile email' }, 'scopes', 'enum'],
  ['verified addresses of no domain', 'linking', { linking: 'verified_email' }, 'domains', 'minItems'],
  ['a domain that is none', 'domain', { domains: ['@example.org'] }, 'domains.0', 'pattern'],
  ['a domain with an invisible letter', 'unseen', { domains: ['example.org', 'exam\u3164ple.org'] }, 'domains.1', 'pattern'],
  ['a domain with an empty label', 'empty', { domains: ['example..org'] }, 'domains.0', 'pattern'],
  ['a domain with a dot at its end', 'dotted', { domains: ['example.org.'] }, 'domains.0', 'pattern'],
  ['a domain with a label of 64 letters', 'wide', { domains: [`${'x'.repeat(64)}.org`] }, 'domains.0', 'pattern'],
  ['sessions of no hours', 'short', { sessionHours: 0 }, 'sessionHours', 'minimum'],
  ['sessions of 721 hours', 'long', { sessionHours: 721 }, 'sessionHours', 'maximum'],
  ['the wish to be active before a check', 'active', { isActive: true }, 'isActive', 'checked'],
] as const)
  test(`a provider with ${what} is refused`, async () => {
    assert.deepEqual(details(await add(slug, fields)), [400, [[path, rule]]])
  })

test('there are at most twenty providers', async () => {
  const { length } = (await portal.admin.get('/admin/sign-in/providers')).body
  const more: number[] = []
  for (let n = length; n < 20; n++) more.push((await add(`more-${n}`)).body.id)
  const { status, body } = await add('too-many')
  assert.deepEqual([status, body.code, body.quota, body.used, body.allowed], [409, 'quota_exceeded', 'sign_in_providers', 20, 20])
  for (const id of more) assert.equal((await portal.admin.delete(`/admin/sign-in/providers/${id}`)).status, 204)
})

test('a provider has at most 2,000 rules', async () => {
  const { id: groupId } = (await portal.admin.post('/groups', { name: 'Ruled' })).body
  const rules = (count: number) => ({ groupRules: Array.from({ length: count }, (_, n) => ({ value: `value ${n}`, groupId })) })
  for (const { status, body } of [await add('ruled', rules(2001)), await portal.admin.patch(at(), rules(2001))])
    assert.deepEqual([status, body.code, body.quota, body.used, body.allowed], [409, 'quota_exceeded', 'provider_rules', 2001, 2000])
  const { id } = (await add('ruled', rules(2000))).body
  assert.equal((await portal.admin.delete(`/admin/sign-in/providers/${id}`)).status, 204)
})

test('the issuer of a provider at which somebody has an identity cannot change, whether the new one answers or not', async () => {
  const move = (more: object = {}) => portal.admin.patch(at(), { issuer: `${lying.liar.issuer}/elsewhere`, ...more })
  assert.deepEqual(code(await move()), [400, 'validation_failed'], 'nothing answers there')
  const huda = await portal.person('huda')
  await link(huda, 'hudas')
  const isRefused = [409, 'has_dependents', 1]
  const refusalOf = async (more: object = {}) => {
    const refused = await move(more)
    return [...code(refused), refused.body.identityCount]
  }
  assert.deepEqual(await refusalOf(), isRefused)
  assert.deepEqual(await refusalOf({ clientId: 'other', clientSecret: 'other', nameEn: 'Other' }), isRefused)
  assert.deepEqual(code(await move({ issuer: 'nowhere' })), [400, 'validation_failed'])
  await change({ isActive: false })
  assert.deepEqual(await refusalOf(), isRefused)
  assert.deepEqual(await refusalOf({ isActive: true }), isRefused)
  await change({ isActive: true })
})

test('a new client or secret of an active provider is checked before it is stored', async () => {
  const isChecked = [400, [['isActive', 'checked']]]
  const { liar } = lying
  liar.instead.set('/.well-known/openid-configuration', (response) => response.destroy())
  for (const fields of [{ clientId: 'other' }, { clientSecret: 'another' }])
    assert.deepEqual(details(await portal.admin.patch(at(), fields)), isChecked, JSON.stringify(fields))
  assert.deepEqual(details(await portal.admin.patch(at(), { clientSecret: null })), isChecked)
  liar.repent()
  assert.equal((await portal.admin.get(at())).body.clientId, 'portal')
  assert.equal((await change({ clientId: 'other' })).isChecked, true)
  await change({ clientId: 'portal' })
})

/** Calls `act` while `during` waits for the provider’s keys. Returns the answer to `during`. */
async function whileChecked(during: () => Promise<Answer>, act: () => Promise<unknown>) {
  const { liar } = lying
  liar.instead.set('/jwks', (response) => {
    liar.instead.delete('/jwks')
    void act().then(async () => response.end(await (await fetch(`${liar.issuer}/jwks`)).text()))
  })
  return during()
}

test('an inactive provider needs another check once its client changes', async () => {
  await change({ isActive: false })
  assert.equal((await change({ nameEn: 'Other' })).isChecked, true)
  assert.equal((await change({ clientId: 'other' })).isChecked, false)
  assert.deepEqual(details(await portal.admin.patch(at(), { isActive: true })), [400, [['isActive', 'checked']]])
  await change({ clientId: 'portal' })
  assert.deepEqual((await portal.admin.post(`${at()}/check`)).body.problems, [])
  assert.equal((await change({ isActive: true })).isActive, true)
})

test('a check says nothing about settings that change while it runs', async () => {
  const secretly = () => portal.admin.patch(at(), { clientSecret: 'another' })
  assert.deepEqual(details(await whileChecked(secretly, () => change({ clientId: 'other' }))), [400, [['isActive', 'checked']]])
  await change({ isActive: false })
  assert.equal((await change({ clientId: 'third' })).isChecked, false)
  const check = () => portal.admin.post(`${at()}/check`)
  const { body } = await whileChecked(check, () => change({ clientId: 'portal' }))
  assert.deepEqual([body.problems, (await portal.admin.get(at())).body.isChecked], [[], false])
  assert.deepEqual((await check()).body.problems, [])
  assert.equal((await change({ isActive: true })).isActive, true)
})

test('strangers see the active providers in their order, and nothing of accounts', async () => {
  const methods = async () => (await portal.stranger().get('/auth/methods')).body
  const { nameAr, nameEn } = await change({ nameEn: 'Work account' })
  const first = { slug: 'first', nameAr, nameEn, issuer: lying.liar.issuer, iconName: 'log-in', isDefault: false, isReachable: true }
  assert.deepEqual(await methods(), { password: 'everyone', passkeys: 'everyone', registration: true, providers: [first] })
  const { id } = (await add('second', { issuer: lying.liar.issuer, sortOrder: 0 })).body
  await portal.admin.post(`/admin/sign-in/providers/${id}/check`)
  await portal.admin.patch(`/admin/sign-in/providers/${id}`, { isActive: true })
  await portal.admin.patch('/settings', { registrationOpen: false })
  const { registration, providers } = await methods()
  assert.deepEqual([registration, providers.map(({ slug }: { slug: string }) => slug)], [false, ['second', 'first']])
})
