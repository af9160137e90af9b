/** However much there is, a request asks the database the same number of times. */
import assert from 'node:assert/strict'
import { before, mock, test } from 'node:test'
import pg from 'pg'
import * as notifications from '../server/notifications/routes.ts'
import * as orders from '../server/orders/routes.ts'
import * as services from '../server/services/routes.ts'
import { type Answer, house, PASSWORD, type Visitor } from './house.ts'
import { makers } from './makers.ts'
import { orderHouse } from './orders.ts'

const portal = house()
const { newCategory, newPerson, newService, roleNamed } = makers(portal)
const { place, whenReady } = orderHouse(portal)

/** What the portal does by itself: reading events, handing over, looking whether the database lives, loading who comes first. */
const asides = /^(events_|why_ended|touch_sessions|hand_over|load_actors)|^select$|bawaba_events/
let sent: string[] = []
const send = pg.Client.prototype.query as (...parts: unknown[]) => unknown
mock.method(pg.Client.prototype, 'query', function (this: { connectionParameters: Record<string, unknown> }, ...parts: unknown[]) {
  const { name = '', text } = typeof parts[0] === 'string' ? { text: parts[0] } : (parts[0] as { name?: string; text: string })
  const isOwn = this.connectionParameters['application_name'] === 'bawaba'
  if (isOwn && !asides.test(name) && !asides.test(text)) sent.push(text.replace(/\s+/g, ' ').trim())
  return send.apply(this, parts)
})

const many = <T>(count: number, one: (n: number) => Promise<T>) => Promise.all(Array.from({ length: count }, (_, n) => one(n)))

/** A portal of a size: so many receivers, services, and of one person's orders in each state, of their notifications, of claims. */
async function furnish(size: number) {
  const [person, receiver, role] = [await newPerson(), await newPerson({ roles: ['order_receiver'] }), await roleNamed('order_receiver')]
  const newcomer = (n: number) => ({ username: `of${size}.${n}`, email: `of${size}.${n}@example.org`, password: PASSWORD })
  const people = await many(size, (n) => portal.admin.post('/users', newcomer(n)))
  await portal.admin.post('/groups', { name: `receivers ${size}`, roleIds: [role.id], userIds: people.map(({ body }) => body.id) })
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
  return { size, person, receiver, category, service: service!, order, admin: portal.admin }
}
type Scene = Awaited<ReturnType<typeof furnish>>

