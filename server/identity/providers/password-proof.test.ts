/** Proofs of accounts by password alone at `/sign-in/connect`, and strangers there. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPasskey, addTotp, codeOf } from '../../../test/factors.ts'
import { lyingPortal } from '../../../test/oidc/lying-portal.ts'
import { PASSWORD } from '../../../test/portal.ts'

const { portal, signIn, change, register } = lyingPortal({ createPeople: true, linking: 'ask' }, { RATE_LIMITS: 'on' })

test('an administrator who has a passkey cannot prove their account by a password alone', async () => {
  const boss = await portal.person('theboss', { roles: ['admin'] })
  const { passkey } = await addPasskey(boss)
  const { browser, path } = await signIn({ sub: 'thief', email: 'theboss@example.org', email_verified: false })
  assert.equal(path, '/sign-in/connect?provider=liar')
  const linked = await browser.call('POST', '/auth/oidc/pending/link', { password: PASSWORD })
  const { level, confirmedUntil } = (await browser.call('GET', '/auth/me/security')).body
  const removed = await browser.call('DELETE', `/auth/me/passkeys/${passkey.id}`)
  assert.deepEqual([linked.status, level, confirmedUntil !== undefined, removed.status], [401, undefined, false, 401])
})

test('somebody who controls only the mailbox, and so the password, removes no passkey', async () => {
  const huda = await portal.person('huda')
  const { passkey } = await addPasskey(huda)
  const { resetUrl } = (await portal.admin.post(`/auth/admin/users/${huda.id}/issue-reset-link`)).body
  await portal.meddle('user', huda.id, `update password_resets set mailed = true where user_id = ${huda.id}`)
  const token = new URL(resetUrl).searchParams.get('token')
  await portal.stranger().post('/auth/reset-password', { token, newPassword: 'of the mailbox' })
  const { browser } = await signIn({ sub: 'reader of the mail', email: 'huda@example.org', email_verified: true })
  await browser.call('POST', '/auth/oidc/pending/link', { password: 'of the mailbox' })
  assert.equal((await browser.call('DELETE', `/auth/me/passkeys/${passkey.id}`)).status, 401)
})

test('a password alone removes no passkeys of an account that nobody has proven, and confirms no session', async () => {
  await change({ secondFactor: 'claims' })
  const rania = portal.stranger()
  rania.id = (await register(rania, { username: 'rania', email: 'rania@example.org', password: PASSWORD })).body.id
  await addPasskey(rania)
  const { browser } = await signIn({ sub: 'thief of rania', email: 'rania@example.org' })
  await browser.call('POST', '/auth/oidc/pending/link', { password: PASSWORD })
  const made = await browser.call('POST', '/auth/me/tokens', { name: 'x', scopes: ['profile:read'] })
  await change({ secondFactor: 'trusted' })
  const { passkeyCount } = (await portal.admin.get(`/users/${rania.id}/factors`)).body
  assert.deepEqual([passkeyCount, made.status], [1, 401])
})

test('a stranger without the password blocks neither the owner’s second factor nor their confirmation', async () => {
  const victim = await portal.person('victim', { roles: ['admin'] })
  const { secret } = await addTotp(victim)
  const { browser } = await signIn({ sub: 'stranger', email: 'victim@example.org' })
  const id = Buffer.alloc(32).toString('base64url')
  const response = { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA', userHandle: 'AAAA' }
  const assertion = { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  const tried = []
  for (let n = 0; n < 11; n++) tried.push((await browser.call('POST', '/auth/oidc/pending/link', { assertion })).body.code)
  const her = portal.stranger()
  await her.post('/auth/login', { username: 'victim', password: PASSWORD })
  const second = await her.post('/auth/login/second-factor', { code: codeOf(secret) })
  const confirmed = await victim.post('/auth/me/confirm', { code: codeOf(secret, 1) })
  assert.deepEqual([second.status, confirmed.status], [200, 200], tried.join())
})
