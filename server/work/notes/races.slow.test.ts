/** Simultaneous actions on a note at two instances give the result of some serial order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { makers } from '../../../test/makers.ts'
import { mark, newFolder, newLabel, received, sentNote, thread, writeNote } from '../../../test/notes.ts'
import { type Answer, testPortal } from '../../../test/portal.ts'
import { type Act, type AtBoth, outcome, race, twoInstances } from '../../../test/race.ts'

const portal = testPortal()
const { newPerson } = makers(portal)

const atBoth = twoInstances(portal)
const newcomer = async () => atBoth(await newPerson())

test('a note sent to the same people many times at once is received, announced and counted once', async () => {
  const owner = await newcomer()
  const people = await Promise.all(Array.from({ length: 6 }, () => newPerson()))
  const ids = people.map(({ id }) => id)
  for (let round = 0; round < 5; round++) {
    const noteId = await writeNote(owner[0])
    let answers: Answer[] = []
    const { notices, events } = await portal.traces(async () => {
      answers = await Promise.all(
        Array.from({ length: 16 }, (_, n) => {
          const some = n % 4 === 0 ? ids.toReversed() : [ids[n % 6], ids[(n + 3) % 6]]
          return owner[(n & 1) as 0 | 1].post(`/notes/${noteId}/send`, { recipientUserIds: some })
        }),
      )
    })
    assert.deepEqual(new Set(answers.map(outcome)), new Set(['200']))
    assert.equal(
      answers.reduce((sum, { body }) => sum + body.sent, 0),
      ids.length,
    )
    assert.deepEqual(notices.map(({ user }) => user).toSorted(), ids.toSorted())
    const reached = events.flatMap(({ event, data, to }) =>
      event === 'note_changed' && (data as { change: string }).change === 'received' ? to! : [],
    )
    assert.deepEqual(reached.toSorted(), ids.toSorted())
    assert.equal((await thread(owner[0], noteId)).recipients.length, ids.length)
  }
})

test('many simultaneous first reads of a thread mark it as read once', async () => {
  const [owner, reader] = [await newcomer(), await newcomer()]
  for (let round = 0; round < 5; round++) {
    const id = await sentNote(owner[0], reader[0])
    let answers: Answer[] = []
    const { events } = await portal.traces(async () => {
      answers = await Promise.all(Array.from({ length: 12 }, (_, n) => reader[(n & 1) as 0 | 1].get(`/notes/${id}/thread`)))
    })
    assert.deepEqual(new Set(answers.map(({ body }) => body.myStatus)), new Set(['read']))
    assert.equal(events.length, 1)
  }
})

interface Race {
  name: string
  /** The two simultaneous actions on a note with one recipient. */
  acts: (stage: Stage) => [Act, Act]
  /** The possible results if the acts are done one after the other: both answers, and the note's status for its recipient. */
  endings: string[]
}
interface Stage {
  owner: AtBoth
  recipient: AtBoth
  admin: AtBoth
  id: number
  rowId: number
  folderId: number
  labelId: number
}
const gone = 'gone'

const reply =
  (who: 'owner' | 'recipient', { id, ...people }: Stage) =>
  (at: 0 | 1) =>
    people[who][at].post(`/notes/${id}/replies`, { content: 'x' })
const archive =
  ({ recipient, rowId }: Stage) =>
  (at: 0 | 1) =>
    recipient[at].patch(`/notes/received/${rowId}`, { status: 'archived' })
const remove =
  ({ owner, id }: Stage) =>
  (at: 0 | 1) =>
    owner[at].delete(`/notes/${id}`)
const dismiss =
  (who: 'owner' | 'recipient', { admin, ...people }: Stage) =>
  (at: 0 | 1) =>
    admin[at].delete(`/users/${people[who][0].id}?force=true`)

