/** Approvals: the people who decide, the effects of decisions, and the commands that a waiting order refuses. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approving, stepOf } from '../../../test/approvals.ts'
import { duties } from '../../../test/duties.ts'
import { runJob } from '../../../test/jobs.ts'
import type { Answer, Client } from '../../../test/portal.ts'
import { seededPortal } from '../../../test/seed.ts'

const { portal, org, make } = seededPortal()
const { serviceOf, serviceWith, placed, approve, deny, detailsFor, waitingFor, passHours, passDays } = approving(portal, make)

const said = ({ status, body }: Answer) => [status, body?.code ?? body?.approval?.state ?? null]
/** The titles of a person’s notifications about an order. */
const toldOf = async (who: Client, id: number) =>
  (await who.get('/notifications?limit=200')).body
    .filter(({ relatedType, relatedId }: { relatedType: string; relatedId: number }) => relatedType === 'order' && relatedId === id)
    .map(({ titleEn }: { titleEn: string }) => titleEn)
const ofIt = (id: number) => (data: Record<string, unknown>) => data['orderId'] === id
const kindsOf = async (who: Client, id: number) =>
  (await who.get(`/orders/${id}/timeline`)).body.entries.map(({ kind }: { kind: string }) => kind)

test('an order is hidden from its team while it waits for approvals, and the last approval releases it', async () => {
  const helpers = await make.newGroup({ userIds: [org.salem.id] })
  const team = await make.newTeam({ groupIds: [helpers.id], leadUserIds: [org.noura.id] })
  const steps = [stepOf({ userIds: [org.omar.id] }), stepOf({ key: 'second', userIds: [org.maha.id] })]
  const serviceId = await serviceWith({ teamId: team.id, completeMinutes: 60, steps })
  const staff = [await org.salem.listen(), await org.noura.listen()] as const
  const id = await placed(org.huda, serviceId)
  assert.deepEqual([await toldOf(org.salem, id), await toldOf(org.omar, id)], [[], ['An order for your approval']])
  for (const [who, status] of [
    [org.huda, 200],
    [org.omar, 200],
    [org.admin, 200],
    [org.salem, 404],
    [org.noura, 404],
    [org.maha, 404],
  ] as const) {
    assert.equal((await who.get(`/orders/${id}`)).status, status)
    assert.equal((await who.get(`/orders/${id}/details`)).status, status)
    assert.equal((await who.get(`/orders/${id}/timeline`)).status, status)
  }
  const counted = async (who: Client) =>
    (await who.get('/services')).body.find((service: { id: number }) => service.id === serviceId).orderCount
  const lists = async () => [
    (await org.salem.get('/orders/incoming')).body.map((order: { id: number }) => order.id),
    (await org.noura.get('/orders/details?view=team')).body.totalCount,
    (await org.noura.get('/service-teams')).body[0].counts.pending,
    await counted(org.salem),
  ]
  assert.deepEqual([await lists(), await counted(org.admin)], [[[], 0, 0, 0], 1])
  const waiting = await detailsFor(org.huda, id)
  assert.deepEqual(
    [waiting.progress, waiting.approval.step, waiting.times.completeBy, waiting.may],
    ['held', 'first', null, ['cancel', 'message']],
  )
  assert.deepEqual(
    waiting.approval.waitsFor.map((one: { id: number }) => one.id),
    [org.omar.id],
  )

  assert.deepEqual(said(await approve(org.omar, id, 'Fine')), [200, 'waiting'])
  assert.deepEqual([await waitingFor(org.omar), await waitingFor(org.maha)], [[], [id]])
  assert.deepEqual(await toldOf(org.huda, id), ['Your order was approved'])
  assert.deepEqual(said(await approve(org.maha, id)), [200, 'approved'])
  assert.equal((await detailsFor(org.huda, id)).approval.lapseReason, null)
  assert.deepEqual(await lists(), [[id], 1, 1, 1])
  assert.deepEqual([await toldOf(org.salem, id), await waitingFor(org.maha)], [['New order'], []])
  const { times, approval, may } = await detailsFor(org.huda, id)
  assert.ok(times.completeBy)
  assert.deepEqual([approval.lapsesAt, approval.waitsFor, may], [null, [], ['cancel', 'message']])
  const given = approval.steps.map((step: { approvals: { by: { id: number }; note: string | null; asAdmin: boolean }[] }) =>
    step.approvals.map(({ by, note, asAdmin }) => [by.id, note, asAdmin]),
  )
  assert.deepEqual(given, [[[org.omar.id, 'Fine', false]], [[org.maha.id, null, false]]])
  assert.deepEqual(await kindsOf(org.salem, id), ['released', 'approval', 'approval', 'placed'])
  const { entries } = (await org.huda.get(`/orders/${id}/timeline`)).body
  assert.deepEqual([entries[2].text, entries[2].by.id], ['Fine', org.omar.id])
  // The staff's first event about the order comes with its release.
  const heard = [await staff[0].next('order_incoming_changed', ofIt(id)), await staff[1].next('order_details_changed', ofIt(id))]
  assert.deepEqual(
    heard.map(({ data }) => data['change']),
    ['placed', 'approval'],
  )
  for (const stream of staff) stream.close()
  assert.equal((await org.salem.patch(`/orders/${id}/confirm-receipt`)).status, 200)
})

