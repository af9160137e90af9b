/** Messages about orders, notes to their teams, their files, and waiting. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { request } from 'undici'
import { elapse } from '../../../test/clock.ts'
import { runJob } from '../../../test/jobs.ts'
import type { Client } from '../../../test/portal.ts'
import { hasHead, routes } from '../../../test/running.ts'
import { seededPortal } from '../../../test/seed.ts'

const { portal, org, make, seeded } = seededPortal()

/** A team whose receiver is Salem and whose lead is Noura; Rana receives for another team. */
let service: number
let group: number
let calendar: number
let other: number
before(async () => {
  await seeded
  group = (await make.newGroup({ userIds: [org.salem.id] })).id
  const others = await make.newGroup({ userIds: [org.rana.id] })
  calendar = (await make.newCalendar()).id
  const team = await make.newTeam({ calendarId: calendar, groupIds: [group], leadUserIds: [org.noura.id] })
  other = (await make.newTeam({ groupIds: [others.id] })).id
  service = (await make.newService({ nameEn: 'Laptop' })).id
  await org.admin.put(`/services/${service}/handling`, { teamId: team.id, completeMinutes: 120 })
})

async function placed(who: Client = org.huda) {
  const id = (await who.post('/orders', { serviceId: service })).body.id as number
  await org.salem.patch(`/orders/${id}/confirm-receipt`)
  return id
}
const details = async (id: number, who: Client = org.salem) => (await who.get(`/orders/${id}/details`)).body
const timeline = async (id: number, who: Client, query = '') => (await who.get(`/orders/${id}/timeline${query}`)).body
const kinds = async (id: number, who: Client) => (await timeline(id, who)).entries.map(({ kind }: { kind: string }) => kind)

async function uploaded(who: Client, contentType = 'text/plain', size = 5) {
  const { status, body, text } = await who.post('/order-files/request-url', { name: 'a.txt', size, contentType })
  assert.equal(status, 200, text)
  const { pathname, search } = new URL(body.uploadURL)
  const sent = await request(portal.base + pathname + search, {
    method: 'PUT',
    body: 'x'.repeat(size),
    headers: { 'content-type': contentType },
  })
  assert.equal(sent.statusCode, 204, await sent.body.text())
  return body.fileId as string
}

test('readers of an order can write messages, which the timeline shows; many messages cause one unread notification', async () => {
  const id = await placed()
  const { notices, events } = await portal.traces(async () => {
    for (let n = 0; n < 30; n++) assert.equal((await org.salem.post(`/orders/${id}/messages`, { text: `Room ${n}?` })).status, 201)
  })
  assert.deepEqual(
    notices.map(({ user, titleEn }) => [user, titleEn]),
    [[org.huda.id, 'New message about an order']],
  )
  assert.equal(events.filter(({ event }) => event === 'order_details_changed').length, 30)
  assert.deepEqual([(await details(id, org.huda)).unread, (await details(id)).unread], [true, false])
  await org.huda.post('/notifications/read-about', { relatedType: 'order', relatedId: id })
  assert.equal((await details(id, org.huda)).unread, false)
  const said = await org.huda.post(`/orders/${id}/messages`, { text: 'Room 7' })
  const { entries, totalCount, nextOffset } = await timeline(id, org.huda, '?limit=2')
  const { kind, id: newest, text, by } = entries[0]
  assert.deepEqual([kind, newest, text, by.id, totalCount, nextOffset], ['message', said.body.id, 'Room 7', org.huda.id, 33, 2])
  const older = await timeline(id, org.huda, `?before=${entries[1].id}&limit=200`)
  assert.deepEqual([older.totalCount, older.nextOffset], [31, null])
  const part = await timeline(id, org.huda, `?before=${entries[1].id}&limit=30`)
  const rest = await timeline(id, org.huda, `?before=${entries[1].id}&offset=${part.nextOffset}`)
  assert.deepEqual([...part.entries, ...rest.entries], older.entries)
  assert.deepEqual([older.entries.at(-2).kind, older.entries.at(-1).kind], ['claimed', 'placed'])
  assert.equal((await org.huda.get(`/orders/${id}/timeline?before=99999`)).body.details[0].path, 'before')
  for (const who of [org.rana, org.omar]) {
    assert.equal((await who.post(`/orders/${id}/messages`, { text: 'x' })).status, 404)
    assert.equal((await who.get(`/orders/${id}/timeline`)).status, 404)
  }
  assert.equal((await org.huda.post(`/orders/${id}/messages`, { text: ' ' })).body.details[0].rule, 'minLength')
})

