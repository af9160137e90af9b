/** Pushes to a device end with the session that subscribed it, however the session ends. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { type Client, PASSWORD, until } from '../../../test/portal.ts'
import { type Browser, pushPortal } from '../../../test/push-service.ts'

const { service, portal, make, subscribe, notify, settled } = await pushPortal()

const signInAgain = ({ username }: Client) => portal.stranger().signIn(username)
/** Someone at a laptop, with a subscribed phone. */
async function newOwner() {
  const laptop = await make.newPerson()
  const phone = await signInAgain(laptop)
  const device = service.newBrowser()
  await subscribe(phone, device)
  return { laptop, phone, device }
}
type Owner = Awaited<ReturnType<typeof newOwner>>

const sessionOf = async (client: Client) =>
  (await client.get('/auth/me/sessions')).body.find(({ current }: { current: boolean }) => current).id as number
/** Ends the session of one of the owner’s devices, from the laptop. */
const endSession = async ({ laptop }: Owner, client: Client) => laptop.delete(`/auth/me/sessions/${await sessionOf(client)}`)
const isPushedTo = async ({ subscription }: Browser) =>
  (await portal.sql('select from push_subscriptions where endpoint = $1', [subscription.endpoint])).length === 1

/** Resets a password with a link that the administrator issues. */
async function resetPassword(id: number) {
  const { resetUrl } = (await portal.admin.post(`/auth/admin/users/${id}/issue-reset-link`)).body
  const token = new URL(resetUrl).searchParams.get('token')
  return portal.stranger().post('/auth/reset-password', { token, newPassword: `${PASSWORD}!` })
}

const endings: Record<string, (owner: Owner) => Promise<{ status: number }>> = {
  'from another device': (owner) => endSession(owner, owner.phone),
  'by an administrator': ({ laptop }) => portal.admin.delete(`/users/${laptop.id}/sessions`),
  'by a change of the password': ({ laptop }) =>
    laptop.post('/auth/me/password', { currentPassword: PASSWORD, newPassword: `${PASSWORD}!` }),
  'by a reset of the password': ({ laptop }) => resetPassword(laptop.id),
  'by deactivation': ({ laptop }) => portal.admin.patch(`/users/${laptop.id}`, { isActive: false }),
  'by a sign-out': ({ phone }) => phone.post('/auth/logout'),
  'by another’s sign-in in the same browser': async ({ phone }) => {
    await portal.person('another')
    return phone.post('/auth/login', { username: 'another', password: PASSWORD })
  },
}
for (const [how, end] of Object.entries(endings))
  test(`a session ended ${how} ends the pushes to its device`, async () => {
    const owner = await newOwner()
    const others = service.newBrowser()
    await subscribe(portal.admin, others)
    assert.ok((await end(owner)).status < 300)
    assert.deepEqual([await isPushedTo(owner.device), await isPushedTo(others)], [false, true])
  })

test('a notification after the end of a session is pushed to the other devices only', async () => {
  const owner = await newOwner()
  const ofLaptop = service.newBrowser()
  await subscribe(owner.laptop, ofLaptop)
  await endSession(owner, owner.phone)
  await notify(owner.laptop)
  await ofLaptop.next()
  await settled()
  assert.equal(owner.device.timesAsked(), 0)
})

test('an expired session gets no pushes, and its subscription is removed and recorded', async () => {
  const { laptop, phone, device } = await newOwner()
  await portal.sql('update sessions set expires_at = now() where id = $1', [await sessionOf(phone)])
  await notify(laptop)
  await settled()
  assert.equal(device.timesAsked(), 0)
  await portal.sql(`select graphile_worker.add_job('clean_up')`)
  await until('it is removed', async () => !(await isPushedTo(device)))
  const [last] = await portal.sql(`select kind, facts from ledger where target_type = 'user' and target_id = $1 order by id desc limit 1`, [
    laptop.id,
  ])
  assert.deepEqual(last, { kind: 'push.unsubscribed', facts: { reason: 'session_over' } })
})

test('a device that subscribes again after a new sign-in gets pushes until that session ends', async () => {
  const owner = await newOwner()
  await endSession(owner, owner.phone)
  const second = await signInAgain(owner.laptop)
  await subscribe(second, owner.device)
  await notify(owner.laptop)
  await owner.device.next()
  await endSession(owner, second)
  assert.equal(await isPushedTo(owner.device), false)
})

test('a device that subscribes again in another session then belongs to that session', async () => {
  const owner = await newOwner()
  const second = await signInAgain(owner.laptop)
  await subscribe(second, owner.device)
  await endSession(owner, owner.phone)
  assert.equal(await isPushedTo(owner.device), true)
  await endSession(owner, second)
  assert.equal(await isPushedTo(owner.device), false)
})

/** Ends a session in an open transaction; the returned function commits it. */
async function beginToEnd(sessionId: number, userId: number) {
  const client = new pg.Client(portal.connection)
  await client.connect()
  await client.query(`begin; update sessions set ended_at = now() where id = ${sessionId}`)
  await client.query(`insert into ledger (kind, target_type, target_id, facts) values ('session.ended', 'user', ${userId}, '{}')`)
  return () => client.query('commit').finally(() => client.end())
}

test('a session that ends while it subscribes leaves no subscription', async () => {
  const { laptop, phone } = await newOwner()
  const commit = await beginToEnd(await sessionOf(phone), laptop.id)
  const late = service.newBrowser()
  const answer = phone.post('/push/subscribe', late.subscription)
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until('the subscription waits', async () => (await portal.sql(waiting)).length)
  await commit()
  assert.deepEqual([(await answer).status, await isPushedTo(late)], [401, false])
})
