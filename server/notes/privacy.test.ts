/** Who may do what with a note: every operation, for every relation to it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idsIn, makers, silence } from '../../test/makers.ts'
import { newFolder, newLabel, received, sentNote, thread, writeNote } from '../../test/notes.ts'
import { type Client, testPortal } from '../../test/portal.ts'

const portal = testPortal()
const { newPerson } = makers(portal)

const roles = ['owner', 'recipient', 'stranger', 'admin'] as const
type Role = (typeof roles)[number]

async function setStage() {
  const [owner, recipient, fellow, stranger, target] = await Promise.all(Array.from({ length: 5 }, () => newPerson()))
  const id = await sentNote(owner!, recipient!, fellow!)
  const people = { owner: owner!, recipient: recipient!, stranger: stranger!, admin: portal.admin } satisfies Record<Role, Client>
  const rowOf = async (who: Client) => (await received(who, id)).recipientRowId as number
  return { id, people, fellow: fellow!, target: target!, own: await rowOf(recipient!), theirs: await rowOf(fellow!) }
}
type Stage = Awaited<ReturnType<typeof setStage>>

interface Operation {
  at: string
  what?: string
  ask: (stage: Stage) => [path: string, body?: object]
  /** The status answered to each role; a refusal leaves no trace. */
  owner: number
  recipient: number
  stranger: number
  admin: number
}
const operations: Operation[] = [
  { at: 'GET /notes/:id', ask: ({ id }) => [`/notes/${id}`], owner: 200, recipient: 404, stranger: 404, admin: 404 },
  {
    at: 'PATCH /notes/:id',
    ask: ({ id }) => [`/notes/${id}`, { title: 'Mine now' }],
    owner: 200,
    recipient: 404,
    stranger: 404,
    admin: 404,
  },
  {
    at: 'POST /notes/:id/send',
    ask: ({ id, target }) => [`/notes/${id}/send`, { recipientUserIds: [target.id] }],
    owner: 200,
    recipient: 404,
    stranger: 404,
    admin: 404,
  },
  { at: 'GET /notes/:id/thread', ask: ({ id }) => [`/notes/${id}/thread`], owner: 200, recipient: 200, stranger: 404, admin: 200 },
  {
    at: 'POST /notes/:id/replies',
    what: ' to a fellow recipient',
    ask: ({ id, fellow }) => [`/notes/${id}/replies`, { content: 'Well', recipientUserId: fellow.id }],
    owner: 201,
    recipient: 201,
    stranger: 404,
    admin: 403,
  },
  {
    at: 'PATCH /notes/received/:recipientRowId',
    what: ' of the recipient',
    ask: ({ own }) => [`/notes/received/${own}`, { status: 'archived' }],
    owner: 404,
    recipient: 200,
    stranger: 404,
    admin: 404,
  },
  {
    at: 'PATCH /notes/received/:recipientRowId',
    what: ' of a fellow recipient',
    ask: ({ theirs }) => [`/notes/received/${theirs}`, { status: 'archived' }],
    owner: 404,
    recipient: 404,
    stranger: 404,
    admin: 404,
  },
  { at: 'DELETE /notes/:id', ask: ({ id }) => [`/notes/${id}`], owner: 204, recipient: 404, stranger: 404, admin: 404 },
]

for (const { at, what = '', ask, ...statuses } of operations)
  for (const role of roles)
    test(`${at}${what}: ${statuses[role]} for the ${role}`, async () => {
      const stage = await setStage()
      const [path, body] = ask(stage)
      const traces = await portal.traces(async () => {
        const answer = await stage.people[role].send(at.split(' ')[0]!, path, body)
        assert.equal(answer.status, statuses[role], answer.text)
        if (answer.status >= 400) assert.ok(!answer.text.includes('Plan') && !answer.text.includes('First draft'))
      })
      if (statuses[role] >= 400) assert.deepEqual(traces, silence)
    })

test('a missing note and someone else’s are refused with the same body', async () => {
  const { id, people, theirs } = await setStage()
  const gone = 2147483647
  const asks: [string, (n: number) => string, object?][] = [
    ['GET', (n) => `/notes/${n}`],
    ['PATCH', (n) => `/notes/${n}`, { title: 'x' }],
    ['DELETE', (n) => `/notes/${n}`],
    ['GET', (n) => `/notes/${n}/thread`],
    ['POST', (n) => `/notes/${n}/send`, { recipientUserIds: [1] }],
    ['POST', (n) => `/notes/${n}/replies`, { content: 'x' }],
  ]
  for (const [method, path, body] of asks) {
    const [known, unknown] = [await people.stranger.send(method, path(id), body), await people.stranger.send(method, path(gone), body)]
    assert.deepEqual([known.status, known.body], [404, unknown.body])
  }
  const row = (n: number) => people.stranger.patch(`/notes/received/${n}`, { status: 'read' })
  assert.deepEqual((await row(theirs)).body, (await row(gone)).body)
})

test('lists hold nobody else’s notes, folders or labels, not even an administrator’s', async () => {
  const { people } = await setStage()
  await newFolder(people.owner, 'Private')
  await newLabel(people.owner, 'private')
  await writeNote(people.owner, { title: 'Private' })
  for (const who of [people.stranger, people.admin])
    for (const path of [
      '/notes',
      '/notes?q=Private',
      '/notes/folders',
      '/notes/labels',
      '/notes/sent',
      '/notes/received',
      '/notes?tab=archived',
    ])
      assert.deepEqual((await who.get(path)).body, [], path)
})

test('a recipient cannot learn of other recipients from lists, the thread or events', async () => {
  const { id, people, fellow } = await setStage()
  await fellow.post(`/notes/${id}/replies`, { content: 'From the fellow' })
  const seen = [await thread(people.recipient, id), (await people.recipient.get('/notes/received')).body]
  for (const text of [fellow.username, 'From the fellow', `"recipientUserId":${fellow.id},`])
    assert.ok(!JSON.stringify(seen).includes(text), text)
  const { events } = await portal.traces(() => thread(fellow, id).then(() => fellow.post(`/notes/${id}/replies`, { content: 'Again' })))
  assert.deepEqual(
    events.filter(({ to }) => to?.includes(people.recipient.id)),
    [],
  )
  assert.deepEqual(idsIn(await people.recipient.get('/notes/received')), [id])
})

test('what is private to the owner is not sent to recipients', async () => {
  const { id, people } = await setStage()
  await people.owner.patch(`/notes/${id}`, {
    folderId: await newFolder(people.owner),
    labelIds: [await newLabel(people.owner)],
    isPinned: true,
  })
  const note = await received(people.recipient, id)
  assert.equal(note.folderId, null)
  for (const field of ['isPinned', 'isArchived', 'labelIds', 'userId'])
    assert.ok(!(field in note) && !(field in (await thread(people.recipient, id))))
})
