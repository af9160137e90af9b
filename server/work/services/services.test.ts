import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appsChangedForAll, ascending, idsIn, makers, serviceNames, servicesChanged, silence } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'
import { uploads } from '../../../test/uploads.ts'

const portal = testPortal()
const { newApp, newCategory, newPerson, newService } = makers(portal)
const NOBODYS = 2147483647

test('a new service gets defaults for missing fields, and leaves its audit row and one event for all', async () => {
  let service: Record<string, unknown> = {}
  const traces = await portal.traces(async () => {
    const { status, body } = await portal.admin.post('/services', { ...serviceNames, orderCount: 7, id: 9 })
    assert.equal(status, 201)
    service = body
  })
  const { id, createdAt, updatedAt, ...rest } = service
  assert.deepEqual(rest, {
    ...serviceNames,
    categoryId: null,
    descriptionAr: null,
    descriptionEn: null,
    imageUrl: null,
    price: null,
    isAvailable: true,
    sortOrder: 0,
  })
  assert.equal(createdAt, updatedAt)
  const audit = [{ action: 'service.create', type: 'service', target: id, metadata: serviceNames }]
  assert.deepEqual(traces, { ...silence, audit, events: [servicesChanged] })
  assert.deepEqual((await portal.admin.get(`/services/${id}`)).body, service)
})

test('every field of a service is stored as sent, after normalisation', async () => {
  const { id: categoryId } = await newCategory()
  const fields = {
    nameAr: 'شاي',
    nameEn: 'Tea',
    categoryId,
    descriptionAr: 'سطر\nوآخر',
    descriptionEn: 'One line\nand another',
    imageUrl: await uploads(portal).picture(),
    price: '٥ ريال',
    isAvailable: false,
    sortOrder: -2147483648,
  }
  const { id } = await newService({ ...fields, nameEn: ' Tea\u202e ' })
  const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...stored } = (await portal.admin.get(`/services/${id}`)).body
  assert.deepEqual(stored, fields)
})

const wrongFields: [what: string, fields: object, path: string][] = [
  ['no Arabic name', { nameAr: undefined }, 'nameAr'],
  ['no English name', { nameEn: undefined }, 'nameEn'],
  ['an empty name', { nameEn: ' ' }, 'nameEn'],
  ['a long name', { nameAr: 'x'.repeat(201) }, 'nameAr'],
  ['a number for a name', { nameEn: 5 }, 'nameEn'],
  ['a null name', { nameEn: null }, 'nameEn'],
  ['a long description', { descriptionEn: 'x'.repeat(2001) }, 'descriptionEn'],
  ['a list for a description', { descriptionAr: ['x'] }, 'descriptionAr'],
  ['an image from anywhere', { imageUrl: 'http://example.org/x.png' }, 'imageUrl'],
  ['a number for a price', { price: 5 }, 'price'],
  ['a long price', { price: '1'.repeat(101) }, 'price'],
  ['a text for a boolean', { isAvailable: 'yes' }, 'isAvailable'],
  ['a null for a boolean', { isAvailable: null }, 'isAvailable'],
  ['a fractional order', { sortOrder: 1.5 }, 'sortOrder'],
  ['a huge order', { sortOrder: 2147483648 }, 'sortOrder'],
  ['a null order', { sortOrder: null }, 'sortOrder'],
  ['a category in words', { categoryId: '1' }, 'categoryId'],
  ['category 0', { categoryId: 0 }, 'categoryId'],
  ['half a category', { categoryId: 1.5 }, 'categoryId'],
  ['a huge category', { categoryId: 2147483648 }, 'categoryId'],
]
for (const [what, fields, path] of wrongFields)
  test(`a service with ${what} is refused on creation and on update, without a trace`, async () => {
    const { id } = await newService()
    const traces = await portal.traces(async () => {
      const answers = [await portal.admin.post('/services', { ...serviceNames, ...fields })]
      if (!what.startsWith('no ')) answers.push(await portal.admin.patch(`/services/${id}`, fields))
      for (const { status, body, text } of answers) assert.deepEqual([status, body.details?.[0].path], [400, path], text)
    })
    assert.deepEqual(traces, silence)
  })

test('an unknown category is named in the refusal, and nothing is written', async () => {
  const { id } = await newService()
  const traces = await portal.traces(async () => {
    for (const { status, body } of [
      await portal.admin.post('/services', { ...serviceNames, categoryId: NOBODYS }),
      await portal.admin.patch(`/services/${id}`, { categoryId: NOBODYS }),
    ])
      assert.deepEqual([status, body.code, body.unknownIds], [400, 'unknown_ids', [NOBODYS]])
  })
  assert.deepEqual(traces, silence)
  assert.equal((await portal.admin.patch(`/services/${NOBODYS}`, { categoryId: NOBODYS })).status, 404)
})

