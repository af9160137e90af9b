/** Pushes to a device end with the session that subscribed it, however that ends. */
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { migrate } from 'postgres-migrations'
import webpush from 'web-push'
import { makers } from '../../test/makers.ts'
import { type Client, PASSWORD, testPortal, until } from '../../test/portal.ts'
import { portals } from '../../test/process.ts'
import { type Browser, pushing, startPushService } from '../../test/push-service.ts'
import { migrateDb } from '../migrate.ts'

const { makeDatabase } = portals()

const service = await startPushService()
service.trust()
after(service.close)
const { publicKey, privateKey } = webpush.generateVAPIDKeys()
const portal = testPortal({ VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, PUSH_INTERNAL_HOSTS: 'localhost' })
const make = makers(portal)
const { subscribe, notify, settled } = pushing(portal)

/** Someone at a laptop, with a phone that is pushed to. */
async function owner() {
  const laptop = await make.newPerson()
  const phone = await again(laptop)
  const device = service.newBrowser()
  await subscribe(phone, device)
  return { laptop, phone, device }
}
const again = async ({ id }: { id: number }) => {
  const [{ username }] = (await portal.sql<{ username: string }>('select username from users where id = $1', [id])) as [
    { username: string },
  ]
  return portal.stranger().signIn(username)
}
const sessionOf = async (visitor: Client) =>
  (await visitor.get('/auth/me/sessions')).body.find(({ current }: { current: boolean }) => current).id as number
const isPushedTo = async ({ subscription }: Browser) =>
  (await portal.sql('select from push_subscriptions where endpoint = $1', [subscription.endpoint])).length === 1

/** A reset of the password by a link of the administrator's. */
async function resetPassword(id: number) {
  const { resetUrl } = (await portal.admin.post(`/auth/admin/users/${id}/issue-reset-link`)).body
  const token = new URL(resetUrl).searchParams.get('token')
  return portal.stranger().post('/auth/reset-password', { token, newPassword: `${PASSWORD}!` })
}

type Owner = Awaited<ReturnType<typeof owner>>
const endings: Record<string, (one: Owner) => Promise<{ status: number }>> = {
  'from another device': async ({ laptop, phone }) => laptop.delete(`/auth/me/sessions/${await sessionOf(phone)}`),
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
for (const [how, end] of Object.entries(endings)) {
  test(`a session ended ${how} ends the pushes to its device`, async () => {
    const one = await owner()
    const other = service.newBrowser()
    await subscribe(portal.admin, other)
    assert.ok((await end(one)).status < 300)
    assert.deepEqual([await isPushedTo(one.device), await isPushedTo(other)], [false, true])
  })
}

test('what was to be pushed when a session ended is not pushed', async () => {
  const { laptop, phone, device } = await owner()
  const own = service.newBrowser()
  await subscribe(laptop, own)
  await laptop.delete(`/auth/me/sessions/${await sessionOf(phone)}`)
  await notify(laptop)
  await own.next()
  await settled()
  assert.equal(device.timesAsked(), 0)
})

test('a session that has expired is pushed to no more, and its subscription is swept away and recorded', async () => {
  const { laptop, phone, device } = await owner()
  await portal.sql('update sessions set expires_at = now() where id = $1', [await sessionOf(phone)])
  await notify(laptop)
  await settled()
  assert.equal(device.timesAsked(), 0)
  await portal.sql(`select graphile_worker.add_job('forget_old_sessions')`)
  await until('it is swept away', async () => !(await isPushedTo(device)))
  const [last] = await portal.sql(`select kind, facts from ledger where target_type = 'user' and target_id = $1 order by id desc limit 1`, [
    laptop.id,
  ])
  assert.deepEqual(last, { kind: 'push.unsubscribed', facts: { reason: 'session_over' } })
})

test('who signs in again on a device has it pushed to again, until that session ends', async () => {
  const { laptop, phone, device } = await owner()
  await laptop.delete(`/auth/me/sessions/${await sessionOf(phone)}`)
  const anew = await again(laptop)
  await subscribe(anew, device)
  await notify(laptop)
  await device.next()
  await laptop.delete(`/auth/me/sessions/${await sessionOf(anew)}`)
  assert.equal(await isPushedTo(device), false)
})

test('a device that subscribes again with another living session goes with that one', async () => {
  const { laptop, phone, device } = await owner()
  const anew = await again(laptop)
  await subscribe(anew, device)
  await laptop.delete(`/auth/me/sessions/${await sessionOf(phone)}`)
  assert.equal(await isPushedTo(device), true)
  await laptop.delete(`/auth/me/sessions/${await sessionOf(anew)}`)
  assert.equal(await isPushedTo(device), false)
})

test('a session that ends while it subscribes leaves nothing behind', async () => {
  const { laptop, phone } = await owner()
  const id = await sessionOf(phone)
  const client = new pg.Client(portal.connection)
  await client.connect()
  await client.query(`begin; update sessions set ended_at = now() where id = ${id}`)
  await client.query(`insert into ledger (kind, target_type, target_id, facts) values ('session.ended', 'user', ${laptop.id}, '{}')`)
  const late = service.newBrowser()
  const answer = phone.post('/push/subscribe', late.subscription)
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until('the subscription waits', async () => (await portal.sql(waiting)).length)
  await client.query('commit').finally(() => client.end())
  assert.deepEqual([(await answer).status, await isPushedTo(late)], [401, false])
})

test('subscriptions of before go on with the session used last, and go where there is none', async () => {
  const { connection } = await makeDatabase()
  const earlier = mkdtempSync(join(tmpdir(), 'bawaba-migrations-'))
  const files = readdirSync('server/migrations').toSorted()
  for (const file of files.slice(
    0,
    files.findIndex((name) => name.endsWith('_pushes_of_sessions.sql')),
  ))
    cpSync(join('server/migrations', file), join(earlier, file))
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await migrate({ client }, earlier)
    await client.query(`
      begin;
      insert into users (username, email, password_hash)
        values ('huda', 'huda@example.org', ''), ('salem', 'salem@example.org', ''), ('noura', 'noura@example.org', '');
      insert into ledger (kind, target_type, target_id, facts) select 'test', 'user', id, '{}' from users;
      insert into permission_history (kind, target_id, added, removed)
        select kind, id, '{}', '{}' from users, unnest(array['user.roles', 'user.groups']) as kind;
      insert into sessions (token_hash, user_id, expires_at, last_used_at, ended_at) values
        ('a', 1, now() + interval '1 day', now() - interval '2 days', null), ('b', 1, now() + interval '1 day', now() - interval '1 day', null),
        ('c', 1, now() + interval '1 day', now(), now()), ('d', 2, now() + interval '1 day', now(), now()), ('e', 3, now(), now(), null);
      insert into push_subscriptions (user_id, endpoint, p256dh, auth) values (1, 'x', '', ''), (1, 'y', '', ''), (2, 'z', '', ''), (3, 'w', '', '');
      commit`)
    await migrateDb(connection)
    const { rows: left } = await client.query(
      `select endpoint, token_hash as session from push_subscriptions p join sessions s on s.id = p.session_id order by endpoint`,
    )
    assert.deepEqual(left, [
      { endpoint: 'x', session: 'b' },
      { endpoint: 'y', session: 'b' },
    ])
    const { rows: recorded } = await client.query(`select target_id as id from ledger where kind = 'push.unsubscribed' order by 1`)
    assert.deepEqual(recorded, [{ id: 2 }, { id: 3 }])
  } finally {
    await client.end()
    rmSync(earlier, { recursive: true })
  }
})