test('an order takes 200 messages, and from 14 days after its end neither messages nor notes', async () => {
  const id = await placed()
  await portal.sql('alter table order_messages disable trigger user')
  await portal.sql(`insert into order_messages (order_id, text) select $1, 'x' from generate_series(1, 200)`, [id])
  await portal.sql('alter table order_messages enable trigger user')
  const { status, body } = await org.huda.post(`/orders/${id}/messages`, { text: 'x' })
  assert.deepEqual([status, body.code, body.quota], [409, 'quota_exceeded', 'order_messages'])
  assert.ok(!(await details(id)).may.includes('message'))
  assert.equal((await org.salem.post(`/orders/${id}/internal-notes`, { text: 'x' })).status, 201)
  await org.salem.patch(`/orders/${id}/status`, { status: 'completed' })
  await portal.sql('alter table orders disable trigger user')
  await portal.sql(`update orders set updated_at = now() - interval '14 days' where id = $1`, [id])
  await portal.sql('alter table orders enable trigger user')
  assert.equal((await org.salem.post(`/orders/${id}/internal-notes`, { text: 'x' })).body.code, 'too_late')
  assert.equal((await org.huda.post(`/orders/${id}/messages`, { text: 'x' })).body.code, 'too_late')
})

test('the beneficiary of an order never sees its notes to the team, not even as an administrator or after a transfer', async () => {
  const id = await placed()
  const fileId = await uploaded(org.noura)
  const { notices, events } = await portal.traces(() =>
    org.noura.post(`/orders/${id}/internal-notes`, { text: 'Secret', fileIds: [fileId] }),
  )
  assert.deepEqual(
    notices.map(({ user }) => user),
    [org.salem.id],
  )
  const told = events.find(({ event }) => event === 'order_details_changed')!
  assert.ok(!told.to!.includes(org.huda.id) && told.to!.includes(org.salem.id) && told.to!.includes(org.admin.id))
  const isHidden = async () => {
    assert.ok(!(await kinds(id, org.huda)).includes('internal_note'))
    assert.equal((await org.huda.get(`/orders/${id}/files/${fileId}`)).status, 404)
    assert.equal((await org.huda.post(`/orders/${id}/internal-notes`, { text: 'x' })).status, 403)
    assert.ok(!(await details(id, org.huda)).may.includes('note'))
  }
  await isHidden()
  await org.admin.post(`/users/${org.huda.id}/roles`, { roleName: 'admin' })
  await isHidden()
  await org.admin.delete(`/users/${org.huda.id}/roles/admin`)
  for (const who of [org.salem, org.noura, org.admin]) {
    assert.ok((await kinds(id, who)).includes('internal_note'))
    assert.equal((await who.get(`/orders/${id}/files/${fileId}`)).status, 200)
  }
  assert.equal((await org.omar.post(`/orders/${id}/internal-notes`, { text: 'x' })).status, 404)
  await org.salem.post(`/orders/${id}/transfer`, { teamId: other, note: 'Needs a cable' })
  assert.equal((await org.salem.get(`/orders/${id}/files/${fileId}`)).status, 404)
  const [note] = (await timeline(id, org.rana)).entries
  assert.deepEqual([note.kind, note.text], ['internal_note', 'Needs a cable'])
  await isHidden()
})

test('an assignee who is also the beneficiary of an order is not notified of notes to the team', async () => {
  const id = await placed(org.salem)
  assert.equal((await org.noura.get(`/orders/${id}`)).body.assignedTo, org.salem.id)
  const { notices } = await portal.traces(async () =>
    assert.equal((await org.noura.post(`/orders/${id}/internal-notes`, { text: 'Secret' })).status, 201),
  )
  assert.deepEqual(notices, [])
})

test('no endpoint reveals a note to the team to a party of the order, not even to a party who is an administrator', async () => {
  const id = await placed()
  const fileId = await uploaded(org.noura)
  const { id: noteId } = (await org.noura.post(`/orders/${id}/internal-notes`, { text: 'Zaffre', fileIds: [fileId] })).body
  assert.ok(noteId)
  const pathsThatTell = async (who: Client) => {
    const found: string[] = []
    for (const route of routes.filter(hasHead))
      for (const query of ['', '?q=Zaffre']) {
        const path = `${route.address((name) => (name === 'fileId' ? fileId : id))}${query}`
        const { status, text } = await who.get(path)
        if (/Zaffre/.test(text.replaceAll('"q":"Zaffre"', '')) || (status < 300 && text.includes(fileId))) found.push(path)
      }
    return found
  }
  assert.ok((await pathsThatTell(org.salem)).includes(`/orders/${id}/timeline`))
  assert.deepEqual(await pathsThatTell(org.huda), [])
  await org.admin.post(`/users/${org.huda.id}/roles`, { roleName: 'admin' })
  assert.deepEqual(await pathsThatTell(org.huda), [])
  await org.admin.delete(`/users/${org.huda.id}/roles/admin`)
})

