/** Orders that have ended: the reason of a cancellation, and reopening. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { elapse } from '../../../test/clock.ts'
import type { Client } from '../../../test/portal.ts'
import { seededPortal } from '../../../test/seed.ts'

const { portal, org, make, seeded } = seededPortal()

/** A team whose receiver is Salem and whose lead is Noura. */
let group: number
let calendar: number
let service: number
before(async () => {
  await seeded
  group = (await make.newGroup({ userIds: [org.salem.id] })).id
  calendar = (await make.newCalendar()).id
  const team = (await make.newTeam({ calendarId: calendar, groupIds: [group], leadUserIds: [org.noura.id] })).id
  service = (await make.newService({ nameEn: 'Laptop' })).id
  const handling = { teamId: team, completeMinutes: 120, reopenDays: 7 }
  assert.equal((await org.admin.put(`/services/${service}/handling`, handling)).body.reopenDays, 7)
})

async function received() {
  const id = (await org.huda.post('/orders', { serviceId: service })).body.id as number
  await org.salem.patch(`/orders/${id}/confirm-receipt`)
  return id
}
async function completed() {
  const id = await received()
  assert.equal((await org.salem.patch(`/orders/${id}/status`, { status: 'completed' })).status, 200)
  return id
}
const cancel = (id: number, who: Client, reason?: unknown) => who.patch(`/orders/${id}/status`, { status: 'cancelled', reason })
const details = async (id: number, who: Client = org.huda) => (await who.get(`/orders/${id}/details`)).body
const entries = async (id: number, kind: string) =>
  (await org.huda.get(`/orders/${id}/timeline`)).body.entries.filter((entry: { kind: string }) => entry.kind === kind)
const reopen = (id: number, who: Client = org.huda, text: unknown = 'It is still dark.') => who.post(`/orders/${id}/reopen`, { text })
const codes = async (...answers: Promise<{ status: number; body: { code?: string } }>[]) =>
  (await Promise.all(answers)).map(({ status, body }) => (status < 300 ? 'ok' : body.code!)).toSorted()
/** Moves the first completion of an order to `seconds` ago. */
const completedFor = (id: number, seconds: number) =>
  portal.sql(`update order_figures set completed_at = clock_timestamp() - make_interval(secs => ${seconds}) where order_id = ${id}`)

test('the reason of a cancellation is only in the details and the timeline of the order, and in the requester’s notice', async () => {
  const id = await received()
  const { notices, events, audit } = await portal.traces(() => cancel(id, org.noura, '  Out of stock '))
  assert.ok(notices.some(({ user }) => user === org.huda.id))
  assert.equal((await org.huda.get('/notifications')).body[0].bodyEn, 'Your order for “Laptop” was cancelled: Out of stock')
  const others = events.filter(({ event }) => event !== 'notification_created')
  assert.ok(!JSON.stringify([others, audit]).includes('Out of stock'))
  assert.equal((await portal.sql(`select from ledger where facts::text like '%Out of stock%'`)).length, 0)
  assert.equal((await details(id)).cancelReason, 'Out of stock')
  assert.deepEqual(
    (await entries(id, 'cancelled')).map(({ reason }: { reason: string }) => reason),
    ['Out of stock'],
  )
})

test('undoing a cancellation deletes its reason', async () => {
  const id = await received()
  await cancel(id, org.salem, 'Out of stock')
  await org.huda.patch(`/orders/${id}/status`, { status: 'received' })
  assert.equal((await details(id)).cancelReason, null)
  await cancel(id, org.salem)
  assert.equal((await details(id)).cancelReason, null)
  assert.deepEqual(
    (await entries(id, 'cancelled')).map(({ reason }: { reason: string | null }) => reason),
    [null, null],
  )
})

test('a reason has 1 to 500 characters, may be left out, and is ignored unless the order is cancelled', async () => {
  const id = await received()
  for (const reason of ['', ' ', 'x'.repeat(501), 7]) assert.equal((await cancel(id, org.salem, reason)).body.details[0].path, 'reason')
  for (const reason of ['', 'x'.repeat(501), 7, { why: 'Because' }, 'Because']) {
    const other = await received()
    assert.equal((await org.salem.patch(`/orders/${other}/status`, { status: 'preparing', reason })).status, 200)
    assert.equal((await details(other)).cancelReason, null)
  }
  assert.equal((await cancel(id, org.noura, null)).status, 200)
})

test('a reopened order goes back to its assignee, who is notified with the leads of the team', async () => {
  const id = await completed()
  assert.deepEqual((await details(id)).may, ['message', 'reopen'])
  assert.ok(!(await details(id, org.salem)).may.includes('reopen'))
  const { notices, events, audit } = await portal.traces(() => reopen(id))
  assert.deepEqual(
    notices.map(({ user, titleEn }) => `${user} ${titleEn}`).toSorted(),
    [org.salem, org.noura].map((one) => `${one.id} An order was reopened`).toSorted(),
  )
  assert.deepEqual(audit, [])
  assert.deepEqual(events.map(({ event, data }) => `${event} ${(data as { change?: string }).change ?? ''}`).toSorted(), [
    'notification_created ',
    'notification_created ',
    'order_details_changed message',
    'order_details_changed reopened',
    'order_incoming_changed changed',
    'order_updated ',
  ])
  const { reopenCount, may } = await details(id)
  assert.deepEqual([reopenCount, may], [1, ['cancel', 'message']])
  const { status, assignedTo } = (await org.huda.get(`/orders/${id}`)).body
  assert.deepEqual([status, assignedTo], ['received', org.salem.id])
  const [{ from, to, by }] = await entries(id, 'reopened')
  assert.deepEqual([from, to, by.id], ['completed', 'received', org.huda.id])
  assert.equal((await entries(id, 'message'))[0].text, 'It is still dark.')
})

