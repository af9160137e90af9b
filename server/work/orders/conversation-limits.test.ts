/** The limits of conversations about orders, and of what people must write about them. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { stepOf } from '../../../test/approvals.ts'
import type { Client } from '../../../test/portal.ts'
import { seededPortal } from '../../../test/seed.ts'

const { portal, org, make, seeded } = seededPortal()

let service: number
before(async () => {
  await seeded
  const group = await make.newGroup({ userIds: [org.salem.id, org.noura.id] })
  const team = await make.newTeam({ groupIds: [group.id] })
  service = (await make.newService()).id
  await org.admin.put(`/services/${service}/handling`, { teamId: team.id })
})

async function claimed() {
  const id = (await org.huda.post('/orders', { serviceId: service })).body.id as number
  await org.salem.patch(`/orders/${id}/confirm-receipt`)
  return id
}
/** Runs an insert, and records a change of the order for it in the ledger. */
const meddle = (order: number, insert: string) =>
  portal.sql(
    `with written as (${insert} returning 1)
     insert into ledger (kind, target_type, target_id, facts) select 'test.meddled', 'order', ${order}, '{}' from written`,
  )
/** Stores private files of a person directly, and returns their ids. */
async function stored(owner: Client, count: number) {
  const rows = await portal.sql<{ uuid: string; id: number }>(
    `with written as (
       insert into objects (owner_id, name, size, content_type, uploaded_at, key, etag, is_private)
       select ${owner.id}, 'a.txt', 5, 'text/plain', now(), 'k' || n || '-' || gen_random_uuid(), 'e', true
       from generate_series(1, ${count}) as n returning id, uuid),
     changes as (insert into ledger (kind, target_type, target_id, facts) select 'test.meddled', 'object', id, '{}' from written)
     select id, uuid from written`,
  )
  return rows
}

test('an order takes 40 files, and a text can name only unused files of its author', async () => {
  const id = await claimed()
  const used = await stored(org.salem, 40)
  await meddle(id, `insert into order_files (object_id, order_id) select unnest(array[${used.map((one) => one.id)}]), ${id}`)
  const [one] = await stored(org.salem, 1)
  for (const place of ['messages', 'internal-notes']) {
    const write = (fileId: string) => org.salem.post(`/orders/${id}/${place}`, { text: 'x', fileIds: [fileId] })
    const [full, unknown] = [await write(one!.uuid), await write(used[0]!.uuid)]
    assert.deepEqual([full.status, full.body.code], [400, 'too_many_items'])
    assert.deepEqual([unknown.status, unknown.body.code, unknown.body.unknownIds], [400, 'unknown_ids', [used[0]!.uuid]])
  }
})

test('an order takes no more than 200 notes to the team', async () => {
  const id = await claimed()
  await meddle(id, `insert into order_internal_notes (order_id, text) select ${id}, 'x' from generate_series(1, 200)`)
  const { status, body } = await org.salem.post(`/orders/${id}/internal-notes`, { text: 'x' })
  assert.deepEqual([status, body.code, body.quota, body.allowed], [409, 'quota_exceeded', 'order_messages', 200])
})

test('a person who has caused 5,000 notices within an hour cannot make an order wait', async () => {
  const id = await claimed()
  await portal.sql(
    `insert into notices_caused values ($1, date_trunc('minute', now()), 5000)
    on conflict (user_id, minute) do update set count = 5000`,
    [org.salem.id],
  )
  const wait = () => org.salem.post(`/orders/${id}/wait`, { for: 'requester', text: 'Which room?' })
  const refused = await wait()
  assert.deepEqual([refused.status, refused.body.code, refused.body.quota], [409, 'quota_exceeded', 'notices'])
  assert.equal((await org.huda.get(`/orders/${id}/details`)).body.waiting, null)
  await portal.sql('delete from notices_caused where user_id = $1', [org.salem.id])
  assert.equal((await wait()).status, 200)
})

test('private files count towards the share of their uploader', async () => {
  await stored(org.rana, 1)
  await portal.sql('update object_shares set objects = 10000 where user_id = $1', [org.rana.id])
  const { status, body } = await org.rana.post('/order-files/request-url', { name: 'a.txt', size: 5, contentType: 'text/plain' })
  assert.deepEqual([status, body.code, body.quota], [409, 'quota_exceeded', 'objects'])
})

test('only administrators can list the details of all orders', async () => {
  assert.equal((await org.huda.get('/orders/details?view=all')).body.code, 'forbidden')
  assert.equal((await org.admin.get('/orders/details?view=all')).status, 200)
})

test('a required text without a visible character is refused', async () => {
  const { id: held } = await make.newService()
  await org.admin.put(`/services/${held}/handling`, { steps: [stepOf({ userIds: [org.maha.id] })] })
  const [id, done, waits] = [await claimed(), await claimed(), (await org.huda.post('/orders', { serviceId: held })).body.id]
  await org.salem.patch(`/orders/${done}/status`, { status: 'completed' })
  for (const text of ['\u2060', '\u200b', '\u2800', '\ufffc', '']) {
    const refused = await Promise.all([
      org.huda.post(`/orders/${id}/messages`, { text }),
      org.salem.post(`/orders/${id}/internal-notes`, { text }),
      org.salem.post(`/orders/${id}/wait`, { for: 'requester', text }),
      org.salem.patch(`/orders/${id}/status`, { status: 'cancelled', reason: text }),
      org.huda.post(`/orders/${done}/reopen`, { text }),
    ])
    for (const { status, body } of refused)
      assert.deepEqual([status, body.details?.[0].rule], [400, text ? 'visible' : 'minLength'], JSON.stringify(text))
    assert.equal((await org.maha.post(`/orders/${waits}/deny`, { note: text })).body.code, 'reason_required')
  }
})
