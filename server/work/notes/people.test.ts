/** Notes of deleted people, and how administrators see other people's notes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idsIn, makers } from '../../../test/makers.ts'
import { changedFor, mark, newFolder, newLabel, received, sentNote, thread, tracesOf, writeNote } from '../../../test/notes.ts'
import { type Client, testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { newPerson } = makers(portal)

const audited = ({ id, username }: Client, action: string, noteCount: number) => [
  { action, type: 'user', target: id, metadata: { username, email: `${username}@example.org`, noteCount, orderCount: 0 } },
]
const noteEvents = async (act: () => Promise<unknown>) => {
  const { audit, notices, events } = await tracesOf(portal, act)
  return { audit, notices, events: events.filter(({ event }) => event === 'note_changed') }
}

test('a person who owns notes is deleted only by force, and the refusal counts the notes', async () => {
  const huda = await newPerson()
  await writeNote(huda)
  await huda.patch(`/notes/${await writeNote(huda)}`, { isArchived: true })
  const { status, body } = await portal.admin.delete(`/users/${huda.id}`)
  assert.deepEqual([status, body.code, body.noteCount, body.orderCount], [409, 'has_dependents', 2, 0])
  assert.equal((await huda.get('/notes')).body.length, 1)
})

test('a forced deletion deletes the notes, and every recipient gets an event', async () => {
  const [huda, omar, rana] = [await newPerson(), await newPerson(), await newPerson()]
  const [stored, sent, both] = [await writeNote(huda), await sentNote(huda, omar), await sentNote(huda, rana, omar)]
  const folderId = await newFolder(huda)
  await huda.patch(`/notes/${stored}`, { folderId, labelIds: [await newLabel(huda)] })
  await omar.post(`/notes/${sent}/replies`, { content: 'Fine' })
  const traces = await noteEvents(async () => assert.equal((await portal.admin.delete(`/users/${huda.id}?force=true`)).status, 204))
  assert.deepEqual(traces, {
    audit: audited(huda, 'user.force_delete', 3),
    notices: [],
    events: [changedFor(stored, 'deleted', huda), changedFor(sent, 'deleted', huda, omar), changedFor(both, 'deleted', huda, omar, rana)],
  })
  assert.deepEqual((await omar.get('/notes/received')).body, [])
  for (const table of ['notes', 'note_folders', 'note_labels', 'note_versions'])
    assert.deepEqual(await portal.sql(`select from ${table} where user_id = $1`, [huda.id]), [], table)
})

test('a person without own notes is deleted without force; their replies stay in the threads without a sender', async () => {
  const [huda, omar, rana] = [await newPerson(), await newPerson(), await newPerson()]
  const id = await sentNote(huda, omar, rana)
  await mark(omar, id, { folderId: await newFolder(omar) })
  await newLabel(omar)
  for (const who of [omar, rana]) await who.post(`/notes/${id}/replies`, { content: who.username })
  const traces = await noteEvents(async () => assert.equal((await portal.admin.delete(`/users/${omar.id}`)).status, 204))
  assert.deepEqual(traces, { audit: audited(omar, 'user.delete', 0), notices: [], events: [] })
  const { recipients, replies } = await thread(huda, id)
  assert.deepEqual(
    recipients.map(({ recipientUserId }: { recipientUserId: number }) => recipientUserId),
    [rana.id],
  )
  const written = replies.map(
    ({ content, senderUserId, sender }: { content: string; senderUserId: number; sender: { id: number } | null }) => [
      content,
      senderUserId,
      sender?.id ?? null,
    ],
  )
  assert.deepEqual(written, [
    [omar.username, omar.id, null],
    [rana.username, rana.id, rana.id],
  ])
  assert.equal((await huda.get('/notes/sent')).body[0].replyCount, 2)
  assert.deepEqual(
    (await thread(rana, id)).replies.map(({ senderUserId }: { senderUserId: number }) => senderUserId),
    [rana.id],
  )
})

test('an inactive person keeps their notes, and is shown as inactive', async () => {
  const [huda, omar] = [await newPerson(), await newPerson()]
  const id = await sentNote(huda, omar)
  await portal.admin.patch(`/users/${omar.id}`, { isActive: false })
  assert.equal((await thread(huda, id)).recipients[0].recipient.isActive, false)
  await portal.admin.patch(`/users/${omar.id}`, { isActive: true })
  await omar.signIn(omar.username)
  assert.equal((await received(omar, id)).status, 'unread')
})

test('administrators see the number of notes that each person owns, archived ones included, and their titles, newest first', async () => {
  const [huda, omar] = [await newPerson(), await newPerson()]
  const ids = [await writeNote(huda, { title: 'One' }), await writeNote(huda, { content: 'No title' }), await sentNote(huda, omar)]
  await huda.patch(`/notes/${ids[0]}`, { isArchived: true, isPinned: true })
  const { body: people } = await portal.admin.get('/users')
  const countOf = ({ id }: Client) => people.find((one: { id: number }) => one.id === id).noteCount
  assert.deepEqual([countOf(huda), countOf(omar)], [3, 0])

  const page = (query = '') => portal.admin.get(`/users/${huda.id}/dependents/notes${query}`)
  const { body: all } = await page()
  assert.deepEqual(
    { ...all, items: idsIn({ body: all.items }) },
    { items: ids.toReversed(), totalCount: 3, limit: 50, offset: 0, nextOffset: null },
  )
  const { updatedAt, ...last } = all.items[2]
  assert.deepEqual(last, { id: ids[0], title: 'One', isPinned: true, isArchived: true })
  assert.equal(updatedAt, (await huda.get(`/notes/${ids[0]}`)).body.updatedAt)
  assert.equal(all.items[1].title, '')
  const { body: second } = await page('?limit=1&offset=1')
  assert.deepEqual([idsIn({ body: second.items }), second.nextOffset], [[ids[1]], 2])
  assert.equal((await portal.admin.get('/users/2147483647/dependents/notes')).status, 404)
  assert.equal((await huda.get(`/users/${huda.id}/dependents/notes`)).status, 403)
  assert.equal((await page('?limit=201')).status, 400)
})

test('reading someone else’s titles as an administrator is audited, and reading one’s own is not', async () => {
  const huda = await newPerson()
  await writeNote(huda, { title: 'Secret' })
  const read = ({ id }: { id: number }) => portal.traces(() => portal.admin.get(`/users/${id}/dependents/notes`))
  assert.deepEqual(await read(huda), {
    audit: [{ action: 'user.notes.inspect', type: 'user', target: huda.id, metadata: { username: huda.username } }],
    histories: [],
    notices: [],
    events: [],
  })
  assert.deepEqual((await read(portal.admin)).audit, [])
})
