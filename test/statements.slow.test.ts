/** A request sends the same number of statements for any amount of data. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import * as notifications from '../server/work/notifications/routes.ts'
import * as orderDetails from '../server/work/orders/detail-routes.ts'
import * as orders from '../server/work/orders/routes.ts'
import * as services from '../server/work/services/routes.ts'
import { statementsDuring } from './counting.ts'
import { makers } from './makers.ts'
import { orderPortal } from './orders.ts'
import { type Client, PASSWORD, testPortal } from './portal.ts'

const portal = testPortal()
const { newCategory, newPerson, newService, newTeam, roleNamed } = makers(portal)
const { place, whenReady } = orderPortal(portal)

const many = <T>(count: number, one: (n: number) => Promise<T>) => Promise.all(Array.from({ length: count }, (_, n) => one(n)))

/** Fills a portal with `size` receivers, services, orders of one person in each state, notifications and claims. */
async function seed(size: number) {
  const [person, receiver, role] = [await newPerson(), await newPerson({ roles: ['order_receiver'] }), await roleNamed('order_receiver')]
  const newcomer = (n: number) => ({ username: `of${size}.${n}`, email: `of${size}.${n}@example.org`, password: PASSWORD })
  const people = await many(size, (n) => portal.admin.post('/users', newcomer(n)))
  const ids: number[] = people.map(({ body }) => body.id)
  const { body: group } = await portal.admin.post('/groups', { name: `receivers ${size}`, roleIds: [role.id], userIds: ids })
  const category = await newCategory()
  const ordered = await many(size, () => newService({ categoryId: category.id }))
  for (const state of ['pending', 'received', 'preparing', 'completed', 'cancelled'])
    await many(size, (n) => place({ state, owner: person, assignee: receiver, serviceId: ordered[n]!.id }))
  const [service] = ordered
  await many(size, () => place({ state: 'completed', owner: person, assignee: receiver, serviceId: service!.id }))
  await many(size, () => person.post('/orders', { serviceId: service!.id }))
  const moved = await place({ state: 'received', owner: person, assignee: receiver })
  for (let n = 0; n < size; n++) await person.patch(`/orders/${moved.id}/status`, { status: n % 2 ? 'received' : 'cancelled' })
  const order = async (state: string) => (await place({ state, owner: person, assignee: receiver })).id
  return { size, person, receiver, ids, group, category, service: service!, order, admin: portal.admin }
}
type Fixture = Awaited<ReturnType<typeof seed>>

type Request = [who: Client, path: string, body?: object]
const names = { nameAr: 'قهوة', nameEn: 'Coffee' }
const move = async ({ order }: Fixture, who: Client, state: string, status: string): Promise<Request> => [
  who,
  `/orders/${await order(state)}/status`,
  { status },
]
const reversed = async (admin: Client, path: string): Promise<Request> => [
  admin,
  `${path}/order`,
  { ids: (await admin.get(path)).body.map(({ id }: { id: number }) => id).toReversed() },
]
const bulkDelete = async ({ size, admin, order }: Fixture, state: string): Promise<Request> => {
  const ids = await many(size === SMALL ? 2 : LARGE / 2, () => order(state))
  return [admin, '/orders/bulk-delete', { ids }]
}
const newest = async (person: Client) => (await person.get('/notifications?limit=1')).body[0].id

