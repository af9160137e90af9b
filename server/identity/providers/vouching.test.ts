/** Which addresses an administrator’s word vouches for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPasskey, assertionOf } from '../../../test/factors.ts'
import { lyingPortal } from '../../../test/oidc/lying-portal.ts'

const { portal, signIn } = lyingPortal({ linking: 'verified_email', domains: ['example.org'] })

test('an administrator vouches for no address of their own', async () => {
  const mallory = await portal.person('mallory', { roles: ['admin'] })
  const { authenticator } = await addPasskey(mallory)
  await mallory.patch(`/users/${mallory.id}`, { email: 'chair@example.org' })
  await portal.admin.delete(`/users/${mallory.id}/roles/admin`)
  const { browser, path } = await signIn({ sub: 'the chair', email: 'chair@example.org', email_verified: true })
  const again = portal.stranger()
  const assertion = await assertionOf(again, authenticator)
  const still = (await again.post('/auth/passkeys/sign-in', { assertion })).status
  assert.deepEqual([path, (await browser.me()).body.username, still], ['/sign-in/connect?provider=liar', undefined, 200])
})

test('an account with ways in that are older than its address is not linked unasked, and one without any is', async () => {
  const former = await portal.person('former')
  await addPasskey(former)
  await portal.admin.patch(`/users/${former.id}`, { email: 'successor@example.org' })
  const { path } = await signIn({ sub: 'successor', email: 'successor@example.org', email_verified: true })
  assert.equal(path, '/sign-in/connect?provider=liar')

  await portal.admin.post('/users', { username: 'newcomer', email: 'typo@example.org', invite: true })
  const { id } = (await portal.admin.get('/users?q=newcomer')).body[0]
  await portal.admin.patch(`/users/${id}`, { email: 'newcomer@example.org' })
  assert.equal((await signIn({ sub: 'newcomer', email: 'newcomer@example.org', email_verified: true })).path, '/')
})
