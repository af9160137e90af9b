/** Lists longer than a batch are complete, in order and without duplicates, and are sent in pieces. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { request } from 'undici'
import { CUT_SIZE } from '../server/platform/database/batches.ts'
import { myNoteJson, textsOf } from '../server/work/notes/views.ts'
import type { Client } from './client.ts'
import { rowsDuring } from './counting.ts'
import { makers } from './makers.ts'
import { thread } from './notes.ts'
import { testPortal, until } from './portal.ts'

const portal = testPortal()
const make = makers(portal)

/** Inserts rows directly, each with the recorded change that the database demands. */
const fill = (table: string, target: string, rows: string) =>
  portal.sql(
    `with added as (insert into ${table} ${rows} returning id)
     insert into ledger (kind, target_type, target_id, facts) select 'test.meddled', '${target}', id, '{}' from added`,
  )
const idsOf = async (who: Client, path: string) => {
  const { status, body, text } = await who.get(path)
  assert.equal(status, 200, text.slice(0, 200))
  return (body as { id: number }[]).map(({ id }) => id)
}
const idsIn = async (statement: string) => (await portal.sql<{ id: number }>(statement)).map(({ id }) => id)

test('lists of many notes and of long notes are complete and begin with the pinned notes, with every filter', async () => {
  const [owner, reader] = [await make.newPerson(), await make.newPerson()]
  await fill(
    'notes (user_id, title, content, is_pinned, is_archived)',
    'note',
    `select ${owner.id}, 'n' || n, repeat('نص ', case when n % 25 = 0 then 6000 else 1 end), n % 5 = 0, n % 11 = 0 from generate_series(1, 700) as n`,
  )
  const order = 'order by is_pinned desc, id desc'
  assert.deepEqual(
    await idsOf(owner, '/notes'),
    await idsIn(`select id from notes where user_id = ${owner.id} and not is_archived ${order}`),
  )
  assert.deepEqual(
    await idsOf(owner, '/notes?tab=archived'),
    await idsIn(`select id from notes where user_id = ${owner.id} and is_archived ${order}`),
  )
  assert.deepEqual(
    await idsOf(owner, '/notes?q=n1'),
    await idsIn(`select id from notes where user_id = ${owner.id} and not is_archived and title like 'n1%' ${order}`),
  )
  assert.deepEqual(await idsOf(owner, '/notes?q=nowhere'), [])

  await portal.sql(
    `begin; insert into ledger (kind, target_type, target_id, facts) values ('test.meddled', 'user', ${reader.id}, '{}');
     insert into note_recipients (note_id, recipient_id) select id, ${reader.id} from notes where user_id = ${owner.id}; commit`,
  )
  const { body } = await reader.get('/notes/received')
  assert.deepEqual(
    body.map(({ recipientRowId }: { recipientRowId: number }) => recipientRowId),
    await idsIn(`select id from note_recipients where recipient_id = ${reader.id} order by id desc`),
  )
  assert.deepEqual(
    await idsOf(owner, '/notes/sent'),
    await idsIn(`select id from notes where user_id = ${owner.id} and not is_archived order by id desc`),
  )
})

test('lists of orders are complete: a requester’s newest first, a receiver’s oldest first', async () => {
  const [person, receiver, { id: serviceId }] = [await make.newPerson(), await make.holderOf('orders.receive'), await make.newService()]
  await fill(
    'orders (service_id, user_id, status, assigned_to)',
    'order',
    `select ${serviceId}, ${person.id}, case when n % 8 = 0 then 'pending' else 'preparing' end, case when n % 8 > 0 then ${receiver.id} end
     from generate_series(1, 700) as n`,
  )
  assert.deepEqual(await idsOf(person, '/orders/my'), await idsIn(`select id from orders where user_id = ${person.id} order by id desc`))
  assert.deepEqual(await idsOf(receiver, '/orders/incoming'), await idsIn('select id from orders order by id'))
})

test('the list of notifications is complete, or as long as requested', async () => {
  const person = await make.newPerson()
  await portal.sql(
    `insert into notifications (user_id, type, title_ar, title_en, read_at)
     select ${person.id}, 'system', 'عنوان', 'Title', case when n % 2 = 0 then now() end from generate_series(1, 1500) as n`,
  )
  const all = await idsIn(`select id from notifications where user_id = ${person.id} order by id desc`)
  assert.deepEqual(await idsOf(person, '/notifications'), all)
  assert.deepEqual(await idsOf(person, '/notifications?limit=450'), all.slice(0, 450))
  assert.deepEqual(await idsOf(person, `/notifications?before=${all[99]}&limit=60`), all.slice(100, 160))
  assert.equal((await idsOf(person, '/notifications?unread=true')).length, 750)
})

