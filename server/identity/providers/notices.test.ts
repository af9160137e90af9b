/** Mails about providers and identities. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runJob } from '../../../test/jobs.ts'
import { openMailbox } from '../../../test/mailbox.ts'
import { browserOf } from '../../../test/oidc/browser.ts'
import { lyingPortal } from '../../../test/oidc/lying-portal.ts'
import { PASSWORD, until } from '../../../test/portal.ts'

const mailbox = await openMailbox()
const lying = lyingPortal({ linking: 'verified_email', domains: ['example.org'] }, { SMTP_URL: mailbox.url })
const { portal, signIn } = lying

/** The subjects of the mails that `act` causes, by their readers; waits for `count` mails. */
async function mailed(count: number, act: () => Promise<unknown>) {
  mailbox.received.length = 0
  await act()
  await until('the mails have come', () => mailbox.received.length >= count)
  return mailbox.received.map(({ recipients, subject }) => [recipients[0], subject]).toSorted()
}
const LINKED = 'A new way to sign in to your account'

test('a person gets a mail about each identity that is linked to their account, however it was linked', async () => {
  const verified = await portal.person('verified', { preferredLanguage: 'en' })
  const linked = await mailed(1, () => signIn({ sub: 'one', email: 'verified@example.org', email_verified: true }))
  assert.deepEqual(linked, [['verified@example.org', LINKED]])
  assert.equal((await verified.get('/auth/me/identities')).body.length, 1)

  await portal.person('proven', { preferredLanguage: 'en' })
  const { browser } = await signIn({ sub: 'two', email: 'proven@example.org' })
  const proven = await mailed(1, () => browser.call('POST', '/auth/oidc/pending/link', { password: PASSWORD }))
  assert.deepEqual(proven, [['proven@example.org', LINKED]])

  const connecting = browserOf(portal, await portal.person('connecting', { preferredLanguage: 'en' }))
  const { body } = await connecting.call('POST', '/auth/me/identities/liar/start', {})
  const connected = await mailed(1, () => lying.liar.answer(connecting, { sub: 'three' }, { at: body.url }))
  assert.deepEqual(connected, [['connecting@example.org', LINKED]])
})

test('administrators get a mail, with a link, about a provider that has not answered for a quarter of an hour', async () => {
  await portal.person('chief', { roles: ['admin'], preferredLanguage: 'en' })
  lying.liar.instead.set('/.well-known/openid-configuration', (response) => response.destroy())
  await portal.sql('update provider_states set fetched_at = null')
  await runJob(portal, 'watch_providers')
  await portal.sql(`update provider_states set unreachable_since = unreachable_since - interval '16 minutes'`)
  const mails = await mailed(2, () => runJob(portal, 'watch_providers'))
  assert.deepEqual(
    mails.map(([reader]) => reader),
    ['admin@localhost', 'chief@example.org'],
  )
  assert.match(mailbox.received[0]!.text!, /\/admin\/sign-in/)
  lying.liar.repent()
})
