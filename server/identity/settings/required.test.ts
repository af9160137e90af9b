/** Required sign-in through a provider that goes down. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addTotp, codeOf } from '../../../test/factors.ts'
import { browserOf } from '../../../test/oidc/browser.ts'
import { lyingPortal } from '../../../test/oidc/lying-portal.ts'
import { ADMIN_PASSWORD, PASSWORD } from '../../../test/portal.ts'

const lying = lyingPortal()
const { portal, link } = lying
const LONG = 'fourteen characters'

test('an administrator who has just signed in by the provider requires it, and an exception can sign in by password when it is down', async () => {
  const deputy = await portal.person('deputy', { roles: ['admin'] })
  assert.equal((await portal.admin.post(`/users/${deputy.id}/sign-in-exception`)).status, 200)
  assert.equal((await deputy.post('/auth/me/password', { currentPassword: PASSWORD, newPassword: LONG })).status, 200)
  const { secret } = await addTotp(deputy)

  const { admin } = portal
  await link(admin, 'chief')
  const browser = browserOf(portal, admin)
  const require = () => browser.call('PATCH', '/admin/sign-in/settings', { passwords: 'exceptions' })
  const early = await require()
  assert.deepEqual([early.status, early.body.details.map(({ rule }: { rule: string }) => rule)], [400, ['ownProviderSignIn']])

  const { body } = await browser.call('POST', '/auth/me/confirm/liar', {})
  const claims = { sub: 'chief', auth_time: Math.floor(Date.now() / 1000) }
  assert.equal(await lying.liar.answer(browser, claims, { at: body.url }), '/account/security')
  assert.equal((await browser.call('PATCH', `/admin/sign-in/providers/${lying.id}`, { scopes: 'openid' })).status, 200)
  assert.equal((await require()).status, 400, 'the provider has changed since')
  const again = await browser.call('POST', '/auth/me/confirm/liar', {})
  assert.equal(await lying.liar.answer(browser, claims, { at: again.body.url }), '/account/security')
  await portal.sql(`update sessions set confirmed_at = now() - interval '16 minutes' where user_id = ${admin.id}`)
  assert.equal((await require()).body.code, 'confirmation_required')
  await portal.sql(`update sessions set confirmed_at = now() where user_id = ${admin.id}`)
  assert.equal((await require()).status, 200)

  await lying.liar.close()
  const other = await portal.stranger().post('/auth/login', { username: 'admin', password: ADMIN_PASSWORD })
  assert.deepEqual([other.status, other.body.code], [401, 'invalid_credentials'])
  const stranger = portal.stranger()
  assert.equal((await stranger.post('/auth/login', { username: 'deputy', password: LONG })).body.code, 'second_factor_required')
  assert.equal((await stranger.post('/auth/login/second-factor', { code: codeOf(secret) })).status, 200)
})