/** For each endpoint: the case, the expected status, and the request, prepared once its data exist. */
const cases: [at: string, what: string, status: number, ask: (fixture: Fixture) => Request | Promise<Request>][] = [
  ['POST /orders', 'an order', 201, ({ person, service }) => [person, '/orders', { serviceId: service.id }]],
  [
    'POST /orders',
    'an order with answers',
    201,
    async ({ admin, person, size }) => {
      const { id } = await newService()
      const keys = Array.from({ length: size === SMALL ? 2 : 40 }, (_, n) => `f${n}`)
      const fields = keys.map((key) => ({ key, kind: 'person', labelEn: key }))
      await admin.put(`/services/${id}/form`, { fields })
      return [person, '/orders', { serviceId: id, answers: Object.fromEntries(keys.map((key) => [key, admin.id])) }]
    },
  ],
  ['POST /orders', 'an unknown service', 400, ({ person }) => [person, '/orders', { serviceId: 2147483647 }]],
  ['GET /orders', 'orders', 200, ({ admin }) => [admin, '/orders?q=coffee']],
  ['GET /orders/:id', 'an order', 200, async ({ admin, order }) => [admin, `/orders/${await order('cancelled')}`]],
  ['GET /orders/:id/details', 'details', 200, async ({ admin, order }) => [admin, `/orders/${await order('pending')}/details`]],
  ['POST /orders/:id/release', 'an order', 200, async ({ receiver, order }) => [receiver, `/orders/${await order('received')}/release`]],
  [
    'POST /orders/:id/assign',
    'an order',
    200,
    async ({ admin, order }) => [admin, `/orders/${await order('preparing')}/assign`, { userId: admin.id }],
  ],
  [
    'POST /orders/:id/transfer',
    'an order',
    200,
    async ({ admin, order }) => [admin, `/orders/${await order('preparing')}/transfer`, { teamId: (await newTeam()).id }],
  ],
  ['GET /orders/receivers', 'receivers', 200, ({ admin }) => [admin, '/orders/receivers?q=r']],
  ['GET /orders/details', 'orders', 200, ({ receiver }) => [receiver, '/orders/details?view=team&status=pending']],
  ['GET /service-teams/names', 'teams', 200, ({ receiver }) => [receiver, '/service-teams/names']],
  ['GET /orders/my', 'orders', 200, ({ person }) => [person, '/orders/my']],
  ['GET /orders/incoming', 'orders', 200, ({ receiver }) => [receiver, '/orders/incoming']],
  ['PATCH /orders/:id/status', 'a step', 200, (fixture) => move(fixture, fixture.receiver, 'received', 'preparing')],
  ['PATCH /orders/:id/status', 'a cancellation', 200, (fixture) => move(fixture, fixture.person, 'pending', 'cancelled')],
  ['PATCH /orders/:id/status', 'an undo', 200, (fixture) => move(fixture, fixture.person, 'cancelled', 'received')],
  ['PATCH /orders/:id/status', 'a step that does not fit', 400, (fixture) => move(fixture, fixture.person, 'completed', 'cancelled')],
  ['PATCH /orders/:id/status', 'a step of others', 403, (fixture) => move(fixture, fixture.person, 'received', 'completed')],
  ['PATCH /orders/:id/confirm-receipt', 'a claim', 200, async ({ receiver, order }) => [receiver, await claimOf(order, 'pending')]],
  ['PATCH /orders/:id/confirm-receipt', 'a late claim', 409, async ({ receiver, order }) => [receiver, await claimOf(order, 'received')]],
  ['DELETE /orders/:id', 'an order', 204, async ({ receiver, order }) => [receiver, `/orders/${await order('received')}`]],
  ['DELETE /orders/:id', 'an order of others', 403, async ({ person, order }) => [person, `/orders/${await order('received')}`]],
  ['POST /orders/bulk-delete', 'completed orders', 200, (fixture) => bulkDelete(fixture, 'completed')],
  ['POST /orders/bulk-delete', 'claimed orders', 200, (fixture) => bulkDelete(fixture, 'received')],
  ['GET /services', 'services', 200, ({ person }) => [person, '/services']],
  ['POST /services', 'a service', 201, ({ admin, category }) => [admin, '/services', { ...names, categoryId: category.id }]],
  ['GET /services/:id', 'a service', 200, ({ person, service }) => [person, `/services/${service.id}`]],
  [
    'GET /services/:id/dependents/orders',
    'of a service',
    200,
    ({ admin, service }) => [admin, `/services/${service.id}/dependents/orders`],
  ],
  ['PATCH /services/:id', 'a service', 200, ({ admin, service }) => [admin, `/services/${service.id}`, { sortOrder: 1 }]],
  ['DELETE /services/:id', 'a service nobody ordered', 204, async ({ admin }) => [admin, `/services/${(await newService()).id}`]],
  ['DELETE /services/:id', 'a service with orders', 409, ({ admin, service }) => [admin, `/services/${service.id}`]],
  ['DELETE /services/:id', 'a service and its orders', 204, ({ admin, service }) => [admin, `/services/${service.id}?force=true`]],
  ['GET /service-categories', 'categories', 200, ({ person }) => [person, '/service-categories']],
  ['GET /service-categories/:id', 'a category', 200, ({ person, category }) => [person, `/service-categories/${category.id}`]],
  ['POST /service-categories', 'a category', 201, ({ admin }) => [admin, '/service-categories', names]],
  [
    'PATCH /service-categories/:id',
    'a category',
    200,
    ({ admin, category }) => [admin, `/service-categories/${category.id}`, { sortOrder: 1 }],
  ],
  ['PUT /services/order', 'services', 200, ({ admin }) => reversed(admin, '/services')],
  ['PUT /service-categories/order', 'categories', 200, ({ admin }) => reversed(admin, '/service-categories')],
  ['DELETE /service-categories/:id', 'a full category', 204, ({ admin, category }) => [admin, `/service-categories/${category.id}`]],
  ['GET /notifications', 'notifications', 200, ({ person }) => [person, '/notifications']],
  ['GET /notifications/:id', 'a notification', 200, async ({ person }) => [person, `/notifications/${await newest(person)}`]],
  ['PATCH /notifications/:id/read', 'a notification', 200, async ({ person }) => [person, `/notifications/${await newest(person)}/read`]],
  ['POST /notifications/read-all', 'notifications', 200, ({ person }) => [person, '/notifications/read-all']],
  [
    'POST /notifications/read-about',
    'notifications of an order',
    200,
    async ({ person, order }) => [person, '/notifications/read-about', { relatedType: 'order', relatedId: await order('received') }],
  ],
  [
    'POST /users/bulk-change',
    'people',
    200,
    ({ admin, ids, group }) => [admin, '/users/bulk-change', { ids, set: { isActive: false, removeGroupIds: [group.id] } }],
  ],
  ['DELETE /users/:id', 'a receiver with orders', 204, ({ admin, receiver }) => [admin, `/users/${receiver.id}`]],
  ['DELETE /users/:id', 'a person and their orders', 204, ({ admin, person }) => [admin, `/users/${person.id}?force=true`]],
]
const claimOf = async (order: Fixture['order'], state: string) => `/orders/${await order(state)}/confirm-receipt`

