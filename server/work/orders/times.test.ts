/** The targets of orders: when they are due, whether they were met, and their reminders. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { close, elapse, reopen } from '../../../test/clock.ts'
import { inDays, passDays } from '../../../test/grants.ts'
import { runJob } from '../../../test/jobs.ts'
import { seededPortal } from '../../../test/seed.ts'

const { portal, org, make, seeded } = seededPortal()
let group: number
before(async () => {
  await seeded
  group = (await make.newGroup({ userIds: [org.salem.id] })).id
})

/** A service whose team has Salem as its receiver, Noura as its lead, and its own calendar. */
async function timed(targets: object, leadUserIds = [org.noura.id]) {
  const calendar = (await make.newCalendar()).id
  const team = (await make.newTeam({ calendarId: calendar, groupIds: [group], leadUserIds })).id
  const service = (await make.newService({ nameEn: 'Laptop' })).id
  const answer = await org.admin.put(`/services/${service}/handling`, { teamId: team, ...targets })
  assert.equal(answer.status, 200, answer.text)
  return { calendar, team, service, place: async () => (await org.huda.post('/orders', { serviceId: service })).body.id as number }
}
/** The stored times of an order, in working minutes since it was placed. */
async function kept(id: number) {
  const { rows } = await sql<Record<string, unknown>>`
    select (due - started) / 60000000 as due, received_in_time, completed_in_time, used_time / 60000000 as used,
      due <= working_time(calendar_id, now()) as is_late
    from order_details where order_id = ${id}`.execute(portal.instance.db.writes)
  return rows[0] && Object.values(rows[0])
}
const reminded = async () =>
  (await portal.traces(() => runJob(portal, 'remind'))).notices.map(({ user, titleEn }) => `${user} ${titleEn}`).toSorted()

test('targets must be within their limits, and the target for completion must not come before the one for claiming', async () => {
  const { id } = await make.newService()
  const put = async (body: object) => {
    const answer = await org.admin.put(`/services/${id}/handling`, body)
    return answer.status === 200 ? 200 : answer.body.details.map(({ path, rule }: { path: string; rule: string }) => `${path} ${rule}`)
  }
  assert.deepEqual(await put({ receiveMinutes: 0 }), ['receiveMinutes minimum'])
  assert.deepEqual(await put({ completeMinutes: 28_801 }), ['completeMinutes maximum'])
  assert.deepEqual(await put({ receiveMinutes: 61, completeMinutes: 60 }), ['completeMinutes minimum'])
  assert.equal(await put({ receiveMinutes: 60, completeMinutes: 60 }), 200)
  assert.equal(await put({ completeMinutes: 1 }), 200)
})

test('nothing is stored about the times of an order without targets', async () => {
  const { id } = await make.newService()
  const order = (await org.huda.post('/orders', { serviceId: id })).body.id
  assert.equal(await kept(order), undefined)
})

test('an order is due to be claimed and then to be completed, and only the first time of each is recorded', async () => {
  const { calendar, place } = await timed({ receiveMinutes: 30, completeMinutes: 120 })
  const id = await place()
  assert.deepEqual(await kept(id), [30, null, null, null, false])
  await elapse(portal, calendar, 10)
  await org.salem.patch(`/orders/${id}/confirm-receipt`)
  assert.deepEqual(await kept(id), [120, true, null, null, false])
  await org.salem.post(`/orders/${id}/release`)
  assert.deepEqual(await kept(id), [120, true, null, null, false])
  await elapse(portal, calendar, 115)
  assert.deepEqual(await kept(id), [120, true, null, null, true])
  await org.salem.patch(`/orders/${id}/confirm-receipt`)
  await org.salem.patch(`/orders/${id}/status`, { status: 'completed' })
  assert.deepEqual(await kept(id), [null, true, false, 125, null])
})

