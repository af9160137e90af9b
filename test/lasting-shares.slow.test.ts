/** Limits on what one person may store and cause hold exactly, also for calls over many connections at once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from './makers.ts'
import { sentNote, writeNote } from './notes.ts'
import { type Answer, type Client, PASSWORD, testPortal } from './portal.ts'

const portal = testPortal({ RATE_LIMITS: 'on' })
const make = makers(portal)

const CONNECTIONS = 64
const atOnce = (act: (n: number) => Promise<Answer>) => Promise.all(Array.from({ length: CONNECTIONS }, (_, n) => act(n)))
const taken = (answers: Answer[]) => answers.filter(({ status }) => status < 300)
function assertRefused(answers: Answer[], quota: string, allowed: number) {
  for (const { status, body } of answers.filter((answer) => answer.status >= 300))
    assert.deepEqual([status, body.code, body.quota, body.allowed, typeof body.used], [409, 'quota_exceeded', quota, allowed, 'number'])
}
/** Inserts rows directly, and records a change for each in the ledger. */
const meddle = (targetType: string, id: string, insert: string) =>
  portal.sql(
    `with written as (${insert} returning *)
     insert into ledger (kind, target_type, target_id, facts) select 'test.meddled', '${targetType}', ${id}, '{}' from written`,
  )

for (const what of ['labels', 'folders'] as const)
  test(`over 64 connections at once, a person makes the last of 500 ${what} and no more; deleting one makes room`, async () => {
    const person = await make.newPerson()
    await meddle(
      what.replace(/(.*)s/, 'note_$1'),
      'id',
      `insert into note_${what} (user_id, name) select ${person.id}, 'x' from generate_series(1, 490)`,
    )
    const answers = await atOnce((n) => person.post(`/notes/${what}`, { name: `mine ${n}` }))
    assert.equal(taken(answers).length, 10)
    assertRefused(answers, what, 500)
    await person.delete(`/notes/${what}/${taken(answers)[0]!.body.id}`)
    assert.equal((await person.post(`/notes/${what}`, { name: 'again' })).status, 201)
  })

const order = (person: Client, serviceId: number) => person.post('/orders', { serviceId })
async function withOrders(count: number) {
  const [person, { id: serviceId }] = [await make.newPerson(), await make.newService()]
  await meddle(
    'order',
    'id',
    `insert into orders (service_id, user_id) select ${serviceId}, ${person.id} from generate_series(1, ${count})`,
  )
  return { person, serviceId }
}

test('over 64 connections at once, a person places the last of 100 waiting orders while other people order', async () => {
  const [{ person, serviceId }, other] = [await withOrders(90), await make.newPerson()]
  const [answers, theirs] = await Promise.all([atOnce(() => order(person, serviceId)), order(other, serviceId)])
  assert.equal(taken(answers).length, 10)
  assertRefused(answers, 'pending_orders', 100)
  assert.equal(theirs.status, 201)
})

test('an order that no longer waits makes room for a new one, and a cancelled order can be restored beyond the limit', async () => {
  const { person, serviceId } = await withOrders(99)
  const { body: last } = await order(person, serviceId)
  const refused = await order(person, serviceId)
  assert.deepEqual([refused.status, refused.body.used, refused.body.allowed], [409, 100, 100])
  assert.equal((await person.patch(`/orders/${last.id}/status`, { status: 'cancelled' })).status, 200)
  assert.equal((await order(person, serviceId)).status, 201)
  assert.equal((await person.patch(`/orders/${last.id}/status`, { status: 'pending' })).status, 200)
  assert.equal((await order(person, serviceId)).body.used, 101)
})

const sending = (person: Client, noteId: number, to: Client) => person.post(`/notes/${noteId}/send`, { recipientUserIds: [to.id] })
const caused = ({ id }: Client, count: number, minutesAgo = 0) =>
  portal.sql(`insert into notices_caused values (${id}, date_trunc('minute', now()) - interval '${minutesAgo} minutes', ${count})
    on conflict (user_id, minute) do update set count = notices_caused.count + excluded.count`)

test('over 64 connections at once, notes and replies cause the last of 5,000 notifications in an hour, and no more', async () => {
  const [person, reader] = [await make.newPerson(), await make.newPerson()]
  const noteId = await sentNote(person, reader)
  const others = await Promise.all(Array.from({ length: CONNECTIONS / 2 }, () => make.newPerson()))
  await caused(person, 4989)
  const answers = await atOnce((n) =>
    n % 2 ? person.post(`/notes/${noteId}/replies`, { content: 'x', recipientUserId: reader.id }) : sending(person, noteId, others[n / 2]!),
  )
  assert.equal(taken(answers).length, 10)
  assertRefused(answers, 'notices', 5000)
  assert.equal((await reader.post(`/notes/${noteId}/replies`, { content: 'mine' })).status, 201)
})