/** A portal of size n has 2n waiting orders of one person, who may have at most 100. */
const [SMALL, LARGE] = [3, 40]
/** For each case, the statements at both sizes. The small portal gets all requests before it grows. */
const taken = cases.map((): string[][] => [])
before(async () => {
  await whenReady()
  for (const size of [SMALL, LARGE]) {
    const fixture = await seed(size)
    for (const [n, one] of cases.entries()) taken[n]!.push(await statementsOf(fixture, one))
  }
})

async function statementsOf(fixture: Fixture, [at, what, status, ask]: (typeof cases)[number]) {
  const [who, path, body] = await ask(fixture)
  return statementsDuring(async () => {
    const answer = await who.send(at.split(' ')[0]!, path, body)
    assert.equal(answer.status, status, `${at}, ${what}: ${answer.text}`)
  })
}

for (const [n, [at, what]] of cases.entries())
  test(`${at}, ${what}: as many statements with ${LARGE} of everything as with ${SMALL}`, (t) => {
    const [few, many] = taken[n] as [string[], string[]]
    t.diagnostic(`${few.length} statements`)
    assert.match(few[0]!, /from sessions/)
    assert.ok(few.length > 1)
    assert.equal(many.length, few.length, `${many.join('\n')}\n\nwhere few were\n\n${few.join('\n')}`)
  })

test('every endpoint of orders, services and notifications is counted', () => {
  const all = [orders, orderDetails, services, notifications].flatMap((feature) => Object.values(feature).map(({ at }) => at as string))
  const beside = ['GET /service-teams/names', 'DELETE /users/:id', 'POST /users/bulk-change']
  assert.deepEqual([...new Set(cases.map(([at]) => at))].toSorted(), [...all, ...beside].toSorted())
})
