/** Required sign-in through a provider: its conditions and its effects. */
import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import { duties, SIGN_IN_SETTINGS } from '../../../test/duties.ts'
import { addPasskey } from '../../../test/factors.ts'
import { makers } from '../../../test/makers.ts'
import { type Client, PASSWORD, testPortal, until } from '../../../test/portal.ts'

const portal = testPortal()
const make = makers(portal)
const { giveFactor, takeFactor, set } = duties(portal)
const LONG = 'fourteen characters'
const REQUIREMENTS = '/admin/sign-in/requirements'

const mark = ({ id }: { id: number }) => portal.admin.post(`/users/${id}/sign-in-exception`)
const unmark = ({ id }: { id: number }) => portal.admin.delete(`/users/${id}/sign-in-exception`)
const prove = (isProven: boolean) =>
  portal.sql(`create or replace function has_proven_provider(session int) returns boolean language sql stable as $$ select ${isProven} $$`)
const signIn = (username: string, password = PASSWORD) => portal.stranger().post('/auth/login', { username, password })
const stateOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body?.code]
const rulesOf = ({ body }: { body: { details?: { rule: string }[] } }) => body.details?.map(({ rule }) => rule)
const isMet = async () =>
  (await portal.admin.get(REQUIREMENTS)).body.conditions
    .filter((one: { isMet: boolean }) => one.isMet)
    .map((one: { rule: string }) => one.rule)

let named = 0
const administrator = () => portal.person(`chief${++named}`, { roles: ['admin'] })
/** An exception with a long password and a factor, who could sign in without a provider. */
async function ready(addFactor: (one: Client) => Promise<unknown> = async () => {}) {
  const one = await administrator()
  assert.equal((await mark(one)).status, 200)
  assert.equal((await one.post('/auth/me/password', { currentPassword: PASSWORD, newPassword: LONG })).status, 200)
  await addFactor(one)
  await giveFactor(one)
  return one
}
const require = async () => {
  await prove(true)
  const answer = await set({ passwords: 'exceptions' })
  assert.equal(answer.status, 200, answer.text)
}

before(() => portal.ready)
beforeEach(async () => {
  await set({ passwords: 'everyone' })
  await prove(false)
  const { body } = await portal.admin.get(REQUIREMENTS)
  for (const one of body.exceptions) {
    await unmark(one)
    await takeFactor(one)
  }
})

test('marking and unmarking an exception are audited, once each', async () => {
  const chief = await administrator()
  const { audit } = await portal.traces(async () => {
    const { status, body } = await mark(chief)
    assert.deepEqual([status, body.id, body.isException], [200, chief.id, true])
    assert.equal((await mark(chief)).status, 200)
    assert.equal((await unmark(chief)).status, 204)
    assert.deepEqual(stateOf(await unmark(chief)), [404, 'not_found'])
  })
  assert.deepEqual(
    audit.map(({ action, target }) => [action, target]),
    [
      ['sign_in.exception.add', chief.id],
      ['sign_in.exception.remove', chief.id],
    ],
  )
})

test('only active administrators whose role has no end can be exceptions, and at most five of them', async () => {
  const person = await portal.person('ordinary')
  assert.deepEqual(stateOf(await mark(person)), [400, 'validation_failed'])
  assert.deepEqual(stateOf(await mark({ id: 2147483647 })), [404, 'not_found'])
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  await portal.admin.post(`/users/${person.id}/roles`, { roleName: 'admin', expiresAt })
  assert.deepEqual(stateOf(await mark(person)), [400, 'validation_failed'])
  for (let n = 0; n < 5; n++) assert.equal((await mark(await administrator())).status, 200)
  const sixth = await mark(await administrator())
  assert.deepEqual([...stateOf(sixth), sixth.body.quota, sixth.body.allowed], [409, 'quota_exceeded', 'sign_in_exceptions', 5])
})

