import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD, testPortal } from '../../../test/portal.ts'

const portal = testPortal({ PASSWORD_POLICY: 'strict', ADMIN_PASSWORD: 'correct horse battery' })
const GOOD = 'a fine long staple'

const failing = ({ status, body }: { status: number; body: { details?: { path: string; rule: string }[] } }) => [
  status,
  body.details?.map(({ path, rule }) => `${path} ${rule}`),
]

test('a strict portal refuses poor passwords wherever one is chosen', async () => {
  const person = await portal.person('huda')
  const { body } = await portal.admin.post(`/auth/admin/users/${(await portal.person('locked')).id}/issue-reset-link`)
  const token = new URL(body.resetUrl).searchParams.get('token')
  const newcomer = { username: 'newcomer', email: 'newcomer@example.org' }
  const ways: Record<string, [field: string, choose: (password: string) => Promise<{ status: number; body: object }>]> = {
    registering: ['password', (password) => portal.stranger().post('/auth/register', { ...newcomer, password })],
    creating: [
      'password',
      (password) => portal.admin.post('/users', { ...newcomer, username: 'made', email: 'made@example.org', password }),
    ],
    changing: ['newPassword', (newPassword) => person.post('/auth/me/password', { currentPassword: PASSWORD, newPassword })],
    resetting: ['newPassword', (newPassword) => portal.stranger().post('/auth/reset-password', { token, newPassword })],
  }
  for (const [what, [field, choose]] of Object.entries(ways)) {
    assert.deepEqual(failing(await choose('eleven char')), [400, [`${field} minLength`]], what)
    assert.deepEqual(failing(await choose('passwordpassword')), [400, [`${field} commonPassword`]], what)
    assert.deepEqual(failing(await choose('the gates of bawaba')), [400, [`${field} ownName`]], what)
    assert.ok((await choose(GOOD)).status < 300, what)
  }
})

test('a password that was chosen under weaker rules still signs its person in', async () => {
  await portal.person('former')
  assert.equal((await portal.stranger().signIn('former', PASSWORD)).username, 'former')
})
