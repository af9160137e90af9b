/** The secrets of webhooks: two at a time, one that cannot be read, and none because the key is missing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { runJob } from '../../../test/jobs.ts'
import { Client, testPortal, until } from '../../../test/portal.ts'
import { addWebhook, deliveriesOf, fileReceiver, isSignedBy, openOwnSender, WEBHOOK_ENV } from '../../../test/receiver.ts'

const portal = testPortal(WEBHOOK_ENV)
const receiver = await fileReceiver()
const at = (path: string) => `${receiver.url}${path}`
const titles = async (admin: Client): Promise<string[]> =>
  (await admin.get('/notifications')).body.map(({ titleEn }: { titleEn: string }) => titleEn)
/** An administrator at another instance, which has no key. */
async function withoutKey() {
  const { base } = await portal.another({ SECRETS_KEY: '' })
  return Object.assign(new Client(base), { cookie: portal.admin.cookie })
}

test('while a secret is being replaced, messages are signed with the old and the new one', async () => {
  const hook = await addWebhook(portal, 'Rotated', at('/rotated'))
  const { audit } = await portal.traces(async () => {
    const { status, body } = await portal.admin.post(`/webhooks/${hook.id}/rotate-secret`, {})
    assert.equal(status, 200)
    await portal.admin.post(`/webhooks/${hook.id}/test`)
    const both = await receiver.next('signed by both', ({ path }) => path === '/rotated')
    assert.ok(isSignedBy(hook.secret, both) && isSignedBy(body.secret, both))
    const third = (await portal.admin.post(`/webhooks/${hook.id}/rotate-secret`, { keepHours: 1 })).body.secret
    await portal.admin.post(`/webhooks/${hook.id}/test`)
    const later = await until('signed by the last two', () => receiver.at('/rotated')[1])
    assert.deepEqual(
      [hook.secret, body.secret, third].map((secret) => isSignedBy(secret, later)),
      [false, true, true],
    )
    await portal.admin.post(`/webhooks/${hook.id}/rotate-secret`, { keepHours: 0 })
    await portal.admin.post(`/webhooks/${hook.id}/test`)
    const last = await until('signed by one', () => receiver.at('/rotated')[2])
    assert.equal(isSignedBy(third, last), false)
  })
  const rotations = audit.filter(({ action }) => action === 'webhook.rotate').map(({ metadata }) => metadata['keepHours'])
  assert.deepEqual(rotations, [24, 1, 0])
  const wrong = await portal.admin.post(`/webhooks/${hook.id}/rotate-secret`, { keepHours: 169 })
  assert.equal(wrong.body.details[0].path, 'keepHours')
})

test('a webhook whose secret was copied from another webhook is paused until it gets a new one', async () => {
  const [other, hook] = [await addWebhook(portal, 'Other', at('/other')), await addWebhook(portal, 'Copied', at('/copied'))]
  const copy = (column: string) => `${column} = (select secret from webhooks where id = ${other.id})`
  await portal.meddle('webhook', hook.id, `update webhooks set ${copy('secret')} where id = ${hook.id}`)
  await portal.admin.post(`/webhooks/${hook.id}/test`)
  const read = async () => (await portal.admin.get(`/webhooks/${hook.id}`)).body
  await until('it is paused', async () => (await read()).pausedBecause === 'no_secret')
  assert.equal((await titles(portal.admin)).filter((title) => title === 'A webhook has no secret').length, 1)

  const { status, body } = await portal.admin.post(`/webhooks/${hook.id}/rotate-secret`, {})
  assert.deepEqual([status, (await read()).formerSecretUntil], [200, null])
  const former = `${copy('former_secret')}, former_until = now() + interval '1 hour'`
  await portal.meddle('webhook', hook.id, `update webhooks set ${former} where id = ${hook.id}`)
  await portal.admin.patch(`/webhooks/${hook.id}`, { isActive: true })
  const got = await receiver.next('the message', ({ path }) => path === '/copied')
  assert.deepEqual(
    [body.secret, hook.secret, other.secret].map((secret) => isSignedBy(secret, got)),
    [true, false, false],
  )
})

