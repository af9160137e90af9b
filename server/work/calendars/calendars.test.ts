/** The calendars by which teams work: their validation, and the targets that move when a calendar changes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { runJob } from '../../../test/jobs.ts'
import { seededPortal } from '../../../test/seed.ts'

const { portal, org, make } = seededPortal()
const always = Array.from({ length: 7 }, () => [{ from: '00:00', to: '24:00' }])
const office = always.map((_, day) => (day < 5 ? [{ from: '08:00', to: '16:00' }] : []))
const details = (body: { details?: { path: string; rule: string }[] }) => body.details?.map(({ path, rule }) => `${path} ${rule}`)

test('a new portal has a calendar of office hours, which everybody who signs in can read', async () => {
  const { body } = await org.huda.get('/working-calendars')
  const [calendar] = body.filter(({ isDefault }: { isDefault: boolean }) => isDefault)
  assert.deepEqual([calendar.nameEn, calendar.weekly, calendar.periods, calendar.daysOff], ['Office hours', office, [], []])
  assert.equal((await org.huda.get(`/working-calendars/${calendar.id}`)).status, 200)
  assert.equal((await portal.stranger().get('/working-calendars')).status, 401)
})

test('creating, changing and deleting a calendar are audited and send an event to everyone', async () => {
  const events = [{ event: 'services_changed', data: {}, to: null }]
  const body = {
    nameAr: 'ليلي',
    nameEn: 'Night',
    weekly: always,
    periods: [{ from: '2027-02-08', to: '2027-03-09', nameEn: 'Ramadan', weekly: office }],
  }
  const made = await portal.traces(() => org.admin.post('/working-calendars', body))
  assert.deepEqual([made.audit.map(({ action }) => action), made.events], [['working_calendar.create'], events])
  const { id } = (await org.admin.get('/working-calendars')).body.find(({ nameEn }: { nameEn: string }) => nameEn === 'Night')
  const { body: read } = await org.admin.get(`/working-calendars/${id}`)
  assert.deepEqual(read.periods, [{ ...body.periods[0], nameAr: null }])
  const edited = await portal.traces(() =>
    org.admin.patch(`/working-calendars/${id}`, { daysOff: [{ date: '2027-01-01', nameEn: 'New Year' }] }),
  )
  assert.deepEqual([edited.audit.map(({ action }) => action), edited.events], [['working_calendar.update'], events])
  const same = await portal.traces(() => org.admin.patch(`/working-calendars/${id}`, { weekly: always, nameEn: 'Night' }))
  assert.deepEqual([same.audit, same.events], [[], []])
  const deleted = await portal.traces(() => org.admin.delete(`/working-calendars/${id}`))
  assert.deepEqual([deleted.audit.map(({ action }) => action), deleted.events], [['working_calendar.delete'], events])
  assert.equal((await org.admin.get(`/working-calendars/${id}`)).status, 404)
})

test('a calendar with impossible times is refused with the paths of the errors', async () => {
  const at = (weekly: unknown, more: object = {}) => org.admin.post('/working-calendars', { nameAr: 'أ', nameEn: 'A', weekly, ...more })
  const day = (...hours: object[]) => [hours, ...always.slice(1)]
  const cases: [Promise<{ status: number; body: object }>, string[]][] = [
    [at(day({ from: '16:00', to: '08:00' })), ['weekly.0.0.to afterStart']],
    [at(day({ from: '08:00', to: '08:00' })), ['weekly.0.0.to afterStart']],
    [at(day({ from: '08:00', to: '12:00' }, { from: '11:59', to: '13:00' })), ['weekly.0.1 overlap']],
    [at(day({ from: '24:00', to: '24:00' })), ['weekly.0.0.from pattern']],
    [at(always.slice(1)), ['weekly minItems']],
    [at(Array.from({ length: 7 }, () => [])), ['weekly workingTime']],
    [at(always, { daysOff: [{ date: '2027-02-30' }] }), ['daysOff.0.date calendarDate']],
    [at(always, { daysOff: [{ date: '2027-02-01' }, { date: '2027-02-01' }] }), ['daysOff.1 overlap']],
    [at(always, { periods: [{ from: '2027-02-02', to: '2027-02-01', weekly: always }] }), ['periods.0.from order']],
    [at(always, { periods: [0, 1].map(() => ({ from: '2027-02-01', to: '2027-02-01', weekly: always })) }), ['periods.1 overlap']],
  ]
  for (const [answer, expected] of cases) {
    const { status, body } = await answer
    assert.deepEqual([status, details(body)], [400, expected])
  }
  // More than sixty days without work, next year.
  const year = new Date().getUTCFullYear() + 1
  const closed = { from: `${year}-03-01`, to: `${year}-05-15`, weekly: always.map(() => []) }
  assert.deepEqual(details((await at(office, { periods: [closed] })).body), ['weekly workingTime'])
})

test('a name must be unique across both languages, and exactly one calendar is the default', async () => {
  const { id } = await make.newCalendar({ nameEn: 'Kitchen hours' })
  const again = await org.admin.post('/working-calendars', { nameAr: 'آخر', nameEn: 'kitchen HOURS', weekly: always })
  const renamed = await org.admin.patch(`/working-calendars/${(await make.newCalendar()).id}`, { nameEn: 'Kitchen HOURS' })
  for (const { status, body } of [again, renamed]) assert.deepEqual([status, body.code], [409, 'name_taken'])
  const [former] = (await org.admin.get('/working-calendars')).body.filter(({ isDefault }: { isDefault: boolean }) => isDefault)
  const { audit } = await portal.traces(() => org.admin.patch(`/working-calendars/${id}`, { isDefault: true }))
  assert.deepEqual(audit.map(({ target }) => target).toSorted(), [former.id, id].toSorted())
  const defaults = (await org.admin.get('/working-calendars')).body.filter(({ isDefault }: { isDefault: boolean }) => isDefault)
  assert.deepEqual(
    defaults.map((one: { id: number }) => one.id),
    [id],
  )
  for (const answer of [
    await org.admin.patch(`/working-calendars/${id}`, { isDefault: false }),
    await org.admin.delete(`/working-calendars/${id}`),
  ])
    assert.deepEqual([answer.status, answer.body.details[0].rule], [400, 'theDefault'])
  await org.admin.patch(`/working-calendars/${former.id}`, { isDefault: true })
})

test('a calendar that a team or an open order uses cannot be deleted', async () => {
  const { id } = await make.newCalendar()
  const team = await make.newTeam({ calendarId: id })
  const service = await make.newService()
  await org.admin.put(`/services/${service.id}/handling`, { teamId: team.id, completeMinutes: 60 })
  const order = (await org.huda.post('/orders', { serviceId: service.id })).body
  const refused = await org.admin.delete(`/working-calendars/${id}`)
  assert.deepEqual([refused.status, refused.body.teamCount, refused.body.openOrderCount], [409, 1, 1])
  await org.admin.patch(`/service-teams/${team.id}`, { calendarId: null })
  await org.huda.patch(`/orders/${order.id}/status`, { status: 'cancelled' })
  assert.equal((await org.admin.delete(`/working-calendars/${id}`)).status, 204)
  const unknown = await org.admin.patch(`/service-teams/${team.id}`, { calendarId: id })
  assert.deepEqual([unknown.status, unknown.body.code], [400, 'unknown_ids'])
})

test('a calendar that times an open order cannot be deleted, even if the order has no targets left', async () => {
  const group = await make.newGroup({ userIds: [org.salem.id] })
  for (const [targets, isPaused] of [
    [{ receiveMinutes: 60 }, false],
    [{}, true],
    [{}, false],
  ] as const) {
    const { id } = await make.newCalendar()
    const [team, service] = [await make.newTeam({ calendarId: id, groupIds: [group.id] }), await make.newService()]
    await org.admin.put(`/services/${service.id}/handling`, { teamId: team.id, ...targets })
    const { body: order } = await org.huda.post('/orders', { serviceId: service.id })
    await org.salem.patch(`/orders/${order.id}/confirm-receipt`)
    if (isPaused) await org.salem.post(`/orders/${order.id}/wait`, { for: 'requester', text: 'Which room?' })
    await org.admin.patch(`/service-teams/${team.id}`, { calendarId: null })
    const refused = await org.admin.delete(`/working-calendars/${id}`)
    assert.deepEqual([refused.status, refused.body.teamCount, refused.body.openOrderCount], [409, 0, 1])
    await org.salem.patch(`/orders/${order.id}/status`, { status: 'completed' })
    assert.equal((await org.admin.delete(`/working-calendars/${id}`)).status, 204)
  }
})

test('simultaneous requests make at most twenty calendars, and exactly one of them the default', async () => {
  const defaults = async () => (await org.admin.get('/working-calendars')).body.filter(({ isDefault }: { isDefault: boolean }) => isDefault)
  const [former] = await defaults()
  const post = (name: string, isDefault: boolean) =>
    org.admin.post('/working-calendars', { nameAr: name, nameEn: name, weekly: always, isDefault })
  const answers = await Promise.all([1, 2, 3, 4].map((n) => post(`Default ${n}`, true)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201, 201],
  )
  assert.equal((await defaults()).length, 1)
  await org.admin.patch(`/working-calendars/${former.id}`, { isDefault: true })
  const made = answers.map(({ body }) => body.id)
  const free = 20 - (await org.admin.get('/working-calendars')).body.length
  for (let n = 1; n < free; n++) made.push((await post(`Filling ${n}`, false)).body.id)
  const last = await Promise.all([1, 2, 3].map((n) => post(`Last ${n}`, false)))
  assert.deepEqual(last.map(({ status }) => status).toSorted(), [201, 400, 400])
  for (const id of [...made, ...last.flatMap(({ body }) => body.id ?? [])])
    assert.equal((await org.admin.delete(`/working-calendars/${id}`)).status, 204)
})

test('an unknown calendar is not found, and there are at most twenty calendars', async () => {
  const at = '/working-calendars/2147483647'
  const answers = [await org.admin.patch(at, {}), await org.admin.delete(at), await org.admin.post(`${at}/preview`, {})]
  for (const { status, body } of answers) assert.deepEqual([status, body.code], [404, 'not_found'])
  const made: number[] = []
  const next = () => org.admin.post('/working-calendars', { nameAr: `رقم ${made.length}`, nameEn: `No. ${made.length}`, weekly: always })
  let answer = await next()
  for (; answer.status === 201; answer = await next()) made.push(answer.body.id)
  assert.deepEqual([answer.status, answer.body.code], [400, 'too_many_items'])
  assert.equal((await org.admin.get('/working-calendars')).body.length, 20)
  for (const id of made) await org.admin.delete(`/working-calendars/${id}`)
})

test('hours are converted to moments in the portal’s time zone, and move when the zone changes', async () => {
  const { id } = await make.newCalendar({ weekly: office })
  // A Sunday in the future.
  const next = new Date(Date.now() + (14 - new Date().getUTCDay()) * 24 * 3600 * 1000).toISOString().slice(0, 10)
  const read = async () => (await org.huda.get(`/working-calendars/${id}/spans?from=${next}&to=${next}`)).body
  assert.deepEqual(await read(), [{ startsAt: `${next}T08:00:00.000Z`, endsAt: `${next}T16:00:00.000Z` }])
  await org.admin.patch('/settings', { timeZone: 'Asia/Riyadh' })
  assert.deepEqual(await read(), [{ startsAt: `${next}T05:00:00.000Z`, endsAt: `${next}T13:00:00.000Z` }])
  await org.admin.patch('/settings', { timeZone: 'UTC' })
  const long = await org.huda.get(`/working-calendars/${id}/spans?from=2027-01-01&to=2027-04-03`)
  assert.deepEqual(details(long.body), ['to maxDays'])
  assert.equal((await org.huda.get(`/working-calendars/999999/spans?from=${next}&to=${next}`)).status, 404)
})

test('a preview counts both open targets of each order that the change will move, and writes nothing', async () => {
  const { id } = await make.newCalendar()
  const group = await make.newGroup({ userIds: [org.salem.id] })
  const team = await make.newTeam({ calendarId: id, groupIds: [group.id] })
  const service = await make.newService()
  await org.admin.put(`/services/${service.id}/handling`, { teamId: team.id, receiveMinutes: 60, completeMinutes: 6000 })
  const ids: number[] = []
  for (let n = 0; n < 3; n++) ids.push((await org.huda.post('/orders', { serviceId: service.id })).body.id)
  await org.salem.patch(`/orders/${ids[0]}/confirm-receipt`)
  const dueOf = async () =>
    (
      await sql<{ orderId: number; at: Date }>`
        select order_id, working_moment(calendar_id, due) as at from order_details where calendar_id = ${id} order by order_id`.execute(
        portal.instance.db.writes,
      )
    ).rows
  const before = await dueOf()
  // The change: from the day after tomorrow on, nobody works at night.
  const tomorrow = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000).toISOString().slice(0, 10)
  const change = { periods: [{ from: tomorrow(2), to: tomorrow(30), weekly: always.map(() => [{ from: '08:00', to: '16:00' }]) }] }
  const { body } = await org.admin.post(`/working-calendars/${id}/preview`, change)
  assert.deepEqual([body.earlier, body.later, body.unchanged, body.firstOrders.length], [0, 3, 2, 3])
  assert.deepEqual(await dueOf(), before)
  await org.admin.patch(`/working-calendars/${id}`, change)
  const after = await dueOf()
  assert.deepEqual(after.slice(1), before.slice(1))
  assert.equal(body.firstOrders[0].orderId, ids[0])
  // The change comes a moment after the preview, so the working time until then is still counted by the old hours.
  assert.ok(Math.abs(after[0]!.at.getTime() - Date.parse(body.firstOrders[0].newDueAt)) <= 2)
  assert.equal((await org.huda.post(`/working-calendars/${id}/preview`, change)).status, 403)
})

test('a preview counts the targets of orders that are wanted at a moment, or whose clock is stopped', async () => {
  const { id } = await make.newCalendar()
  const group = await make.newGroup({ userIds: [org.salem.id] })
  const team = await make.newTeam({ calendarId: id, groupIds: [group.id] })
  const service = await make.newService()
  await org.admin.put(`/services/${service.id}/handling`, { teamId: team.id, receiveMinutes: 60, completeMinutes: 6000 })
  await org.admin.put(`/services/${service.id}/form`, { fields: [{ key: 'when', kind: 'wanted_at', labelEn: 'When' }] })
  const inDays = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000).toISOString()
  const place = async (when?: string) => (await org.huda.post('/orders', { serviceId: service.id, answers: when ? { when } : {} })).body.id
  // This order must be claimed a working day before the wanted moment.
  const wanted = await place(inDays(20))
  const [paused, endless] = [await place(), await place()]
  for (const [one, until] of [
    [paused, inDays(5)],
    [endless, null],
  ] as const) {
    await org.salem.patch(`/orders/${one}/confirm-receipt`)
    assert.equal((await org.salem.post(`/orders/${one}/wait`, { for: 'third_party', text: 'A part is missing', until })).status, 200)
  }
  const daysOff = [18, 19].map((days) => ({ date: inDays(days).slice(0, 10) }))
  const periods = [
    { from: inDays(6).slice(0, 10), to: inDays(30).slice(0, 10), weekly: always.map(() => [{ from: '08:00', to: '16:00' }]) },
  ]
  const { body } = await org.admin.post(`/working-calendars/${id}/preview`, { daysOff, periods })
  assert.deepEqual([body.earlier, body.later, body.unchanged], [1, 1, 2])
  assert.deepEqual(
    body.firstOrders.map(({ orderId, dueAt, newDueAt }: Record<'orderId' | 'dueAt' | 'newDueAt', string>) => [
      ...[orderId, Math.round((Date.parse(newDueAt) - Date.parse(dueAt)) / 86_400_000) < 0],
    ]),
    [
      [paused, false],
      [wanted, true],
    ],
  )
})

test('the daily job extends the spans of a calendar that nobody changes', async () => {
  const { id } = await make.newCalendar({ weekly: office })
  const last = async () =>
    (
      await sql<{ last: Date; days: number; count: number; gaps: number }>`
        select max(ends_at) as last, extract(day from max(ends_at) - now())::int as days, count(*)::int as count,
          count(*) filter (where before <> counted)::int as gaps
        from (select *, sum(microseconds(ends_at - starts_at)) over (order by starts_at) - microseconds(ends_at - starts_at) as counted
          from working_spans where calendar_id = ${id}) as span`.execute(portal.instance.db.writes)
    ).rows[0]!
  const { days, ...whole } = await last()
  assert.ok(days > 795)
  await sql`delete from working_spans where calendar_id = ${id} and starts_at > now() + interval '400 days'`.execute(
    portal.instance.db.writes,
  )
  assert.ok((await last()).days <= 400)
  await runJob(portal, 'lay_out_calendars')
  const { days: _, ...again } = await last()
  assert.deepEqual(again, { ...whole, gaps: 0 })
})

test('the daily job moves coming hours to the present rules of the time zone, and keeps what was counted', async () => {
  const { id } = await make.newCalendar({ weekly: always.map(() => [{ from: '08:00', to: '16:00' }]) })
  await portal.sql(`update working_spans set before = before + microseconds(interval '3 hours') where calendar_id = ${id}`)
  await portal.sql(`insert into working_spans values (${id}, now() - interval '2 days', now() - interval '45 hours', 0)`)
  // From the day after tomorrow, so that midnight may come at any moment of this test.
  const coming = `calendar_id = ${id} and starts_at > now() + interval '48 hours'`
  const read = () =>
    portal.sql<{ starts: string; before: string; version: string }>(
      `select starts_at::text as starts, before::text as before, xmin::text as version from working_spans
       where calendar_id = ${id} order by starts_at`,
    )
  const spans = async () => (await read()).map(({ starts, before }) => `${starts} ${before}`)
  const laidOut = await spans()
  // As if by rules with an hour less.
  await portal.sql(
    `update working_spans set starts_at = starts_at + interval '1 hour', ends_at = ends_at + interval '1 hour' where ${coming}`,
  )
  assert.notDeepEqual(await spans(), laidOut)
  const { events } = await portal.traces(() => runJob(portal, 'lay_out_calendars'))
  assert.deepEqual(events, [{ event: 'services_changed', data: {}, to: null }])
  assert.deepEqual((await spans()).slice(0, laidOut.length), laidOut)
  const before = await read()
  const again = await portal.traces(() => runJob(portal, 'lay_out_calendars'))
  assert.deepEqual([again.events, await read()], [[], before])
})
