/** Refusals of unknown providers and identities, and of too many tries. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lyingPortal } from '../../../test/oidc/lying-portal.ts'
import { type Answer, PASSWORD } from '../../../test/portal.ts'

const PROVIDERS = '/admin/sign-in/providers'
const lying = lyingPortal({}, { RATE_LIMITS: 'on' })
const { portal } = lying
const code = ({ status, body }: Pick<Answer, 'status' | 'body'>) => [status, body?.code]

test('unknown providers and identities are not found', async () => {
  const { admin } = portal
  const unknown: [method: string, path: string, body?: object][] = [
    ['GET', `${PROVIDERS}/9999`],
    ['PATCH', `${PROVIDERS}/9999`, { nameEn: 'Nobody' }],
    ['DELETE', `${PROVIDERS}/9999`],
    ['POST', `${PROVIDERS}/9999/check`],
    ['POST', `${PROVIDERS}/9999/try`],
    ['GET', `${PROVIDERS}/9999/try`],
    ['POST', '/auth/oidc/nobody/start', {}],
    ['POST', '/auth/me/confirm/nobody', {}],
    ['POST', '/auth/me/identities/nobody/start', {}],
    ['DELETE', '/auth/me/identities/9999'],
    ['GET', '/users/9999/identities'],
    ['DELETE', '/users/9999/identities/9999'],
    ['DELETE', `/users/${admin.id}/identities/9999`],
  ]
  for (const [method, path, body] of unknown)
    assert.deepEqual([method, path, ...code(await admin.send(method, path, body))], [method, path, 404, 'not_found'])
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const logout = await portal.stranger().send('POST', '/auth/oidc/nobody/backchannel-logout', 'logout_token=x', form)
  assert.deepEqual(code(logout), [404, 'not_found'])
})

test('after ten wrong passwords, even the right password is refused as proof of an account', async () => {
  await portal.person('proving')
  const { browser, path } = await lying.signIn({ sub: 'proving', email: 'proving@example.org' })
  assert.equal(path, '/sign-in/connect?provider=liar')
  const prove = async (password: string) => code(await browser.call('POST', '/auth/oidc/pending/link', { password }))
  for (let n = 0; n < 10; n++) assert.deepEqual(await prove('wrong'), [401, 'invalid_credentials'])
  assert.deepEqual(await prove(PASSWORD), [429, 'rate_limited'])
})
