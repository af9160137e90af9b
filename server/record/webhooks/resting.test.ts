/** Receivers that want no message for a while. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPortal, until } from '../../../test/portal.ts'
import { addWebhook, dueNow, fileReceiver, WEBHOOK_ENV } from '../../../test/receiver.ts'

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
