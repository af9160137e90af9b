import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idsIn, makers, silence, tracing } from '../../../test/makers.ts'
import { type Answer, type Client, testPortal, until } from '../../../test/portal.ts'

const portal = testPortal()
const { newPerson, newService } = makers(portal)
const { traced } = tracing(portal)
const NOBODYS = 2147483647

/** Inserts notifications of a person straight into the database; returns their ids, oldest first. */
async function insertNotifications(person: { id: number }, count: number, fields = '') {
  const rows = await portal.sql<{ id: number }>(`
    insert into notifications (user_id, type, title_ar, title_en)
    select ${person.id}, 'system', 'عنوان', 'Title ' || n from generate_series(1, ${count}) as n returning id`)
  const ids = idsIn({ body: rows })
  if (fields) await portal.sql(`update notifications set ${fields} where id = any($1)`, [ids])
  return ids
}
const readAt = async (id: number) =>
  (await portal.sql<{ at: Date | null }>(`select read_at as at from notifications where id = ${id}`))[0]!.at
const list = async (person: Client, query = '') => idsIn(await person.get(`/notifications${query}`))

test('people see only their own notifications, newest first', async () => {
  const [huda, salem] = [await newPerson(), await newPerson()]
  const [first] = await insertNotifications(huda, 1)
  await insertNotifications(salem, 2)
  const [second, third] = await insertNotifications(huda, 2)
  assert.deepEqual(await list(huda), [third, second, first])
  assert.deepEqual(await list(await newPerson()), [])
})

test('a notification has exactly the specified fields', async () => {
  const person = await newPerson({ roles: ['admin'] })
  const [id] = await insertNotifications(
    person,
    1,
    `body_ar = 'نص', related_type = 'user', related_id = 5, created_at = '2026-01-02 03:04:05.678999Z'`,
  )
  assert.deepEqual((await person.get('/notifications')).body, [
    {
      id,
      userId: person.id,
      type: 'system',
      titleAr: 'عنوان',
      titleEn: 'Title 1',
      bodyAr: 'نص',
      bodyEn: null,
      relatedType: 'user',
      relatedId: 5,
      joinUrl: null,
      isRead: false,
      createdAt: '2026-01-02T03:04:05.678Z',
    },
  ])
})

test('the list takes a limit, continues before an id, and can omit read ones', async () => {
  const person = await newPerson()
  const ids = (await insertNotifications(person, 6)).reverse()
  const [a, b, c, d, e, f] = ids as [number, number, number, number, number, number]
  for (const id of [b, e]) await person.patch(`/notifications/${id}/read`)
  for (const [query, expected] of [
    ['', ids],
    ['?limit=2', [a, b]],
    ['?limit=500', ids],
    [`?before=${c}`, [d, e, f]],
    [`?before=${c}&limit=1`, [d]],
    [`?before=${NOBODYS}`, ids],
    ['?before=1', []],
    ['?unread=true', [a, c, d, f]],
    ['?unread=false', ids],
    [`?unread=true&before=${c}&limit=2`, [d, f]],
  ] as [string, number[]][])
    assert.deepEqual(await list(person, query), expected, query)
})

for (const query of ['limit=0', 'limit=501', 'limit=-1', 'limit=x', 'limit=1.5', 'limit=1&limit=2', `limit=${'9'.repeat(30)}`])
  test(`a list with ${query} is refused`, async () => {
    const { status, body } = await portal.admin.get(`/notifications?${query}`)
    assert.deepEqual([status, body.code, body.details[0].path], [400, 'validation_failed', 'limit'])
  })
for (const query of ['before=0', 'before=-1', 'before=x', 'before=2147483648', 'unread=maybe', 'unread=1', 'unread='])
  test(`a list with ${query} is refused`, async () => {
    const { status, body } = await portal.admin.get(`/notifications?${query}`)
    assert.deepEqual([status, body.code, body.details[0].path], [400, 'validation_failed', query.split('=')[0]])
  })

test('a list without a limit is complete, however long', async () => {
  const person = await newPerson()
  const ids = await insertNotifications(person, 3000)
  assert.deepEqual(await list(person), ids.reverse())
})

test('marking as read is idempotent and keeps the first time', async () => {
  const person = await newPerson()
  const [id, other] = await insertNotifications(person, 2)
  const before = (await person.get('/notifications')).body.find((one: { id: number }) => one.id === id)
  let first: Answer | undefined
  const traces = await portal.traces(async () => {
    first = await person.patch(`/notifications/${id}/read`)
  })
  assert.deepEqual(traces, { ...silence, events: [{ event: 'notifications_read', data: { ids: [id] }, to: [person.id] }] })
  assert.deepEqual([first!.status, first!.body], [200, { ...before, isRead: true }])
  const at = await readAt(id!)
  assert.ok(at)
  const { answer: again, ...none } = await traced(() => person.patch(`/notifications/${id}/read`))
  assert.deepEqual(none, silence)
  assert.deepEqual([again.status, again.text], [200, first!.text])
  assert.deepEqual([await readAt(id!), await readAt(other!)], [at, null])
})

test('someone else’s notification is 404, for administrators too, and stays unread', async () => {
  const person = await newPerson()
  const [id] = await insertNotifications(person, 1)
  for (const [who, path] of [
    [portal.admin, id],
    [await newPerson(), id],
    [person, NOBODYS],
  ] as const) {
    const { status, body } = await who.patch(`/notifications/${path}/read`)
    assert.deepEqual([status, body.code], [404, 'not_found'])
  }
  assert.equal(await readAt(id!), null)
  for (const path of ['0', '-1', 'x', '1.5', '2147483648'])
    assert.equal((await person.patch(`/notifications/${path}/read`)).status, 400, path)
})

