/** Reports of orders, and orders as CSV: the right to read them, and figures that deletions cannot improve. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { elapse } from '../../../test/clock.ts'
import type { Client } from '../../../test/portal.ts'
import { seededPortal } from '../../../test/seed.ts'
import { Actor } from '../../platform/auth/actor.ts'
import type { AsLongAs } from '../../platform/http/call-input.ts'
import { countedFor } from './queries.ts'

const { portal, org, make, seeded } = seededPortal()

let group: number
before(async () => {
  await seeded
  group = (await make.newGroup({ userIds: [org.salem.id] })).id
})
/** A service whose team has Salem as its receiver, Noura as its lead, and its own calendar. */
async function timed(targets: object = { receiveMinutes: 30, completeMinutes: 120 }, leadUserIds = [org.noura.id]) {
  const calendar = (await make.newCalendar()).id
  const team = (await make.newTeam({ calendarId: calendar, groupIds: [group], leadUserIds })).id
  const service = (await make.newService({ nameEn: 'Laptop' })).id
  await org.admin.put(`/services/${service}/handling`, { teamId: team, reopenDays: 7, ...targets })
  const place = async (answers?: object) => (await org.huda.post('/orders', { serviceId: service, answers })).body.id as number
  return { calendar, team, service, place }
}
const today = new Date().toISOString().slice(0, 10)
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
const around = `from=${ago(1)}&to=${ago(-1)}`
const report = (who: Client, query = '') => who.get(`/service-reports?${around}${query}`)
const figuresOf = async (service: number, who: Client = org.admin) => {
  const { services } = (await report(who, `&serviceId=${service}`)).body
  return services[0]
}
const claim = (id: number) => org.salem.patch(`/orders/${id}/confirm-receipt`)
const complete = (id: number) => org.salem.patch(`/orders/${id}/status`, { status: 'completed' })
const cancel = (id: number) => org.admin.patch(`/orders/${id}/status`, { status: 'cancelled' })

test('a report has the number of orders of a service by outcome, and their working minutes', async () => {
  const { calendar, service, place } = await timed()
  const [one, two, three, four] = [await place(), await place(), await place(), await place()]
  await elapse(portal, calendar, 10)
  await claim(one)
  await elapse(portal, calendar, 30)
  await claim(two)
  await complete(one)
  await elapse(portal, calendar, 100)
  await complete(two)
  await cancel(three)
  await org.huda.post(`/orders/${one}/reopen`, { text: 'Still dark' })
  const { byDay, ...figures } = await figuresOf(service)
  assert.deepEqual(figures, {
    ...{ serviceId: service, serviceNameAr: 'قهوة', serviceNameEn: 'Laptop' },
    ...{ placed: 4, completed: 2, cancelled: 1, denied: 0, lapsed: 0, reopened: 1, open: 1, late: 1 },
    ...{ receivedInTime: { count: 1, base: 2 }, completedInTime: { count: 1, base: 2 } },
    ...{ medianMinutesToReceive: 25, p90MinutesToReceive: 37, medianMinutesToComplete: 90, p90MinutesToComplete: 130 },
  })
  assert.equal(byDay.length, 3)
  assert.deepEqual(
    byDay.find(({ placed }: { placed: number }) => placed),
    { day: today, placed: 4, completed: 2, open: 1, late: 1 },
  )
  assert.ok(four)
})

test('a long report ends for a lead who loses one of its teams, or for an administrator who is only a lead now', async () => {
  const [one, other] = [await timed(), await timed()]
  const access = { roles: [] as string[], permissions: new Set<string>(), groups: [], groupIds: new Set<number>() }
  const parts = { id: org.noura.id, kind: 'person', username: 'noura', language: 'en', version: 1, epoch: 1, edition: 1 } as const
  const [lead, administrator] = [new Actor({ ...parts, access }), new Actor({ ...parts, access: { ...access, roles: ['admin'] } })]
  const days = { from: ago(1), to: ago(-1) }
  async function goesOn(reader: Actor, teamId?: number) {
    let holds!: Parameters<AsLongAs>[0]
    await countedFor(portal.instance.db.reads, reader, { ...days, ...(teamId && { teamId }) }, (condition) => {
      holds = condition
    })
    return () => holds(lead)
  }
  const [all, ofOne, ofOther, before] = [
    await goesOn(lead),
    await goesOn(lead, one.team),
    await goesOn(lead, other.team),
    await goesOn(administrator, one.team),
  ]
  assert.deepEqual([await all(), await before()], [true, false])
  await org.admin.patch(`/service-teams/${other.team}`, { leadUserIds: [org.faisal.id] })
  assert.deepEqual([await all(), await ofOne()], [false, true])
  await assert.rejects(async () => ofOther(), { code: 'forbidden' })
})

