import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idsIn, makers, silence } from '../../../test/makers.ts'
import { changedFor, newFolder, newLabel, send, tracesOf, writeNote } from '../../../test/notes.ts'
import { type Client, testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { newPerson } = makers(portal)

const UNKNOWN = 2147483647
const listed = async (who: Client, query = '') => idsIn(await who.get(`/notes${query}`))
const versionOf = async ({ id }: Client) => (await portal.sql('select version from note_versions where user_id = $1', [id]))[0]

test('a note is stored as sent, with defaults for missing fields; only the owner’s browsers get an event', async () => {
  const huda = await newPerson()
  let made!: Awaited<ReturnType<Client['post']>>
  const traces = await portal.traces(async () => (made = await huda.post('/notes', { title: '  خطة \u202e العمل ', content: 'a\r\nb' })))
  assert.equal(made.status, 201)
  const { id, createdAt, updatedAt, ...rest } = made.body
  assert.deepEqual(rest, {
    userId: huda.id,
    title: 'خطة  العمل',
    content: 'a\nb',
    color: 'default',
    isPinned: false,
    isArchived: false,
    folderId: null,
    labelIds: [],
  })
  assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.equal(createdAt, updatedAt)
  assert.deepEqual(traces, { ...silence, events: [changedFor(id, 'updated', huda)] })
  assert.deepEqual((await huda.get(`/notes/${id}`)).body, made.body)
})

test('a note is created with every field, and has each label once', async () => {
  const huda = await newPerson()
  const [folderId, one, other] = [await newFolder(huda), await newLabel(huda, 'b'), await newLabel(huda, 'a')]
  const fields = { title: '', content: 'only content', color: 'pink', isPinned: true, folderId, labelIds: [other, one, other] }
  const { status, body } = await huda.post('/notes', { ...fields, isArchived: true, userId: 1 })
  assert.equal(status, 201)
  assert.partialDeepStrictEqual(body, { ...fields, userId: huda.id, isArchived: false, labelIds: [one, other] })
})

const empty: [what: string, fields: object][] = [
  ['no field', {}],
  ['two empty ones', { title: '', content: '' }],
  ['nothing but spaces', { title: '  ', content: '\n\t ' }],
  ['nothing but what is not stored', { title: '\u202e\u0007' }],
]
for (const [what, fields] of empty)
  test(`a note of ${what} is refused`, async () => {
    const huda = await newPerson()
    const traces = await portal.traces(async () => {
      const { status, body } = await huda.post('/notes', fields)
      assert.deepEqual([status, body.code, body.details[0].path], [400, 'validation_failed', 'title'])
    })
    assert.deepEqual(traces, silence)
  })

test('a note cannot become blank, neither by one update nor by two that each clear one field', async () => {
  const huda = await newPerson()
  const id = await writeNote(huda, { title: 'Plan', content: 'Draft' })
  assert.equal((await huda.patch(`/notes/${id}`, { title: '', content: '' })).body.code, 'validation_failed')
  assert.equal((await huda.patch(`/notes/${id}`, { title: '' })).status, 200)
  assert.deepEqual(await portal.traces(async () => assert.equal((await huda.patch(`/notes/${id}`, { content: ' ' })).status, 400)), silence)
  assert.equal((await huda.get(`/notes/${id}`)).body.content, 'Draft')
})

test('a title of 200 and a content of 20,000 characters are accepted, one more is not', async () => {
  const huda = await newPerson()
  assert.equal((await huda.post('/notes', { title: 'ب'.repeat(200), content: 'ب'.repeat(20_000) })).status, 201)
  for (const fields of [{ title: 'b'.repeat(201) }, { content: 'b'.repeat(20_001) }, { title: 'x', color: 'red' }, { title: null }])
    assert.equal((await huda.post('/notes', fields)).body.code, 'validation_failed')
})

test('other people’s folders and labels are refused like missing ones', async () => {
  const [huda, omar] = [await newPerson(), await newPerson()]
  const [folderId, labelId, own] = [await newFolder(omar), await newLabel(omar), await newLabel(huda)]
  const id = await writeNote(huda)
  const asks: [object, number[]][] = [
    [{ folderId }, [folderId]],
    [{ folderId: UNKNOWN }, [UNKNOWN]],
    [{ labelIds: [own, UNKNOWN, labelId] }, [labelId, UNKNOWN]],
  ]
  for (const [fields, unknownIds] of asks)
    for (const [method, path] of [
      ['POST', '/notes'],
      ['PATCH', `/notes/${id}`],
    ] as const) {
      const traces = await portal.traces(async () => {
        const { status, body } = await huda.send(method, path, { title: 'x', ...fields })
        assert.deepEqual([status, body.code, body.unknownIds], [400, 'unknown_ids', unknownIds])
      })
      assert.deepEqual(traces, silence)
    }
})

test('pinned notes come first, then the newest; archived ones are listed separately', async () => {
  const huda = await newPerson()
  const ids: number[] = []
  for (const isPinned of [false, true, false, true, false]) ids.push(await writeNote(huda, { title: 'x', isPinned }))
  const [a, b, c, d, e] = ids as [number, number, number, number, number]
  assert.deepEqual(await listed(huda), [d, b, e, c, a])
  await huda.patch(`/notes/${b}`, { isArchived: true })
  await huda.patch(`/notes/${c}`, { isArchived: true })
  assert.deepEqual(
    [await listed(huda, '?tab=active'), await listed(huda, '?tab=archived')],
    [
      [d, e, a],
      [b, c],
    ],
  )
  assert.equal((await huda.get('/notes?tab=all')).status, 400)
})

test('notes are filtered by folder, by label, by having no folder, by text, and by all of them together', async () => {
  const [huda, omar] = [await newPerson(), await newPerson()]
  const [folderId, labelId, theirs] = [await newFolder(huda), await newLabel(huda), await newFolder(omar)]
  const filed = await writeNote(huda, { title: 'مُلاحظة', folderId })
  const labelled = await writeNote(huda, { content: 'Ring the SUPPLIER', labelIds: [labelId] })
  const both = await writeNote(huda, { title: 'ملاحظه', content: 'supplier', folderId, labelIds: [labelId] })
  await writeNote(omar, { title: 'supplier', folderId: theirs })
  const cases: [query: string, ids: number[]][] = [
    ['', [both, labelled, filed]],
    [`?folderId=${folderId}`, [both, filed]],
    ['?folderId=none', [labelled]],
    [`?labelId=${labelId}`, [both, labelled]],
    ['?q=supplier', [both, labelled]],
    [`?q=${encodeURIComponent('ملاحظة')}`, [both, filed]],
    [`?folderId=${folderId}&labelId=${labelId}&q=SUPP&tab=active`, [both]],
    [`?folderId=${theirs}`, []],
    [`?folderId=${UNKNOWN}`, []],
    ['?folderId=9999999999', []],
    [`?labelId=${UNKNOWN}`, []],
    ['?q=%25', []],
    ['?tab=archived', []],
  ]
  for (const [query, ids] of cases) assert.deepEqual(await listed(huda, query), ids, query)
  for (const query of ['folderId=0', 'folderId=all', 'folderId=-1', 'folderId=', 'labelId=none', 'labelId=0', 'folderId=1&folderId=2'])
    assert.equal((await huda.get(`/notes?${query}`)).body.code, 'validation_failed', query)
})

test('an update changes the fields it names; only title, content and colour set updatedAt', async () => {
  const huda = await newPerson()
  const [id, folderId, labelId] = [await writeNote(huda), await newFolder(huda), await newLabel(huda)]
  const { body: before } = await huda.get(`/notes/${id}`)
  for (const fields of [{ isPinned: true }, { isArchived: true }, { folderId }, { labelIds: [labelId] }, { folderId: null }]) {
    let body!: object
    const traces = await portal.traces(async () => ({ body } = await huda.patch(`/notes/${id}`, fields)))
    assert.partialDeepStrictEqual(body, { ...fields, updatedAt: before.updatedAt })
    assert.deepEqual(traces, { ...silence, events: [changedFor(id, 'updated', huda)] })
  }
  let latest = before.updatedAt
  for (const fields of [{ title: 'Plan B' }, { content: 'Second draft' }, { color: 'green' }]) {
    const { body } = await huda.patch(`/notes/${id}`, fields)
    assert.partialDeepStrictEqual(body, fields)
    assert.ok(body.updatedAt >= latest && body.updatedAt > before.updatedAt)
    latest = body.updatedAt
  }
  assert.deepEqual((await huda.get(`/notes/${id}`)).body.createdAt, before.createdAt)
})

test('an update that changes nothing leaves no trace', async () => {
  const huda = await newPerson()
  const labelId = await newLabel(huda)
  const id = await writeNote(huda, { title: 'Plan', labelIds: [labelId] })
  const { body: before } = await huda.get(`/notes/${id}`)
  const version = await versionOf(huda)
  for (const fields of [{}, { title: ' Plan ', labelIds: [labelId, labelId], isPinned: false, folderId: null }, { unknown: 1 }])
    assert.deepEqual(await portal.traces(async () => assert.deepEqual((await huda.patch(`/notes/${id}`, fields)).body, before)), silence)
  assert.deepEqual(await versionOf(huda), version)
})

test('recipients get events only for changes that they see', async () => {
  const [huda, omar, rana] = [await newPerson(), await newPerson(), await newPerson()]
  const id = await writeNote(huda)
  await send(huda, id, rana, omar)
  const eventsOfEdit = async (fields: object) => (await portal.traces(() => huda.patch(`/notes/${id}`, fields))).events
  for (const fields of [{ title: 'Plan B' }, { content: 'New', isPinned: true }, { color: 'blue' }])
    assert.deepEqual(await eventsOfEdit(fields), [changedFor(id, 'updated', huda, omar, rana)])
  for (const fields of [{ isPinned: false }, { isArchived: true }, { folderId: await newFolder(huda) }])
    assert.deepEqual(await eventsOfEdit(fields), [changedFor(id, 'updated', huda)])
})

test('a note is deleted with its replies for its owner and all recipients, and each of these people gets an event', async () => {
  const [huda, omar, rana] = [await newPerson(), await newPerson(), await newPerson()]
  const id = await writeNote(huda, { title: 'Plan', labelIds: [await newLabel(huda)] })
  await send(huda, id, omar, rana)
  await omar.post(`/notes/${id}/replies`, { content: 'Fine' })
  const traces = await tracesOf(portal, async () => assert.equal((await huda.delete(`/notes/${id}`)).status, 204))
  assert.deepEqual(traces, { ...silence, events: [changedFor(id, 'deleted', huda, omar, rana)] })
  for (const who of [huda, omar, rana, portal.admin]) assert.equal((await who.get(`/notes/${id}/thread`)).status, 404)
  assert.deepEqual((await omar.get('/notes/received')).body, [])
  assert.deepEqual(await portal.sql('select from note_replies where note_id = $1', [id]), [])
  assert.deepEqual(await portal.traces(async () => assert.equal((await huda.delete(`/notes/${id}`)).status, 404)), silence)
})

test('the ledger contains no text of a note', async () => {
  const [huda, omar] = [await newPerson(), await newPerson()]
  const folderId = (await huda.post('/notes/folders', { name: 'Kestrel' })).body.id
  await huda.patch(`/notes/folders/${folderId}`, { name: 'Kestrel II' })
  const labelId = (await huda.post('/notes/labels', { name: 'Kestrel' })).body.id
  const id = await writeNote(huda, { title: 'Kestrel', content: 'Kestrel', folderId, labelIds: [labelId] })
  await huda.patch(`/notes/${id}`, { title: 'Kestrel III', content: 'Kestrel IV' })
  await send(huda, id, omar)
  await omar.post(`/notes/${id}/replies`, { content: 'Kestrel V' })
  await portal.admin.get(`/notes/${id}/thread`)
  await huda.delete(`/notes/${id}`)
  const rows = await portal.sql(`select kind from ledger where target_type like 'note%' and target_id = any($1)`, [[id, folderId, labelId]])
  assert.ok(rows.length >= 9)
  assert.deepEqual(await portal.sql(`select kind, facts from ledger where facts::text ilike '%kestrel%'`), [])
  assert.deepEqual(await portal.sql(`select data from events where event = 'note_changed' and data::text ilike '%kestrel%'`), [])
})

test('changes to a person’s notes do not change the version of anybody else’s list', async () => {
  const [huda, omar] = [await newPerson(), await newPerson()]
  await writeNote(huda)
  const version = await versionOf(huda)
  const id = await writeNote(omar)
  await omar.patch(`/notes/${id}`, { labelIds: [await newLabel(omar)] })
  await send(omar, id, huda)
  assert.deepEqual(await versionOf(huda), version)
})