test('the list of tasks is complete and ordered by due date, tasks without one last', async () => {
  const executive = await make.newPerson({ roles: ['executive_coordinator'] })
  await fill(
    'meeting_tasks (title_ar, due_date, created_by)',
    'meeting_task',
    `select 'مهمة', case when n % 4 > 0 then '2026-01-01'::date + n % 90 end, ${executive.id} from generate_series(1, 700) as n`,
  )
  assert.deepEqual(
    await idsOf(executive, '/executive-meetings/tasks'),
    await idsIn('select id from meeting_tasks order by due_date nulls last, id'),
  )
})

test('the list of meetings is complete and in running order', async () => {
  await fill(
    'meetings (title_en, date, start_time, sort_order)',
    'meeting',
    `select 'm', '2032-01-01'::date + n % 3, case when n % 4 > 0 then to_char(n % 24, 'FM00') || ':00' end, n % 5
     from generate_series(1, 700) as n`,
  )
  const all = await idsIn('select id from meetings order by date, sort_order, start_time nulls last, id')
  const days = '/executive-meetings?from=2032-01-01&to=2032-03-01'
  assert.deepEqual(await idsOf(portal.admin, days), all)
  assert.deepEqual(await idsOf(portal.admin, `${days}&limit=50&offset=600`), all.slice(600, 650))
})

test('the lists of folders and labels are complete and ordered by name', async () => {
  const person = await make.newPerson()
  for (const kind of ['folder', 'label']) {
    await fill(
      `note_${kind}s (user_id, name)`,
      `note_${kind}`,
      `select ${person.id}, chr(1575 + n % 40) || n % 3 from generate_series(1, 500) as n`,
    )
    assert.deepEqual(
      await idsOf(person, `/notes/${kind}s`),
      await idsIn(`select id from note_${kind}s where user_id = ${person.id} order by name collate "ar-x-icu", id`),
    )
  }
})

const called = (name: string) => `select '${name}' || chr(1575 + n % 40) || n from generate_series(1, 1200) as n`
const placed = (values: string) => `select ${values}, n % 7 from generate_series(1, 1200) as n`
const byName = `order by name collate "ar-x-icu", id`
const byPlace = 'order by sort_order, id'
/** A table to which administrators add: the rows that fill it, the lists that read it, and their order. */
type Grown = [table: string, target: string, rows: string, lists: string[], order: string]
const grown: Grown[] = [
  ['groups', 'group', `(name) ${called('g')}`, ['/groups', '/groups?q=g'], byName],
  ['roles', 'role', `(name) ${called('r')}`, ['/roles'], byName],
  ['permissions', 'permission', `(name) ${called('p')}`, ['/permissions'], byName],
  ['services', 'service', `(name_ar, name_en, sort_order) ${placed(`'خدمة', 'Service'`)}`, ['/services'], byPlace],
  [
    'service_categories',
    'service_category',
    `(name_ar, name_en, sort_order) ${placed(`'فئة', 'Category'`)}`,
    ['/service-categories'],
    byPlace,
  ],
  [
    'apps',
    'app',
    `(slug, name_ar, name_en, icon_name, route, color, sort_order) ${placed(`'a' || n, 'تطبيق', 'App', 'box', '/app', '#0af'`)}`,
    ['/admin/apps', '/apps'],
    byPlace,
  ],
]
for (const [table, target, rows, lists, order] of grown)
  test(`long lists of ${table} are complete, and a page reads no more than it returns`, async () => {
    await fill(`${table} ${rows.slice(0, rows.indexOf(')') + 1)}`, target, rows.slice(rows.indexOf(')') + 1))
    const all = await idsIn(`select id from ${table} ${order}`)
    for (const path of lists) {
      const part = `${path}${path.includes('?') ? '&' : '?'}`
      const ids = path.includes('q=') ? await idsIn(`select id from ${table} where search like '%g%' ${order}`) : all
      assert.ok(ids.length >= 1200)
      const { headers } = await portal.admin.get(path)
      assert.equal(headers.get('content-length'), null, 'it is not made in one piece')
      assert.deepEqual(await idsOf(portal.admin, path), ids)
      assert.deepEqual(await idsOf(portal.admin, `${part}offset=300`), ids.slice(300))
      assert.deepEqual(await idsOf(portal.admin, `${part}limit=450&offset=700`), ids.slice(700, 1150))
      const read = await rowsDuring(() => portal.admin.get(`${part}limit=3&offset=700`))
      assert.ok(read.includes(3) && Math.max(...read) < 50, `${read} rows`)
    }
  })

test('a long launcher in a custom order is complete, with and without counts', async () => {
  const person = await make.newPerson()
  const all = await idsIn('select id from apps order by sort_order, id')
  const own = [all[900]!, all[3]!]
  for (const who of [portal.admin, person]) {
    await who.put('/me/app-order', { order: own })
    const expected = [...own, ...all.filter((id) => !own.includes(id))]
    assert.deepEqual(await idsOf(who, '/apps'), expected)
    assert.deepEqual(await idsOf(who, '/apps?limit=500&offset=1'), expected.slice(1, 501))
    assert.equal((await who.get('/apps')).headers.get('content-length'), null, 'it is not made in one piece')
  }
})