test('a reopening changes only its own figure, a deleted order still counts, and a deleted service loses its figures', async () => {
  const { calendar, service, place } = await timed()
  const [one, two, three] = [await place(), await place(), await place()]
  await claim(one)
  await elapse(portal, calendar, 60)
  await complete(one)
  await cancel(two)
  const figures = await figuresOf(service)
  assert.deepEqual([figures.completed, figures.cancelled, figures.open, figures.late], [1, 1, 1, 1])
  await org.huda.post(`/orders/${one}/reopen`, { text: 'Still dark' })
  await complete(one)
  assert.deepEqual(await figuresOf(service), { ...figures, reopened: 1 })
  for (const id of [one, two, three]) assert.equal((await org.admin.delete(`/orders/${id}`)).status, 204)
  assert.deepEqual(await figuresOf(service), { ...figures, reopened: 1 })
  assert.equal((await org.admin.delete(`/services/${service}?force=true`)).status, 204)
  assert.equal((await portal.sql(`select from order_figures where service_id = ${service}`)).length, 0)
})

test('the minutes of an order are working minutes without pauses, even if the service has no targets', async () => {
  const { calendar, service, place } = await timed({})
  const id = await place()
  await claim(id)
  await elapse(portal, calendar, 20)
  await org.salem.post(`/orders/${id}/wait`, { for: 'requester', text: 'Which room?' })
  await elapse(portal, calendar, 200)
  await org.huda.post(`/orders/${id}/messages`, { text: 'Room 7' })
  await elapse(portal, calendar, 5)
  await complete(id)
  const { medianMinutesToReceive, medianMinutesToComplete, completedInTime } = await figuresOf(service)
  assert.deepEqual([medianMinutesToReceive, medianMinutesToComplete, completedInTime], [0, 25, { count: 0, base: 0 }])
})

test('a report covers all orders for administrators, those of their current teams for leads, and is otherwise forbidden', async () => {
  const [own, other] = [await timed(), await timed({}, [org.omar.id])]
  await own.place()
  const id = await other.place()
  const seen = async (who: Client, query = '') => {
    const { status, body } = await report(who, query)
    return status === 200 ? body.services.map(({ serviceId }: { serviceId: number }) => serviceId) : body.code
  }
  assert.ok((await seen(org.admin)).includes(own.service) && (await seen(org.admin)).includes(other.service))
  assert.deepEqual([await seen(org.admin, `&teamId=${own.team}`), await seen(org.omar)], [[own.service], [other.service]])
  assert.deepEqual(
    [
      await seen(org.omar, `&teamId=${own.team}`),
      await seen(org.salem),
      await seen(org.huda),
      await seen(org.omar, `&serviceId=${own.service}`),
    ],
    ['forbidden', 'forbidden', 'forbidden', []],
  )
  await org.admin.post(`/orders/${id}/transfer`, { teamId: own.team })
  assert.deepEqual(await seen(org.omar), [])
  assert.deepEqual((await seen(org.admin, `&teamId=${own.team}`)).toSorted(), [own.service, other.service].toSorted())
})

test('a report covers at most 92 days, both ends included, and each end must be a date of the calendar', async () => {
  const paths = async (query: string) =>
    (await org.admin.get(`/service-reports?${query}`)).body.details?.map(({ path }: { path: string }) => path)
  assert.equal((await org.admin.get('/service-reports?from=2026-01-01&to=2026-04-02')).body.total.byDay.length, 92)
  assert.deepEqual(await paths('from=2026-01-01&to=2026-04-03'), ['to'])
  assert.deepEqual(await paths('from=2026-02-30&to=2026-04-03'), ['from'])
  assert.deepEqual(await paths('from=2026-02-02&to=2026-02-01'), ['from'])
  assert.deepEqual(await paths('from=2026-02-02'), ['to'])
})

test('an order keeps the day on which it was placed if the portal’s time zone changes', async () => {
  const { service, place } = await timed()
  await place()
  await claim(await place())
  const days = async () => (await figuresOf(service)).byDay.filter(({ placed }: { placed: number }) => placed)
  const kept = await days()
  // At any hour, at least one of these zones has another day than UTC.
  for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Midway']) {
    assert.equal((await org.admin.patch('/settings', { timeZone })).status, 200)
    assert.deepEqual(await days(), kept)
  }
  await org.admin.patch('/settings', { timeZone: 'UTC' })
})

test('an order that was never released is in no figure of a lead, even after the office moves to another time zone', async () => {
  const { service } = await timed({ steps: [{ key: 'first', nameAr: 'الأولى', nameEn: 'First', userIds: [org.omar.id] }] })
  assert.equal((await org.huda.post('/orders', { serviceId: service })).status, 201)
  const placed = async (who: Client) => (await report(who, `&serviceId=${service}`)).body.total.placed
  assert.deepEqual([await placed(org.admin), await placed(org.noura)], [1, 0])
  await org.admin.patch('/settings', { timeZone: 'Asia/Riyadh' })
  assert.deepEqual([await placed(org.admin), await placed(org.noura)], [1, 0])
  await org.admin.patch('/settings', { timeZone: 'UTC' })
})