test('people who have a note already do not count towards the limit when it is sent to them again', async () => {
  const [person, reader, second, third] = [await make.newPerson(), await make.newPerson(), await make.newPerson(), await make.newPerson()]
  const noteId = await sentNote(person, reader)
  await caused(person, 4998)
  const to = (...people: Client[]) => person.post(`/notes/${noteId}/send`, { recipientUserIds: people.map(({ id }) => id) })
  assert.deepEqual((await to(reader, second, third)).body.used, 4999)
  assert.deepEqual((await to(reader, second)).body, { success: true, sent: 1 })
  assert.deepEqual((await to(reader, second)).body, { success: true, sent: 0 })
})

test('notifications stop counting towards the limit an hour after they were caused', async () => {
  const [person, other] = [await make.newPerson(), await make.newPerson()]
  await caused(person, 5000, 59)
  const noteId = await writeNote(person)
  assert.equal((await sending(person, noteId, other)).body.quota, 'notices')
  await portal.sql(`update notices_caused set minute = minute - interval '2 minutes' where user_id = ${person.id}`)
  assert.equal((await sending(person, noteId, other)).status, 200)
})

test('orders do not count as notifications of their requester', async () => {
  const { person, serviceId } = await withOrders(1)
  await caused(person, 5000)
  assert.equal((await order(person, serviceId)).status, 201)
})

test('after 100 sign-ins within an hour, the next succeeds only once the first of them is an hour old', async () => {
  const person = await make.newPerson()
  await portal.sql(
    `insert into sessions (token_hash, user_id, ip, expires_at, ended_at, created_at)
     select sha256(('s' || n)::bytea)::text, ${person.id}, '192.0.2.1', now(), now(), now() - interval '30 minutes' from generate_series(1, 99) as n`,
  )
  const signIn = () => portal.stranger().post('/auth/login', { username: person.username, password: PASSWORD })
  const refused = await signIn()
  assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited'])
  const wait = Number(refused.headers.get('retry-after'))
  assert.ok(wait > 1700 && wait <= 1800, String(wait))
  await portal.sql(`update sessions set created_at = created_at - interval '31 minutes' where user_id = ${person.id}`)
  assert.equal((await signIn()).status, 200)
})

const request = (person: Client, size = 1) => person.post('/storage/uploads/request-url', { name: 'a', size, contentType: 'text/plain' })
const stored = ({ id }: Client, count: number, size: number) =>
  meddle(
    'object',
    'id',
    `insert into objects (owner_id, name, size, content_type, uploaded_at, key, etag)
     select ${id}, 'a', ${size}, 'a/b', now(), 'k' || n || '-${id}', 'e' from generate_series(1, ${count}) as n`,
  )

test('over 64 connections at once, a person stores the last of 10,000 objects, and no more', async () => {
  const person = await make.newPerson()
  await stored(person, 1, 1)
  await portal.sql(`update object_shares set objects = 9995 where user_id = ${person.id}`)
  const answers = await atOnce(() => request(person))
  assert.equal(taken(answers).length, 5)
  assertRefused(answers, 'objects', 10_000)
})

test('an object counts as at least 4 KiB', async () => {
  const person = await make.newPerson()
  await stored(person, 2, 1)
  const GIB = 1024 ** 3
  const { body } = await request(person, 20 * 1024 ** 2)
  assert.ok(body.uploadURL)
  await portal.sql(`update object_shares set bytes = bytes + ${GIB - 3 * 4096 - 20 * 1024 ** 2} where user_id = ${person.id}`)
  assert.equal((await request(person)).status, 200)
  assert.deepEqual((await request(person)).body.used, GIB)
})

test('preference changes of one kind within a minute share one row of the ledger, and all take effect', async () => {
  const person = await make.newPerson()
  const rows = () =>
    portal.sql<{ kind: string }>(
      `select kind from ledger where target_id = ${person.id} and kind in ('user.preferences_changed', 'apps.reordered') order by id`,
    )
  const apps = [await make.newApp(), await make.newApp()].map(({ id }) => id)
  await Promise.all([true, false, true].map((clockHour12) => person.patch('/auth/me/clock-hour12', { clockHour12 })))
  assert.equal((await person.patch('/auth/me/language', { language: 'en' })).body.preferredLanguage, 'en')
  for (const order of [apps, apps.toReversed(), apps]) assert.equal((await person.put('/me/app-order', { order })).status, 200)
  assert.deepEqual(await rows(), [{ kind: 'user.preferences_changed' }, { kind: 'apps.reordered' }])
  await portal.sql(`update gathered_changes set since = since - interval '1 minute' where user_id = ${person.id}`)
  await person.patch('/auth/me/language', { language: 'ar' })
  assert.equal((await rows()).length, 3)
})
