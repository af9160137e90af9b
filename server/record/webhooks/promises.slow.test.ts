/** The guarantees of webhooks when receivers, instances and transactions interfere with each other. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import pg from 'pg'
import { runJob } from '../../../test/jobs.ts'
import { testPortal, until } from '../../../test/portal.ts'
import { addRole, addWebhook, deliveriesOf, dueNow, openReceiver, WEBHOOK_ENV } from '../../../test/receiver.ts'

const portal = testPortal(WEBHOOK_ENV)
const remove = (id: number) => portal.admin.delete(`/webhooks/${id}`)
const titles = async () => (await portal.admin.get('/notifications')).body.map(({ titleEn }: { titleEn: string }) => titleEn) as string[]
/** Makes a webhook look as if it had failed for `time`. */
const failFor = (id: number, time: string) =>
  portal.sql('update webhooks set failing_since = now() - $2::interval where id = $1', [id, time])

const failures: [what: string, answers: Parameters<typeof openReceiver>[0], status: number | null, error: string][] = [
  ['a redirect, which is not followed', (_got, reply) => reply.writeHead(301, { location: '/elsewhere' }).end(), 301, 'status'],
  ['a connection that is closed', (_got, reply) => reply.socket!.destroy(), null, 'closed'],
  ['no answer within 15 seconds', () => {}, null, 'timeout'],
]
for (const [what, answers, status, error] of failures)
  test(`${what} is a failure that is tried again`, async () => {
    const receiver = await openReceiver(answers)
    const { id } = await addWebhook(portal, 'Failing', `${receiver.url}/x`)
    await portal.admin.post(`/webhooks/${id}/test`)
    const tried = await until('a try has failed', async () => (await deliveriesOf(portal, id)).find(({ tries }) => tries === 1))
    assert.deepEqual([tried.state, tried.lastStatus, tried.lastError], ['waiting', status, error])
    receiver.answers = (_got, reply) => reply.writeHead(200).end()
    await dueNow(portal, id)
    await until('it is delivered', async () => (await deliveriesOf(portal, id))[0].state === 'delivered')
    assert.ok(receiver.got.every(({ path }) => path === '/x'))
    await remove(id)
    await receiver.close()
  })

test('a refused connection is a failure, and an endless answer of 200 is a success', async () => {
  const receiver = await openReceiver((_got, reply) => {
    reply.writeHead(200)
    const more = setInterval(() => reply.write('x'.repeat(65_536)), 1)
    reply.on('close', () => clearInterval(more))
  })
  const { id } = await addWebhook(portal, 'Endless', receiver.url)
  await portal.admin.post(`/webhooks/${id}/test`)
  await until('it is delivered', async () => (await deliveriesOf(portal, id))[0]?.state === 'delivered')
  await receiver.close()
  await portal.admin.post(`/webhooks/${id}/test`)
  const tried = await until('a try has failed', async () =>
    (await deliveriesOf(portal, id)).find(({ tries, state }) => tries && state === 'waiting'),
  )
  assert.equal(tried.lastError, 'refused')
  await remove(id)
})

test('after twenty tries a message is given up, and administrators are told once', async () => {
  const receiver = await openReceiver((_got, reply) => reply.writeHead(500).end())
  const { id } = await addWebhook(portal, 'Given up', receiver.url)
  await portal.admin.post(`/webhooks/${id}/test`)
  await until('a try has failed', async () => (await deliveriesOf(portal, id))[0]?.tries === 1)
  await portal.sql(`update webhook_deliveries set tries = 19, next_at = now() where webhook_id = $1`, [id])
  const dead = await until('it is dead', async () => (await deliveriesOf(portal, id)).find(({ state }) => state === 'dead'))
  assert.deepEqual([dead.tries, dead.nextAt], [20, null])
  for (let n = 0; n < 2; n++) await runJob(portal, 'watch_webhooks')
  assert.equal((await titles()).filter((title) => title === 'Messages were given up').length, 1)
  await remove(id)
  await receiver.close()
})

