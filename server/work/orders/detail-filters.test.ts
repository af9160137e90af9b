/** The filters of lists of orders with their details, and the moments for which orders are wanted. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { elapse } from '../../../test/clock.ts'
import type { Client } from '../../../test/portal.ts'
import { seededPortal } from '../../../test/seed.ts'

const { portal, org, make, seeded } = seededPortal()
const DAY_MS = 24 * 60 * 60_000

/** A team with its own calendar, whose receivers are Salem and Rana and whose lead is Noura; its services with and without a form. */
let calendar: number
let withForm: number
let plain: number
before(async () => {
  await seeded
  calendar = (await make.newCalendar()).id
  const group = await make.newGroup({ userIds: [org.salem.id, org.rana.id] })
  const team = await make.newTeam({ calendarId: calendar, groupIds: [group.id], leadUserIds: [org.noura.id] })
  ;[withForm, plain] = [(await make.newService()).id, (await make.newService({ nameEn: 'Projector' })).id]
  const fields = [
    { key: 'room', kind: 'text', labelEn: 'Room' },
    { key: 'when', kind: 'wanted_at', labelEn: 'When', leadMinutes: 60, maxDays: 30 },
  ]
  assert.equal((await org.admin.put(`/services/${withForm}/form`, { fields })).status, 200)
  for (const service of [withForm, plain])
    assert.equal((await org.admin.put(`/services/${service}/handling`, { teamId: team.id, completeMinutes: 60 })).status, 200)
})

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
async function place(serviceId: number, answers?: object, who: Client = org.huda) {
  const { status, body, text } = await who.post('/orders', { serviceId, ...(answers && { answers }) })
  assert.equal(status, 201, text)
  return body.id as number
}
type Listed = { items: { order: { id: number }; details: { times: { completeBy: string; isLate: boolean } } }[]; counts: object }
async function list(who: Client, query: string) {
  const { status, body, text } = await who.get(`/orders/details?limit=200&${query}`)
  assert.equal(status, 200, text)
  return body as Listed
}
/** Moves the target of an order to the end of the day, or some microseconds before it. */
const dueBeforeMidnight = (id: number, microseconds: number) => {
  const tonight = '(select end_of_day((now() at time zone usable_time_zone(time_zone))::date) from settings)'
  const due = `working_time(${calendar}, ${tonight}) - ${microseconds}`
  return portal.meddle('order', id, `update order_details set complete_due = ${due}, due = ${due} where order_id = ${id}`)
}
const ids = async (who: Client, query: string) => (await list(who, query)).items.map(({ order }) => order.id).toSorted((a, b) => a - b)

test('each filter of the list works alone and together with other filters', async () => {
  const late = await place(plain)
  await elapse(portal, calendar, 61)
  const waits = await place(plain)
  await org.salem.patch(`/orders/${waits}/confirm-receipt`)
  await org.salem.post(`/orders/${waits}/wait`, { for: 'requester', text: 'Which room?' })
  const soon = await place(withForm, { room: 'الطابق الثالث' })
  await org.rana.patch(`/orders/${soon}/confirm-receipt`)
  await dueBeforeMidnight(soon, 1)
  const later = await place(withForm, { room: 'Hall 12', when: inDays(20) })
  const done = await place(plain, undefined, org.omar)
  await org.rana.patch(`/orders/${done}/confirm-receipt`)
  await org.rana.patch(`/orders/${done}/status`, { status: 'completed' })

  const expected: Record<string, number[]> = {
    '': [late, waits, soon, later, done],
    'status=completed': [done],
    'state=late': [late],
    'state=waiting': [waits],
    'state=later': [later],
    [`serviceId=${withForm}`]: [soon, later],
    'assignedTo=none': [late, later],
    [`assignedTo=${org.rana.id}`]: [soon, done],
    'q=projector': [late, waits, done],
    'q=hall 12': [later],
    'q=الثالث': [soon],
    [`q=${org.omar.username}`]: [done],
    [`from=${inDays(1).slice(0, 10)}`]: [],
    [`to=${inDays(-2).slice(0, 10)}`]: [],
    [`serviceId=${plain}&assignedTo=none`]: [late],
    'status=completed&state=late': [],
  }
  for (const [query, found] of Object.entries(expected)) assert.deepEqual(await ids(org.noura, `view=team&${query}`), found, query)
  assert.deepEqual(await ids(org.salem, 'view=team&assignedTo=me'), [waits])
  assert.deepEqual(await ids(org.omar, ''), [done])
  assert.deepEqual(await ids(org.huda, 'view=mine&q=hall'), [later])
  assert.deepEqual((await ids(org.admin, 'view=all')).slice(-5), [late, waits, soon, later, done])

  const { items, counts } = await list(org.noura, 'view=team&sort=newest')
  assert.deepEqual(
    items.map(({ order }) => order.id),
    [done, later, soon, waits, late],
  )
  const byDue = (await list(org.noura, 'view=team')).items.filter(({ order }) => [late, soon, later].includes(order.id))
  assert.deepEqual(
    byDue.map(({ order }) => order.id),
    [late, soon, later],
  )
  assert.deepEqual(counts, { held: 0, waiting: 1, late: 1, due_today: 1, later: 1 })
  assert.deepEqual(await ids(org.noura, 'view=team&state=due_today'), [soon])
  assert.deepEqual((await list(org.noura, `view=team&state=late&serviceId=${withForm}`)).counts, {
    held: 0,
    waiting: 0,
    late: 0,
    due_today: 1,
    later: 1,
  })
  for (const id of [late, waits, soon, later, done]) await org.admin.delete(`/orders/${id}`)
})

