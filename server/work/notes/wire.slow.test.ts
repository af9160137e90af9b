/** PostgreSQL's JSON for notes has exactly the fields of the shapes, in the formats of every other reply. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { makers } from '../../../test/makers.ts'
import { mark, newFolder, newLabel, received, send, thread, writeNote } from '../../../test/notes.ts'
import { testPortal } from '../../../test/portal.ts'
import { type Route, routes } from '../../../test/running.ts'
import { generated } from '../../../test/suite.ts'

const portal = testPortal()
const { newPerson } = makers(portal)

const ajv = new Ajv({ strict: false, allErrors: true })
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const routeAt = (at: string) => routes.find((route) => route.at === at)!

interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
}
/** Asserts that every field of the shape is present, even when null. */
function assertWhole(schema: Schema, value: unknown, path: string) {
  if (schema.items) for (const item of value as unknown[]) assertWhole(schema.items, item, `${path}[]`)
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    assert.ok(name in (value as object), `${path}.${name}`)
    assertWhole(inner, (value as Record<string, unknown>)[name], `${path}.${name}`)
  }
}
function assertShaped({ at, endpoint: { reply } }: Route, { status, body, headers }: Awaited<ReturnType<typeof portal.admin.get>>) {
  assert.ok(status < 300, `${at}: ${JSON.stringify(body)}`)
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  const isShaped = ajv.compile(reply!)
  assert.ok(isShaped(body), `${at}: ${JSON.stringify(isShaped.errors)}`)
  assertWhole(reply as Schema, body, at)
}

test('every reply about notes has exactly the fields of its shape, full or empty', async () => {
  const [huda, omar] = [await newPerson({ displayNameEn: 'Huda' }), await newPerson()]
  const ask = async (at: string, who = huda, path = at.split(' ')[1]!, body?: object) =>
    assertShaped(routeAt(at), await who.send(at.split(' ')[0]!, path, body))
  for (const at of ['GET /notes', 'GET /notes/folders', 'GET /notes/labels', 'GET /notes/sent', 'GET /notes/received']) await ask(at)
  const [folderId, labelId] = [await newFolder(huda), await newLabel(huda)]
  const fields = { title: 'x', folderId, labelIds: [labelId] }
  await ask('POST /notes', huda, '/notes', fields)
  await ask('POST /notes/folders', huda, '/notes/folders', { name: 'x' })
  await ask('POST /notes/labels', huda, '/notes/labels', { name: 'x' })
  await ask('PATCH /notes/folders/:id', huda, `/notes/folders/${folderId}`, { name: 'y' })
  await ask('PATCH /notes/labels/:id', huda, `/notes/labels/${labelId}`, { name: 'y' })
  const id = await writeNote(huda, fields)
  await ask('GET /notes/:id', huda, `/notes/${id}`)
  await ask('PATCH /notes/:id', huda, `/notes/${id}`, { isPinned: true })
  await ask('GET /notes/:id/thread', huda, `/notes/${id}/thread`)
  await ask('GET /notes/recipients')
  await ask('POST /notes/:id/send', huda, `/notes/${id}/send`, { recipientUserIds: [omar.id] })
  await ask('GET /notes/sent')
  await ask('GET /notes/received', omar)
  await ask('GET /notes/:id/thread', omar, `/notes/${id}/thread`)
  await ask('POST /notes/:id/replies', omar, `/notes/${id}/replies`, { content: 'x' })
  await ask('PATCH /notes/received/:recipientRowId', omar, `/notes/received/${(await received(omar, id)).recipientRowId}`, {
    status: 'archived',
  })
  for (const who of [huda, omar, portal.admin]) await ask('GET /notes/:id/thread', who, `/notes/${id}/thread`)
  for (const at of ['GET /notes', 'GET /notes/folders', 'GET /notes/labels', 'GET /notes/sent']) await ask(at)
  await ask('GET /notes/received', omar, '/notes/received?tab=archived')
})

test('every timestamp equals the database’s to the millisecond, in UTC', async () => {
  const [huda, omar] = [await newPerson(), await newPerson()]
  const id = await writeNote(huda)
  await send(huda, id, omar)
  await mark(omar, id, { status: 'read' })
  await portal.meddle(
    'note',
    id,
    `update notes set created_at = '2026-02-28 23:59:59.007+00', updated_at = '2026-07-01 02:00:00.5+03' where id = ${id}`,
  )
  const { createdAt, updatedAt } = (await huda.get(`/notes/${id}`)).body
  assert.deepEqual([createdAt, updatedAt], ['2026-02-28T23:59:59.007Z', '2026-06-30T23:00:00.500Z'])
  const whole = await thread(huda, id)
  assert.deepEqual([whole.createdAt, whole.updatedAt], [createdAt, updatedAt])
  const page = await portal.admin.get(`/users/${huda.id}/dependents/notes`)
  assert.equal(page.body.items[0].updatedAt, updatedAt)
  assert.equal(whole.recipients[0].readAt, (await received(omar, id)).readAt)
})

test('every endpoint returns a stored text unchanged', async () => {
  const [huda, omar] = [await newPerson(), await newPerson()]
  const id = await writeNote(huda)
  await send(huda, id, omar)
  const texts = fc.string({ unit: 'binary', minLength: 1, maxLength: 150 }).filter((text) => text.isWellFormed() && !text.includes('\0'))
  await fc.assert(
    fc.asyncProperty(texts, async (content) => {
      const answer = await huda.patch(`/notes/${id}`, { title: 'x', content })
      assert.equal(answer.status, 200, answer.text)
      const stored = (await portal.sql<{ content: string }>('select content from notes where id = $1', [id]))[0]!.content
      const seen = [
        answer.body,
        (await huda.get('/notes')).body[0],
        (await huda.get('/notes/sent')).body[0],
        await received(omar, id),
        await thread(omar, id),
      ]
      assert.deepEqual(
        seen.map((note) => note.content),
        seen.map(() => stored),
      )
    }),
    generated(8, 25),
  )
})