test('the details of an order have its targets and whether they were met', async () => {
  const { calendar, place } = await timed({ receiveMinutes: 30, completeMinutes: 120 })
  const id = await place()
  const times = async () => (await org.huda.get(`/orders/${id}/details`)).body.times
  const open = await times()
  assert.equal(Date.parse(open.completeBy) - Date.parse(open.receiveBy), 90 * 60_000)
  assert.deepEqual([open.receivedAt, open.isLate, open.minutesUsed], [null, false, 0])
  await elapse(portal, calendar, 31)
  assert.deepEqual([(await times()).isLate, (await times()).minutesUsed], [true, 31])
  await org.salem.patch(`/orders/${id}/confirm-receipt`)
  await org.salem.patch(`/orders/${id}/status`, { status: 'completed' })
  const { receivedInTime, completedInTime, isLate, minutesUsed } = await times()
  assert.deepEqual(
    { receivedInTime, completedInTime, isLate, minutesUsed },
    { receivedInTime: false, completedInTime: true, isLate: false, minutesUsed: 31 },
  )
})

test('an act at the very moment of its target is too late', async () => {
  const { calendar, place } = await timed({ receiveMinutes: 30 })
  const id = await place()
  // From now on the working time stands still, at the target.
  await close(portal, calendar)
  const stopped = 'working_time(calendar_id, now())'
  await portal.meddle('order', id, `update order_details set receive_due = ${stopped}, due = ${stopped} where order_id = ${id}`)
  assert.equal((await kept(id))![4], true)
  await org.salem.patch(`/orders/${id}/confirm-receipt`)
  assert.equal((await kept(id))![1], false)
})

test('a cancelled order is not late, and undoing the cancellation does not start its time anew', async () => {
  const { calendar, place, team } = await timed({ completeMinutes: 60 })
  const id = await place()
  await elapse(portal, calendar, 61)
  const late = async () =>
    (await org.noura.get('/service-teams')).body.find((one: { id: number }) => one.id === team).counts as Record<string, number>
  assert.deepEqual(await late(), { pending: 1, mine: 0, late: 1 })
  await org.huda.patch(`/orders/${id}/status`, { status: 'cancelled' })
  assert.deepEqual(await late(), { pending: 0, mine: 0, late: 0 })
  await org.huda.patch(`/orders/${id}/status`, { status: 'pending' })
  assert.deepEqual(await kept(id), [60, null, null, null, true])
})

test('a cancelled order uses no more minutes, and has none once its calendar is deleted', async () => {
  const { calendar, place, team, service } = await timed({ completeMinutes: 60 })
  const id = await place()
  await elapse(portal, calendar, 20)
  await org.huda.patch(`/orders/${id}/status`, { status: 'cancelled' })
  await elapse(portal, calendar, 30)
  await portal.meddle('order', id, `update orders set cancelled_at = cancelled_at - interval '30 minutes' where id = ${id}`)
  const minutes = async () => (await org.huda.get(`/orders/${id}/details`)).body.times.minutesUsed
  assert.equal(await minutes(), 20)
  await org.admin.patch(`/service-teams/${team}`, { calendarId: null })
  assert.equal((await org.admin.delete(`/working-calendars/${calendar}`)).status, 204)
  assert.equal(await minutes(), null)
  const days = `from=${inDays(-1).slice(0, 10)}&to=${inDays(1).slice(0, 10)}`
  const { text } = await org.admin.get(`/service-reports/orders.csv?serviceId=${service}&${days}`)
  const [columns, cells] = text.split('\n').map((line) => line.split(','))
  assert.equal(cells![columns!.indexOf('minutes_used')], '')
})

test('a wait of a reopened order neither hides nor moves its target for completion', async () => {
  const { calendar, place } = await timed({ completeMinutes: 120, reopenDays: 7 })
  const id = await place()
  await org.salem.patch(`/orders/${id}/confirm-receipt`)
  await org.salem.patch(`/orders/${id}/status`, { status: 'completed' })
  assert.equal((await org.huda.post(`/orders/${id}/reopen`, { text: 'Still dark' })).body.assignedTo, org.salem.id)
  const completeBy = async () => Date.parse((await org.huda.get(`/orders/${id}/details`)).body.times.completeBy)
  const promised = await completeBy()
  assert.equal((await org.salem.post(`/orders/${id}/wait`, { for: 'requester', text: 'Which room?' })).status, 200)
  assert.equal(await completeBy(), promised)
  await elapse(portal, calendar, 30)
  assert.equal((await org.salem.post(`/orders/${id}/resume`)).status, 200)
  assert.equal(await completeBy(), promised - 30 * 60_000)
})

