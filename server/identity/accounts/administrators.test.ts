/** How administrators change other people's accounts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, testPortal } from '../../../test/portal.ts'
import { uploads } from '../../../test/uploads.ts'

const portal = testPortal()
const at = ({ id }: { id: number }) => `/users/${id}`
const sessionsOf = (person: { id: number }) => `${at(person)}/sessions`
const nothing = { audit: [], histories: [], notices: [], events: [] }

test('correcting a person’s e-mail address is audited and voids their open reset link', async () => {
  const huda = await portal.person('huda')
  const { body } = await portal.admin.post(`/auth/admin/users/${huda.id}/issue-reset-link`)
  const token = new URL(body.resetUrl).searchParams.get('token')
  const traces = await portal.traces(async () => {
    const { status, body } = await portal.admin.patch(at(huda), { email: ' Huda@corp.example ' })
    assert.deepEqual([status, body.email], [200, 'Huda@corp.example'])
  })
  const metadata = { changed: { email: { from: 'huda@example.org', to: 'Huda@corp.example' } } }
  assert.deepEqual(traces.audit, [{ action: 'user.update', type: 'user', target: huda.id, metadata }])
  assert.deepEqual((await portal.stranger().post('/auth/reset-password/verify', { token })).body, { valid: false })
  assert.equal((await portal.stranger().signIn('huda@corp.example')).id, huda.id)
})

test('an e-mail address that is taken in any case, or that is malformed, is refused', async () => {
  const [huda, salem] = [await portal.person('second'), await portal.person('third')]
  const taken = await portal.admin.patch(at(huda), { email: `${salem.username}@EXAMPLE.org`, displayNameEn: 'Never' })
  assert.deepEqual([taken.status, taken.body.code], [409, 'email_taken'])
  for (const email of ['', 'x', null, 'a@b@c']) assert.equal((await portal.admin.patch(at(huda), { email })).status, 400)
  const { body } = await portal.admin.get(at(huda))
  assert.deepEqual([body.email, body.displayNameEn], ['second@example.org', null])
  assert.deepEqual(await portal.traces(() => portal.admin.patch(at(huda), { email: 'second@example.org' })), nothing)
})

test('an administrator can remove a person’s picture but not choose one', async () => {
  const huda = await portal.person('pictured')
  const avatarUrl = await uploads(portal).picture(huda)
  await huda.patch('/auth/me/profile', { avatarUrl })
  const chosen = await portal.admin.patch(at(huda), { avatarUrl: await uploads(portal).picture() })
  assert.deepEqual([chosen.status, chosen.body.details[0].path], [400, 'avatarUrl'])
  const traces = await portal.traces(async () =>
    assert.equal((await portal.admin.patch(at(huda), { avatarUrl: null })).body.avatarUrl, null),
  )
  const metadata = { changed: { avatarUrl: { from: avatarUrl, to: null } } }
  assert.deepEqual(traces.audit, [{ action: 'user.update', type: 'user', target: huda.id, metadata }])
})

test('an administrator sees where a person is signed in', async () => {
  const huda = await portal.person('seen')
  const { status, body } = await portal.admin.get(sessionsOf(huda))
  const own = (await huda.get('/auth/me/sessions')).body
  assert.deepEqual([status, body], [200, [{ ...own[0], current: false }]])
  assert.ok((await portal.admin.get(sessionsOf(portal.admin))).body.some(({ current }: { current: boolean }) => current))
})

test('an administrator who ends a person’s sessions also closes their streams, and the act is audited', async () => {
  const laptop = await portal.person('ended')
  const phone = await portal.stranger().signIn('ended')
  const stream = await phone.listen()
  const traces = await portal.traces(async () => assert.equal((await portal.admin.delete(sessionsOf(laptop))).status, 204))
  assert.deepEqual(traces, {
    ...nothing,
    audit: [{ action: 'user.sessions.end', type: 'user', target: laptop.id, metadata: { username: 'ended', count: 2 } }],
    events: [{ event: 'session_ended', data: { reason: 'revoked' }, to: [laptop.id] }],
  })
  await stream.next('session_ended')
  assert.deepEqual([(await laptop.get('/auth/me')).status, (await phone.get('/auth/me')).status], [401, 401])
  assert.deepEqual(await portal.traces(() => portal.admin.delete(sessionsOf(laptop))), nothing)
})

test('administrators who end their own sessions are signed out', async () => {
  await portal.person('other', { roles: ['admin'] })
  const other = await portal.stranger().signIn('other')
  const cleared = await other.delete(sessionsOf(other))
  assert.deepEqual([cleared.status, other.cookie], [204, ''])
})

test('only administrators see and end other people’s sessions, and get 404 for an unknown person', async () => {
  const huda = await portal.person('private')
  const send = (who: Client, id: unknown) => Promise.all([who.get(`/users/${id}/sessions`), who.delete(`/users/${id}/sessions`)])
  const statuses = async (who: Client, id: unknown) => (await send(who, id)).map(({ status }) => status)
  assert.deepEqual(await statuses(portal.stranger(), huda.id), [401, 401])
  assert.deepEqual(await statuses(huda, huda.id), [403, 403])
  assert.deepEqual(await statuses(portal.admin, 2147483647), [404, 404])
  assert.deepEqual(await statuses(portal.admin, 'x'), [400, 400])
})
