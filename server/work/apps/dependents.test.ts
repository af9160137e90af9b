/** The lists of dependents of apps, services and people. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idsIn, makers } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { newApp, newGroup, newPerson, newRole, newService, newPermission } = makers(portal)
const list = async (path: string) => (await portal.admin.get(path)).body
const place = async (who: Awaited<ReturnType<typeof newPerson>>, serviceId: number, notes?: string) =>
  (await who.post('/orders', { serviceId, notes })).body.id as number

test('the groups that an app is granted to are listed by name', async () => {
  const { id } = await newApp()
  const [late, early] = [
    await newGroup({ name: 'Dependents, late', descriptionAr: 'متأخرة' }),
    await newGroup({ name: 'dependents, early' }),
  ]
  for (const group of [late, early]) await portal.admin.post(`/groups/${group.id}/apps`, { appId: id })
  assert.deepEqual(await list(`/apps/${id}/dependents/groups`), {
    items: [
      { id: early.id, name: 'dependents, early', descriptionAr: null, descriptionEn: null },
      { id: late.id, name: 'Dependents, late', descriptionAr: 'متأخرة', descriptionEn: null },
    ],
    totalCount: 2,
    limit: 50,
    offset: 0,
    nextOffset: null,
  })
})

test('the permissions that an app requires are listed by name, each with the roles that have it', async () => {
  const [held, lonely] = [await newPermission(), await newPermission()]
  const roles = [await newRole([held.name], 'zealous'), await newRole([held.name], 'Able')]
  const { id } = await newApp({ permissionIds: [lonely.id, held.id] })
  const { items, totalCount } = await list(`/apps/${id}/dependents/restrictions`)
  const described = { descriptionAr: null, descriptionEn: null }
  assert.deepEqual(
    [items, totalCount],
    [
      [
        { id: held.id, name: held.name, ...described, roles: roles.map(({ name }) => name).toReversed() },
        { id: lonely.id, name: lonely.name, ...described, roles: [] },
      ],
      2,
    ],
  )
})

test('the opens of an app are listed newest first, with the person', async () => {
  const [app, other] = [await newApp(), await newApp()]
  const [salem, huda] = [await newPerson({ displayNameAr: 'سالم' }), await newPerson({ displayNameEn: 'Huda' })]
  for (const [who, { id }] of [
    [salem, app],
    [huda, app],
    [huda, other],
    [salem, app],
  ] as const)
    await who.post(`/apps/${id}/open`)
  const { items, totalCount } = await list(`/apps/${app.id}/dependents/opens`)
  const shown = (who: typeof salem, displayNameAr: string | null, displayNameEn: string | null) => ({
    userId: who.id,
    username: who.username,
    displayNameAr,
    displayNameEn,
    avatarUrl: null,
  })
  const [first, second] = [shown(salem, 'سالم', null), shown(huda, null, 'Huda')]
  assert.deepEqual(
    [items.map(({ id: _, createdAt: _at, ...who }: { id: number; createdAt: string }) => who), totalCount],
    [[first, second, first], 3],
  )
  assert.deepEqual(
    items.toSorted((one: { createdAt: string }, two: { createdAt: string }) => two.createdAt.localeCompare(one.createdAt)),
    items,
  )
})

test('the orders of a service and of a person are listed newest first', async () => {
  const [service, other] = [await newService({ nameEn: 'Tea', nameAr: 'شاي' }), await newService()]
  const [salem, huda] = [await newPerson({ displayNameAr: 'سالم', displayNameEn: 'Salem' }), await newPerson()]
  const ids = [await place(salem, service.id, 'hot'), await place(huda, service.id), await place(salem, other.id)]
  await salem.patch(`/orders/${ids[0]}/status`, { status: 'cancelled' })

  const ofService = await list(`/services/${service.id}/dependents/orders`)
  assert.deepEqual([idsIn({ body: ofService.items }), ofService.totalCount], [[ids[1], ids[0]], 2])
  const { createdAt, ...oldest } = ofService.items[1]
  const names = { username: salem.username, displayNameAr: 'سالم', displayNameEn: 'Salem' }
  assert.deepEqual(oldest, { id: ids[0], status: 'cancelled', notes: 'hot', userId: salem.id, ...names })

  const ofPerson = await list(`/users/${salem.id}/dependents/orders`)
  assert.deepEqual([idsIn({ body: ofPerson.items }), ofPerson.totalCount], [[ids[2], ids[0]], 2])
  const service1 = { serviceId: service.id, serviceNameAr: 'شاي', serviceNameEn: 'Tea' }
  assert.deepEqual(ofPerson.items[1], { id: ids[0], status: 'cancelled', notes: 'hot', createdAt, ...service1 })
})

test('consecutive pages contain every item once, and their total is the count in the refused deletion', async () => {
  const permissions = [await newPermission(), await newPermission(), await newPermission()]
  const app = await newApp({ permissionIds: permissions.map(({ id }) => id) })
  for (const group of [await newGroup(), await newGroup(), await newGroup()])
    await portal.admin.post(`/groups/${group.id}/apps`, { appId: app.id })
  const [service, person] = [await newService(), await newPerson()]
  for (let n = 0; n < 3; n++) {
    await portal.admin.post(`/apps/${app.id}/open`)
    await place(person, service.id)
  }
  const refused = (await portal.admin.delete(`/apps/${app.id}`)).body
  for (const [path, count] of [
    [`/apps/${app.id}/dependents/groups`, refused.groupCount],
    [`/apps/${app.id}/dependents/restrictions`, refused.restrictionCount],
    [`/apps/${app.id}/dependents/opens`, refused.openCount],
    [`/services/${service.id}/dependents/orders`, (await portal.admin.delete(`/services/${service.id}`)).body.orderCount],
    [`/users/${person.id}/dependents/orders`, (await portal.admin.delete(`/users/${person.id}`)).body.orderCount],
  ] as const) {
    const [whole, first, last, beyond] = await Promise.all(
      ['', '?limit=2', '?limit=2&offset=2', '?offset=3'].map((page) => list(path + page)),
    )
    assert.deepEqual([whole.items.length, whole.totalCount, count], [3, 3, 3], path)
    assert.deepEqual([...first.items, ...last.items], whole.items, path)
    assert.deepEqual([first.nextOffset, last.nextOffset, beyond.nextOffset, beyond.items, beyond.totalCount], [2, null, null, [], 3], path)
  }
})

for (const path of [
  'apps/ID/dependents/groups',
  'apps/ID/dependents/restrictions',
  'apps/ID/dependents/opens',
  'services/ID/dependents/orders',
  'users/ID/dependents/orders',
]) {
  test(`${path} refuses unknown subjects and invalid pages`, async () => {
    const { id } = path.startsWith('apps') ? await newApp() : path.startsWith('services') ? await newService() : portal.admin
    const statusOf = async (one: number | string, page = '') => (await portal.admin.get(`/${path.replace('ID', `${one}`)}${page}`)).status
    assert.deepEqual([await statusOf(2147483647), await statusOf(0), await statusOf('x')], [404, 400, 400])
    for (const page of ['?limit=0', '?limit=201', '?limit=x', '?offset=-1', '?offset=1.5'])
      assert.equal(await statusOf(id, page), 400, page)
    for (const page of ['?limit=1', '?limit=200', '?offset=2147483647']) assert.equal(await statusOf(id, page), 200, page)
  })
}

test('app opens and orders are totalled from stored counters, not row by row', async () => {
  const [app, service, person] = [await newApp(), await newService(), await newPerson()]
  await person.post(`/apps/${app.id}/open`)
  await place(person, service.id)
  await portal.sql('update app_open_days set count = count + 1000 where app_id = $1', [app.id])
  await portal.sql('update service_order_counts set count = count + 1000 where service_id = $1', [service.id])
  for (const path of [`/apps/${app.id}/dependents/opens`, `/services/${service.id}/dependents/orders`]) {
    const { items, totalCount } = await list(path)
    assert.deepEqual([items.length, totalCount], [1, 1001], path)
  }
})
