/** A provider that is deleted although people have no other way to sign in. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMailbox } from '../../../test/mailbox.ts'
import { openBrowser } from '../../../test/oidc/browser.ts'
import { lyingPortal } from '../../../test/oidc/lying-portal.ts'
import { until } from '../../../test/portal.ts'

const mailbox = await openMailbox()
const { portal, signIn, at, link } = lyingPortal({ createPeople: true }, { SMTP_URL: mailbox.url })

test('a forced deletion keeps the people, ends their sessions, and invites by mail those who have no other way', async () => {
  const { browser } = await signIn({ sub: 'only', email: 'only@example.org', locale: 'en' })
  const only = (await browser.me()).body
  const both = await portal.person('both')
  await link(both, 'both')
  const gone = await portal.person('gone')
  await link(gone, 'gone')
  await portal.admin.patch(`/users/${gone.id}`, { isActive: false })
  await portal.meddle('user', gone.id, `update users set password_hash = null where id = ${gone.id}`)

  const refused = await portal.admin.delete(at())
  assert.deepEqual([refused.status, refused.body.code, refused.body.count], [409, 'last_sign_in_method', 1])
  const { audit, events } = await portal.traces(async () => assert.equal((await portal.admin.delete(`${at()}?force=true`)).status, 204))
  assert.deepEqual(
    audit.map(({ action, target }) => [action, action === 'provider.delete' ? null : target]),
    [['provider.delete', null], ...[only.id, both.id, gone.id].map((id) => ['identity.unlink', id])],
  )
  assert.deepEqual(
    events.filter(({ event }) => event === 'session_ended').map(({ data, to }) => [data, to]),
    [[{ reason: 'provider' }, [only.id]]],
  )
  assert.deepEqual([(await browser.me()).status, (await both.get('/auth/me')).status], [401, 200])
  assert.equal((await openBrowser(portal).call('POST', '/auth/oidc/liar/start', {})).status, 404)
  for (const [{ id }, invitation] of [
    [only, 'pending'],
    [both, null],
    [gone, null],
  ] as const)
    assert.equal((await portal.admin.get(`/users/${id}`)).body.invitation, invitation)

  const mail = await until('the invitation comes', () => mailbox.received.at(0))
  assert.deepEqual([mail.recipients, mail.subject], [['only@example.org'], 'Your account at Bawaba'])
  const token = /\/reset-password\?token=([\w-]{43})/.exec(mail.text ?? '')![1]
  const chosen = { token, newPassword: 'a password of my own' }
  await until('its link is good', async () => (await portal.stranger().post('/auth/reset-password/verify', { token })).body.valid)
  assert.equal((await portal.stranger().post('/auth/reset-password', chosen)).status, 200)
  const back = await portal.stranger().signIn(only.username, chosen.newPassword)
  assert.equal(back.id, only.id)
  assert.equal(mailbox.received.length, 1)
})
