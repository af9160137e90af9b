/** The orders of teams, as their receivers and leads list them. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Client } from '../../../test/portal.ts'
import { seededPortal } from '../../../test/seed.ts'

const { org, make, seeded } = seededPortal()

/** A team whose receiver is Salem, and its service; Rana receives for a second team. Noura leads both. */
let team: number
let other: number
let service: number
before(async () => {
  await seeded
  const [group, otherGroup] = [await make.newGroup({ userIds: [org.salem.id] }), await make.newGroup({ userIds: [org.rana.id] })]
  team = (await make.newTeam({ groupIds: [group.id], leadUserIds: [org.noura.id] })).id
  other = (await make.newTeam({ groupIds: [otherGroup.id], leadUserIds: [org.noura.id] })).id
  service = (await make.newService()).id
  await org.admin.put(`/services/${service}/handling`, { teamId: team })
})

const place = async () => (await org.huda.post('/orders', { serviceId: service })).body.id as number
type Item = { order: { id: number; next: string[] }; details: { orderId: number; teamId: number; teamNameEn: string } }
const listed = async (who: Client, query = '') => {
  const { status, body, text } = await who.get(`/orders/details?view=team${query}`)
  assert.equal(status, 200, text)
  return body as { items: Item[]; totalCount: number }
}
const ids = async (who: Client, query = '') => (await listed(who, query)).items.map(({ order }) => order.id)

test('receivers and leads can list the orders of their teams, each with its team and the steps that the reader may take', async () => {
  const [kept, handed] = [await place(), await place()]
  await org.salem.post(`/orders/${handed}/transfer`, { teamId: other })
  const { items, totalCount } = await listed(org.noura)
  assert.deepEqual(
    items.map(({ order, details }) => [order.id, details.orderId, details.teamId, order.next]),
    [
      [kept, kept, team, ['cancelled']],
      [handed, handed, other, ['cancelled']],
    ],
  )
  assert.equal(totalCount, 2)
  assert.deepEqual(await ids(org.salem), [kept])
  assert.deepEqual(await ids(org.rana), [handed])
  for (const id of [kept, handed]) await org.admin.delete(`/orders/${id}`)
})

test('the list can be filtered by team and status, and is empty for a team that the reader is not part of', async () => {
  const [waiting, claimed] = [await place(), await place()]
  await org.salem.patch(`/orders/${claimed}/confirm-receipt`)
  assert.deepEqual(await ids(org.noura, `&teamId=${team}`), [waiting, claimed])
  assert.deepEqual(await ids(org.noura, '&status=received'), [claimed])
  assert.deepEqual(await ids(org.noura, '&limit=1&offset=1'), [claimed])
  assert.deepEqual(await ids(org.noura, `&teamId=${other}`), [])
  assert.deepEqual(await ids(org.rana, `&teamId=${team}`), [])
  for (const id of [waiting, claimed]) await org.admin.delete(`/orders/${id}`)
})

test('the list is empty for people without a team, even for requesters and administrators', async () => {
  const id = await place()
  for (const who of [org.huda, org.faisal, org.admin]) assert.deepEqual(await ids(who), [])
  await org.admin.delete(`/orders/${id}`)
})

test('receivers can list, with details, the orders of their teams and without a team that they can claim or are working on', async () => {
  const plain = (await make.newService()).id
  const incoming = async (who: Client) => {
    const { status, body, text } = await who.get('/orders/details?view=incoming')
    assert.equal(status, 200, text)
    return (body.items as Item[]).map(({ order, details }) => [order.id, details.orderId, details.teamId])
  }
  const ofNone = (await org.huda.post('/orders', { serviceId: plain })).body.id as number
  const [kept, handed, claimed] = [await place(), await place(), await place()]
  await org.salem.post(`/orders/${handed}/transfer`, { teamId: other })
  await org.salem.patch(`/orders/${claimed}/confirm-receipt`)
  const [none, own, mine] = [ofNone, kept, claimed].map((id) => [id, id, id === ofNone ? null : team])
  assert.deepEqual(await incoming(org.salem), [none, own, mine])
  assert.deepEqual(await incoming(org.rana), [none, [handed, handed, other]])
  for (const who of [org.salem, org.rana])
    assert.deepEqual(
      (await incoming(who)).map(([id]) => id),
      (await who.get('/orders/incoming')).body.map(({ id }: { id: number }) => id),
    )
  for (const who of [org.huda, org.noura]) assert.equal((await who.get('/orders/details?view=incoming')).body.code, 'forbidden')
  for (const id of [ofNone, kept, handed, claimed]) await org.admin.delete(`/orders/${id}`)
})

test('a list of ids narrows a view and its counts, and ids outside the view are left out', async () => {
  const [one, two, three, handed] = [await place(), await place(), await place(), await place()]
  await org.salem.post(`/orders/${handed}/transfer`, { teamId: other })
  const asked = `/orders/details?view=incoming&ids=${[three, one, handed, 2147483647, 9999999999, one]}`
  const { body, text } = await org.salem.get(asked)
  assert.deepEqual([(body.items as Item[]).map(({ details }) => details.orderId), body.totalCount], [[one, three], 2], text)
  const { waiting, late } = body.counts
  assert.deepEqual([waiting, late], [0, 0])
  for (const ids of ['', '0', '1,,2', 'x', Array.from({ length: 201 }, (_, n) => n + 1).join()])
    assert.equal((await org.salem.get(`/orders/details?view=incoming&ids=${ids}`)).body.code, 'validation_failed', ids)
  for (const id of [one, two, three, handed]) await org.admin.delete(`/orders/${id}`)
})
