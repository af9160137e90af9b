/** The rights to a note: every operation, for every relation to the note. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idsIn, silence, tracing } from '../../../test/makers.ts'
import { newFolder, newLabel, received, sentNote, thread, writeNote } from '../../../test/notes.ts'
import type { Client } from '../../../test/portal.ts'
import { seededPortal } from '../../../test/seed.ts'

const { portal, org } = seededPortal()
const { traced } = tracing(portal)
const UNKNOWN = 2 ** 31 - 1

/** A new note of Huda’s that Omar and Salem received. Rana receives none. */
async function newNote() {
  const id = await sentNote(org.huda, org.omar, org.salem)
  const rowOf = async (recipient: Client) => (await received(recipient, id)).recipientRowId as number
  return { id, ofOmar: await rowOf(org.omar), ofSalem: await rowOf(org.salem) }
}
type Note = Awaited<ReturnType<typeof newNote>>

const callers = { owner: 'huda', recipient: 'omar', stranger: 'rana', admin: 'admin' } as const

/** Each operation, and the statuses for the owner, a recipient, another person and an administrator. */
const operations: [operation: string, path: (note: Note) => string, body: () => object | undefined, statuses: number[]][] = [
  ['GET a note', ({ id }) => `/notes/${id}`, () => undefined, [200, 404, 404, 404]],
  ['PATCH a note', ({ id }) => `/notes/${id}`, () => ({ title: 'Mine now' }), [200, 404, 404, 404]],
  ['POST a sending', ({ id }) => `/notes/${id}/send`, () => ({ recipientUserIds: [org.maha.id] }), [200, 404, 404, 404]],
  ['GET a thread', ({ id }) => `/notes/${id}/thread`, () => undefined, [200, 200, 404, 200]],
  [
    'POST a reply to another recipient',
    ({ id }) => `/notes/${id}/replies`,
    () => ({ content: 'Well', recipientUserId: org.salem.id }),
    [201, 201, 404, 403],
  ],
  ['PATCH the recipient’s copy', ({ ofOmar }) => `/notes/received/${ofOmar}`, () => ({ status: 'archived' }), [404, 200, 404, 404]],
  ['PATCH another recipient’s copy', ({ ofSalem }) => `/notes/received/${ofSalem}`, () => ({ status: 'archived' }), [404, 404, 404, 404]],
  ['DELETE a note', ({ id }) => `/notes/${id}`, () => undefined, [204, 404, 404, 404]],
]

for (const [operation, path, body, statuses] of operations)
  for (const [n, [role, name]] of Object.entries(callers).entries()) {
    const expected = statuses[n]!
    test(`${operation}: ${expected} for the ${role}${expected < 400 ? '' : ', without the text and without a trace'}`, async () => {
      const note = await newNote()
      const { answer, ...traces } = await traced(() => org[name].send(operation.split(' ')[0]!, path(note), body()))
      assert.equal(answer.status, expected, answer.text)
      if (expected < 400) return
      assert.doesNotMatch(answer.text, /Plan|First draft/)
      assert.deepEqual(traces, silence)
    })
  }

for (const [method, path, body] of [
  ['GET', (id) => `/notes/${id}`],
  ['PATCH', (id) => `/notes/${id}`, { title: 'x' }],
  ['DELETE', (id) => `/notes/${id}`],
  ['GET', (id) => `/notes/${id}/thread`],
  ['POST', (id) => `/notes/${id}/send`, { recipientUserIds: [1] }],
  ['POST', (id) => `/notes/${id}/replies`, { content: 'x' }],
] as [string, (id: number | string) => string, object?][])
  test(`${method} ${path(':id')} refuses a missing note and someone else’s with the same body`, async () => {
    const { id } = await newNote()
    const [others, missing] = [await org.rana.send(method, path(id), body), await org.rana.send(method, path(UNKNOWN), body)]
    assert.deepEqual([others.status, others.body], [404, missing.body])
  })

test('a missing copy and someone else’s are refused with the same body', async () => {
  const { ofSalem } = await newNote()
  const read = (row: number) => org.rana.patch(`/notes/received/${row}`, { status: 'read' })
  assert.deepEqual((await read(ofSalem)).body, (await read(UNKNOWN)).body)
})

test('lists contain only the reader’s own notes, folders and labels, even for administrators', async () => {
  await newNote()
  await newFolder(org.huda, 'Private')
  await newLabel(org.huda, 'private')
  await writeNote(org.huda, { title: 'Private' })
  const lists = ['', '?q=Private', '?tab=archived', '/folders', '/labels', '/sent', '/received']
  for (const person of [org.rana, org.admin]) for (const list of lists) assert.deepEqual((await person.get(`/notes${list}`)).body, [], list)
})

test('lists and threads never reveal other recipients to a recipient', async () => {
  const { id } = await newNote()
  await org.salem.post(`/notes/${id}/replies`, { content: 'From Salem' })
  const seen = JSON.stringify([await thread(org.omar, id), (await org.omar.get('/notes/received')).body])
  for (const text of [org.salem.username, 'From Salem', `"recipientUserId":${org.salem.id},`]) assert.ok(!seen.includes(text), text)
  const own = idsIn(await org.omar.get('/notes/received')).filter((one) => one === id)
  assert.deepEqual(own, [id])
})

test('events never reveal other recipients to a recipient', async () => {
  const { id } = await newNote()
  const { events } = await portal.traces(async () => {
    await thread(org.salem, id)
    await org.salem.post(`/notes/${id}/replies`, { content: 'Again' })
  })
  assert.ok(events.length > 0 && !events.some(({ to }) => to?.includes(org.omar.id)))
})

test('the owner’s folder, labels and marks are not sent to recipients', async () => {
  const { id } = await newNote()
  const labelIds = [await newLabel(org.huda)]
  await org.huda.patch(`/notes/${id}`, { folderId: await newFolder(org.huda), labelIds, isPinned: true })
  const note = await received(org.omar, id)
  assert.equal(note.folderId, null)
  const hidden = ['isPinned', 'isArchived', 'labelIds', 'userId']
  assert.deepEqual(
    hidden.filter((field) => field in note),
    [],
  )
  const part = await thread(org.omar, id)
  assert.deepEqual(
    hidden.filter((field) => field in part),
    [],
  )
})
