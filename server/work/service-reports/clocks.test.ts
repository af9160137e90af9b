/** Figures of orders that waited for approvals, changed teams, or were deleted. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { stepOf } from '../../../test/approvals.ts'
import { elapse } from '../../../test/clock.ts'
import type { Client } from '../../../test/portal.ts'
import { seededPortal } from '../../../test/seed.ts'

const { portal, org, make, seeded } = seededPortal()

let group: number
before(async () => {
  await seeded
  group = (await make.newGroup({ userIds: [org.salem.id] })).id
})
/** A service whose team has Salem as its receiver, Noura as its lead, and its own calendar. */
async function timed(handling: object) {
  const calendar = (await make.newCalendar()).id
  const team = (await make.newTeam({ calendarId: calendar, groupIds: [group], leadUserIds: [org.noura.id] })).id
  const service = (await make.newService()).id
  assert.equal((await org.admin.put(`/services/${service}/handling`, { teamId: team, ...handling })).status, 200)
  return { calendar, team, service, place: async () => (await org.huda.post('/orders', { serviceId: service })).body.id as number }
}
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
const around = `from=${ago(1)}&to=${ago(-1)}`
const totalOf = async (service: number, who: Client = org.admin, query = '') =>
  (await who.get(`/service-reports?${around}&serviceId=${service}${query}`)).body.total
const claim = (id: number) => org.salem.patch(`/orders/${id}/confirm-receipt`)

test('the clock of an order that needs approvals starts at its release, with or without targets', async () => {
  for (const targets of [{}, { receiveMinutes: 30, completeMinutes: 120 }]) {
    const steps = [stepOf({ userIds: [org.maha.id] })]
    const { calendar, service, place } = await timed({ ...targets, steps })
    const [one, two] = [await place(), await place()]
    // A cancelled order that is restored is still held.
    for (const status of ['cancelled', 'pending']) await org.huda.patch(`/orders/${two}/status`, { status })
    await elapse(portal, calendar, 180)
    for (const id of [one, two]) assert.equal((await org.maha.post(`/orders/${id}/approve`, {})).status, 200)
    await elapse(portal, calendar, 10)
    for (const id of [one, two]) await claim(id)
    await elapse(portal, calendar, 20)
    await org.salem.post(`/orders/${one}/wait`, { for: 'third_party', text: 'A part is missing' })
    await elapse(portal, calendar, 100)
    const { body } = await org.salem.post(`/orders/${one}/resume`)
    assert.equal(body.times.minutesUsed, 30)
    await org.salem.patch(`/orders/${one}/status`, { status: 'completed' })
    const { medianMinutesToReceive, medianMinutesToComplete } = await totalOf(service)
    assert.deepEqual([medianMinutesToReceive, medianMinutesToComplete], [10, 30])
  }
})

test('an order without targets is timed by the calendar of its service’s team, even if it is handed over to another team', async () => {
  const [own, other] = [await timed({}), await timed({})]
  const id = await own.place()
  await org.noura.post(`/orders/${id}/transfer`, { teamId: other.team })
  await elapse(portal, own.calendar, 10)
  await elapse(portal, other.calendar, 500)
  await claim(id)
  assert.equal((await totalOf(own.service)).medianMinutesToReceive, 10)
})

test('an order that is deleted before its target is late from that moment on', async () => {
  const { calendar, service, place } = await timed({ receiveMinutes: 30, completeMinutes: 120 })
  const [one, two] = [await place(), await place()]
  await claim(two)
  for (const id of [one, two]) assert.equal((await org.admin.delete(`/orders/${id}`)).status, 204)
  const late = async () => {
    const { open, late } = await totalOf(service)
    return [open, late]
  }
  assert.deepEqual(await late(), [2, 0])
  await elapse(portal, calendar, 31)
  assert.deepEqual(await late(), [2, 1])
  await elapse(portal, calendar, 90)
  assert.deepEqual(await late(), [2, 2])
})

test('an administrator’s filter by team includes the orders that were held, denied or lapsed', async () => {
  const { team, service, place } = await timed({ steps: [stepOf({ userIds: [org.maha.id] })] })
  const [denied, released] = [await place(), await place(), await place()]
  await org.maha.post(`/orders/${denied}/deny`, { note: 'No' })
  await org.maha.post(`/orders/${released}/approve`, {})
  const seen = async (who: Client, query: string) => {
    const { placed, denied, open } = await totalOf(service, who, query)
    const { text } = await who.get(`/service-reports/orders.csv?${around}&serviceId=${service}${query}`)
    return [placed, denied, open, text.trim().split('\n').length - 1]
  }
  assert.deepEqual(await seen(org.admin, ''), [3, 1, 2, 3])
  assert.deepEqual(await seen(org.admin, `&teamId=${team}`), [3, 1, 2, 3])
  assert.deepEqual(await seen(org.noura, `&teamId=${team}`), [1, 0, 1, 1])
})