const races: Race[] = [
  {
    name: 'a reply and the deletion of the note',
    acts: (stage) => [reply('recipient', stage), remove(stage)],
    endings: ['201, 204: gone', '404 not_found, 204: gone'],
  },
  {
    name: 'a reply and the deletion of its author',
    acts: (stage) => [reply('recipient', stage), dismiss('recipient', stage)],
    endings: ['201, 204: gone', '401 unauthorized, 204: gone'],
  },
  {
    name: 'a reply and the deletion of the owner',
    acts: (stage) => [reply('recipient', stage), dismiss('owner', stage)],
    endings: ['201, 204: gone', '404 not_found, 204: gone'],
  },
  {
    name: 'an answer and the deletion of its recipient',
    acts: (stage) => [reply('owner', stage), dismiss('recipient', stage)],
    endings: ['201, 204: gone', '400 validation_failed, 204: gone'],
  },
  {
    name: 'an answer and the deletion of its author',
    acts: (stage) => [reply('owner', stage), dismiss('owner', stage)],
    endings: ['201, 204: gone', '401 unauthorized, 204: gone'],
  },
  {
    name: 'archiving and a reply',
    acts: (stage) => [archive(stage), reply('recipient', stage)],
    endings: ['200, 201: replied', '200, 201: archived, was replied'],
  },
  {
    name: 'archiving and the first reading',
    acts: (stage) => [archive(stage), (at) => stage.recipient[at].get(`/notes/${stage.id}/thread`)],
    endings: ['200, 200: archived, was unread', '200, 200: archived, was read'],
  },
  {
    name: 'the first reading and the deletion of the note',
    acts: (stage) => [(at) => stage.recipient[at].get(`/notes/${stage.id}/thread`), remove(stage)],
    endings: ['200, 204: gone', '404 not_found, 204: gone'],
  },
  {
    name: 'sending on and the deletion of whom it is sent to',
    acts: (stage) => [
      (at) => stage.owner[at].post(`/notes/${stage.id}/send`, { recipientUserIds: [stage.recipient[0].id] }),
      dismiss('recipient', stage),
    ],
    endings: ['200, 204: gone', '400 unknown_ids, 204: gone'],
  },
  {
    name: 'a new note in a folder and the deletion of its owner',
    acts: (stage) => [
      (at) => stage.owner[at].post('/notes', { title: 'x', folderId: stage.folderId, labelIds: [stage.labelId] }),
      dismiss('owner', stage),
    ],
    endings: ['201, 204: gone', '401 unauthorized, 204: gone'],
  },
  ...['', '/folders', '/labels'].map(
    (part): Race => ({
      name: `something new in /notes${part} and the deletion of its owner`,
      acts: (stage) => [(at) => stage.owner[at].post(`/notes${part}`, { title: 'x', name: 'x' }), dismiss('owner', stage)],
      endings: ['201, 204: gone', '401 unauthorized, 204: gone'],
    }),
  ),
  {
    name: 'putting a note into a folder and the deletion of its owner',
    acts: (stage) => [
      (at) => stage.owner[at].patch(`/notes/${stage.id}`, { folderId: stage.folderId, title: 'y' }),
      dismiss('owner', stage),
    ],
    endings: ['200, 204: gone', '401 unauthorized, 204: gone'],
  },
  {
    name: 'putting a note into a folder and the deletion of the folder',
    acts: ({ owner, id, folderId }) => [
      (at) => owner[at].patch(`/notes/${id}`, { folderId }),
      (at) => owner[at].delete(`/notes/folders/${folderId}`),
    ],
    endings: ['200, 204: unread', '400 unknown_ids, 204: unread'],
  },
  {
    name: 'labelling a note and the deletion of the label',
    acts: ({ owner, id, labelId }) => [
      (at) => owner[at].patch(`/notes/${id}`, { labelIds: [labelId] }),
      (at) => owner[at].delete(`/notes/labels/${labelId}`),
    ],
    endings: ['200, 204: unread', '400 unknown_ids, 204: unread'],
  },
]

async function standingOf({ id, recipient }: Stage) {
  const [row] = await portal.sql<{ status: string; before: string | null }>(
    'select status, status_before as before from note_recipients where note_id = $1 and recipient_id = $2',
    [id, recipient[0].id],
  )
  return row ? `${row.status}${row.before ? `, was ${row.before}` : ''}` : gone
}

for (const { name, acts, endings } of races)
  test(`${name}, simultaneously, give the result of a serial order`, async () => {
    const admin = await atBoth(portal.admin)
    await race(portal, endings, async () => {
      const [owner, recipient] = [await newcomer(), await newcomer()]
      const [id, folderId, labelId] = [await sentNote(owner[0], recipient[0]), await newFolder(owner[0]), await newLabel(owner[0])]
      const rowId = (await received(recipient[0], id)).recipientRowId
      const stage = { owner, recipient, admin, id, rowId, folderId, labelId }
      return { acts: acts(stage), describe: async () => `: ${await standingOf(stage)}` }
    })
  })

test('simultaneous edits, sends, replies, filing and deletions by many people do not deadlock', async () => {
  const [huda, omar] = [await newcomer(), await newcomer()]
  const [folderId, theirs, labelId] = [await newFolder(huda[0]), await newFolder(omar[0]), await newLabel(huda[0])]
  const ids = await Promise.all(Array.from({ length: 6 }, () => sentNote(huda[0], omar[0])))
  const before = await portal.deadlocks()
  const answers = await Promise.all([
    ...ids.flatMap((id, n) => [
      huda[(n & 1) as 0 | 1].patch(`/notes/${id}`, { folderId, labelIds: [labelId], title: 'x' }),
      omar[(n & 1) as 0 | 1].post(`/notes/${id}/replies`, { content: 'x' }),
      huda[0].post(`/notes/${id}/replies`, { content: 'y' }),
      received(omar[1], id).then((row) => omar[1].patch(`/notes/received/${row.recipientRowId}`, { folderId: theirs, status: 'archived' })),
    ]),
    pause(10).then(() => huda[1].delete(`/notes/folders/${folderId}`)),
    pause(10).then(() => omar[0].delete(`/notes/folders/${theirs}`)),
    pause(10).then(() => huda[0].delete(`/notes/labels/${labelId}`)),
  ])
  const strange = answers.map(outcome).filter((one) => !['200', '201', '204', '400 unknown_ids'].includes(one))
  assert.deepEqual(strange, [])
  assert.equal(await portal.deadlocks(), before)
  assert.equal((await mark(omar[0], ids[0]!, { status: 'archived' })).status, 'archived')
})
