/** A portal that authenticates to the provider by a key of its own. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { openBrowser } from '../../../test/oidc/browser.ts'
import { lyingPortal } from '../../../test/oidc/lying-portal.ts'
import { addProvider, openProvider } from '../../../test/oidc/provider.ts'
import { until } from '../../../test/portal.ts'

const ownKey = { clientAuth: 'private_key_jwt', clientSecret: null }
const lying = lyingPortal({ createPeople: true })
const { portal, signIn, change } = lying
before(async () => {
  await portal.ready
  await until('the provider is there', () => lying.id)
  lying.liar.state.metadata = { token_endpoint_auth_methods_supported: ['private_key_jwt'] }
  await change(ownKey)
})

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const keysOf = async (slug: string) => (await portal.stranger().get(`/auth/oidc/${slug}/jwks`)).body as JSONWebKeySet

/** Makes the provider give tokens only for assertions that these keys signed. Returns the requests whose assertions were accepted. */
function demandAssertion(keys: JSONWebKeySet) {
  const taken: { form: string[]; jti: string }[] = []
  lying.liar.instead.set('/token', async (response, { form, headers }) => {
    const assertion = form.get('client_assertion') ?? ''
    const expected = {
      issuer: 'portal',
      subject: 'portal',
      audience: lying.liar.issuer,
      requiredClaims: ['jti', 'exp'],
      maxTokenAge: '1 min',
    }
    const signed = await jwtVerify(assertion, createLocalJWKSet(keys), { ...expected, algorithms: ['ES256'] }).catch(() => null)
    const isTaken = signed !== null && form.get('client_assertion_type') === TYPE && headers.authorization === undefined
    if (isTaken) taken.push({ form: [...form.keys()].toSorted(), jti: signed.payload.jti! })
    const answer = isTaken
      ? { access_token: 'access', token_type: 'Bearer', id_token: lying.liar.state.idToken }
      : { error: 'invalid_client' }
    response.writeHead(isTaken ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  return taken
}

test('the portal signs a new assertion for each sign-in, which its published key verifies, and sends no secret', async () => {
  const keys = await keysOf('liar')
  const { kty, crv, alg, use, kid, ...point } = keys.keys[0]!
  assert.deepEqual([keys.keys.length, kty, crv, alg, use, kid], [1, 'EC', 'P-256', 'ES256', 'sig', 'portal'])
  assert.deepEqual(Object.keys(point).toSorted(), ['x', 'y'])
  const taken = demandAssertion(keys)
  for (const sub of ['sara', 'sara']) assert.equal((await signIn({ sub, email: 'sara@example.org' })).path, '/')
  const form = ['client_assertion', 'client_assertion_type', 'code', 'code_verifier', 'grant_type', 'redirect_uri']
  assert.deepEqual(
    taken.map((one) => one.form.filter((name) => name !== 'client_id')),
    [form, form],
  )
  assert.notEqual(taken[0]!.jti, taken[1]!.jti)
})

test('a sign-in fails if the provider rejects the assertion', async () => {
  const [key] = (await keysOf('liar')).keys
  const taken = demandAssertion({ keys: [{ ...key!, x: key!['y'] as string, y: key!['x'] as string }] })
  assert.equal((await signIn({ sub: 'sara', email: 'sara@example.org' })).path, '/sign-in?failed=token')
  assert.deepEqual(taken, [])
})

test('the key stays when other settings change, and its private half is stored encrypted', async () => {
  const before = await keysOf('liar')
  await change({ nameEn: 'Another name', clientAuth: 'private_key_jwt' })
  assert.deepEqual(await keysOf('liar'), before)
  assert.equal((await portal.stranger().get('/auth/oidc/nobody/jwks')).status, 404)
  const [row] = await portal.sql<{ text: string }>('select sign_in_providers::text as text from sign_in_providers')
  assert.ok(!row!.text.includes('PRIVATE KEY'))
})

test('a real provider fetches the key and accepts the assertion', async () => {
  const real = await openProvider({ portalUrl: portal.instance.config.publicUrl, base: portal.base, knowsKey: true })
  await addProvider(portal, real, ownKey)
  real.accounts.set('real', { email: 'real@example.org' })
  real.as = 'real'
  assert.equal(await openBrowser(portal).signIn(), '/')
})