test('administrators are told of a failing webhook after an hour and a day, and it is paused after 72 hours', async () => {
  const receiver = await openReceiver((_got, reply) => reply.writeHead(500).end())
  const { id } = await addWebhook(portal, 'Long', receiver.url)
  await portal.admin.post(`/webhooks/${id}/test`)
  await until('it fails', async () => (await portal.admin.get(`/webhooks/${id}`)).body.state === 'failing')
  const told: string[] = []
  for (const [time, title] of [
    ['59 minutes', undefined],
    ['61 minutes', 'A webhook has failed for an hour'],
    ['2 hours', undefined],
    ['25 hours', 'A webhook has failed for a day'],
    ['71 hours', undefined],
    ['73 hours', 'A webhook was paused'],
  ] as const) {
    await failFor(id, time)
    const before = (await titles()).length
    await runJob(portal, 'watch_webhooks')
    const fresh = (await titles()).slice(0, (await titles()).length - before)
    assert.deepEqual(fresh, title ? [title] : [], time)
    told.push(...fresh)
  }
  assert.equal(told.length, 3)
  const { body } = await portal.admin.get(`/webhooks/${id}`)
  assert.deepEqual([body.state, body.pausedBecause, body.isActive], ['paused', 'failures', false])
  await remove(id)
  await receiver.close()
})

test('a message waits for a running transaction with a lower number, and a change that is rolled back becomes no message', async () => {
  const receiver = await openReceiver()
  const { id } = await addWebhook(portal, 'Ordered', receiver.url)
  const [early, gone] = [new pg.Client(portal.connection), new pg.Client(portal.connection)]
  const insert = `insert into ledger (kind, target_type, target_id, facts) values ('role.created', 'role', $1, '{}')`
  await early.connect()
  await gone.connect()
  for (const [client, role] of [
    [early, 900_001],
    [gone, 900_002],
  ] as const) {
    await client.query('begin')
    await client.query(insert, [role])
  }
  const late = await addRole(portal, 'late_role')
  await gone.query('rollback')
  await until('the portal has looked', async () => (await portal.sql('select from webhook_horizon where last_id > settled')).length)
  assert.equal(receiver.got.length, 0)
  await early.query('commit')
  await until('both came', () => receiver.got.length === 2)
  assert.deepEqual(
    receiver.got.map(({ body }) => body.data.roleId).toSorted((one, other) => one - other),
    [late, 900_001],
  )
  assert.deepEqual(
    (await deliveriesOf(portal, id)).map(({ type }) => type),
    ['role.created', 'role.created'],
  )
  await early.end()
  await gone.end()
  await remove(id)
  await receiver.close()
})

test('a hanging webhook delays no other webhook, and at most eight of its messages are under way over two instances', async () => {
  let [now, most, isHanging] = [0, 0, true]
  const hanging: ServerResponse[] = []
  const slow = await openReceiver((_got, reply) => {
    most = Math.max(most, ++now)
    reply.on('close', () => now--)
    if (isHanging) hanging.push(reply)
    else reply.writeHead(204).end()
  })
  const quick = await openReceiver()
  const hooks = [await addWebhook(portal, 'Slow', slow.url), await addWebhook(portal, 'Quick', quick.url)]
  const other = await portal.another()
  const names = Array.from({ length: 60 }, (_, n) => `many_role_${n}`)
  for (const name of names) await addRole(portal, name)
  await until('the quick one has all', () => new Set(quick.got.map(({ id }) => id)).size === names.length)
  assert.ok(new Set(slow.got.map(({ id }) => id)).size < names.length)
  isHanging = false
  for (const reply of hanging) reply.writeHead(204).end()
  await until('the slow one has all', () => new Set(slow.got.map(({ id }) => id)).size === names.length)
  assert.ok(most <= 8 && most > 1, `${most} at once`)
  const sequences = quick.got.map(({ body }) => body.data.sequence as number)
  assert.equal(new Set(sequences).size, sequences.length)
  await other.close()
  for (const { id } of hooks) await remove(id)
  await Promise.all([slow.close(), quick.close()])
})