test('the catalogue shows when an order placed now would be due, and when the team works', async () => {
  const { calendar, service } = await timed({ receiveMinutes: 30, completeMinutes: 120 })
  const entry = async () => (await org.huda.get(`/service-catalogue/${service}`)).body
  const open = await entry()
  assert.deepEqual([open.receiveMinutes, open.completeMinutes, open.isOpen, open.opensAt], [30, 120, true, null])
  const [receive, complete] = [Date.parse(open.dueIfNow.receiveBy), Date.parse(open.dueIfNow.completeBy)]
  assert.equal(complete - receive, 90 * 60_000)
  assert.ok(Math.abs(receive - Date.now() - 30 * 60_000) < 60_000)
  await close(portal, calendar)
  const closed = await entry()
  assert.equal(closed.isOpen, false)
  assert.ok(Date.parse(closed.opensAt) > Date.now())
  assert.equal(Date.parse(closed.dueIfNow.receiveBy) - Date.parse(closed.opensAt), 30 * 60_000)
})

test('each target causes one reminder, but none while the team does not work or after the order has ended', async () => {
  const { calendar, place } = await timed({ receiveMinutes: 30, completeMinutes: 120 })
  const [id, ended] = [await place(), await place()]
  await org.huda.patch(`/orders/${ended}/status`, { status: 'cancelled' })
  // Sends the reminders of other tests’ orders, which may be late, too.
  await reminded()
  await elapse(portal, calendar, 31)
  assert.deepEqual(
    await reminded(),
    [`${org.noura.id} An order was not claimed on time`, `${org.salem.id} An order was not claimed on time`].toSorted(),
  )
  assert.deepEqual(await reminded(), [])
  await elapse(portal, calendar, 60)
  assert.deepEqual(await reminded(), [`${org.noura.id} An order is due soon`])
  await org.salem.patch(`/orders/${id}/confirm-receipt`)
  await elapse(portal, calendar, 60)
  await close(portal, calendar)
  assert.deepEqual(await reminded(), [])
  await reopen(portal, calendar)
  assert.deepEqual(await reminded(), [`${org.noura.id} An order is late`, `${org.salem.id} An order is late`].toSorted())
  assert.deepEqual(await reminded(), [])
})

test('after an outage, two simultaneous jobs send only the last reminder, once, to administrators if there is no lead', async () => {
  const { calendar, place } = await timed({ receiveMinutes: 30, completeMinutes: 120 }, [])
  await place()
  await reminded()
  await elapse(portal, calendar, 500)
  const { notices, events } = await portal.traces(() => Promise.all([runJob(portal, 'remind'), runJob(portal, 'remind')]))
  assert.deepEqual(
    notices.map(({ user, titleEn }) => [user, titleEn]),
    [[org.admin.id, 'An order is late']],
  )
  const told = events.filter(({ event }) => event === 'order_details_changed')
  assert.deepEqual(
    told.map(({ data }) => (data as { change: string }).change),
    ['due'],
  )
  assert.deepEqual(told[0]!.to!.toSorted(), [org.admin.id, org.huda.id, org.salem.id].toSorted())
})

test('a missed claim causes its reminder, even if another target falls due at the same moment or had its reminder before', async () => {
  const both = await timed({ receiveMinutes: 45, completeMinutes: 60 })
  await both.place()
  await reminded()
  await elapse(portal, both.calendar, 46)
  const unclaimed = [org.noura, org.salem].map((one) => `${one.id} An order was not claimed on time`)
  const soon = `${org.noura.id} An order is due soon`
  assert.deepEqual(await reminded(), [...unclaimed, soon].toSorted())
  assert.deepEqual(await reminded(), [])
  const { calendar, place } = await timed({ receiveMinutes: 90 })
  const id = await place()
  await portal.meddle('order', id, `update order_details set wanted_at = now() + interval '40 minutes' where order_id = ${id}`)
  assert.deepEqual(await reminded(), [soon])
  await elapse(portal, calendar, 100)
  assert.deepEqual(await reminded(), unclaimed.toSorted())
})

