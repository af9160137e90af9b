/** Simultaneous notes are sent in one transaction, and each gets the answer it would get alone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { makers } from '../../../test/makers.ts'
import { received, writeNote } from '../../../test/notes.ts'
import { testPortal, until } from '../../../test/portal.ts'

const portal = testPortal()
const { newPerson } = makers(portal)
const MANY = 24

const people = (count = MANY) => Promise.all(Array.from({ length: count }, () => newPerson()))
const idsOf = (some: { id: number }[]) => some.map(({ id }) => id)
const transactionsOf = async (noteIds: number[]) =>
  (await portal.sql(`select distinct tx from ledger where kind = 'note.sent' and target_id = any($1)`, [noteIds])).length

test('many simultaneous notes share transactions, and each leaves the traces of a sent note', async () => {
  const [owners, readers] = [await people(), await people(3)]
  const notes = await Promise.all(owners.map((one, n) => writeNote(one, { title: `Note ${n}`, content: 'x' })))
  const together = await portal.traces(async () => {
    const answers = await Promise.all(owners.map((one, n) => one.post(`/notes/${notes[n]}/send`, { recipientUserIds: idsOf(readers) })))
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body]),
      owners.map(() => [200, { success: true, sent: 3 }]),
    )
  })
  assert.ok((await transactionsOf(notes)) < MANY)
  assert.equal(together.notices.length, 3 * MANY)
  const noteIds = together.events.filter(({ event }) => event === 'note_changed').map(({ data }) => (data as { noteId: number }).noteId)
  assert.deepEqual(new Set(noteIds), new Set(notes))
  for (const reader of readers) {
    const got = (await reader.get('/notifications?limit=100')).body as { bodyEn: string; relatedId: number }[]
    assert.deepEqual(
      got.map(({ bodyEn, relatedId }) => `${relatedId} ${bodyEn}`).toSorted(),
      owners.map(({ username }, n) => `${notes[n]} ${username} sent you a note: “Note ${n}”.`).toSorted(),
    )
    for (const id of notes) assert.equal((await received(reader, id)).status, 'unread')
  }
})

test('a refused note gets its reason and does not affect the notes in its transaction', async () => {
  const [owners, reader, gone] = [await people(), await newPerson(), await newPerson()]
  await portal.admin.patch(`/users/${gone.id}`, { isActive: false })
  const notes = await Promise.all(owners.map((one) => writeNote(one)))
  const sendings = [
    (n: number) => [notes[n], [reader.id], 200, undefined],
    (n: number) => [notes[n], [reader.id, owners[n]!.id], 400, 'validation_failed'],
    (n: number) => [notes[n], [reader.id, 999_999], 400, 'unknown_ids'],
    (n: number) => [notes[n], [gone.id], 400, 'unknown_ids'],
    (n: number) => [notes[(n + 1) % MANY], [reader.id], 404, 'not_found'],
    (n: number) => [notes[n], [reader.id, reader.id], 200, undefined],
  ] as const
  const wanted = owners.map((_, n) => sendings[n % sendings.length]!(n))
  const answers = await Promise.all(owners.map((one, n) => one.post(`/notes/${wanted[n]![0]}/send`, { recipientUserIds: wanted[n]![1] })))
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.code]),
    wanted.map(([, , status, code]) => [status, code]),
  )
  assert.deepEqual(
    answers.map(({ body }) => body.sent),
    wanted.map(([, , status]) => (status === 200 ? 1 : undefined)),
  )
})

test('a note sent twice at once reaches each recipient once, with one notification', async () => {
  const [owner, readers] = [await newPerson(), await people(4)]
  const id = await writeNote(owner)
  const { notices } = await portal.traces(async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => owner.post(`/notes/${id}/send`, { recipientUserIds: idsOf(readers) })),
    )
    assert.deepEqual(answers.map(({ status, body }) => [status, body.sent]).toSorted(), [...Array(7).fill([200, 0]), [200, 4]])
  })
  assert.equal(notices.length, 4)
})

test('a note waits while another transaction locks its recipient, and notes to other people do not', async () => {
  const [owners, reader, busy] = [await people(), await newPerson(), await newPerson()]
  const notes = await Promise.all(owners.map((one) => writeNote(one)))
  const client = new pg.Client(portal.connection)
  await client.connect()
  try {
    await client.query('begin')
    await client.query('select from users where id = $1 for update', [busy.id])
    const waiting = owners[0]!.post(`/notes/${notes[0]}/send`, { recipientUserIds: [busy.id] })
    await until(
      'it waits',
      async () => (await portal.sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).length,
    )
    const others = owners.slice(1)
    const answers = await Promise.all(others.map((one, n) => one.post(`/notes/${notes[n + 1]}/send`, { recipientUserIds: [reader.id] })))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    await client.query('commit')
    assert.equal((await waiting).status, 200)
  } finally {
    await client.end()
  }
})