test('an administrator who is demoted or deactivated is no longer an exception', async () => {
  const [demoted, deactivated] = [await administrator(), await administrator()]
  for (const one of [demoted, deactivated]) await mark(one)
  const { audit } = await portal.traces(async () => {
    await portal.admin.delete(`/users/${demoted.id}/roles/admin`)
    await portal.admin.patch(`/users/${deactivated.id}`, { isActive: false })
  })
  assert.deepEqual(
    audit.filter(({ action }) => action === 'sign_in.exception.remove').map(({ target }) => target),
    [demoted.id, deactivated.id],
  )
  assert.deepEqual((await portal.admin.get(REQUIREMENTS)).body.exceptions, [])
})

test('each unmet condition keeps a provider from being required, and is named', async () => {
  const attempt = async () => rulesOf(await set({ passwords: 'exceptions' }))
  assert.deepEqual(await attempt(), ['ownProviderSignIn', 'exceptions'])
  await prove(true)
  assert.deepEqual(await attempt(), ['exceptions'])
  const chief = await administrator()
  await mark(chief)
  assert.deepEqual(await attempt(), ['exceptionPassword', 'exceptionFactor'])
  await chief.post('/auth/me/password', { currentPassword: PASSWORD, newPassword: 'thirteen char' })
  await giveFactor(chief)
  assert.deepEqual(await attempt(), ['exceptionPassword'])
  await chief.post('/auth/me/password', { currentPassword: 'thirteen char', newPassword: LONG })
  await prove(false)
  assert.deepEqual(await attempt(), ['ownProviderSignIn'])
  assert.deepEqual(await isMet(), ['exceptions', 'exceptionPassword', 'exceptionFactor'])
  await prove(true)
  const unready = await administrator()
  await mark(unready)
  assert.deepEqual(await attempt(), ['exceptionPassword', 'exceptionFactor'])
  await unmark(unready)
  assert.equal((await portal.admin.get(SIGN_IN_SETTINGS)).body.passwords, 'everyone')
  assert.equal((await set({ passwords: 'exceptions' })).status, 200)
})

test('a password that an exception chose before the mark does not meet the condition', async () => {
  const chief = await administrator()
  await chief.post('/auth/me/password', { currentPassword: PASSWORD, newPassword: LONG })
  await giveFactor(chief)
  await mark(chief)
  assert.deepEqual(await isMet(), ['exceptions', 'exceptionFactor'])
})

test('requiring a provider ends sessions that began by a password, except the caller’s and those of exceptions', async () => {
  const chief = await ready()
  const [person, withPasskey] = [await portal.person('byPassword'), await portal.person('byPasskey')]
  await portal.sql('update sessions set by_passkey = true where user_id = $1', [withPasskey.id])
  const stream = await person.listen()
  await require()
  await until('the stream is closed', () => !stream.isOpen)
  assert.deepEqual(
    stream.seen('session_ended').map(({ data }) => data),
    [{ reason: 'sso_only' }],
  )
  const states = await Promise.all(
    [person, withPasskey, chief, portal.admin].map(async (one: Client) => (await one.get('/auth/me')).status),
  )
  assert.deepEqual(states, [401, 200, 200, 200])
})

test('a former exception loses the sessions that began by a password, except the one that removes the mark', async () => {
  const [unmarked, demoted, deputy] = [await ready(), await ready(), await ready()]
  await ready()
  await require()
  assert.equal((await unmark(unmarked)).status, 204)
  assert.equal((await portal.admin.delete(`/users/${demoted.id}/roles/admin`)).status, 200)
  await portal.sql('update sessions set confirmed_at = now(), level = 2 where user_id = $1', [deputy.id])
  assert.equal((await deputy.delete(`/users/${deputy.id}/sign-in-exception`)).status, 204)
  const states = await Promise.all([unmarked, demoted, deputy].map(async (one: Client) => (await one.get('/auth/me')).status))
  assert.deepEqual(states, [401, 401, 200])
})

test('an exception who is unmarked while passwords are for everyone stays signed in', async () => {
  const chief = await ready()
  assert.equal((await unmark(chief)).status, 204)
  assert.equal((await chief.get('/auth/me')).status, 200)
})