test('an update records the changed fields and sets updatedAt; one that changes nothing writes nothing', async () => {
  const { id: categoryId } = await newCategory()
  const service = await newService()
  const edit = { nameEn: 'Tea', categoryId, isAvailable: false, price: '5' }
  const traces = await portal.traces(async () => {
    const { status, body } = await portal.admin.patch(`/services/${service.id}`, edit)
    assert.deepEqual([status, body], [200, { ...service, ...edit, updatedAt: body.updatedAt }])
    assert.ok(body.updatedAt > service.updatedAt)
  })
  const changed = {
    nameEn: { from: 'Coffee', to: 'Tea' },
    categoryId: { from: null, to: categoryId },
    isAvailable: { from: true, to: false },
    price: { from: null, to: '5' },
  }
  assert.deepEqual(traces, {
    ...silence,
    audit: [{ action: 'service.update', type: 'service', target: service.id, metadata: { changed } }],
    events: [servicesChanged],
  })
  for (const again of [edit, {}, { id: 5, orderCount: 5, createdAt: 'never' }])
    assert.deepEqual(
      await portal.traces(async () => assert.equal((await portal.admin.patch(`/services/${service.id}`, again)).status, 200)),
      silence,
    )
})

test('nullable fields can be cleared', async () => {
  const { id: categoryId } = await newCategory()
  const imageUrl = await uploads(portal).picture()
  const { id } = await newService({ categoryId, price: '5', descriptionAr: 'x', descriptionEn: 'x', imageUrl })
  const empty = { categoryId: null, price: null, descriptionAr: null, descriptionEn: null, imageUrl: null }
  const { status, body } = await portal.admin.patch(`/services/${id}`, empty)
  assert.deepEqual([status, { ...body, ...empty }], [200, body])
})

test('the list has every service by sortOrder, then id, with the count of its orders; a single service has no count', async () => {
  const person = await newPerson()
  const [last, hidden, first] = [
    await newService({ sortOrder: 2147483647 }),
    await newService({ sortOrder: 2147483647, isAvailable: false }),
    await newService({ sortOrder: -2147483648 }),
  ]
  const orders = [
    await person.post('/orders', { serviceId: last.id }),
    await person.post('/orders', { serviceId: last.id }),
    await portal.admin.post('/orders', { serviceId: last.id }),
  ]
  assert.equal((await portal.admin.delete(`/orders/${orders[0]!.body.id}`)).status, 204)
  const { status, body } = await person.get('/services')
  assert.equal(status, 200)
  const ids = idsIn({ body })
  assert.deepEqual(
    ids,
    body
      .toSorted((one: typeof body, other: typeof body) => one.sortOrder - other.sortOrder || one.id - other.id)
      .map((one: typeof body) => one.id),
  )
  assert.ok(ids.indexOf(first.id) < ids.indexOf(last.id) && ids.indexOf(last.id) < ids.indexOf(hidden.id))
  const counts = new Map(body.map((one: { id: number; orderCount: number }) => [one.id, one.orderCount]))
  assert.deepEqual([counts.get(last.id), counts.get(hidden.id)], [2, 0])
  const alone = await person.get(`/services/${last.id}`)
  assert.deepEqual([alone.status, { ...alone.body, orderCount: 2 }], [200, body.find((one: { id: number }) => one.id === last.id)])
  assert.ok(!('orderCount' in alone.body))
})

test('a service without orders is deleted with or without force, and the audit row has its names', async () => {
  for (const query of ['', '?force=false', '?force=true']) {
    const { id } = await newService()
    const traces = await portal.traces(async () => assert.equal((await portal.admin.delete(`/services/${id}${query}`)).status, 204))
    const audit = [{ action: 'service.delete', type: 'service', target: id, metadata: serviceNames }]
    assert.deepEqual(traces, { ...silence, audit, events: [servicesChanged] })
    assert.equal((await portal.admin.delete(`/services/${id}`)).status, 404)
    assert.equal((await portal.admin.get(`/services/${id}`)).status, 404)
  }
  assert.equal((await portal.admin.delete(`/services/${NOBODYS}?force=maybe`)).status, 400)
})