test('a pause that is over counts in reminders, although no job has ended it', async () => {
  const { calendar, place } = await timed({ completeMinutes: 60 })
  const id = await place()
  await org.salem.patch(`/orders/${id}/confirm-receipt`)
  await elapse(portal, calendar, 30)
  const until = new Date(Date.now() + 120 * 60_000).toISOString()
  assert.equal((await org.salem.post(`/orders/${id}/wait`, { for: 'requester', text: 'Which room?', until })).status, 200)
  await reminded()
  /** Lets `minutes` of working time pass, sets the end of the pause to `ago` minutes ago, and returns the reminders. */
  const after = async (minutes: number, ago: number) => {
    await elapse(portal, calendar, minutes)
    const ended = `now() - make_interval(mins => ${ago})`
    await portal.meddle('order', id, `update order_details set waiting_until = ${ended} where order_id = ${id}`)
    return reminded()
  }
  assert.deepEqual(await after(125, 5), [])
  assert.deepEqual(await after(11, 16), [`${org.salem.id} An order is due soon`])
  assert.deepEqual(await after(15, 31), [`${org.noura.id} An order is late`, `${org.salem.id} An order is late`].toSorted())
})

test('administrators get the notices for the leads of a team that has none', async () => {
  const { calendar, place } = await timed({ receiveMinutes: 30, completeMinutes: 120, reopenDays: 7 }, [])
  const id = await place()
  await reminded()
  await elapse(portal, calendar, 31)
  assert.deepEqual(await reminded(), [org.admin, org.salem].map((one) => `${one.id} An order was not claimed on time`).toSorted())
  await elapse(portal, calendar, 60)
  assert.deepEqual(await reminded(), [`${org.admin.id} An order is due soon`])
  await org.salem.patch(`/orders/${id}/confirm-receipt`)
  await org.salem.patch(`/orders/${id}/status`, { status: 'completed' })
  const { notices } = await portal.traces(() => org.huda.post(`/orders/${id}/reopen`, { text: 'Still dark' }))
  assert.deepEqual(
    notices.map(({ user, titleEn }) => `${user} ${titleEn}`).toSorted(),
    [org.admin, org.salem].map((one) => `${one.id} An order was reopened`).toSorted(),
  )
})

test('an order that stays open for years causes a reminder only once', async () => {
  const { calendar, place } = await timed({ receiveMinutes: 30 })
  const id = await place()
  await reminded()
  await elapse(portal, calendar, 31)
  assert.equal((await reminded()).length, 2)
  const cleaned = async () => {
    await portal.sql(`update reminders set sent_at = now() - interval '401 days' where kind = 'order_due' and subject_id = ${id}`)
    await runJob(portal, 'clean_up')
    return (await portal.sql(`select from reminders where kind = 'order_due' and subject_id = ${id}`)).length
  }
  assert.deepEqual([await cleaned(), await reminded()], [1, []])
  await org.huda.patch(`/orders/${id}/status`, { status: 'cancelled' })
  assert.equal(await cleaned(), 0)
})

test('an assignee whose membership of the team has ended gets no reminders, even if the order is still assigned to them', async () => {
  const { calendar, place } = await timed({ completeMinutes: 60 })
  const ending = await make.newPerson({ roles: ['order_receiver'] })
  const joined = await org.admin.post(`/groups/${group}/users`, { userId: ending.id, expiresAt: inDays(1) })
  assert.equal(joined.status, 201, joined.text)
  const id = await place()
  await ending.patch(`/orders/${id}/confirm-receipt`)
  await reminded()
  await passDays(portal, 2)
  await elapse(portal, calendar, 50)
  assert.deepEqual(await reminded(), [`${org.noura.id} An order is due soon`])
})