test('readers of an order that waits for approvals can only cancel it, write about it and decide on it', async () => {
  const helpers = await make.newGroup({ userIds: [org.salem.id, org.rana.id] })
  const team = await make.newTeam({ groupIds: [helpers.id] })
  const serviceId = await serviceWith({ teamId: team.id, steps: [stepOf({ userIds: [org.rana.id] })] })
  const id = await placed(org.huda, serviceId)
  const commands: ((who: Client) => Promise<Answer>)[] = [
    (who) => who.patch(`/orders/${id}/status`, { status: 'received' }),
    (who) => who.patch(`/orders/${id}/status`, { status: 'completed' }),
    (who) => who.post(`/orders/${id}/release`),
    (who) => who.post(`/orders/${id}/assign`, { userId: org.salem.id }),
    (who) => who.post(`/orders/${id}/transfer`, { teamId: team.id }),
    (who) => who.post(`/orders/${id}/wait`, { for: 'requester', text: 'x' }),
    (who) => who.post(`/orders/${id}/resume`),
  ]
  for (const command of commands)
    for (const who of [org.huda, org.rana, org.admin]) assert.deepEqual(said(await command(who)), [409, 'awaiting_approval'])
  assert.deepEqual(said(await org.rana.patch(`/orders/${id}/confirm-receipt`)), [409, 'awaiting_approval'])
  assert.deepEqual(said(await org.admin.patch(`/orders/${id}/confirm-receipt`)), [409, 'awaiting_approval'])
  // To a receiver, the waiting order is like somebody else's order.
  assert.deepEqual(said(await org.salem.patch(`/orders/${id}/confirm-receipt`)), [403, 'forbidden'])
  assert.deepEqual(said(await org.salem.post(`/orders/${id}/release`)), [403, 'forbidden'])
  assert.deepEqual(said(await org.salem.delete(`/orders/${id}`)), [403, 'forbidden'])
  assert.deepEqual(said(await org.salem.post(`/orders/${id}/transfer`, { teamId: team.id })), [404, 'not_found'])
  assert.deepEqual(said(await approve(org.salem, id)), [404, 'not_found'])

  assert.equal((await org.rana.post(`/orders/${id}/messages`, { text: 'What for?' })).status, 201)
  assert.equal((await org.huda.post(`/orders/${id}/messages`, { text: 'For the office' })).status, 201)
  assert.deepEqual(await toldOf(org.rana, id), ['New message about an order', 'An order for your approval'])
  assert.equal((await org.admin.post(`/orders/${id}/internal-notes`, { text: 'Expensive' })).status, 201)
  assert.deepEqual(said(await org.rana.post(`/orders/${id}/internal-notes`, { text: 'x' })), [403, 'forbidden'])
  assert.equal((await org.huda.patch(`/orders/${id}/status`, { status: 'cancelled' })).status, 200)
  assert.deepEqual(said(await approve(org.rana, id)), [400, 'invalid_transition'])
  assert.equal((await org.huda.patch(`/orders/${id}/status`, { status: 'pending' })).status, 200)
  assert.deepEqual(said(await approve(org.rana, id)), [200, 'approved'])
  assert.equal((await org.rana.get(`/orders/${id}/timeline`)).status, 200)
})