test('a page of people reads no more than it returns', async () => {
  for (let n = 0; n < 60; n++) await portal.person(`one-of-many-${n}`)
  const all = await idsOf(portal.admin, '/users')
  assert.deepEqual(await idsOf(portal.admin, '/users?limit=4&offset=30'), all.slice(30, 34))
  assert.ok(Math.max(...(await rowsDuring(() => portal.admin.get('/users?limit=4&offset=30')))) < 50)
})

test('a long thread is complete, also when it is first read, and is sent in several pieces', async () => {
  const [owner, reader, other] = [await make.newPerson(), await make.newPerson(), await make.newPerson()]
  const { body: note } = await owner.post('/notes', { title: 'Long' })
  await owner.post(`/notes/${note.id}/send`, { recipientUserIds: [reader.id, other.id] })
  await portal.meddle(
    'note',
    note.id,
    `insert into note_replies (note_id, recipient_id, is_from_owner, content)
     select ${note.id}, case when n % 3 = 0 then ${other.id} else ${reader.id} end, n % 2 = 0, 'reply ' || n from generate_series(1, 1200) as n`,
  )
  const all = await portal.sql<{ id: number; to: number }>(
    `select id, recipient_id as to from note_replies where note_id = ${note.id} order by id`,
  )
  const short = await thread(other, note.id)
  assert.equal(short.replies.length, 400)
  for (const who of [owner, reader, reader, portal.admin]) {
    const { headers, body } = await who.get(`/notes/${note.id}/thread`)
    assert.equal(headers.get('content-length'), null)
    assert.deepEqual(Object.keys(body).sort(), Object.keys(short).sort())
    const seen = all.filter(({ to }) => who !== reader || to === reader.id)
    assert.deepEqual(
      body.replies.map(({ id }: { id: number }) => id),
      seen.map(({ id }) => id),
    )
    const recipients = body.recipients.map(({ recipientUserId }: { recipientUserId: number }) => recipientUserId)
    assert.deepEqual(recipients, who === reader ? [reader.id] : [reader.id, other.id])
    assert.equal(body.myStatus, who === reader ? 'read' : null)
    assert.deepEqual([body.isOwner, body.isAdmin], [who === owner, who === portal.admin])
  }
})

test('a thread of few but long replies is sent in several pieces, too', async () => {
  const [owner, reader] = [await make.newPerson(), await make.newPerson()]
  const { body: note } = await owner.post('/notes', { title: 'Long' })
  await owner.post(`/notes/${note.id}/send`, { recipientUserIds: [reader.id] })
  await portal.meddle(
    'note',
    note.id,
    `insert into note_replies (note_id, recipient_id, is_from_owner, content)
     select ${note.id}, ${reader.id}, true, repeat('س', 5000) from generate_series(1, 300)`,
  )
  const { headers, body } = await owner.get(`/notes/${note.id}/thread`)
  assert.deepEqual([headers.get('content-length'), body.replies.length], [null, 300])
})

test('a batch ends with the note that fills it, even when long notes follow a thousand short ones', async () => {
  const owner = await make.newPerson()
  await fill(
    'notes (user_id, content)',
    'note',
    `select ${owner.id}, repeat('س', case when n > 200 then 1 else 20000 end) from generate_series(1, 1200) as n`,
  )
  const rows = (after: { id: number } | null) =>
    sql`from notes as n where n.user_id = ${owner.id} ${after ? sql`and n.id < ${after.id}` : sql``}`
  const lengths: number[] = []
  let count = 0
  for await (const batch of textsOf(portal.instance.db.reads, myNoteJson, { rows, keys: 'n.id', order: 'n.id desc' })) {
    lengths.push(batch.join().length)
    count += batch.length
  }
  assert.equal(count, 1200)
  assert.ok(Math.max(...lengths) < CUT_SIZE + 21_000, `${Math.max(...lengths)} characters`)
})

test('clients that do not read their answer hold no database connection', async () => {
  const [owner, other] = [await make.newPerson(), await make.newPerson()]
  await fill('notes (user_id, content)', 'note', `select ${owner.id}, repeat('😀', 20000) from generate_series(1, 800)`)
  const slow = await Promise.all(
    Array.from({ length: 12 }, () => request(`${portal.base}/api/notes`, { headers: { cookie: owner.cookie }, highWaterMark: 1024 })),
  )
  for (const { statusCode } of slow) assert.equal(statusCode, 200)
  assert.equal((await other.get('/orders/my')).status, 200)
  const { read } = portal.instance.db.pools
  await until('no connection waits for them', () => read.totalCount === read.idleCount)
  for (const { body } of slow) body.destroy()
})