test('a webhook without a readable secret is not paused if it gets a new one first', async () => {
  const [other, hook] = [await addWebhook(portal, 'Elsewhere', at('/elsewhere')), await addWebhook(portal, 'Mended', at('/mended'))]
  const [kept] = await portal.sql<{ secret: Buffer }>('select secret from webhooks where id = $1', [hook.id])
  const copy = `update webhooks set secret = (select secret from webhooks where id = ${other.id}) where id = ${hook.id}`
  await portal.meddle('webhook', hook.id, copy)
  const sender = await openOwnSender(portal, hook.id, async () => ({ status: 500 }))
  await portal.sql(
    `insert into webhook_deliveries (webhook_id, sequence, part, type, body, event_at) values ($1, 1, 1, 'webhook.test', '{}', now())`,
    [hook.id],
  )
  const holder = new pg.Client(portal.connection)
  await holder.connect()
  await holder.query('begin')
  await holder.query(`insert into ledger (kind, target_type, target_id, facts) values ('test.meddled', 'webhook', ${hook.id}, '{}')`)
  await holder.query('update webhooks set secret = $2 where id = $1', [hook.id, kept!.secret])
  await sender.look()
  const pausing = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like 'select * from "webhooks" where "id" = %'`
  await until('it is to be paused', async () => (await portal.sql(pausing)).length)
  await holder.query('commit')
  await holder.end()
  await sender.close()
  sender.giveBack()
  await until('it is delivered', async () => (await deliveriesOf(portal, hook.id))[0]?.state === 'delivered')
  assert.equal((await portal.admin.get(`/webhooks/${hook.id}`)).body.state, 'working')
  await portal.admin.delete(`/webhooks/${hook.id}`)
})

test('without `SECRETS_KEY`, no webhook can be created, tested, replayed, switched on or given a new secret', async () => {
  const { id } = await addWebhook(portal, 'Keyless', at('/keyless'))
  const paused = await addWebhook(portal, 'Paused', at('/keyless'))
  await portal.admin.patch(`/webhooks/${paused.id}`, { isActive: false })
  const admin = await withoutKey()
  for (const [method, path, body] of [
    ['POST', '/webhooks', { name: 'New', url: 'https://stock.example.org/hook', types: ['user.*'] }],
    ['POST', `/webhooks/${id}/rotate-secret`, {}],
    ['POST', `/webhooks/${id}/test`],
    ['POST', `/webhooks/${id}/replay`, { sequences: [1] }],
    ['PATCH', `/webhooks/${paused.id}`, { isActive: true }],
  ] as const) {
    const answer = await admin.send(method, path, body)
    assert.deepEqual([answer.status, answer.body.code], [503, 'secrets_not_configured'], path)
  }
  assert.equal((await admin.patch(`/webhooks/${paused.id}`, { name: 'Renamed' })).status, 200)
})

test('a webhook whose messages cannot be signed is announced as failing, and sends them once there is a key', async () => {
  const { id } = await addWebhook(portal, 'Unsigned', at('/unsigned'))
  await portal.stop()
  const admin = await withoutKey()
  await admin.post('/roles', { name: 'unsigned_role' })
  await until('a message waits', async () => (await admin.get(`/webhooks/${id}`)).body.behind)
  await portal.sql(`update webhook_deliveries set next_at = now() - interval '2 minutes' where webhook_id = $1`, [id])
  await runJob(portal, 'watch_webhooks')
  const failing = (await admin.get(`/webhooks/${id}`)).body
  assert.equal(failing.state, 'failing')
  assert.ok(failing.failingSince)
  await portal.sql(`update webhooks set failing_since = now() - interval '61 minutes' where id = $1`, [id])
  await runJob(portal, 'watch_webhooks')
  assert.ok((await titles(admin)).includes('A webhook has failed for an hour'))
  await portal.startAgain()
  Object.assign(portal.admin, { base: portal.base })
  await receiver.next('the message', ({ path }) => path === '/unsigned')
  await until('it works again', async () => (await portal.admin.get(`/webhooks/${id}`)).body.state === 'working')
})