test('an order that is due at midnight is due tomorrow, and an order that is due a microsecond earlier is due today', async () => {
  const id = await place(plain)
  for (const [before, expected] of [
    [0, []],
    [1, [id]],
  ] as const) {
    await dueBeforeMidnight(id, before)
    assert.deepEqual(await ids(org.noura, 'view=team&state=due_today'), expected)
  }
  await org.admin.delete(`/orders/${id}`)
})

test('an invalid filter is refused, and only administrators can list all orders', async () => {
  for (const query of ['view=none', 'state=none', 'sort=oldest', 'assignedTo=nobody', 'teamId=x', 'limit=201'])
    assert.equal((await org.noura.get(`/orders/details?${query}`)).body.code, 'validation_failed', query)
  assert.equal((await org.noura.get('/orders/details?view=all')).status, 403)
})

test('the moment for which an order is wanted is refused if it is too early, too late or outside the team’s hours', async () => {
  const hour = 60 * 60_000
  // The team works for 59 minutes a day, about 12 hours from now.
  const away = new Date(Date.now() + 12 * hour)
  const start = `${String(away.getUTCHours()).padStart(2, '0')}:00`
  const weekly = Array.from({ length: 7 }, () => [{ from: start, to: `${start.slice(0, 3)}59` }])
  const narrow = await make.newCalendar({ weekly })
  const team = await make.newTeam({ calendarId: narrow.id, groupIds: [(await make.newGroup()).id] })
  const { id } = await make.newService()
  await org.admin.put(`/services/${id}/handling`, { teamId: team.id })
  const refused = async (field: object, when: unknown) => {
    const fields = [{ key: 'when', kind: 'wanted_at', labelEn: 'When', ...field }]
    assert.equal((await org.admin.put(`/services/${id}/form`, { fields })).status, 200)
    const { status, body } = await org.huda.post('/orders', { serviceId: id, answers: { when } })
    return status === 201 ? 201 : body.details.map(({ path, rule }: { path: string; rule: string }) => `${path} ${rule}`)
  }
  assert.equal(await refused({}, inDays(1)), 201)
  assert.deepEqual(await refused({}, inDays(-1)), ['answers.when early'])
  // In three days, the team works at most four hours.
  assert.deepEqual(await refused({ leadMinutes: 4 * 60 }, inDays(3)), ['answers.when early'])
  assert.equal(await refused({ leadMinutes: 2 * 59 }, inDays(4)), 201)
  assert.deepEqual(await refused({ maxDays: 2 }, inDays(3)), ['answers.when late'])
  assert.equal(await refused({ maxDays: 4 }, inDays(3)), 201)
  const { body: spans } = await org.admin.get(
    `/working-calendars/${narrow.id}/spans?from=${inDays(3).slice(0, 10)}&to=${inDays(4).slice(0, 10)}`,
  )
  const span = Date.parse(spans[0].startsAt)
  assert.equal(await refused({ withinHours: true }, new Date(span + hour / 2).toISOString()), 201)
  assert.deepEqual(await refused({ withinHours: true }, new Date(span - hour).toISOString()), ['answers.when closed'])
  for (const bad of ['tomorrow', 5, '2026-13-01T00:00:00Z']) assert.deepEqual(await refused({}, bad), ['answers.when kind'])
})

