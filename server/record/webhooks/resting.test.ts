/** Receivers that want no message for a while, or at another address. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { runJob } from '../../../test/jobs.ts'
import { testPortal, until } from '../../../test/portal.ts'
import { addWebhook, deliveriesOf, dueNow, fileReceiver, openOwnSender, WEBHOOK_ENV } from '../../../test/receiver.ts'
import { OutboundError } from '../../platform/outbound.ts'

const portal = testPortal(WEBHOOK_ENV)
const receiver = await fileReceiver()
const at = (path: string) => `${receiver.url}${path}`

test('a webhook rests for as long as its receiver asks', async () => {
  receiver.answers = (_got, reply) => reply.writeHead(429, { 'retry-after': '3600' }).end()
  const hook = await addWebhook(portal, 'Resting', at('/rest'))
  await portal.admin.post(`/webhooks/${hook.id}/test`)
  const rests = () =>
    portal.sql<{ s: number }>('select extract(epoch from rests_until - now())::int as s from webhooks where id = $1', [hook.id])
  const s = await until('it rests', async () => (await rests())[0]!.s)
  assert.ok(s > 3500 && s <= 3600)
  await portal.admin.delete(`/webhooks/${hook.id}`)
  receiver.answers = (_got, reply) => reply.writeHead(204).end()
})

test('a busy receiver makes the webhook rest for seconds, then for longer, however often its message was tried', async () => {
  receiver.answers = (_got, reply) => reply.writeHead(429).end()
  const hook = await addWebhook(portal, 'Busy', at('/busy'), ['webhook.test'])
  await portal.admin.patch(`/webhooks/${hook.id}`, { isActive: false })
  await portal.sql(
    `insert into webhook_deliveries (webhook_id, sequence, part, type, body, event_at, tries)
     values ($1, 1, 1, 'webhook.test', '{}', now(), 12)`,
    [hook.id],
  )
  await portal.admin.patch(`/webhooks/${hook.id}`, { isActive: true })
  for (const [rests, most] of [
    [1, 3],
    [2, 8],
    [9, 3600],
  ] as const) {
    if (rests === 9) await portal.sql('update webhooks set rests = 20 where id = $1', [hook.id])
    await portal.sql(`update webhooks set rests_until = now() - interval '1 second' where id = $1 and rests > 0`, [hook.id])
    await dueNow(portal, hook.id)
    const find = `select rests_until <= now() + make_interval(secs => $2) as short from webhooks
      where id = $1 and rests = $3 and rests_until > now()`
    const row = await until('it rests', async () => (await portal.sql<{ short: boolean }>(find, [hook.id, most, rests]))[0])
    assert.ok(row.short, `${rests}`)
  }
  const resting = (await portal.admin.get(`/webhooks/${hook.id}`)).body
  assert.deepEqual([resting.state, new Date(resting.restsUntil) > new Date()], ['failing', true])
  receiver.answers = (_got, reply) => reply.writeHead(204).end()
  await portal.sql('update webhooks set rests_until = now() where id = $1', [hook.id])
  await dueNow(portal, hook.id)
  await until('it works', async () => (await portal.admin.get(`/webhooks/${hook.id}`)).body.state === 'working')
  const [row] = await portal.sql('select rests, rests_until <= now() as is_over from webhooks where id = $1', [hook.id])
  assert.deepEqual(row, { rests: 0, is_over: true })
  await portal.admin.delete(`/webhooks/${hook.id}`)
})

const delivered = (id: number) =>
  until('it is delivered', async () => (await deliveriesOf(portal, id)).find(({ state }) => state === 'delivered'))

test('a new address is tried at once, and is not judged by the failures of the former one', async () => {
  receiver.answers = ({ path }, reply) =>
    path === '/former' ? reply.writeHead(503, { 'retry-after': '21600' }).end() : reply.writeHead(204).end()
  const hook = await addWebhook(portal, 'Moved', at('/former'))
  await portal.admin.post(`/webhooks/${hook.id}/test`)
  await until('it rests', async () => (await portal.admin.get(`/webhooks/${hook.id}`)).body.restsUntil)
  await portal.sql(`update webhooks set failing_since = now() - interval '73 hours', told = 2, rests = 3 where id = $1`, [hook.id])
  const { body } = await portal.admin.patch(`/webhooks/${hook.id}`, { url: at('/present') })
  assert.deepEqual([body.state, body.failingSince, body.restsUntil], ['working', null, null])
  await runJob(portal, 'watch_webhooks')
  await delivered(hook.id)
  const [row] = await portal.sql('select is_active, told, rests from webhooks where id = $1', [hook.id])
  assert.deepEqual(row, { is_active: true, told: 0, rests: 0 })
  await portal.admin.delete(`/webhooks/${hook.id}`)
})

test('a webhook that is switched on sends what waits at once', async () => {
  receiver.answers = (_got, reply) => reply.writeHead(503, { 'retry-after': '21600' }).end()
  const hook = await addWebhook(portal, 'Again', at('/again'))
  await portal.admin.post(`/webhooks/${hook.id}/test`)
  await until('it rests', async () => (await portal.admin.get(`/webhooks/${hook.id}`)).body.restsUntil)
  receiver.answers = (_got, reply) => reply.writeHead(204).end()
  for (const isActive of [false, true]) assert.equal((await portal.admin.patch(`/webhooks/${hook.id}`, { isActive })).status, 200)
  await delivered(hook.id)
  await portal.admin.delete(`/webhooks/${hook.id}`)
})

test('an answer that comes from the former address after a change neither pauses the webhook nor counts as a try', async () => {
  const held: ServerResponse[] = []
  receiver.answers = ({ path }, reply) => (path === '/late' ? held.push(reply) : reply.writeHead(204).end())
  const hook = await addWebhook(portal, 'Late', at('/late'))
  await portal.admin.post(`/webhooks/${hook.id}/test`)
  const reply = await until('the message has come', () => held[0])
  assert.equal((await portal.admin.patch(`/webhooks/${hook.id}`, { url: at('/early') })).status, 200)
  reply.writeHead(410).end()
  assert.equal((await delivered(hook.id)).tries, 1)
  const { body } = await portal.admin.get(`/webhooks/${hook.id}`)
  assert.deepEqual([body.state, body.failingSince], ['working', null])
  await portal.admin.delete(`/webhooks/${hook.id}`)
})

test('a try for which the portal has no turn does not count, and is made soon after', async () => {
  const hook = await addWebhook(portal, 'In line', at('/line'), ['webhook.test'])
  let calls = 0
  const sender = await openOwnSender(portal, hook.id, async () => {
    if (++calls === 1) throw new OutboundError('127.0.0.1', 'was not asked: too many calls wait', { code: 'line' })
    return { status: 204 }
  })
  await portal.admin.post(`/webhooks/${hook.id}/test`)
  const { tries } = await until('it is delivered', async () => {
    await sender.look()
    return (await deliveriesOf(portal, hook.id)).find(({ state }) => state === 'delivered')
  })
  assert.deepEqual([calls, tries], [2, 1])
  await sender.close()
  sender.giveBack()
  await portal.admin.delete(`/webhooks/${hook.id}`)
})
