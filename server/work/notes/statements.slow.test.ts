/** A request sends the same number of statements for any number of notes, labels, recipients and replies. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { statementsDuring } from '../../../test/counting.ts'
import { makers } from '../../../test/makers.ts'
import { mark, newFolder, newLabel, received, send, sentNote, writeNote } from '../../../test/notes.ts'
import { type Client, PASSWORD, testPortal } from '../../../test/portal.ts'
import * as users from '../../people/users/routes.ts'
import * as filing from './filing-routes.ts'
import * as owned from './owned-routes.ts'
import * as notes from './routes.ts'
import * as sharing from './sharing-routes.ts'

const portal = testPortal()
const { newPerson } = makers(portal)

const many = <T>(count: number, one: (n: number) => Promise<T>) => Promise.all(Array.from({ length: count }, (_, n) => one(n)))

/** Creates `size` notes of a person in one folder, `size` labels, `size` recipients who replied, and `size` received notes. */
async function seed(size: number) {
  const [owner, reader] = [await newPerson(), await newPerson()]
  const newcomer = (n: number) => ({ username: `of${size}.${n}`, email: `of${size}.${n}@example.org`, password: PASSWORD })
  const others = (await many(size, (n) => portal.admin.post('/users', newcomer(n)))).map(({ body }) => ({ id: body.id as number }))
  const folderId = await newFolder(owner)
  const labelIds = await many(size, (n) => newLabel(owner, `label ${n}`))
  const fields = { title: 'Plan', folderId, labelIds }
  const [note, ...rest] = (await many(size, () => writeNote(owner, fields))) as [number, ...number[]]
  await many(size, () => newFolder(owner))
  for (const id of [note, ...rest]) await send(owner, id, reader, ...others)
  for (const { id } of others) await owner.post(`/notes/${note}/replies`, { content: 'Well?', recipientUserId: id })
  const inbox = await newFolder(owner)
  for (const id of await many(size, () => sentNote(reader, owner))) await mark(owner, id, { folderId: inbox })
  return { owner, reader, others, folderId, inbox, labelIds, note, fields, admin: portal.admin }
}
type Fixture = Awaited<ReturnType<typeof seed>>
type Request = [who: Client, path: string, body?: object]

const rowOf = async (who: Client, id: number) => (await received(who, id)).recipientRowId
const unread = async ({ owner, reader }: Fixture): Promise<Request> => [reader, `/notes/${await sentNote(owner, reader)}/thread`]