test('a service whose deletion is undone has the figures of its deleted orders again', async () => {
  const { calendar, service, place } = await timed()
  const id = await place()
  await claim(id)
  await elapse(portal, calendar, 60)
  await complete(id)
  assert.equal((await org.admin.delete(`/orders/${id}`)).status, 204)
  const figures = await figuresOf(service)
  assert.deepEqual([figures.completed, figures.medianMinutesToComplete], [1, 60])
  assert.equal((await org.admin.delete(`/services/${service}`)).status, 204)
  const [entry] = (await org.admin.get('/admin/audit-logs?action=service.delete&limit=1')).body.entries
  assert.equal((await org.admin.post(`/admin/undo/${entry.id}`)).status, 200)
  assert.deepEqual(await figuresOf(service), figures)
})

const form = (drink: string) => ({
  fields: [
    { key: 'cups', kind: 'items', labelEn: 'Cups', options: ['tea', 'dark'].map((key) => ({ key, en: key, ar: key })) },
    { key: drink, kind: 'text', labelEn: drink },
  ],
})

test('orders of a service are exported with a column for each key of any version of its form, and the export is audited', async () => {
  const { service, team, place } = await timed()
  for (const key of ['first', 'second']) assert.equal((await org.admin.put(`/services/${service}/form`, form(key))).status, 200)
  const first = await place()
  const second = await place({ cups: { tea: 2, dark: 1 }, second: '=1+1' })
  await org.noura.patch(`/orders/${second}/status`, { status: 'cancelled', reason: 'Out of stock' })
  const file = `/service-reports/orders.csv?${around}&serviceId=${service}`
  const { answer, audit } = await (async () => {
    let answer!: Awaited<ReturnType<Client['get']>>
    const traces = await portal.traces(async () => (answer = await org.noura.get(file)))
    return { answer, ...traces }
  })()
  const [header, ...rows] = answer.text.trim().split('\n')
  assert.equal(
    header,
    'id,placed_at,placer,beneficiary,team,status,wanted_at,receive_by,received_at,complete_by,completed_at,minutes_used,reason,cups,first,second',
  )
  assert.deepEqual(
    rows.map((row) => row.split(',')).map((cells) => [Number(cells[0]), cells[2], cells[5], ...cells.slice(-4)]),
    [
      [second, org.huda.username, 'cancelled', 'Out of stock', 'tea=2; dark=1', '', "'=1+1"],
      [first, org.huda.username, 'pending', '', '', '', ''],
    ],
  )
  assert.deepEqual(
    audit.map(({ action, metadata }) => [action, metadata]),
    [['order.export', { from: ago(1), to: ago(-1), serviceId: service, teamId: null }]],
  )
  const status = async (who: Client, query = '') => (await who.get(file + query)).status
  assert.deepEqual([await status(org.salem), await status(org.admin, `&teamId=${team}`)], [403, 200])
  assert.equal((await org.admin.get(`/service-reports/orders.csv?${around}&serviceId=999999`)).status, 404)
  assert.equal((await org.admin.get(`/service-reports/orders.csv?${around}`)).status, 400)
  const hidden = (await make.newService()).id
  await org.admin.put(`/services/${hidden}/handling`, { audience: 'groups', audienceGroupIds: [group] })
  assert.equal((await org.noura.get(`/service-reports/orders.csv?${around}&serviceId=${hidden}`)).status, 404)
})

test('a field whose key is a property of every object is empty in the export of an order that does not answer it', async () => {
  const { service, place } = await timed()
  const options = [{ key: 'tea', en: 'Tea' }]
  const fields = [{ key: 'constructor', kind: 'choices', labelEn: 'Who builds it?', options }]
  assert.equal((await org.admin.put(`/services/${service}/form`, { fields })).status, 200)
  await place({})
  await place({ constructor: ['tea'] })
  const { status, text } = await org.admin.get(`/service-reports/orders.csv?${around}&serviceId=${service}`)
  const last = text
    .trim()
    .split('\n')
    .map((row) => row.split(',').at(-1))
  assert.deepEqual([status, last], [200, ['constructor', 'tea', '']])
})

test('a report has a tag that changes with its figures', async () => {
  const { service, place } = await timed()
  const tag = async () => (await report(org.admin, `&serviceId=${service}`)).headers.get('etag')
  const before = await tag()
  assert.equal(await tag(), before)
  await place()
  assert.notEqual(await tag(), before)
})