test('an approver can read and write messages only while their step is open', async () => {
  const id = await placed(org.huda, await serviceOf(org.omar, org.maha))
  await org.huda.post(`/orders/${id}/messages`, { text: 'Please' })
  assert.deepEqual(await kindsOf(org.omar, id), ['message', 'placed'])
  await approve(org.omar, id)
  assert.deepEqual(await kindsOf(org.omar, id), ['approval', 'placed'])
  assert.deepEqual(said(await org.omar.post(`/orders/${id}/messages`, { text: 'x' })), [403, 'forbidden'])
  const { lastMessageAt, unread, may } = await detailsFor(org.omar, id)
  assert.deepEqual([lastMessageAt, unread, may], [null, null, []])
  assert.deepEqual((await detailsFor(org.maha, id)).may, ['message', 'approve', 'deny'])
})

test('a denial ends an order for good, its note becomes the reason, and the order stays hidden from its team', async () => {
  const id = await placed(org.huda, await serviceOf(org.omar))
  assert.deepEqual(said(await deny(org.omar, id, null)), [400, 'reason_required'])
  assert.deepEqual(said(await deny(org.omar, id, 'Too dear')), [200, 'denied'])
  assert.deepEqual(said(await deny(org.omar, id)), [400, 'invalid_transition'])
  assert.deepEqual(said(await approve(org.omar, id)), [400, 'invalid_transition'])
  const { body: order } = await org.huda.get(`/orders/${id}`)
  assert.deepEqual([order.status, order.undoUntil, order.next], ['cancelled', null, []])
  assert.deepEqual(said(await org.huda.patch(`/orders/${id}/status`, { status: 'pending' })), [400, 'undo_window_expired'])
  assert.equal((await detailsFor(org.huda, id)).cancelReason, 'Too dear')
  assert.deepEqual(await toldOf(org.huda, id), ['Your order was denied'])
  assert.deepEqual((await detailsFor(org.huda, id)).approval.steps[0].approvals, [])
  assert.deepEqual(await waitingFor(org.omar), [])
  assert.equal((await org.salem.get(`/orders/${id}`)).status, 404)
  const { entries } = (await org.huda.get(`/orders/${id}/timeline`)).body
  assert.deepEqual([entries[0].kind, entries[0].text, entries[0].by.id], ['denial', 'Too dear', org.omar.id])
  assert.equal((await org.huda.delete(`/orders/${id}`)).status, 204)
})

test('a party can never decide on an order, not even as an approver or administrator', async () => {
  const both = await portal.person('both', { roles: ['admin'] })
  const serviceId = await serviceWith({ onBehalf: 'everyone', steps: [stepOf({ userIds: [both.id, org.omar.id] })] })
  const own = await placed(both, serviceId)
  const theirs = await placed(org.huda, serviceId, { forUserId: both.id })
  for (const id of [own, theirs]) {
    assert.deepEqual(said(await approve(both, id)), [403, 'forbidden'])
    assert.deepEqual(said(await deny(both, id)), [403, 'forbidden'])
    assert.deepEqual(await waitingFor(both), [])
    assert.deepEqual((await detailsFor(both, id)).may, ['cancel', 'message'])
  }
  assert.deepEqual(said(await approve(org.huda, theirs)), [403, 'forbidden'])
  assert.deepEqual(said(await approve(org.omar, own)), [200, 'approved'])
  // A receiver never decides on a released order.
  assert.deepEqual(said(await approve(org.salem, own)), [403, 'forbidden'])
  await org.admin.patch(`/users/${both.id}`, { isActive: false })
  assert.deepEqual((await detailsFor(org.huda, theirs)).approval.lapseReason, 'requester_gone')
  assert.deepEqual(await toldOf(org.huda, theirs), ['An order for somebody else was cancelled'])
})

