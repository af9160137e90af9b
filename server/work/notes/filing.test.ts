import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idsIn, makers, meChangedFor, silence } from '../../../test/makers.ts'
import { changedFor, mark, newFolder, newLabel, received, sentNote, writeNote } from '../../../test/notes.ts'
import { type Client, testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { newPerson } = makers(portal)

const counts = async (who: Client, tab = '') =>
  Object.fromEntries(
    (await who.get(`/notes/folders${tab}`)).body.map(({ id, noteCount }: { id: number; noteCount: number }) => [id, noteCount]),
  )

test('a folder is created, renamed and deleted, and only its owner gets events', async () => {
  const huda = await newPerson()
  const traces = await portal.traces(async () => {
    const made = await huda.post('/notes/folders', { name: '  الأعمال ' })
    assert.equal(made.status, 201)
    const { id, createdAt, updatedAt, ...rest } = made.body
    assert.deepEqual([rest, createdAt], [{ userId: huda.id, name: 'الأعمال', noteCount: 0 }, updatedAt])

    const renamed = await huda.patch(`/notes/folders/${id}`, { name: 'Work' })
    assert.partialDeepStrictEqual(renamed.body, { id, name: 'Work', createdAt })
    assert.ok(renamed.body.updatedAt >= updatedAt)
    assert.deepEqual((await huda.patch(`/notes/folders/${id}`, { name: ' Work ' })).body, renamed.body)
    assert.deepEqual((await huda.get('/notes/folders')).body, [renamed.body])

    assert.equal((await huda.delete(`/notes/folders/${id}`)).status, 204)
    assert.equal((await huda.delete(`/notes/folders/${id}`)).status, 404)
    assert.deepEqual((await huda.get('/notes/folders')).body, [])
  })
  assert.deepEqual(traces, { ...silence, events: Array(3).fill(meChangedFor(huda.id)) })
})

test('a folder counts its owner’s own notes in the requested tab', async () => {
  const [huda, omar] = [await newPerson(), await newPerson()]
  const [folderId, empty] = [await newFolder(huda, 'a'), await newFolder(huda, 'b')]
  for (const isArchived of [true, false, false]) {
    const id = await writeNote(huda, { title: 'x', folderId })
    await huda.patch(`/notes/${id}`, { isArchived })
  }
  await mark(huda, await sentNote(omar, huda), { folderId })
  assert.deepEqual(await counts(huda), { [folderId]: 2, [empty]: 0 })
  assert.deepEqual(await counts(huda, '?tab=archived'), { [folderId]: 1, [empty]: 0 })
  assert.deepEqual(await counts(omar), {})
})

test('folders and labels are sorted in the reader’s language', async () => {
  const [huda, en] = [await newPerson(), await newPerson({ preferredLanguage: 'en' })]
  for (const who of [huda, en])
    for (const name of ['Zed', 'apple', 'باء', 'ألف', 'Émile']) {
      await newFolder(who, name)
      await newLabel(who, name)
    }
  const names = async (who: Client, path: string) => (await who.get(path)).body.map(({ name }: { name: string }) => name)
  for (const path of ['/notes/folders', '/notes/labels']) {
    assert.deepEqual(await names(huda, path), ['ألف', 'باء', 'apple', 'Émile', 'Zed'])
    assert.deepEqual(await names(en, path), ['apple', 'Émile', 'Zed', 'ألف', 'باء'])
  }
})

test('the notes of a deleted folder stay, unfiled, and the owner gets an event for each', async () => {
  const [huda, omar] = [await newPerson(), await newPerson()]
  const [folderId, stored] = [await newFolder(huda), await newFolder(huda)]
  const [one, archived, other] = [
    await writeNote(huda, { title: 'x', folderId }),
    await writeNote(huda, { title: 'y', folderId }),
    await writeNote(huda, { title: 'z', folderId: stored }),
  ]
  await huda.patch(`/notes/${archived}`, { isArchived: true })
  const theirs = await sentNote(omar, huda)
  await mark(huda, theirs, { folderId })
  const { body: before } = await huda.get(`/notes/${one}`)

  const traces = await portal.traces(() => huda.delete(`/notes/folders/${folderId}`))
  assert.deepEqual(traces, {
    ...silence,
    events: [meChangedFor(huda.id), ...[one, archived, theirs].map((id) => changedFor(id, 'updated', huda))],
  })
  assert.deepEqual((await huda.get(`/notes/${one}`)).body, { ...before, folderId: null })
  assert.equal((await received(huda, theirs)).folderId, null)
  assert.equal((await huda.get(`/notes/${other}`)).body.folderId, stored)
  assert.deepEqual(idsIn(await huda.get('/notes?folderId=none')), [one])
})

test('a label is created, changed and deleted; its notes lose it, and the owner gets an event for each', async () => {
  const huda = await newPerson()
  const { status, body: label } = await huda.post('/notes/labels', { name: ' urgent ' })
  assert.deepEqual([status, label], [201, { id: label.id, name: 'urgent', color: 'default' }])
  const stored = (await huda.post('/notes/labels', { name: 'later', color: 'gray' })).body
  const ids = [
    await writeNote(huda, { title: 'x', labelIds: [label.id] }),
    await writeNote(huda, { title: 'y', labelIds: [label.id, stored.id] }),
  ]
  const changes = await portal.traces(async () => {
    assert.deepEqual((await huda.patch(`/notes/labels/${label.id}`, { color: 'orange' })).body, { ...label, color: 'orange' })
    assert.deepEqual((await huda.patch(`/notes/labels/${label.id}`, { name: 'Now' })).body, { id: label.id, name: 'Now', color: 'orange' })
    assert.deepEqual((await huda.patch(`/notes/labels/${label.id}`, {})).status, 200)
  })
  assert.deepEqual(changes, { ...silence, events: Array(2).fill(meChangedFor(huda.id)) })
  assert.deepEqual((await huda.get('/notes/labels')).body.map(({ name }: { name: string }) => name).toSorted(), ['Now', 'later'])

  const traces = await portal.traces(async () => assert.equal((await huda.delete(`/notes/labels/${label.id}`)).status, 204))
  assert.deepEqual(traces, { ...silence, events: [meChangedFor(huda.id), ...ids.map((id) => changedFor(id, 'updated', huda))] })
  const labels = (await huda.get('/notes')).body.map(({ labelIds }: { labelIds: number[] }) => labelIds)
  assert.deepEqual(labels, [[stored.id], []])
  assert.deepEqual((await huda.get('/notes/labels')).body, [stored])
})

test('received notes are listed by folder, in pages, and unfiled ones separately', async () => {
  const [huda, omar] = [await newPerson(), await newPerson()]
  const [folderId, other] = [await newFolder(huda), await newFolder(huda)]
  const notes: number[] = []
  for (let count = 0; count < 4; count++) notes.unshift(await sentNote(omar, huda))
  const [newest, filed, archived, oldest] = notes as [number, number, number, number]
  for (const id of [filed, archived, oldest]) await mark(huda, id, { folderId })
  await mark(huda, archived, { status: 'archived' })
  for (const [query, ids] of [
    [`folderId=${folderId}`, [filed, oldest]],
    [`folderId=${folderId}&limit=1`, [filed]],
    [`folderId=${folderId}&limit=1&offset=1`, [oldest]],
    [`folderId=${folderId}&tab=archived`, [archived]],
    [`folderId=${other}`, []],
    ['folderId=none', [newest]],
    ['', [newest, filed, oldest]],
  ] as const)
    assert.deepEqual(idsIn(await huda.get(`/notes/received?${query}`)), ids, query)
  assert.equal((await huda.get('/notes/received?folderId=0')).body.code, 'validation_failed')
})

for (const part of ['folders', 'labels'])
  test(`other people’s ${part} are 404, and names have a length limit`, async () => {
    const [huda, omar] = [await newPerson(), await newPerson()]
    const { id } = (await huda.post(`/notes/${part}`, { name: 'Own' })).body
    const longest = part === 'folders' ? 100 : 50
    assert.deepEqual((await omar.get(`/notes/${part}`)).body, [])
    const traces = await portal.traces(async () => {
      for (const who of [omar, portal.admin]) {
        assert.equal((await who.patch(`/notes/${part}/${id}`, { name: 'Theirs' })).body.code, 'not_found')
        assert.equal((await who.delete(`/notes/${part}/${id}`)).body.code, 'not_found')
      }
      for (const name of ['', '  ', 'x'.repeat(longest + 1), null, 7])
        for (const [method, path] of [
          ['POST', `/notes/${part}`],
          ['PATCH', `/notes/${part}/${id}`],
        ] as const)
          assert.equal((await huda.send(method, path, { name })).body.code, 'validation_failed')
    })
    assert.deepEqual(traces, silence)
    assert.equal((await huda.post(`/notes/${part}`, { name: 'x'.repeat(longest) })).status, 201)
  })