/** Of each endpoint what is asked, after what it needs is there, and the status it answers. */
const cases: Record<string, [status: number, ask: (scene: Scene) => Promise<() => Promise<Answer>>][]> = {
  'POST /orders': [
    [
      201,
      async ({ person, service }) =>
        () =>
          person.post('/orders', { serviceId: service.id }),
    ],
    [
      400,
      async ({ person }) =>
        () =>
          person.post('/orders', { serviceId: 2147483647 }),
    ],
  ],
  'GET /orders/my': [
    [
      200,
      async ({ person }) =>
        () =>
          person.get('/orders/my'),
    ],
  ],
  'GET /orders/incoming': [
    [
      200,
      async ({ receiver }) =>
        () =>
          receiver.get('/orders/incoming'),
    ],
  ],
  'PATCH /orders/:id/status': [
    [200, async (scene) => move(scene.receiver, await scene.order('received'), 'preparing')],
    [200, async (scene) => move(scene.person, await scene.order('pending'), 'cancelled')],
    [200, async (scene) => move(scene.person, await scene.order('cancelled'), 'received')],
    [400, async (scene) => move(scene.person, await scene.order('completed'), 'cancelled')],
    [403, async (scene) => move(scene.person, await scene.order('received'), 'completed')],
  ],
  'PATCH /orders/:id/confirm-receipt': [
    [200, async (scene) => claim(scene, await scene.order('pending'))],
    [409, async (scene) => claim(scene, await scene.order('received'))],
  ],
  'DELETE /orders/:id': [
    [204, async (scene) => remove(scene.receiver, `/orders/${await scene.order('received')}`)],
    [403, async (scene) => remove(scene.person, `/orders/${await scene.order('received')}`)],
  ],
  'POST /orders/bulk-delete': [
    [200, async (scene) => bulkDelete(scene, await many(scene.size === SIZES[0] ? 2 : 100, () => scene.order('completed')))],
    [200, async (scene) => bulkDelete(scene, await many(scene.size === SIZES[0] ? 2 : 100, () => scene.order('received')))],
  ],
  'GET /services': [
    [
      200,
      async ({ person }) =>
        () =>
          person.get('/services'),
    ],
  ],
  'POST /services': [
    [
      201,
      async ({ admin, category }) =>
        () =>
          admin.post('/services', { ...names, categoryId: category.id }),
    ],
  ],
  'GET /services/:id': [
    [
      200,
      async ({ person, service }) =>
        () =>
          person.get(`/services/${service.id}`),
    ],
  ],
  'PATCH /services/:id': [
    [
      200,
      async ({ admin, service }) =>
        () =>
          admin.patch(`/services/${service.id}`, { sortOrder: 1 }),
    ],
  ],
  'DELETE /services/:id': [
    [204, async ({ admin }) => remove(admin, `/services/${(await newService()).id}`)],
    [409, async ({ admin, service }) => remove(admin, `/services/${service.id}`)],
    [204, async ({ admin, service }) => remove(admin, `/services/${service.id}?force=true`)],
  ],
  'GET /service-categories': [
    [
      200,
      async ({ person }) =>
        () =>
          person.get('/service-categories'),
    ],
  ],
  'POST /service-categories': [
    [
      201,
      async ({ admin }) =>
        () =>
          admin.post('/service-categories', names),
    ],
  ],
  'PATCH /service-categories/:id': [
    [
      200,
      async ({ admin, category }) =>
        () =>
          admin.patch(`/service-categories/${category.id}`, { sortOrder: 1 }),
    ],
  ],
  'DELETE /service-categories/:id': [[204, async ({ admin, category }) => remove(admin, `/service-categories/${category.id}`)]],
  'GET /notifications': [
    [
      200,
      async ({ person }) =>
        () =>
          person.get('/notifications'),
    ],
  ],
  'PATCH /notifications/:id/read': [
    [200, async ({ person }) => person.patch.bind(null, `/notifications/${(await person.get('/notifications')).body[0].id}/read`)],
  ],
  'POST /notifications/read-all': [
    [
      200,
      async ({ person }) =>
        () =>
          person.post('/notifications/read-all'),
    ],
  ],
  'DELETE /users/:id': [
    [204, async ({ admin, receiver }) => remove(admin, `/users/${receiver.id}`)],
    [204, async ({ admin, person }) => remove(admin, `/users/${person.id}?force=true`)],
  ],
}
const names = { nameAr: 'قهوة', nameEn: 'Coffee' }
const move = (who: Visitor, id: number, status: string) => () => who.patch(`/orders/${id}/status`, { status })
const claim =
  ({ receiver }: Scene, id: number) =>
  () =>
    receiver.patch(`/orders/${id}/confirm-receipt`)
const remove = (who: Visitor, path: string) => () => who.delete(path)
const bulkDelete =
  ({ admin }: Scene, ids: number[]) =>
  () =>
    admin.post('/orders/bulk-delete', { ids })

const SIZES = [3, 60] as const
const scenes: Scene[] = []
before(async () => {
  await whenReady()
  for (const size of SIZES) scenes.push(await furnish(size))
})

for (const [at, asked] of Object.entries(cases))
  for (const [status, ask] of asked)
    test(`${at}, answered ${status}, asks the database as often at ${SIZES[1]} as at ${SIZES[0]}`, async (t) => {
      const both: string[][] = []
      for (const scene of scenes) {
        const act = await ask(scene)
        sent = []
        const answer = await act()
        both.push([...sent])
        assert.equal(answer.status, status, answer.text)
      }
      const [few, more] = both as [string[], string[]]
      t.diagnostic(`${few.length} statements`)
      assert.ok(few.length > 1 && few[0]!.includes('from sessions'), few[0])
      assert.equal(more.length, few.length, `${more.join('\n')}\n\nwhere few were\n\n${few.join('\n')}`)
    })

test('every endpoint of orders, services and notifications is counted', () => {
  const all = [orders, services, notifications].flatMap((feature) => Object.values(feature).map(({ at }) => at as string))
  assert.deepEqual(Object.keys(cases).toSorted(), [...all, 'DELETE /users/:id'].toSorted())
})