test('a step needs its number of approvals by people who are still approvers, but never more than it has approvers', async () => {
  const group = await make.newGroup({ userIds: [org.omar.id, org.maha.id, org.tariq.id] })
  const serviceId = await serviceWith({ steps: [stepOf({ groupIds: [group.id], needed: 5 })] })
  const id = await placed(org.huda, serviceId)
  const neededOf = async () => (await detailsFor(org.huda, id)).approval.steps[0].needed
  assert.equal(await neededOf(), 3)
  assert.deepEqual(said(await approve(org.omar, id, 'One')), [200, 'waiting'])
  assert.deepEqual(said(await approve(org.omar, id, 'Another')), [200, 'waiting'])
  assert.equal((await detailsFor(org.huda, id)).approval.steps[0].approvals[0].note, 'Another')
  await org.admin.delete(`/groups/${group.id}/users/${org.omar.id}`)
  assert.equal(await neededOf(), 2)
  assert.deepEqual(said(await approve(org.maha, id)), [200, 'waiting'])
  assert.deepEqual(said(await approve(org.tariq, id)), [200, 'approved'])
})

test('one administrator suffices for a step, must confirm if that is required, and is asked about a step without approvers', async () => {
  const gone = await make.newGroup()
  const [id, other] = [
    await placed(org.huda, await serviceOf(org.omar)),
    await placed(org.huda, await serviceWith({ steps: [stepOf({ groupIds: [gone.id] })] })),
  ]
  assert.deepEqual(await waitingFor(org.admin), [other])
  assert.deepEqual([await toldOf(org.admin, id), await toldOf(org.admin, other)], [[], ['An order for your approval']])
  assert.deepEqual((await detailsFor(org.huda, other)).approval.waitsFor.map((one: { id: number }) => one.id).includes(org.admin.id), true)
  const { guardAdministration, outOfTime, confirmAgain } = duties(portal)
  await guardAdministration(true)
  await outOfTime()
  assert.deepEqual(said(await approve(org.admin, id)), [403, 'confirmation_required'])
  assert.deepEqual(said(await deny(org.admin, id)), [403, 'confirmation_required'])
  await confirmAgain()
  assert.deepEqual(said(await approve(org.admin, id)), [200, 'approved'])
  await guardAdministration(false)
  assert.equal((await detailsFor(org.huda, id)).approval.steps[0].approvals[0].asAdmin, true)
  assert.deepEqual(said(await deny(org.admin, other)), [200, 'denied'])
})

test('a decision on an outdated version is refused, and so is one by a party or by somebody who may not read the order', async () => {
  const id = await placed(org.huda, await serviceOf(org.omar))
  const ifMatch = { 'if-match': (await org.omar.get(`/orders/${id}/details`)).headers.get('etag')! }
  await org.admin.put(`/users/${org.huda.id}/manager`, { userId: null })
  await org.huda.post(`/orders/${id}/messages`, { text: 'Please' })
  assert.deepEqual(said(await org.omar.send('POST', `/orders/${id}/approve`, {}, ifMatch)), [412, 'changed_meanwhile'])
  assert.deepEqual(said(await org.omar.send('POST', `/orders/${id}/deny`, { note: 'No' }, ifMatch)), [412, 'changed_meanwhile'])
  assert.deepEqual(said(await deny(org.huda, id)), [403, 'forbidden'])
  assert.deepEqual(said(await deny(org.rana, id)), [404, 'not_found'])
  assert.deepEqual(said(await approve(org.omar, id)), [200, 'approved'])
})

