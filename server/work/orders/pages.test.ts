/** One order for the people who may see it, and all orders for administrators. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from '../../../test/makers.ts'
import { orderPortal } from '../../../test/orders.ts'
import { testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { holderOf, newPerson, newService } = makers(portal)
const { place, placeFor, who } = orderPortal(portal)

test('an order is visible to its requester, receivers and administrators, each with their possible next steps', async () => {
  const { id } = await placeFor('received', 'owner')
  const nextFor = async (name: string) => (await who(name).get(`/orders/${id}`)).body.next
  assert.deepEqual(await nextFor('owner'), ['cancelled'])
  assert.deepEqual(await nextFor('assignee'), ['preparing', 'completed', 'cancelled'])
  assert.deepEqual(await nextFor('other receiver'), [])
  assert.deepEqual(await nextFor('admin'), ['preparing', 'completed', 'cancelled'])
  const mine = (await who('owner').get('/orders/my')).body.find((order: { id: number }) => order.id === id)
  assert.deepEqual((await who('owner').get(`/orders/${id}`)).body, mine)
})

test('an order that the caller may not see looks like a missing one', async () => {
  const { id } = await placeFor('received', 'owner')
  for (const [name, path] of [
    ['passer-by', `/orders/${id}`],
    ['former receiver', `/orders/${id}`],
    ['admin', '/orders/2147483647'],
  ] as const) {
    const { status, body } = await who(name).get(path)
    assert.deepEqual([status, body.code], [404, 'not_found'], name)
  }
})

/** The ids and the total of the administrator's page for a query. */
async function page(question: string) {
  const { status, body, text } = await portal.admin.get(`/orders?${question}`)
  assert.equal(status, 200, text)
  return body as {
    items: { id: number; next: string[] }[]
    totalCount: number
    limit: number
    offset: number
    nextOffset: number | null
    counts: object
  }
}
const idsOf = async (question: string) => (await page(question)).items.map(({ id }) => id)

test('administrators page through all orders, newest first', async () => {
  const owner = await newPerson()
  const ids: number[] = []
  for (let n = 0; n < 5; n++) ids.unshift((await place({ state: 'pending', owner })).id)
  const first = await page(`userId=${owner.id}&limit=2`)
  assert.deepEqual([first.items.map(({ id }) => id), first.totalCount, first.nextOffset], [ids.slice(0, 2), 5, 2])
  assert.deepEqual(first.items[0]!.next, ['received', 'cancelled'])
  const last = await page(`userId=${owner.id}&limit=2&offset=4`)
  assert.deepEqual([last.items.map(({ id }) => id), last.nextOffset], [ids.slice(4), null])
  assert.equal((await page('')).limit, 50)
})

test('administrators filter orders by state, receiver, service, requester and day, and by all of them together', async () => {
  const [owner, receiver, { id: serviceId }] = [await newPerson(), await holderOf('orders.receive'), await newService()]
  const pending = await place({ state: 'pending', owner })
  const received = await place({ state: 'received', owner, assignee: receiver, serviceId })
  const completed = await place({ state: 'completed', owner, assignee: receiver })
  const of = (question: string) => idsOf(`userId=${owner.id}&${question}`)
  assert.deepEqual(await of('status=pending'), [pending.id])
  assert.deepEqual(await of(`assignedTo=${receiver.id}`), [completed.id, received.id])
  assert.deepEqual(await of(`serviceId=${serviceId}`), [received.id])
  assert.deepEqual(await of(`serviceId=${serviceId}&status=pending`), [])
  const day = pending.created_at.toISOString().slice(0, 10)
  await portal.meddle('order', pending.id, `update orders set created_at = created_at - interval '3 days' where id = ${pending.id}`)
  assert.deepEqual(await of(`from=${day}`), [completed.id, received.id])
  const { totalCount, counts } = await page(`userId=${owner.id}&status=pending&from=${day}`)
  assert.deepEqual([totalCount, counts], [0, { pending: 0, received: 1, preparing: 0, completed: 1, cancelled: 0 }])
  const before = new Date(Date.parse(day) - 24 * 3600 * 1000).toISOString().slice(0, 10)
  assert.deepEqual(await of(`to=${before}`), [pending.id])
})

test('administrators find orders that have waited long', async () => {
  const owner = await newPerson()
  const waiting = await place({ state: 'pending', owner })
  const late = await place({ state: 'pending', owner })
  await place({ state: 'completed', owner, assignee: await holderOf('orders.receive') })
  await portal.meddle('order', late.id, `update orders set created_at = created_at - interval '15 minutes' where id = ${late.id}`)
  const of = (minutes: number) => idsOf(`userId=${owner.id}&waitingMinutes=${minutes}`)
  assert.deepEqual([await of(70), await of(60), await of(600)], [[late.id], [late.id, waiting.id], []])
  assert.equal((await portal.admin.get('/orders?waitingMinutes=0')).status, 400)
})

test('administrators find orders by a part of a text in any spelling', async () => {
  const owner = await newPerson({ displayNameAr: 'نُهى الأحمدي' })
  const { id: serviceId } = await newService({ nameAr: 'نقلُ الأثاث', nameEn: 'Moving Chairs' })
  const plain = await place({ state: 'pending', owner })
  const noted = await place({ state: 'pending', owner, notes: 'To the إدارة, 4th floor 100%' })
  const served = await place({ state: 'pending', owner, serviceId })
  const of = (q: string) => idsOf(`userId=${owner.id}&q=${encodeURIComponent(q)}`)
  assert.deepEqual(await of('نهي الاحمدي'), [served.id, noted.id, plain.id])
  assert.deepEqual(await of('moving c'), [served.id])
  assert.deepEqual(await of('نقل الاثاث'), [served.id])
  assert.deepEqual(await of('اداره'), [noted.id])
  assert.deepEqual(await of('٤th FLOOR'), [noted.id])
  assert.deepEqual(await of('100%'), [noted.id])
  assert.deepEqual(await of('%'), [noted.id])
  assert.deepEqual(await of('nothing of the kind'), [])
})

test('only administrators list all orders, and a filter by an impossible day is refused', async () => {
  for (const name of ['owner', 'assignee']) assert.equal((await who(name).get('/orders')).body.code, 'forbidden')
  for (const wrong of ['from=2026-02-30', 'from=2026-03-02&to=2026-03-01', 'status=lost', 'limit=0', 'limit=501'])
    assert.equal((await portal.admin.get(`/orders?${wrong}`)).body.code, 'validation_failed', wrong)
})
