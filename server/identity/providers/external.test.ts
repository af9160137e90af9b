/** A provisioning source and a provider of the same directory know people by the same id. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { lyingPortal } from '../../../test/oidc/lying-portal.ts'
import { newSource, type TestSource } from '../../../test/scim.ts'

const lying = lyingPortal({ createPeople: true })
const { portal, signIn, change, link, at } = lying
let source: TestSource
// A `before` hook could run before the provider is added.
beforeEach(async () => {
  if (source) return
  source = await newSource(portal)
  await change({ sourceId: source.id, claims: { external: 'oid' } })
})

const person = async (name: string, externalId: string) => {
  const { id } = await source.person(`${name}@example.org`, { externalId })
  return Number(id)
}
const meOf = async (claims: object) => {
  const { browser, path } = await signIn({ email_verified: true, ...claims } as Record<string, unknown>)
  return [path, (await browser.me()).body.id]
}
const refused = ['/sign-in?failed=not_allowed', undefined]

test('a change that names one claim leaves the other claims as they are', async () => {
  const { body } = await portal.admin.get(at())
  assert.deepEqual([body.sourceId, body.claims.external, body.claims.groups], [source.id, 'oid', 'groups'])
  const changed = await change({ claims: { groups: 'roles' } })
  assert.deepEqual([changed.claims.groups, changed.claims.external, changed.claims.email], ['roles', 'oid', 'email'])
  await change({ claims: { groups: 'groups' } })
  assert.equal((await portal.admin.patch(at(), { claims: { email: null } })).status, 400)
})

test('a person of the source is connected by their id there, even with another address', async () => {
  const [one, other] = [await person('huda', 'A1'), await person('omar', 'A2')]
  assert.deepEqual(await meOf({ sub: 'hudas', oid: 'A1', email: 'elsewhere@example.org' }), ['/', one])
  assert.deepEqual(await meOf({ sub: 'omars', oid: 'A2' }), ['/', other])
  assert.deepEqual(await meOf({ sub: 'omars', oid: 'A1' }), ['/', other], 'the identity comes first')
})

test('an id counts only if it matches exactly and the named source still provisions that person', async () => {
  const foreign = await newSource(portal)
  await foreign.person('foreign@example.org', { externalId: 'B1' })
  const gone = await person('gone', 'B2')
  await source.call('DELETE', `/Users/${gone}`)
  await person('cased', 'b3')
  for (const [sub, oid] of [
    ['one', 'B1'],
    ['two', 'B2'],
    ['three', 'B3'],
  ])
    assert.deepEqual(await meOf({ sub, oid }), ['/sign-in?failed=claims', undefined], oid)
})

test('exceptions, inactive people, and people with another identity at the provider are not connected', async () => {
  const [exception, inactive, known] = [await person('spare', 'C1'), await person('idle', 'C2'), await person('known', 'C3')]
  await portal.admin.patch(`/users/${inactive}`, { isActive: false })
  await link({ id: known }, 'knowns')
  await portal.meddle('user', exception, `update users set is_exception = true where id = ${exception}`)
  for (const oid of ['C1', 'C2', 'C3']) assert.deepEqual(await meOf({ sub: `new ${oid}`, oid }), refused, oid)
})

test('an account with a way in that is older than its address is not connected by the id alone until an administrator hands it over', async () => {
  const former = await portal.person('former')
  assert.equal((await portal.admin.patch(`/users/${former.id}`, { email: 'shared@example.org' })).status, 200)
  assert.equal(await person('shared', 'D1'), former.id)
  assert.equal((await portal.admin.get(`/users/${former.id}/provisioning`)).body.hasOlderWays, true)
  assert.deepEqual(await meOf({ sub: 'shareds', oid: 'D1' }), ['/sign-in/connect?provider=liar', undefined])
  assert.equal((await portal.admin.post(`/users/${former.id}/adoption`)).status, 204)
  assert.equal((await former.get('/auth/me')).status, 401)
  assert.deepEqual(await meOf({ sub: 'shareds', oid: 'D1' }), ['/', former.id])
})

test('an administrator is not connected by an id of a source that may not change administrators, but must prove the account', async () => {
  const id = await person('chief', 'E1')
  assert.equal((await portal.admin.post(`/users/${id}/roles`, { roleName: 'admin' })).status, 200)
  const [path, me] = await meOf({ sub: 'chiefs', oid: 'E1' })
  assert.match(String(path), /^\/sign-in\/connect\?/)
  assert.equal(me, undefined)
  assert.deepEqual((await portal.admin.get(`/users/${id}/identities`)).body, [])
  await portal.admin.patch(`/admin/provisioning/sources/${source.id}`, { mayGrantAdmin: true })
  assert.deepEqual(await meOf({ sub: 'chiefs', oid: 'E1' }), ['/', id])
  await portal.admin.patch(`/admin/provisioning/sources/${source.id}`, { mayGrantAdmin: false })
  assert.deepEqual(await meOf({ sub: 'chiefs', oid: 'E1' }), ['/', id], 'the identity comes first')
})

test('a provider names a source that exists, and forgets one that is deleted', async () => {
  const { status, body } = await portal.admin.patch(at(), { sourceId: 2 ** 31 - 1 })
  assert.deepEqual([status, body.code], [400, 'unknown_ids'])
  const temporary = await newSource(portal)
  await change({ sourceId: temporary.id })
  const { audit } = await portal.traces(() => portal.admin.delete(`/admin/provisioning/sources/${temporary.id}`))
  const entry = audit.find(({ action }) => action === 'provider.update')!
  assert.deepEqual(entry.metadata['changed'], { sourceId: { from: temporary.id, to: null } })
  assert.equal((await portal.admin.get(at())).body.sourceId, null)
  await change({ sourceId: source.id })
})

test('metadata with characters or nesting that cannot be stored are a problem of the provider, not of the portal', async () => {
  const { liar } = lying
  const check = async (more: object) => {
    Object.assign(liar.state.metadata, more)
    const { status, body } = await portal.admin.post(`${at()}/check`)
    liar.repent()
    return [status, body.problems.length]
  }
  assert.deepEqual(await check({ x: 'a\0b' }), [200, 1])
  assert.deepEqual(await check({ 'a\ud800': 'x' }), [200, 1])
  liar.instead.set('/.well-known/openid-configuration', (response) => {
    response.end(`{"issuer":"${liar.issuer}","authorization_endpoint":"${liar.issuer}/authorize","token_endpoint":"${liar.issuer}/token",
      "jwks_uri":"${liar.issuer}/jwks","id_token_signing_alg_values_supported":["ES256"],"x":${'['.repeat(60_000)}${']'.repeat(60_000)}}`)
  })
  assert.deepEqual(await check({}), [200, 0])
})

test('an address that differs only in case leaves the account as proven as it was', async () => {
  const rana = await portal.person('rana')
  await link(rana, 'ranas')
  await change({ refreshProfile: true })
  const proven = async () =>
    (await portal.sql(`select email, email_vouched as vouched, is_proven as proven from users where id = ${rana.id}`))[0]
  const before = await proven()
  assert.equal((await signIn({ sub: 'ranas', email: 'Rana@Example.org' })).path, '/')
  assert.deepEqual(await proven(), before)
  await change({ refreshProfile: false })
  await portal.admin.patch(`/users/${rana.id}`, { email: 'RANA@example.org' })
  assert.deepEqual(await proven(), { ...before, email: 'RANA@example.org' })
})