test('only steps whose conditions hold apply, the beneficiary’s manager decides, and an order needs a possible approver', async () => {
  const { id: serviceId } = await make.newService()
  await org.admin.put(`/services/${serviceId}/form`, { fields: [{ key: 'price', kind: 'number', labelEn: 'Price' }] })
  const when = [{ field: 'price', op: 'atLeast', value: 5000 }]
  const put = (steps: object[]) => org.admin.put(`/services/${serviceId}/handling`, { onBehalf: 'everyone', steps })
  assert.equal((await put([stepOf({ userIds: [org.omar.id], when }), stepOf({ key: 'manager', manager: true, when })])).status, 200)
  const stepsOf = async (id: number) => (await detailsFor(org.huda, id)).approval?.steps.map(({ key }: { key: string }) => key) ?? null
  assert.equal(await stepsOf(await placed(org.huda, serviceId, { answers: { price: 4999 } })), null)
  const dear = { answers: { price: 5000 } }
  assert.deepEqual(await stepsOf(await placed(org.huda, serviceId, dear)), ['first', 'manager'])
  // The manager's step is left out when the manager is the one who orders.
  assert.equal((await org.admin.put(`/users/${org.tariq.id}/manager`, { userId: org.huda.id })).status, 200)
  assert.deepEqual(await stepsOf(await placed(org.huda, serviceId, { ...dear, forUserId: org.tariq.id })), ['first'])
  assert.equal((await put([stepOf({ manager: true })])).status, 200)
  const id = await placed(org.tariq, serviceId)
  assert.deepEqual(await waitingFor(org.huda), [id])
  assert.deepEqual(said(await approve(org.huda, id)), [200, 'approved'])

  const before = (await portal.sql('select from orders')).length
  assert.equal((await put([stepOf({ userIds: [org.admin.id] })])).status, 200)
  assert.deepEqual(said(await org.admin.post('/orders', { serviceId })), [409, 'no_approver'])
  assert.equal((await portal.sql('select from orders')).length, before)
})

test('after 14 days an order can no longer be decided on, and the job records that it has lapsed', async () => {
  const id = await placed(org.huda, await serviceOf(org.omar))
  await passHours(id, 335)
  await runJob(portal, 'follow_order_approvals')
  assert.ok((await waitingFor(org.omar)).includes(id))
  await passHours(id, 1)
  assert.ok(!(await waitingFor(org.omar)).includes(id))
  assert.deepEqual(said(await approve(org.omar, id)), [400, 'invalid_transition'])
  assert.deepEqual((await detailsFor(org.huda, id)).approval.state, 'lapsed')
  await runJob(portal, 'follow_order_approvals')
  const { approval, cancelReason } = await detailsFor(org.huda, id)
  assert.deepEqual([approval.state, approval.lapseReason, cancelReason], ['lapsed', 'undecided', null])
  assert.deepEqual(await kindsOf(org.huda, id), ['lapse', 'placed'])
  assert.deepEqual(await toldOf(org.huda, id), ['Nobody decided on your order'])
  assert.equal((await org.huda.get(`/orders/${id}`)).body.undoUntil, null)
})

test('approvers who have not approved are reminded after one working day and after three, each once', async () => {
  const { id: calendarId } = await make.newCalendar()
  const { id: teamId } = await make.newTeam({ calendarId })
  const serviceId = await serviceWith({ teamId, steps: [stepOf({ userIds: [org.omar.id, org.maha.id], needed: 2 })] })
  const id = await placed(org.huda, serviceId)
  await approve(org.maha, id)
  const reminded = async (who: Client) => (await toldOf(who, id)).filter((title: string) => title.includes('still')).length
  const remindedAfter = async (days: number) => {
    await passDays(id, days, calendarId)
    await runJob(portal, 'remind')
    await runJob(portal, 'remind')
    return reminded(org.omar)
  }
  assert.deepEqual([await remindedAfter(0), await remindedAfter(1), await remindedAfter(1), await remindedAfter(1)], [0, 1, 1, 2])
  assert.equal(await remindedAfter(3), 2)
  assert.equal(await reminded(org.maha), 0)
})

test('the audit log names the order and the beneficiary of a decision, without its note', async () => {
  const id = await placed(org.huda, await serviceOf(org.omar))
  await approve(org.omar, id, 'Secret reason')
  const { body } = await org.admin.get(`/admin/audit-logs?action=order.approve&limit=1`)
  const [entry] = body.items ?? body.entries ?? body
  assert.deepEqual([entry.targetType, entry.targetId, entry.metadata.beneficiaryId], ['order', id, org.huda.id])
  assert.doesNotMatch(JSON.stringify(await portal.sql('select * from ledger')), /Secret reason/)
})