test('while a provider is required, the right password of anybody but an exception gets the answer of a wrong one', async () => {
  const chief = await ready(addPasskey)
  await portal.person('outsider')
  await require()
  const [right, wrong] = [await signIn('outsider'), await signIn('outsider', 'not theirs')]
  assert.deepEqual(stateOf(right), [401, 'invalid_credentials'])
  assert.equal(right.text, wrong.text)
  assert.deepEqual(stateOf(await signIn(chief.username, LONG)), [401, 'second_factor_required'])
  await set({ passwords: 'everyone' })
  assert.equal((await signIn('outsider')).status, 200)
})

test('registration is closed while a provider is required', async () => {
  await ready()
  await require()
  const newcomer = { username: 'newcomer', email: 'newcomer@example.org', password: PASSWORD }
  assert.deepEqual(stateOf(await portal.stranger().post('/auth/register', newcomer)), [403, 'registration_closed'])
  assert.equal((await portal.stranger().get('/settings')).body.registrationOpen, true)
})

test('an exception’s new password must be long, also one that is set by a link', async () => {
  const chief = await ready()
  await require()
  const short = await chief.post('/auth/me/password', { currentPassword: LONG, newPassword: 'thirteen char' })
  assert.deepEqual([...stateOf(short), short.body.details[0].params.limit], [400, 'validation_failed', 14])
  const { body } = await portal.admin.post(`/auth/admin/users/${chief.id}/issue-reset-link`)
  const token = new URL(body.resetUrl).searchParams.get('token')
  const reset = (newPassword: string) => portal.stranger().post('/auth/reset-password', { token, newPassword })
  assert.deepEqual(stateOf(await reset('thirteen char')), [400, 'validation_failed'])
  assert.equal((await reset('another long password')).status, 200)
  assert.deepEqual((await portal.admin.get(REQUIREMENTS)).body.exceptions[0].hasPassword, true)
})

const disarming: Record<string, (chief: Client) => Promise<{ status: number; body: { code?: string } }>> = {
  unmarking: (chief) => unmark(chief),
  'taking the role': (chief) => portal.admin.delete(`/users/${chief.id}/roles/admin`),
  'replacing the roles': async (chief) => portal.admin.put(`/users/${chief.id}/roles`, { roleIds: [(await make.roleNamed('user')).id] }),
  deactivating: (chief) => portal.admin.patch(`/users/${chief.id}`, { isActive: false }),
  deleting: (chief) => portal.admin.delete(`/users/${chief.id}?force=true`),
  'deactivating among many': (chief) => portal.admin.post('/users/bulk-change', { ids: [chief.id], set: { isActive: false } }),
}
for (const [what, disarm] of Object.entries(disarming))
  test(`${what} is refused for the last exception while a provider is required, but not if there is another one`, async () => {
    const chief = await ready()
    await require()
    const traces = await portal.traces(async () => assert.deepEqual(stateOf(await disarm(chief)), [409, 'last_break_glass']))
    assert.deepEqual(traces.audit, [])
    await ready()
    assert.ok((await disarm(chief)).status < 300)
  })

test('when the last two exceptions are removed at the same time, one removal fails', async () => {
  const ways = Object.values(disarming)
  for (const [index, disarm] of ways.entries()) {
    const [one, other] = [await ready(), await ready()]
    await require()
    const answers = await Promise.all([disarm(one), ways[(index + 1) % ways.length]!(other)])
    assert.deepEqual(
      answers.map(({ status }) => status < 300).toSorted(),
      [false, true],
      answers.map(({ status, body }) => `${status} ${body?.code}`).join(),
    )
    await set({ passwords: 'everyone' })
    for (const left of (await portal.admin.get(REQUIREMENTS)).body.exceptions) await unmark(left)
  }
  assert.equal(await portal.deadlocks(), 0)
})

test('when a provider is required while the only exception is unmarked, one of the two fails', async () => {
  for (let round = 0; round < 5; round++) {
    const chief = await ready()
    await prove(true)
    const [switched, unmarked] = await Promise.all([set({ passwords: 'exceptions' }), unmark(chief)])
    const { passwords } = (await portal.admin.get(SIGN_IN_SETTINGS)).body
    assert.equal(passwords, switched.status === 200 ? 'exceptions' : 'everyone')
    assert.notEqual(switched.status === 200, unmarked.status === 204)
    await set({ passwords: 'everyone' })
    if (unmarked.status !== 204) await unmark(chief)
  }
})
