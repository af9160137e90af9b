/** Limits on what one person may store and keep open hold exactly, also for calls over many connections at once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer, Client } from './client.ts'
import { makers } from './makers.ts'
import { testPortal, until } from './portal.ts'
import { uploads } from './uploads.ts'

const portal = testPortal()
const make = makers(portal)
const { placeFor, put } = uploads(portal)

const CONNECTIONS = 64
const atOnce = (act: (n: number) => Promise<Answer>) => Promise.all(Array.from({ length: CONNECTIONS }, (_, n) => act(n)))
const taken = (answers: Answer[]) => answers.filter(({ status }) => status < 300)
function assertRefused(answers: Answer[], quota: string, allowed: number) {
  for (const { status, body } of answers.filter((answer) => answer.status >= 300))
    assert.deepEqual([status, body.code, body.quota, body.allowed, typeof body.used], [409, 'quota_exceeded', quota, allowed, 'number'])
}
const sharesOf = async ({ id }: Client) =>
  (
    await portal.sql<{ notes: number; bytes: number }>(
      `select count(*)::int as notes, coalesce(sum(octet_length(title) + octet_length(content)), 0)::int as bytes from notes where user_id = ${id}`,
    )
  )[0]!
/** Inserts notes of a person directly, each with the recorded change that the database demands. */
const fill = ({ id }: Client, notes: number, content: string) =>
  portal.sql(
    `with written as (insert into notes (user_id, content) select ${id}, ${content} from generate_series(1, ${notes}) returning id)
     insert into ledger (kind, target_type, target_id, facts) select 'test.meddled', 'note', id, '{}' from written`,
  )

test('over 64 connections at once, a person writes the last of 10,000 notes, and no more', async () => {
  const person = await make.newPerson()
  await fill(person, 9990, `'x'`)
  const answers = await atOnce((n) => person.post('/notes', { title: `note ${n}` }))
  assert.equal(taken(answers).length, 10)
  assertRefused(answers, 'notes', 10_000)
  assert.equal((await sharesOf(person)).notes, 10_000)
  await person.delete(`/notes/${taken(answers)[0]!.body.id}`)
  assert.equal((await person.post('/notes', { title: 'again' })).status, 201)
})

test('over 64 connections at once, new and edited notes fill 64 MiB of text, and no more', async () => {
  const person = await make.newPerson()
  const { body: small } = await person.post('/notes', { title: 'x' })
  const MOST = 64 * 1024 * 1024
  const content = '😀'.repeat(20_000)
  await fill(person, 833, `repeat('😀', 20000)`)
  const answers = await atOnce(() => person.post('/notes', { content }))
  const { bytes } = await sharesOf(person)
  assert.equal(taken(answers).length, 5)
  assertRefused(answers, 'note_bytes', MOST)
  assert.ok(bytes <= MOST && bytes > MOST - 80_000, String(bytes))
  const changes = await atOnce(() => person.patch(`/notes/${small.id}`, { content }))
  assertRefused(changes, 'note_bytes', MOST)
  assert.equal(taken(changes).length, 0)
  assert.equal((await person.patch(`/notes/${taken(answers)[0]!.body.id}`, { content: 'short' })).status, 200)
  assert.equal((await person.patch(`/notes/${small.id}`, { content })).status, 200)
  assert.ok((await sharesOf(person)).bytes <= MOST)
})

const request = (person: Client, size: number) =>
  person.post('/storage/uploads/request-url', { name: 'a', size, contentType: 'text/plain' })

test('over 64 connections at once, a person gets 20 upload slots; filling one makes room for another', async () => {
  const person = await make.newPerson()
  const place = await placeFor(1, { who: person })
  const answers = await atOnce(() => request(person, 1))
  assert.equal(taken(answers).length, 19)
  assertRefused(answers, 'upload_slots', 20)
  assert.equal((await put(place, Buffer.from('x'))).status, 204)
  assert.equal(taken(await atOnce(() => request(person, 1))).length, 1)
})

test('over 64 connections at once, a person’s objects and open slots take 1 GiB, and no more', async () => {
  const person = await make.newPerson()
  const GIB = 1024 ** 3
  const SIZE = 20 * 1024 ** 2
  await portal.sql(
    `with stored as (
       insert into objects (owner_id, name, size, content_type, uploaded_at, key, etag)
       select ${person.id}, 'a', ${SIZE}, 'a/b', now(), 'k' || n || '-${person.id}', 'e' from generate_series(1, 48) as n returning id)
     insert into ledger (kind, target_type, target_id, facts) select 'test.meddled', 'object', id, '{}' from stored`,
  )
  const answers = await atOnce(() => request(person, SIZE))
  assert.equal(taken(answers).length, 3)
  assertRefused(answers, 'object_bytes', GIB)
  const [refused] = answers.filter(({ status }) => status === 409)
  assert.equal(refused!.body.used, 51 * SIZE)
  assert.equal((await request(person, GIB - 51 * SIZE)).status, 200)
})

test('a second upload to a slot is refused during the first, and an aborted first one makes room', async () => {
  const place = await placeFor(4)
  const half = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  async function* slowly() {
    yield Buffer.from('ab')
    begun.resolve()
    await half.promise
    yield Buffer.from('cd')
  }
  const first = put(place, slowly(), { 'content-length': '4' })
  await begun.promise
  const second = await until('the second is refused', async () => {
    const answer = await put(place, Buffer.from('wxyz!'), { 'content-length': '5' })
    return answer.status === 409 ? answer : null
  })
  assert.equal(second.body.code, 'upload_under_way')
  half.resolve()
  assert.equal((await first).status, 204)
  assert.equal((await put(place, Buffer.from('abcd'))).body.code, 'invalid_token')
})

test('a person has at most 20 open streams; one that ends makes room, and other people’s do not count', async () => {
  const [person, other] = [await make.newPerson(), await make.newPerson()]
  const streams = await Promise.all(Array.from({ length: 20 }, () => person.listen()))
  assert.equal((await person.listen()).status, 429)
  const refused = await person.get('/events')
  assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited'])
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  const theirs = await other.listen()
  assert.equal(theirs.status, 200)
  streams[0]!.close()
  await until('there is room again', async () => {
    const stream = await person.listen()
    streams.push(stream)
    return stream.status === 200
  })
  for (const stream of [...streams, theirs]) stream.close()
})
