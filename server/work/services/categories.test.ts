import assert from 'node:assert/strict'
import { test } from 'node:test'
import { categoryNames, idsIn, makers, servicesChanged, silence } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'
import { slowTest } from '../../../test/suite.ts'

const portal = testPortal()
const { newCategory, newService } = makers(portal)

const categoryOf = async (id: number) => (await portal.admin.get(`/services/${id}`)).body.categoryId

test('a new category gets defaults for missing fields, and leaves its audit row and one event for all', async () => {
  let target = 0
  const traces = await portal.traces(async () => {
    const { status, body } = await portal.admin.post('/service-categories', { ...categoryNames, id: 9, isSystem: true })
    const { id, createdAt, ...rest } = body
    assert.deepEqual([status, rest], [201, { ...categoryNames, sortOrder: 0 }])
    assert.ok(Date.parse(createdAt))
    target = id
  })
  const metadata = categoryNames
  const audit = [{ action: 'service_category.create', type: 'service_category', target, metadata }]
  assert.deepEqual(traces, { ...silence, audit, events: [servicesChanged] })
})

test('categories are listed by sortOrder, then id', async () => {
  const [last, next, first] = [
    await newCategory({ sortOrder: 5 }),
    await newCategory({ sortOrder: 5 }),
    await newCategory({ sortOrder: -5 }),
  ]
  const { status, body } = await portal.admin.get('/service-categories')
  assert.equal(status, 200)
  const known = [first.id, last.id, next.id]
  assert.deepEqual(
    idsIn({ body }).filter((id) => known.includes(id)),
    known,
  )
  assert.deepEqual(
    body.find(({ id }: { id: number }) => id === first.id),
    first,
  )
})

for (const [what, fields, path] of [
  ['no Arabic name', { nameAr: undefined }, 'nameAr'],
  ['no English name', { nameEn: undefined }, 'nameEn'],
  ['an empty name', { nameAr: '\u202e ' }, 'nameAr'],
  ['a long name', { nameEn: 'x'.repeat(201) }, 'nameEn'],
  ['a null name', { nameEn: null }, 'nameEn'],
  ['a text for an order', { sortOrder: '1' }, 'sortOrder'],
  ['a huge order', { sortOrder: -2147483649 }, 'sortOrder'],
] as [string, object, string][])
  test(`a category with ${what} is refused on creation and on update, without a trace`, async () => {
    const { id } = await newCategory()
    const traces = await portal.traces(async () => {
      const answers = [await portal.admin.post('/service-categories', { ...categoryNames, ...fields })]
      if (!what.startsWith('no ')) answers.push(await portal.admin.patch(`/service-categories/${id}`, fields))
      for (const { status, body, text } of answers) assert.deepEqual([status, body.details?.[0].path], [400, path], text)
    })
    assert.deepEqual(traces, silence)
  })

test('an update records the changed fields; one that changes nothing writes nothing', async () => {
  const category = await newCategory()
  const edit = { nameAr: 'مشروبات', sortOrder: 3 }
  const patch = (fields: object) => portal.admin.patch(`/service-categories/${category.id}`, fields)
  const traces = await portal.traces(async () => {
    const { status, body } = await patch(edit)
    assert.deepEqual([status, body], [200, { ...category, ...edit }])
  })
  const changed = { nameAr: { from: categoryNames.nameAr, to: 'مشروبات' }, sortOrder: { from: 0, to: 3 } }
  const audit = [{ action: 'service_category.update', type: 'service_category', target: category.id, metadata: { changed } }]
  assert.deepEqual(traces, { ...silence, audit, events: [servicesChanged] })
  for (const again of [edit, {}, { createdAt: 'never' }])
    assert.deepEqual(await portal.traces(async () => assert.equal((await patch(again)).status, 200)), silence)
})

test('deleting a category leaves its services without one, each with an audit row, and does not touch other services', async () => {
  const [category, other] = [await newCategory(), await newCategory()]
  const [one, two, elsewhere] = [
    await newService({ categoryId: category.id }),
    await newService({ categoryId: category.id, isAvailable: false }),
    await newService({ categoryId: other.id }),
  ]
  const traces = await portal.traces(async () =>
    assert.equal((await portal.admin.delete(`/service-categories/${category.id}`)).status, 204),
  )
  const metadata = { changed: { categoryId: { from: category.id, to: null } } }
  assert.deepEqual(traces, {
    ...silence,
    audit: [
      { action: 'service_category.delete', type: 'service_category', target: category.id, metadata: categoryNames },
      { action: 'service.update', type: 'service', target: one.id, metadata },
      { action: 'service.update', type: 'service', target: two.id, metadata },
    ],
    events: [servicesChanged],
  })
  assert.deepEqual([await categoryOf(one.id), await categoryOf(two.id), await categoryOf(elsewhere.id)], [null, null, other.id])
  assert.ok((await portal.admin.get(`/services/${one.id}`)).body.updatedAt > one.updatedAt)
  assert.equal((await portal.admin.delete(`/service-categories/${category.id}`)).status, 404)
})

slowTest('a category of ten thousand services is deleted like any other', async () => {
  const { id } = await newCategory()
  await portal.sql(`
    begin;
    with added as (insert into services (category_id, name_ar, name_en) select ${id}, 'خدمة', 'Service' from generate_series(1, 10000) returning id)
    insert into ledger (kind, target_type, target_id, facts) select 'test.made', 'service', id, '{}' from added;
    commit`)
  const { audit } = await portal.traces(async () => assert.equal((await portal.admin.delete(`/service-categories/${id}`)).status, 204))
  assert.equal(audit.length, 10_001)
  assert.deepEqual(await portal.sql(`select from services where category_id = ${id}`), [])
  await portal.sql(`
    begin;
    with gone as (delete from services where name_en = 'Service' returning id)
    insert into ledger (kind, target_type, target_id, facts) select 'test.unmade', 'service', id, '{}' from gone;
    commit`)
})