const cases: [at: string, what: string, status: number, ask: (fixture: Fixture) => Request | Promise<Request>][] = [
  ['GET /notes', 'notes', 200, ({ owner }) => [owner, '/notes']],
  ['GET /notes', 'the same again', 200, ({ owner }) => [owner, '/notes']],
  ['GET /notes', 'found ones', 200, ({ owner, folderId, labelIds: [l] }) => [owner, `/notes?folderId=${folderId}&labelId=${l}&q=plan`]],
  ['POST /notes', 'a note', 201, ({ owner, fields }) => [owner, '/notes', fields]],
  ['GET /notes/:id', 'a note', 200, ({ owner, note }) => [owner, `/notes/${note}`]],
  ['PATCH /notes/:id', 'what many see', 200, ({ owner, note }) => [owner, `/notes/${note}`, { title: 'Plan B' }]],
  ['PATCH /notes/:id', 'all labels', 200, ({ owner, note }) => [owner, `/notes/${note}`, { labelIds: [] }]],
  ['GET /notes/folders', 'folders', 200, ({ owner }) => [owner, '/notes/folders']],
  ['POST /notes/folders', 'a folder', 201, ({ owner }) => [owner, '/notes/folders', { name: 'x' }]],
  ['PATCH /notes/folders/:id', 'a folder', 200, ({ owner, folderId }) => [owner, `/notes/folders/${folderId}`, { name: 'x' }]],
  ['GET /notes/labels', 'labels', 200, ({ owner }) => [owner, '/notes/labels']],
  ['POST /notes/labels', 'a label', 201, ({ owner }) => [owner, '/notes/labels', { name: 'x' }]],
  ['PATCH /notes/labels/:id', 'a label', 200, ({ owner, labelIds: [l] }) => [owner, `/notes/labels/${l}`, { name: 'x' }]],
  ['GET /notes/recipients', 'people', 200, ({ owner }) => [owner, '/notes/recipients']],
  ['GET /notes/recipients', 'found ones', 200, ({ owner }) => [owner, '/notes/recipients?q=of']],
  ['GET /notes/sent', 'notes', 200, ({ owner }) => [owner, '/notes/sent']],
  ['GET /notes/received', 'notes', 200, ({ owner }) => [owner, '/notes/received']],
  ['GET /notes/:id/thread', 'the owner’s', 200, ({ owner, note }) => [owner, `/notes/${note}/thread`]],
  ['GET /notes/:id/thread', 'the owner’s again', 200, ({ owner, note }) => [owner, `/notes/${note}/thread`]],
  ['GET /notes/:id/thread', 'an unread one', 200, unread],
  ['GET /notes/:id/thread', 'an administrator’s', 200, ({ admin, note }) => [admin, `/notes/${note}/thread`]],
  [
    'POST /notes/:id/send',
    'a note to many',
    200,
    async ({ owner, others }) => [owner, `/notes/${await writeNote(owner)}/send`, { recipientUserIds: others.map(({ id }) => id) }],
  ],
  ['POST /notes/:id/replies', 'a reply', 201, ({ reader, note }) => [reader, `/notes/${note}/replies`, { content: 'x' }]],
  [
    'POST /notes/:id/replies',
    'an answer',
    201,
    ({ owner, reader, note }) => [owner, `/notes/${note}/replies`, { content: 'x', recipientUserId: reader.id }],
  ],
  [
    'PATCH /notes/received/:recipientRowId',
    'a status',
    200,
    async ({ reader, note }) => [reader, `/notes/received/${await rowOf(reader, note)}`, { status: 'archived' }],
  ],
  ['GET /users/:id/dependents/notes', 'notes', 200, ({ admin, owner }) => [admin, `/users/${owner.id}/dependents/notes`]],
  ['DELETE /notes/labels/:id', 'a label of many', 204, ({ owner, labelIds }) => [owner, `/notes/labels/${labelIds[1]}`]],
  ['DELETE /notes/folders/:id', 'a full folder', 204, ({ owner, folderId }) => [owner, `/notes/folders/${folderId}`]],
  ['DELETE /notes/folders/:id', 'of received ones', 204, ({ owner, inbox }) => [owner, `/notes/folders/${inbox}`]],
  ['DELETE /notes/:id', 'a note of many', 204, ({ owner, note }) => [owner, `/notes/${note}`]],
  ['DELETE /users/:id', 'a person and their notes', 204, ({ admin, owner }) => [admin, `/users/${owner.id}?force=true`]],
  ['DELETE /users/:id', 'who wrote few and received many', 204, ({ admin, reader }) => [admin, `/users/${reader.id}?force=true`]],
]

/** Leaves out repeated authentications: an answer in pieces checks before each piece that its reader may still have it. */
const authenticatedOnce = ([authentication, ...rest]: string[]) => [authentication!, ...rest.filter((one) => one !== authentication)]

const [SMALL, LARGE] = [3, 30]
const taken = cases.map((): string[][] => [])
before(async () => {
  await portal.ready
  for (const size of [SMALL, LARGE]) {
    const fixture = await seed(size)
    for (const [n, [at, what, status, ask]] of cases.entries()) {
      const [who, path, body] = await ask(fixture)
      taken[n]!.push(
        authenticatedOnce(
          await statementsDuring(async () => {
            const answer = await who.send(at.split(' ')[0]!, path, body)
            assert.equal(answer.status, status, `${at}, ${what}: ${answer.text}`)
          }),
        ),
      )
    }
  }
})

for (const [n, [at, what]] of cases.entries())
  test(`${at}, ${what}: sends as many statements with ${LARGE} of everything as with ${SMALL}`, (t) => {
    const [few, many] = taken[n] as [string[], string[]]
    t.diagnostic(`${few.length} statements`)
    assert.ok(few.length > 1)
    assert.equal(many.length, few.length, `${many.join('\n')}\n\nwhere few were\n\n${few.join('\n')}`)
  })

test('a list and a thread take one statement besides authentication', () => {
  const counted = cases.flatMap(([at, what], n) =>
    /^GET \/notes$|thread/.test(at) && /again|notes|owner/.test(what) ? [taken[n]![1]!.length] : [],
  )
  assert.deepEqual(counted, [2, 2, 2, 2])
})

test('every endpoint of notes is counted', () => {
  const all = [notes, filing, sharing].flatMap((feature) => Object.values(feature).map(({ at }) => at as string))
  const ofUsers = [owned.readUserNotes.at, users.deleteUser.at]
  assert.deepEqual([...new Set(cases.map(([at]) => at))].toSorted(), [...all, ...ofUsers].toSorted())
})