test('a reopened order whose assignee has left the team waits for all of its receivers', async () => {
  const id = await completed()
  await org.admin.post(`/groups/${group}/users`, { userId: org.rana.id })
  await org.admin.delete(`/groups/${group}/users/${org.salem.id}`)
  const { notices } = await portal.traces(() => reopen(id))
  await org.admin.post(`/groups/${group}/users`, { userId: org.salem.id })
  await org.admin.delete(`/groups/${group}/users/${org.rana.id}`)
  const { status, assignedTo } = (await org.huda.get(`/orders/${id}`)).body
  assert.deepEqual([status, assignedTo], ['pending', null])
  assert.deepEqual(notices.map(({ user }) => user).toSorted(), [org.rana.id, org.noura.id].toSorted())
  const unread = async () =>
    portal.sql(`select user_id from notifications where related_id = ${id} and template = 'order_reopened' and read_at is null`)
  assert.equal((await unread()).length, 2)
  await org.salem.patch(`/orders/${id}/confirm-receipt`)
  assert.equal((await unread()).length, 0)
})

test('only the requester can reopen an order, once it is completed, within the days that its service allows, and at most three times', async () => {
  const id = await received()
  assert.deepEqual(await codes(reopen(id)), ['invalid_transition'])
  await org.salem.patch(`/orders/${id}/status`, { status: 'completed' })
  assert.deepEqual(await codes(reopen(id, org.salem), reopen(id, org.noura), reopen(id, org.admin)), Array(3).fill('forbidden'))
  assert.deepEqual(await codes(reopen(id, org.omar), reopen(999_999)), ['not_found', 'not_found'])
  for (const text of ['', ' ', '\u200b', 'x'.repeat(2001), 7, null])
    assert.equal((await reopen(id, org.huda, text)).body.details[0].path, 'text')
  await completedFor(id, 7 * 86_400 + 1)
  assert.deepEqual([(await details(id)).may, await codes(reopen(id))], [['message'], ['too_late']])
  for (let n = 0; n < 3; n++) {
    await completedFor(id, 7 * 86_400 - 30)
    assert.equal((await reopen(id)).status, 200)
    await org.salem.patch(`/orders/${id}/status`, { status: 'completed' })
  }
  assert.deepEqual([(await details(id)).may, await codes(reopen(id))], [['message'], ['invalid_transition']])
})

test('of two simultaneous reopenings of an order one succeeds', async () => {
  const id = await completed()
  assert.deepEqual(await codes(reopen(id), reopen(id)), ['invalid_transition', 'ok'])
  assert.equal((await details(id)).reopenCount, 1)
})

test('orders can be reopened while their service is paused or unavailable, but not if it sets no days for reopening', async () => {
  const id = await completed()
  await org.admin.put(`/services/${service}/notice`, { paused: true })
  await org.admin.patch(`/services/${service}`, { isAvailable: false })
  assert.equal((await reopen(id)).status, 200)
  await org.admin.patch(`/services/${service}`, { isAvailable: true })
  await org.admin.put(`/services/${service}/notice`, {})
  const other = (await make.newService()).id
  const plain = (await org.huda.post('/orders', { serviceId: other })).body.id
  for (const status of ['received', 'completed'])
    await (status === 'received'
      ? org.rana.patch(`/orders/${plain}/confirm-receipt`)
      : org.rana.patch(`/orders/${plain}/status`, { status }))
  assert.deepEqual(await codes(reopen(plain)), ['too_late'])
})

test('reopening an order changes neither its first times nor whether it was in time', async () => {
  const id = await received()
  await elapse(portal, calendar, 30)
  await org.salem.patch(`/orders/${id}/status`, { status: 'completed' })
  const times = async () => {
    const { completeBy: _, ...others } = (await details(id)).times
    return others
  }
  const first = await times()
  assert.deepEqual([first.completedInTime, first.minutesUsed], [true, 30])
  await reopen(id)
  await elapse(portal, calendar, 500)
  assert.deepEqual(await times(), first)
  await org.salem.patch(`/orders/${id}/status`, { status: 'completed' })
  assert.deepEqual(await times(), first)
})

test('a reopened order without targets keeps its first completion, even if it waits', async () => {
  const plain = (await make.newService()).id
  const { teamId } = (await org.admin.get(`/services/${service}/handling`)).body
  await org.admin.put(`/services/${plain}/handling`, { teamId, reopenDays: 7 })
  const { id } = (await org.huda.post('/orders', { serviceId: plain })).body
  await org.salem.patch(`/orders/${id}/confirm-receipt`)
  await elapse(portal, calendar, 20)
  await org.salem.patch(`/orders/${id}/status`, { status: 'completed' })
  const { times } = await details(id)
  assert.equal(times.minutesUsed, 20)
  assert.equal((await reopen(id)).status, 200)
  await elapse(portal, calendar, 30)
  assert.equal((await org.salem.post(`/orders/${id}/wait`, { for: 'third_party', text: 'A part is missing' })).status, 200)
  await elapse(portal, calendar, 30)
  await org.salem.patch(`/orders/${id}/status`, { status: 'completed' })
  assert.deepEqual((await details(id)).times, times)
})