test('a search finds orders by the names of their parties, but not by e-mail addresses', async () => {
  await org.admin.put(`/services/${plain}/handling`, { ...(await org.admin.get(`/services/${plain}/handling`)).body, onBehalf: 'everyone' })
  const { body, text } = await org.huda.post('/orders', { serviceId: plain, forUserId: org.omar.id })
  assert.ok(body.id, text)
  const found = async (who: Client, q: string) => (await ids(who, `view=${who === org.admin ? 'all' : 'team'}&q=${q}`)).includes(body.id)
  for (const who of [org.noura, org.salem, org.admin]) {
    for (const name of ['huda', 'هدى', 'omar', 'عمر']) assert.equal(await found(who, name), true, name)
    for (const address of ['huda@', 'omar@', 'example.org']) assert.equal(await found(who, address), false, address)
  }
  await org.admin.delete(`/orders/${body.id}`)
})

test('a search finds answers as people read them: by names and by the labels of options, also of fields of the kind items, but not by ids', async () => {
  const { id } = await make.newService()
  const options = [
    { key: 'tea', ar: 'شاي أخضر', en: 'Green tea' },
    { key: 'mocha', ar: 'موكا', en: 'Mocha' },
  ]
  const fields = [
    { key: 'cups', kind: 'items', labelEn: 'Cups', options },
    { key: 'size', kind: 'choice', labelEn: 'Size', options: [{ key: 'xl', ar: 'كبير', en: 'Enormous' }] },
    { key: 'extras', kind: 'choices', labelEn: 'Extras', options: [{ key: 'milk', ar: 'حليب', en: 'Oat milk' }] },
    { key: 'guest', kind: 'person', labelEn: 'Guest' },
    { key: 'desk', kind: 'number', labelEn: 'Desk' },
    { key: 'scan', kind: 'files', labelEn: 'Scan' },
  ]
  assert.equal((await org.admin.put(`/services/${id}/form`, { fields })).status, 200)
  const [file] = await portal.sql<{ uuid: string }>(
    `with written as (
       insert into objects (owner_id, name, size, content_type, uploaded_at, key, etag, is_private)
       values (${org.huda.id}, 'a.txt', 5, 'text/plain', now(), 'k', 'e', true) returning id, uuid),
     changes as (insert into ledger (kind, target_type, target_id, facts) select 'test.meddled', 'object', id, '{}' from written)
     select uuid from written`,
  )
  const fileId = file!.uuid
  const guest = await make.newPerson({ displayNameEn: 'Zaynab', displayNameAr: 'زينب' })
  const answers = { cups: { tea: 2 }, size: 'xl', extras: ['milk'], guest: guest.id, desk: 4711, scan: [fileId] }
  const order = await place(id, answers)
  const found = async (q: string) => (await ids(org.huda, `q=${encodeURIComponent(q)}`)).includes(order)
  for (const q of ['green tea', 'tea', 'شاي', 'enormous', 'كبير', 'oat', 'zaynab', 'زينب', '4711']) assert.equal(await found(q), true, q)
  for (const q of ['mocha', 'guest', 'nameEn', fileId, fileId.slice(0, 8), `${guest.id}`]) assert.equal(await found(q), false, q)
  // The labels are those of the version with which the order was placed.
  const renamed = fields.map((field) => (field.key === 'size' ? { ...field, options: [{ key: 'xl', ar: 'ضخم', en: 'Gigantic' }] } : field))
  assert.equal((await org.admin.put(`/services/${id}/form`, { fields: renamed })).status, 200)
  assert.deepEqual([await found('enormous'), await found('gigantic')], [true, false])
})