test('only administrators change services and categories; everyone signed in sees them', async () => {
  const person = await newPerson()
  const [service, category] = [await newService(), await newCategory()]
  for (const [method, path, status] of [
    ['GET', '/services', 200],
    ['GET', `/services/${service.id}`, 200],
    ['GET', '/service-categories', 200],
    ['GET', `/service-categories/${category.id}`, 200],
    ['POST', '/services', 403],
    ['PATCH', `/services/${service.id}`, 403],
    ['DELETE', `/services/${service.id}`, 403],
    ['POST', '/service-categories', 403],
    ['PATCH', `/service-categories/${category.id}`, 403],
    ['DELETE', `/service-categories/${category.id}`, 403],
  ] as const) {
    assert.equal((await person.send(method, path)).status, status, `${method} ${path}`)
    assert.equal((await portal.stranger().send(method, path)).status, 401, `${method} ${path}`)
  }
})

for (const [method, path, body] of [
  ['GET', '/services', undefined],
  ['PATCH', '/services', { nameEn: 'x' }],
  ['DELETE', '/services', undefined],
  ['GET', '/service-categories', undefined],
  ['PATCH', '/service-categories', { nameEn: 'x' }],
  ['DELETE', '/service-categories', undefined],
] as const)
  test(`${method} ${path}/{id} answers 404 for an unknown id and 400 for an invalid one`, async () => {
    assert.equal((await portal.admin.send(method, `${path}/${NOBODYS}`, body)).status, 404)
    for (const id of ['0', '-1', 'x', '1.5', '2147483648', '9'.repeat(30)])
      assert.equal((await portal.admin.send(method, `${path}/${id}`, body)).status, 400, id)
  })

const lists = [
  ['/services', 'service', newService, servicesChanged],
  ['/service-categories', 'service_category', newCategory, servicesChanged],
  ['/admin/apps', 'app', newApp, appsChangedForAll],
] as const
for (const [path, type, make, event] of lists) {
  const listed = async () => idsIn(await portal.admin.get(path))
  const order = (ids: number[]) => portal.admin.put(`${path}/order`, { ids })

  test(`${path} are reordered by one call with all their ids, which leaves one audit entry`, async () => {
    for (let n = 0; n < 3; n++) await make()
    const from = await listed()
    const to = from.toReversed()
    let answer!: Awaited<ReturnType<typeof order>>
    const traces = await portal.traces(async () => (answer = await order(to)))
    assert.deepEqual([answer.status, idsIn(answer), await listed()], [200, to, to])
    assert.deepEqual(
      answer.body.map(({ sortOrder }: { sortOrder: number }) => sortOrder),
      to.map((_, n) => n + 1),
    )
    const audit = [{ action: `${type}.reorder`, type, target: 0, metadata: { changed: { order: { from, to } } } }]
    assert.deepEqual(traces, { ...silence, audit, events: [event] })
    assert.deepEqual(await portal.traces(() => order(to)), silence)
    const swapped = [to[1]!, to[0]!, ...to.slice(2)]
    await order(swapped)
    const moved = await portal.sql(`select target_id as id from ledger where kind = $1 and at = (select max(at) from ledger) order by 1`, [
      `${type}.moved`,
    ])
    assert.deepEqual(
      moved,
      ascending(to.slice(0, 2)).map((id) => ({ id })),
    )
  })

  test(`a new order of ${path} with missing, unknown or duplicate ids is refused`, async () => {
    for (let n = 0; n < 3; n++) await make()
    const all = await listed()
    const refused = async (ids: number[]) => {
      const { status, body } = await order(ids)
      return [status, body.code, body.unknownIds ?? body.missingIds]
    }
    assert.deepEqual(
      await portal.traces(async () => {
        assert.deepEqual(await refused([...all, NOBODYS]), [400, 'unknown_ids', [NOBODYS]])
        assert.deepEqual(await refused(all.slice(2)), [400, 'missing_ids', ascending(all.slice(0, 2))])
        assert.deepEqual(await refused([...all, all[0]!]), [400, 'validation_failed', undefined])
      }),
      silence,
    )
    assert.deepEqual(await listed(), all)
    assert.equal((await (await newPerson()).put(`${path}/order`, { ids: all })).status, 403)
  })

  test(`of two simultaneous reorderings of ${path}, one applies completely`, async () => {
    const all = await listed()
    const orders = [all.toReversed(), [...all.slice(1), all[0]!]]
    for (const { status } of await Promise.all(orders.map(order))) assert.equal(status, 200)
    const last = (await listed()).join()
    assert.ok(orders.some((one) => one.join() === last))
  })
}