test('a file is private from its upload on, can be used once and only by its owner, and is deleted with its order', async () => {
  const id = await placed()
  const fileId = await uploaded(org.huda)
  const path = `/orders/${id}/files/${fileId}`
  const own = await org.huda.get(path)
  assert.deepEqual([own.status, own.headers.get('cache-control')], [200, 'no-store'])
  const beyond = await org.huda.get(path, { range: 'bytes=9999-' })
  assert.deepEqual([beyond.status, beyond.body.code], [416, 'range_not_satisfiable'])
  assert.equal((await org.salem.get(path)).status, 404)
  for (const who of [org.huda, org.admin]) assert.equal((await who.get(`/storage/objects/uploads/${fileId}`)).status, 404)
  const stolen = await org.salem.post(`/orders/${id}/messages`, { fileIds: [fileId] })
  assert.deepEqual([stolen.body.code, stolen.body.unknownIds], ['unknown_ids', [fileId]])
  const { body } = await org.huda.post(`/orders/${id}/messages`, { fileIds: [fileId] })
  assert.deepEqual([body.text, body.files[0].id], ['', fileId])
  assert.equal((await org.huda.post(`/orders/${id}/messages`, { fileIds: [fileId] })).body.code, 'unknown_ids')
  assert.equal((await org.salem.get(path)).status, 200)
  assert.equal((await org.salem.get(`/orders/${await placed()}/files/${fileId}`)).status, 404)
  assert.equal((await org.admin.delete(`/orders/${id}`)).status, 204)
  assert.deepEqual(await portal.sql('select 1 from objects where uuid = $1', [fileId]), [])
})

test('answers can only name files of an accepted type that their sender has uploaded', async () => {
  const { id } = await make.newService()
  await org.admin.put(`/services/${id}/form`, { fields: [{ key: 'scan', kind: 'files', labelEn: 'Scan', types: 'pdf', most: 2 }] })
  const place = (fileId: string) => org.huda.post('/orders', { serviceId: id, answers: { scan: [fileId] } })
  const ruleOf = async (fileId: string) => (await place(fileId)).body.details[0].rule
  const pdf = await uploaded(org.huda, 'application/pdf')
  assert.deepEqual([await ruleOf(await uploaded(org.omar, 'application/pdf')), await ruleOf(await uploaded(org.huda))], ['unknown', 'type'])
  const answer = await place(pdf)
  assert.equal(answer.status, 201, answer.text)
  assert.equal((await details(answer.body.id, org.huda)).files[0].id, pdf)
  assert.equal(await ruleOf(pdf), 'unknown')
})

test('the record of a forced deletion of a service counts its orders, not their files', async () => {
  const { id: serviceId } = await make.newService()
  const { id } = (await org.huda.post('/orders', { serviceId })).body
  const fileIds = [await uploaded(org.huda), await uploaded(org.huda)]
  assert.equal((await org.huda.post(`/orders/${id}/messages`, { text: 'See both', fileIds })).status, 201)
  const { audit } = await portal.traces(() => org.admin.delete(`/services/${serviceId}?force=true`))
  const entry = audit.find(({ action }) => action === 'service.force_delete')!
  assert.equal((entry.metadata as { orderCount: number }).orderCount, 1)
})