test('marking all as read affects only the caller’s notifications, and keeps the times of those already read', async () => {
  const [huda, salem] = [await newPerson(), await newPerson()]
  const [early, late] = [await insertNotifications(huda, 1, `read_at = '2026-01-01Z'`), await insertNotifications(huda, 2)]
  const [others] = await insertNotifications(salem, 1)
  const traces = await portal.traces(async () => {
    const { status, body } = await huda.post('/notifications/read-all')
    assert.deepEqual([status, body], [200, { success: true }])
  })
  assert.deepEqual(traces, { ...silence, events: [{ event: 'notifications_read', data: { all: true }, to: [huda.id] }] })
  assert.deepEqual(await list(huda, '?unread=true'), [])
  assert.equal((await readAt(early[0]!))!.toISOString(), '2026-01-01T00:00:00.000Z')
  assert.ok(await readAt(late[0]!))
  assert.equal(await readAt(others!), null)
  const { answer, ...none } = await traced(() => huda.post('/notifications/read-all'))
  assert.deepEqual([answer.body, none], [{ success: true }, silence])
})

test('marking all as read up to an id leaves newer notifications unread', async () => {
  const person = await newPerson()
  const [first, second, third] = await insertNotifications(person, 3)
  const { answer, ...traces } = await traced(() => person.post(`/notifications/read-all?upTo=${second}`))
  assert.deepEqual([answer.status, answer.body], [200, { success: true }])
  assert.deepEqual(traces, { ...silence, events: [{ event: 'notifications_read', data: { ids: [first, second] }, to: [person.id] }] })
  assert.equal(await readAt(third!), null)
  const { answer: again, ...none } = await traced(() => person.post(`/notifications/read-all?upTo=${second}`))
  assert.deepEqual([again.status, none], [200, silence])
})

test('the ledger does not record what people read', async () => {
  const person = await newPerson()
  const [id] = await insertNotifications(person, 2)
  const countLedger = async () => (await portal.sql<{ count: number }>('select count(*)::int as count from ledger'))[0]!.count
  const before = await countLedger()
  await person.patch(`/notifications/${id}/read`)
  await person.post('/notifications/read-all')
  assert.equal(await countLedger(), before)
})

test('marking one and all as read simultaneously breaks nothing', async () => {
  const person = await newPerson()
  const ids = await insertNotifications(person, 20)
  const answers = await Promise.all([
    ...ids.map((id) => person.patch(`/notifications/${id}/read`)),
    person.post('/notifications/read-all'),
    person.post('/notifications/read-all'),
  ])
  for (const { status, text } of answers) assert.equal(status, 200, text)
  assert.deepEqual(await list(person, '?unread=true'), [])
})

test('without a session, every call gets 401', async () => {
  const stranger = portal.stranger()
  for (const answer of [
    await stranger.get('/notifications'),
    await stranger.patch('/notifications/1/read'),
    await stranger.post('/notifications/read-all'),
  ])
    assert.equal(answer.status, 401)
})

test('the event carries a notification exactly as the list does', async () => {
  const person = await portal.person('awkward', { displayNameEn: 'A "quoted" \\ name </script> & 😀', displayNameAr: 'هدى «الأولى»' })
  const receiver = await newPerson({ roles: ['order_receiver'] })
  const stream = await receiver.listen()
  const { id } = await newService({ nameEn: 'Tea "to go" \\ 😀', nameAr: 'شاي\u2028' })
  for (let n = 0; n < 30; n++) assert.equal((await person.post('/orders', { serviceId: id })).status, 201)
  await until('all have come', () => stream.seen('notification_created').length === 30)
  const received = stream.seen('notification_created').map(({ data }) => data)
  assert.equal(
    `[${received.reverse().map(({ notification }) => JSON.stringify(notification))}]`,
    (await receiver.get('/notifications')).text,
  )
  for (const data of received) assert.deepEqual(Object.keys(data), ['notification'])
})

/** Runs the scheduled job, and waits until it has succeeded. */
async function forget() {
  await portal.sql(`select graphile_worker.add_job('clean_up')`)
  await until('the job is done', async () => {
    const jobs = await portal.sql(`select from graphile_worker.jobs where task_identifier = 'clean_up'`)
    return jobs.length === 0
  })
}

test('notifications read more than 90 days ago are deleted; unread ones stay, however old', async () => {
  const person = await newPerson()
  const old = `created_at = now() - interval '2 years'`
  const [unread] = await insertNotifications(person, 1, old)
  const [readLately] = await insertNotifications(person, 1, `${old}, read_at = now() - interval '89 days 23 hours'`)
  const [readLongAgo] = await insertNotifications(person, 1, `${old}, read_at = now() - interval '90 days 1 hour'`)
  assert.deepEqual(await list(person), [readLongAgo, readLately, unread])
  await forget()
  assert.deepEqual(await list(person), [readLately, unread])
})

test('a backlog of any size is deleted', async () => {
  const person = await newPerson()
  await insertNotifications(person, 45_000, `read_at = now() - interval '1 year'`)
  const [stored] = await insertNotifications(person, 1)
  await forget()
  assert.deepEqual(await list(person), [stored])
})
