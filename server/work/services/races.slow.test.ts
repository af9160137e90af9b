/** Services and categories that are deleted while in use: the second transaction sees the result of the first. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { makers, serviceNames } from '../../../test/makers.ts'
import { type Answer, testPortal, until } from '../../../test/portal.ts'

const portal = testPortal()
const { newCategory, newPerson, newService } = makers(portal)

/** The answer to `act` when it has to wait for these uncommitted statements; `then` runs while it waits. */
async function whileOpen(statements: string, act: () => Promise<Answer>, then = '') {
  const client = new pg.Client(portal.connection)
  await client.connect()
  try {
    await client.query(`begin; ${statements}`)
    const answer = act()
    await until('it waits', async () => {
      const waiting = await portal.sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
      return waiting.length
    })
    await client.query(`${then}; commit`)
    return await answer
  } finally {
    await client.end()
  }
}
const change = (targetType: string, targetId: number) =>
  `insert into ledger (kind, target_type, target_id, facts) values ('test.raced', '${targetType}', ${targetId}, '{}');`
const categoryGoes = (id: number) => `${change('service_category', id)} delete from service_categories where id = ${id}`
const serviceGoes = (id: number) => `${change('service', id)} delete from services where id = ${id}`

test('a service cannot be put into a category that is being deleted', async () => {
  const { id } = await newService()
  for (const place of [
    (categoryId: number) => portal.admin.patch(`/services/${id}`, { categoryId }),
    (categoryId: number) => portal.admin.post('/services', { ...serviceNames, categoryId }),
  ]) {
    const { id: categoryId } = await newCategory()
    const { status, body } = await whileOpen(categoryGoes(categoryId), () => place(categoryId))
    assert.deepEqual([status, body.code, body.unknownIds], [400, 'unknown_ids', [categoryId]])
  }
})

test('deleting a category also affects a service that was just put into it', async () => {
  const [{ id }, { id: categoryId }] = [await newService(), await newCategory()]
  const placing = `${change('service', id)} update services set category_id = ${categoryId} where id = ${id}`
  const { status } = await whileOpen(placing, () => portal.admin.delete(`/service-categories/${categoryId}`))
  assert.equal(status, 204)
  assert.equal((await portal.admin.get(`/services/${id}`)).body.categoryId, null)
})

test('deleting a category does not affect a service that was just taken out of it', async () => {
  const [{ id: categoryId }, { id: other }] = [await newCategory(), await newCategory()]
  const { id } = await newService({ categoryId })
  const moving = `${change('service', id)} update services set category_id = ${other} where id = ${id}`
  const { status } = await whileOpen(moving, () => portal.admin.delete(`/service-categories/${categoryId}`))
  assert.equal(status, 204)
  assert.equal((await portal.admin.get(`/services/${id}`)).body.categoryId, other)
})

test('updating a service or a category that is being deleted answers 404', async () => {
  const [service, category] = [await newService(), await newCategory()]
  const edited = await whileOpen(serviceGoes(service.id), () => portal.admin.patch(`/services/${service.id}`, { nameEn: 'Tea' }))
  const renamed = await whileOpen(categoryGoes(category.id), () =>
    portal.admin.patch(`/service-categories/${category.id}`, { nameEn: 'Tea' }),
  )
  assert.deepEqual([edited.status, renamed.status], [404, 404])
})

test('each of several simultaneous updates of a service records the state that the previous one left', async () => {
  const { id } = await newService()
  const edit = (n: number) => portal.admin.patch(`/services/${id}`, { nameEn: `Coffee ${n}` })
  const { audit } = await portal.traces(() => Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(edit)))
  const steps = audit.map(({ metadata }) => (metadata['changed'] as { nameEn: { from: string; to: string } }).nameEn)
  const { nameEn } = (await portal.admin.get(`/services/${id}`)).body
  assert.deepEqual(
    steps.map(({ from }) => from),
    ['Coffee', ...steps.slice(0, -1).map(({ to }) => to)],
  )
  assert.deepEqual([steps.length, steps.at(-1)!.to], [8, nameEn])
})

const ordered = (serviceId: number, userId: number) =>
  `${change('service', serviceId)} insert into orders (service_id, user_id) values (${serviceId}, ${userId})`

test('a deletion that waits for a new order is refused, and a forced one deletes the order as well', async () => {
  const [{ id }, person] = [await newService(), await newPerson()]
  const stored = await whileOpen(ordered(id, person.id), () => portal.admin.delete(`/services/${id}`))
  assert.deepEqual([stored.status, stored.body.code, stored.body.orderCount], [409, 'has_dependents', 1])
  const forced = await whileOpen(ordered(id, person.id), () => portal.admin.delete(`/services/${id}?force=true`))
  assert.equal(forced.status, 204)
  const [audit] = await portal.sql<{ count: number }>(
    `select (facts -> 'orderCount')::int as count from ledger where action = 'service.force_delete' and target_id = ${id}`,
  )
  assert.equal(audit!.count, 2)
})

test('a forced deletion that waits for one of the orders has not locked the service yet, so nothing deadlocks', async () => {
  const [{ id }, person] = [await newService(), await newPerson()]
  const { body } = await person.post('/orders', { serviceId: id })
  const { status } = await whileOpen(
    `select from orders where id = ${body.id} for update`,
    () => portal.admin.delete(`/services/${id}?force=true`),
    `select from services where id = ${id} for key share nowait; ${change('order', body.id)} delete from orders where id = ${body.id}`,
  )
  assert.equal(status, 204)
})

test('a service that is being deleted cannot be ordered', async () => {
  const [{ id }, person] = [await newService(), await newPerson()]
  const { status, body } = await whileOpen(serviceGoes(id), () => person.post('/orders', { serviceId: id }))
  assert.deepEqual([status, body.code], [400, 'service_unavailable'])
})

test('a forced deletion leaves no order and never fails, even if orders of the service change at the same time', async () => {
  const [owner, receiver] = [await newPerson(), await newPerson({ roles: ['order_receiver'] })]
  for (let round = 0; round < 5; round++) {
    const { id } = await newService()
    const ids: number[] = []
    for (let n = 0; n < 6; n++) ids.push((await owner.post('/orders', { serviceId: id })).body.id)
    const answers = await Promise.all([
      owner.post('/orders', { serviceId: id }),
      receiver.patch(`/orders/${ids[0]}/confirm-receipt`),
      owner.patch(`/orders/${ids[1]}/status`, { status: 'cancelled' }),
      portal.admin.delete(`/services/${id}?force=true`),
      receiver.delete(`/orders/${ids[2]}`),
      receiver.post('/orders/bulk-delete', { ids: ids.slice(3) }),
      portal.admin.patch(`/services/${id}`, { nameEn: 'Tea' }),
      owner.post('/orders', { serviceId: id }),
    ])
    for (const { status, text } of answers) assert.ok(status < 500, text)
    assert.equal(answers[3]!.status, 204)
    assert.deepEqual(await portal.sql(`select from orders where service_id = ${id}`), [])
  }
})