test('the clock of a waiting order stands still until a command, an answer, a move or the given time ends the wait', async () => {
  const wait = (id: number, body: object = {}) => org.salem.post(`/orders/${id}/wait`, { for: 'requester', text: 'Which room?', ...body })
  const id = await placed()
  const due = Date.parse((await details(id)).times.completeBy)
  const { body } = await wait(id)
  assert.deepEqual(
    [body.waiting.for, body.waiting.text, body.progress, body.times.completeBy],
    ['requester', 'Which room?', 'waiting', null],
  )
  await elapse(portal, calendar, 30)
  assert.equal((await details(id)).times.minutesUsed, 0)
  await org.huda.post(`/orders/${id}/messages`, { text: 'Room 7' })
  const after = await details(id)
  assert.equal(after.waiting, null)
  assert.ok(Math.abs(Date.parse(after.times.completeBy) - due) < 60_000)
  assert.ok((await kinds(id, org.huda)).includes('resumed'))
  await wait(id, { for: 'third_party' })
  await org.huda.post(`/orders/${id}/messages`, { text: 'Well?' })
  assert.equal((await details(id)).waiting.for, 'third_party')
  assert.equal((await org.noura.post(`/orders/${id}/resume`)).body.waiting, null)
  assert.equal((await org.noura.post(`/orders/${id}/resume`)).status, 200)
  await wait(id, { until: new Date(Date.now() + 3600_000).toISOString() })
  assert.ok(Math.abs(Date.parse((await details(id)).times.completeBy) - due - 3600_000) < 60_000)
  await portal.sql('alter table order_details disable trigger user')
  await portal.sql(`update order_details set waiting_until = clock_timestamp() where order_id = $1`, [id])
  await portal.sql('alter table order_details enable trigger user')
  // The wait is over although no job has run.
  assert.equal((await details(id)).waiting, null)
  const { notices } = await portal.traces(() => runJob(portal, 'end_order_waits'))
  assert.deepEqual(
    notices.map(({ user, titleEn }) => [user, titleEn]),
    [[org.salem.id, 'An order is no longer waiting']],
  )
  for (const act of [
    () => org.salem.patch(`/orders/${id}/status`, { status: 'preparing' }),
    () => org.salem.post(`/orders/${id}/release`),
    () => org.admin.post(`/orders/${id}/transfer`, { teamId: other }),
  ]) {
    if ((await details(id)).may.includes('wait')) await wait(id)
    const { events } = await portal.traces(act)
    assert.equal((await details(id, org.admin)).waiting, null)
    assert.ok(events.some(({ event }) => event === 'order_details_changed'))
  }
})

test('only the assignee can make an order wait, and only while it is in work', async () => {
  const id = await placed()
  const body = { for: 'requester', text: 'Which room?' }
  for (const who of [org.huda, org.noura, org.admin]) assert.equal((await who.post(`/orders/${id}/wait`, body)).status, 403)
  assert.equal((await org.rana.post(`/orders/${id}/wait`, body)).status, 404)
  assert.equal((await org.huda.post(`/orders/${id}/resume`)).status, 403)
  assert.equal((await org.rana.post(`/orders/${id}/resume`)).status, 404)
  const late = await org.salem.post(`/orders/${id}/wait`, { ...body, until: '2020-01-01T00:00:00Z' })
  assert.equal(late.body.details[0].rule, 'comingDays')
  await org.salem.patch(`/orders/${id}/status`, { status: 'completed' })
  assert.equal((await org.salem.post(`/orders/${id}/wait`, body)).body.code, 'invalid_transition')
})

test('a person who completed an order and then left its team is not notified of its messages', async () => {
  const id = await placed()
  await org.salem.patch(`/orders/${id}/status`, { status: 'completed' })
  const toldOf = async (text: string) =>
    (await portal.traces(() => org.huda.post(`/orders/${id}/messages`, { text }))).notices.map(({ user }) => user)
  await org.admin.delete(`/groups/${group}/users/${org.salem.id}`)
  assert.deepEqual(await toldOf('Thank you'), [])
  await org.admin.post(`/groups/${group}/users`, { userId: org.salem.id })
  assert.deepEqual(await toldOf('Thank you, Salem'), [org.salem.id])
})

test('a wait that has passed its end counts as ended at that time, even if a command comes before the job', async () => {
  const wait = (id: number, body: object = {}) => org.salem.post(`/orders/${id}/wait`, { for: 'requester', text: 'Which room?', ...body })
  const acts: Record<string, (id: number) => Promise<{ status: number }>> = {
    resume: (id) => org.noura.post(`/orders/${id}/resume`),
    message: (id) => org.huda.post(`/orders/${id}/messages`, { text: 'Room 7' }),
    wait: (id) => wait(id, { for: 'third_party' }),
    move: (id) => org.salem.patch(`/orders/${id}/status`, { status: 'preparing' }),
  }
  const recorded: Record<string, unknown[]> = {}
  for (const [name, act] of Object.entries(acts)) {
    const id = await placed()
    await wait(id, { until: new Date(Date.now() + 3600_000).toISOString() })
    await portal.meddle('order', id, `update order_details set waiting_until = now() where order_id = ${id}`)
    assert.ok((await act(id)).status < 300, name)
    const facts = await portal.sql<{ end: string }>(
      `select coalesce(facts ->> 'by', facts ->> 'endsWaiting') as end from ledger
       where target_type = 'order' and target_id = ${id} and (kind = 'order.resumed' or facts ? 'endsWaiting') order by id`,
    )
    recorded[name] = facts.map(({ end }) => end)
    assert.equal((await details(id)).waiting?.for, name === 'wait' ? 'third_party' : undefined)
  }
  assert.deepEqual(recorded, { resume: ['until'], message: ['until'], wait: ['until'], move: [] })
})