test('a webhook that is created, or resumed from now, gets changes that are not committed yet, and none that were committed before', async () => {
  const receiver = await openReceiver()
  const client = new pg.Client(portal.connection)
  await client.connect()
  const begin = async (role: number) => {
    await client.query('begin')
    await client.query(`insert into ledger (kind, target_type, target_id, facts) values ('role.created', 'role', $1, '{}')`, [role])
  }
  const told = async (role: number) => {
    await client.query('commit')
    await until('it is told', () => receiver.got.some(({ body }) => body.data.roleId === role))
  }
  await begin(920_001)
  const before = await addRole(portal, 'before_making')
  const { id } = await addWebhook(portal, 'Early', receiver.url)
  await told(920_001)
  await portal.admin.patch(`/webhooks/${id}`, { isActive: false })
  await begin(920_002)
  const missed = await addRole(portal, 'before_resuming')
  assert.equal((await portal.admin.get(`/webhooks/${id}`)).body.behind, 1)
  await portal.admin.patch(`/webhooks/${id}`, { isActive: true, resume: 'now' })
  await told(920_002)
  const last = await addRole(portal, 'after_resuming')
  await until('the last one came', () => receiver.got.some(({ body }) => body.data.roleId === last))
  const roles = receiver.got.map(({ body }) => body.data.roleId as number)
  assert.deepEqual([roles, roles.includes(before), roles.includes(missed)], [[920_001, 920_002, last], false, false])
  await client.end()
  await remove(id)
  await receiver.close()
})

test('messages that are on their way when an instance stops are sent again', async () => {
  const receiver = await openReceiver(() => {})
  const { id } = await addWebhook(portal, 'Ended', receiver.url)
  const roles = [await addRole(portal, 'ended_role_1'), await addRole(portal, 'ended_role_2')]
  await until('both are on their way', () => receiver.got.length === 2)
  await portal.stop()
  receiver.answers = (_got, reply) => reply.writeHead(204).end()
  await portal.startAgain()
  Object.assign(portal.admin, { base: portal.base })
  const all = await until('both are delivered', async () => {
    const some = await deliveriesOf(portal, id)
    return some.every(({ state }) => state === 'delivered') ? some : undefined
  })
  assert.deepEqual(
    all.map(({ tries }) => tries),
    [1, 1],
  )
  assert.deepEqual(new Set(receiver.got.map(({ body }) => body.data.roleId)), new Set(roles))
  await remove(id)
  await receiver.close()
})

test('a webhook that was paused for more than 30 days gets the changes of the last 30, and the answer says that it skipped changes', async () => {
  const receiver = await openReceiver()
  const { id } = await addWebhook(portal, 'Old', receiver.url)
  await portal.admin.patch(`/webhooks/${id}`, { isActive: false })
  const insert = `insert into ledger (kind, target_type, target_id, facts, at) values ('role.created', 'role', $1, '{}', now() - $2::interval)`
  await portal.sql(insert, [910_001, '31 days'])
  await portal.sql(insert, [910_002, '29 days'])
  const { body } = await portal.admin.patch(`/webhooks/${id}`, { isActive: true })
  assert.equal(body.skipped, true)
  const got = await until('the later one came', () => receiver.got[0])
  assert.equal(got.body.data.roleId, 910_002)
  assert.equal((await deliveriesOf(portal, id)).length, 1)
  await remove(id)
  await receiver.close()
})

test('a webhook without its secret is paused and goes on with a new one, and a webhook stays when its maker is deleted', async () => {
  const receiver = await openReceiver()
  const { id } = await addWebhook(portal, 'Lost', receiver.url)
  await portal.meddle('webhook', id, `update webhooks set secret = null, former_secret = null where id = ${id}`)
  await addRole(portal, 'lost_role')
  await runJob(portal, 'watch_webhooks')
  assert.equal((await portal.admin.get(`/webhooks/${id}`)).body.pausedBecause, 'no_secret')
  await portal.admin.post(`/webhooks/${id}/rotate-secret`, {})
  await portal.admin.patch(`/webhooks/${id}`, { isActive: true })
  await until('it came', () => receiver.got.length === 1)
  const maker = await portal.person('maker', { roles: ['admin'] })
  const made = await maker.post('/webhooks', { name: 'Theirs', url: receiver.url, types: ['role.*'] })
  assert.equal((await portal.admin.delete(`/users/${maker.id}`)).status, 204)
  const { body } = await portal.admin.get(`/webhooks/${made.body.id}`)
  assert.deepEqual([body.createdBy, body.isActive], [null, true])
  await remove(id)
  await receiver.close()
})
