/** Removal of the last factor: sessions with two factors fall back to one. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { duties } from '../../../test/duties.ts'
import { addPasskey, addTotp } from '../../../test/factors.ts'
import { type Client, testPortal, until } from '../../../test/portal.ts'
import { tokenOf } from '../../../test/tokens.ts'

const portal = testPortal({ SECRETS_KEY: Buffer.alloc(32, 'k').toString('base64url') })
const { begunAgo, raise, set } = duties(portal)
const ROLE = 'guarded'

before(async () => {
  await portal.ready
  await portal.admin.post('/roles', { name: ROLE })
  await addTotp(portal.admin)
  assert.equal((await set({ secondFactorRoles: [ROLE] })).status, 200)
})

const levelOf = async (one: Client) => (await one.get('/auth/me/security')).body.level as number
const stateOf = async (one: Client) => {
  const { status, body } = await one.get('/apps')
  return status === 200 ? 'open' : body.code
}
/** A person whose grace is over, with two sessions. */
async function twice(username: string) {
  const person = await portal.person(username, { roles: [ROLE] })
  const other = await portal.stranger().signIn(username)
  await begunAgo(person, '20 days')
  return { person, other }
}

const ways: [name: string, add: (one: Client) => Promise<string>][] = [
  ['passkey', async (one) => `/auth/me/passkeys/${(await addPasskey(one)).passkey.id}`],
  ['app', async (one) => addTotp(one).then(() => '/auth/me/totp')],
]
for (const [name, add] of ways)
  test(`when a person’s last factor (${name}) is removed, all their sessions fall back to one factor at once`, async () => {
    const { person, other } = await twice(`lone-${name}`)
    const at = await add(person)
    await raise(person)
    assert.deepEqual([await stateOf(person), await stateOf(other)], ['open', 'open'])
    const stream = await other.listen()
    assert.equal((await person.delete(at)).status, 204)
    assert.deepEqual([await levelOf(person), await levelOf(other)], [1, 1])
    assert.deepEqual([await stateOf(person), await stateOf(other)], ['enrolment_required', 'enrolment_required'])
    await until('the stream is closed', () => !stream.isOpen)
  })

test('with a factor left, the sessions stay as they are', async () => {
  const { person, other } = await twice('rich')
  const { passkey } = await addPasskey(person)
  await addTotp(person)
  await raise(person)
  assert.equal((await person.delete(`/auth/me/passkeys/${passkey.id}`)).status, 204)
  assert.deepEqual([await stateOf(person), await stateOf(other), await levelOf(other)], ['open', 'open', 2])
})

test('tokens of a person without the required second factor open nothing, not even their own account', async () => {
  const person = await portal.person('owing', { roles: [ROLE] })
  const token = await tokenOf(portal, person.id, { scopes: ['profile:read', 'orders:read'] })
  const paths = ['/auth/me', '/auth/me/permissions', '/orders/my']
  const statuses = async () => Promise.all(paths.map(async (path) => (await token.get(path)).status))
  assert.deepEqual(await statuses(), [200, 200, 200])
  await begunAgo(person, '20 days')
  assert.deepEqual(await statuses(), [403, 403, 403])
  for (const path of paths) assert.equal((await token.get(path)).body.code, 'enrolment_required')
  assert.equal((await person.get('/auth/me')).status, 200)
})
