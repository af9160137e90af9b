/** Orders for somebody else: the right to place them, their possible beneficiaries, and the rights of a beneficiary. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approving, stepOf } from '../../../test/approvals.ts'
import type { Answer, Client } from '../../../test/portal.ts'
import { seededPortal } from '../../../test/seed.ts'
import { tokenOf } from '../../../test/tokens.ts'

const { portal, org, make } = seededPortal()
const { serviceWith, placed } = approving(portal, make)

const said = ({ status, body }: Answer) => [status, body?.code ?? null]
const toldOf = async (who: Client, id: number) =>
  (await who.get('/notifications?limit=200')).body
    .filter(({ relatedType, relatedId }: { relatedType: string; relatedId: number }) => relatedType === 'order' && relatedId === id)
    .map(({ titleEn }: { titleEn: string }) => titleEn)
const order = (who: Client, serviceId: number, forUserId: number | null) => who.post('/orders', { serviceId, forUserId })

test('the service’s chosen groups and its team can order for others, but only for active people in its audience', async () => {
  const [clerks, staff, helpers] = [
    await make.newGroup({ userIds: [org.huda.id] }),
    await make.newGroup({ userIds: [org.omar.id, org.maha.id] }),
    await make.newGroup({ userIds: [org.salem.id] }),
  ]
  const team = await make.newTeam({ groupIds: [helpers.id], leadUserIds: [org.noura.id] })
  const onBehalf = { onBehalf: 'groups', onBehalfGroupIds: [clerks.id] }
  const serviceId = await serviceWith({ audience: 'groups', audienceGroupIds: [staff.id], teamId: team.id, ...onBehalf })
  const forOmar = async (who: Client) => said(await order(who, serviceId, org.omar.id))
  for (const who of [org.huda, org.salem, org.noura]) assert.deepEqual(await forOmar(who), [201, null])
  for (const who of [org.maha, org.admin]) assert.deepEqual(await forOmar(who), [403, 'forbidden'])
  // This person does not know of the service.
  assert.deepEqual(await forOmar(org.tariq), [400, 'service_unavailable'])
  assert.deepEqual(said(await order(org.huda, serviceId, null)), [400, 'service_unavailable'])
  assert.deepEqual(said(await order(org.huda, serviceId, org.huda.id)), [400, 'service_unavailable'])
  assert.deepEqual(said(await order(org.omar, serviceId, org.omar.id)), [201, null])

  const idle = await make.newPerson()
  await org.admin.post(`/groups/${staff.id}/users`, { userId: idle.id })
  await org.admin.patch(`/users/${idle.id}`, { isActive: false })
  for (const id of [org.tariq.id, idle.id, 999_999]) {
    const { status, body } = await order(org.huda, serviceId, id)
    assert.deepEqual(
      [status, body.code, body.details[0].path, body.details[0].rule],
      [400, 'validation_failed', 'forUserId', 'beneficiary'],
    )
  }
  const people = async (who: Client, query = '') => {
    const { status, body } = await who.get(`/services/${serviceId}/people${query}`)
    return status === 200 ? body.map(({ id }: { id: number }) => id) : [status, body.code]
  }
  assert.deepEqual((await people(org.huda)).sort(), [org.omar.id, org.maha.id].sort())
  assert.deepEqual(await people(org.huda, '?q=omar&limit=1'), [org.omar.id])
  assert.deepEqual(await people(org.maha), [403, 'forbidden'])
  assert.deepEqual(await people(org.tariq), [404, 'not_found'])
  const entry = async (who: Client) => (await who.get(`/service-catalogue/${serviceId}`)).body
  assert.deepEqual(
    (await Promise.all([org.huda, org.omar].map(entry))).map(({ mayOrder, mayOrderForOthers, needsApproval }) => [
      ...[mayOrder, mayOrderForOthers, needsApproval],
    ]),
    [
      [false, true, 'no'],
      [true, false, 'no'],
    ],
  )
  const { body } = await org.admin.put(`/services/${serviceId}/handling`, { onBehalf: 'groups' })
  assert.deepEqual([body.details[0].path, body.details[0].rule], ['onBehalfGroupIds', 'noGroups'])
})

test('a beneficiary can read, cancel and restore an order and write about it, and gets the notices that its requester gets', async () => {
  const serviceId = await serviceWith({ onBehalf: 'everyone' })
  const stream = await org.omar.listen()
  const id = await placed(org.huda, serviceId, { forUserId: org.omar.id })
  const { data } = await stream.next('order_updated', ({ order }) => (order as { id: number }).id === id)
  assert.deepEqual((data['order'] as { next: string[] }).next, ['cancelled'])
  assert.deepEqual(await toldOf(org.omar, id), ['An order for you'])
  const { body: details } = await org.omar.get(`/orders/${id}/details`)
  assert.deepEqual([details.beneficiary.id, details.may], [org.omar.id, ['cancel', 'message']])
  const lists = async (who: Client) => [
    (await who.get('/orders/my')).body.some((one: { id: number }) => one.id === id),
    (await who.get('/orders/details')).body.items.some((one: { order: { id: number } }) => one.order.id === id),
  ]
  assert.deepEqual(
    [await lists(org.huda), await lists(org.omar)],
    [
      [true, true],
      [false, true],
    ],
  )
  assert.equal((await org.omar.post(`/orders/${id}/messages`, { text: 'Without sugar' })).status, 201)
  assert.deepEqual(await toldOf(org.huda, id), ['New message about an order'])
  assert.equal((await org.salem.patch(`/orders/${id}/confirm-receipt`)).status, 200)
  assert.deepEqual((await toldOf(org.omar, id))[0], 'Your order was claimed')
  assert.equal((await org.salem.post(`/orders/${id}/wait`, { for: 'requester', text: 'Which cup?' })).status, 200)
  await org.omar.post(`/orders/${id}/messages`, { text: 'The blue one' })
  assert.equal((await org.huda.get(`/orders/${id}/details`)).body.waiting, null)
  assert.equal((await org.omar.patch(`/orders/${id}/status`, { status: 'cancelled' })).status, 200)
  assert.deepEqual((await toldOf(org.huda, id))[0], 'Your order was cancelled')
  assert.deepEqual(said(await org.omar.delete(`/orders/${id}`)), [403, 'forbidden'])
  assert.equal((await org.omar.patch(`/orders/${id}/status`, { status: 'received' })).status, 200)
  await org.salem.patch(`/orders/${id}/status`, { status: 'completed' })
  assert.equal((await org.huda.delete(`/orders/${id}`)).status, 204)
  await stream.next('order_deleted', ({ orderId }) => orderId === id)
  stream.close()
})

test('a beneficiary never reads notes to the team, and a requester only as a receiver or lead', async () => {
  const helpers = await make.newGroup({ userIds: [org.salem.id, org.rana.id] })
  const team = await make.newTeam({ groupIds: [helpers.id], leadUserIds: [org.rana.id] })
  const serviceId = await serviceWith({ teamId: team.id })
  const id = await placed(org.salem, serviceId, { forUserId: org.rana.id })
  const note = (who: Client) => who.post(`/orders/${id}/internal-notes`, { text: 'Between us' })
  assert.deepEqual(said(await note(org.salem)), [201, null])
  assert.deepEqual(said(await note(org.rana)), [403, 'forbidden'])
  const sees = async (who: Client) => JSON.stringify((await who.get(`/orders/${id}/timeline`)).body).includes('Between us')
  assert.deepEqual([await sees(org.salem), await sees(org.rana), await sees(org.admin)], [true, false, true])
  await org.admin.delete(`/groups/${helpers.id}/users/${org.salem.id}`)
  assert.deepEqual([await sees(org.salem), said(await note(org.salem))], [false, [403, 'forbidden']])
})

test('a deleted requester’s orders for others go to the beneficiaries; waiting orders for a deleted beneficiary end', async () => {
  const serviceId = await serviceWith({ onBehalf: 'everyone' })
  const heldId = await serviceWith({ onBehalf: 'everyone', steps: [stepOf({ userIds: [org.maha.id] })] })
  const [clerk, other] = [await portal.person('clerk', {}), await portal.person('other', {})]
  const [own, passed, held] = [
    await placed(clerk, serviceId),
    await placed(clerk, serviceId, { forUserId: org.omar.id }),
    await placed(clerk, heldId, { forUserId: org.omar.id }),
  ]
  const forOther = [await placed(org.huda, serviceId, { forUserId: other.id }), await placed(org.huda, heldId, { forUserId: other.id })]
  const refusal = await org.admin.delete(`/users/${clerk.id}`)
  assert.deepEqual([refusal.status, refusal.body.orderCount], [409, 1])
  assert.equal((await org.admin.get(`/users/${clerk.id}/dependents/orders`)).body.totalCount, 1)
  assert.equal((await org.admin.patch(`/users/${clerk.id}`, { isActive: false })).status, 200)
  assert.equal((await org.omar.get(`/orders/${held}/details`)).body.approval.state, 'waiting')
  assert.equal((await org.admin.delete(`/users/${clerk.id}?force=true`)).status, 204)
  assert.equal((await org.admin.get(`/orders/${own}`)).status, 404)
  for (const id of [passed, held]) {
    const { body } = await org.omar.get(`/orders/${id}`)
    assert.deepEqual([body.userId, body.status], [org.omar.id, 'pending'])
    const { entries } = (await org.omar.get(`/orders/${id}/timeline`)).body
    assert.equal(entries.at(-1).by.username, 'clerk')
    assert.equal((await org.omar.get(`/orders/${id}/details`)).body.beneficiary.id, org.omar.id)
  }
  assert.equal((await org.maha.post(`/orders/${held}/approve`, {})).status, 200)

  assert.equal((await org.admin.delete(`/users/${other.id}`)).status, 204)
  const [goesOn, ended] = await Promise.all(forOther.map(async (id) => (await org.huda.get(`/orders/${id}/details`)).body))
  assert.deepEqual([goesOn.progress, goesOn.beneficiary.username, goesOn.approval], ['pending', 'other', null])
  assert.deepEqual([ended.progress, ended.approval.lapseReason, ended.beneficiary.username], ['cancelled', 'requester_gone', 'other'])
  assert.deepEqual(await toldOf(org.huda, forOther[1]!), ['An order for somebody else was cancelled'])
})

test('a handling has at most three steps, whose approvers must exist and whose conditions must fit the form', async () => {
  const { id } = await make.newService()
  await org.admin.put(`/services/${id}/form`, { fields: [{ key: 'price', kind: 'number', labelEn: 'Price' }] })
  const put = (steps: object[]) => org.admin.put(`/services/${id}/handling`, { steps })
  const when = [{ field: 'price', op: 'atLeast', value: 5 }]
  const steps = ['one', 'two', 'three', 'four'].map((key) => stepOf({ key, manager: true }))
  assert.deepEqual(said(await put(steps)), [400, 'too_many_items'])
  assert.deepEqual(said(await put([stepOf({ userIds: [999_999] })])), [400, 'unknown_ids'])
  assert.deepEqual(said(await put([stepOf({ groupIds: [999_999] })])), [400, 'unknown_ids'])
  const ruleOf = ({ body }: Answer) => [body.details[0].path, body.details[0].rule]
  assert.deepEqual(ruleOf(await put([stepOf({ manager: true }), stepOf({ manager: true })])), ['steps.1.key', 'uniqueItems'])
  assert.deepEqual(ruleOf(await put([stepOf({ manager: true, when: [{ ...when[0], field: 'colour' }] })])), ['steps.0.when.0', 'when'])
  assert.equal((await put([stepOf({ manager: true, when })])).status, 200)
  assert.deepEqual(ruleOf(await org.admin.put(`/services/${id}/form`, { fields: [] })), ['fields', 'when'])
  assert.equal((await org.admin.get(`/service-catalogue/${id}`)).body.needsApproval, 'depends')
})

test('a receiver of the team orders for others with a token that may only order', async () => {
  const helpers = await make.newGroup({ userIds: [org.salem.id] })
  const team = await make.newTeam({ groupIds: [helpers.id] })
  const serviceId = await serviceWith({
    audience: 'groups',
    audienceGroupIds: [(await make.newGroup({ userIds: [org.omar.id] })).id],
    teamId: team.id,
  })
  const token = await tokenOf(portal, org.salem.id, { scopes: ['orders:write'] })
  assert.deepEqual(said(await order(token, serviceId, org.omar.id)), [201, null])
  assert.deepEqual(said(await token.get(`/services/${serviceId}/people`)), [200, null])
})

test('an order that ended long ago stays closed when its requester is deleted', async () => {
  const serviceId = await serviceWith({ onBehalf: 'everyone' })
  const clerk = await make.newPerson()
  const ids = [await placed(clerk, serviceId, { forUserId: org.omar.id }), await placed(clerk, serviceId, { forUserId: org.omar.id })]
  const [done, open] = ids as [number, number]
  await org.salem.patch(`/orders/${done}/confirm-receipt`)
  await org.salem.patch(`/orders/${done}/status`, { status: 'completed' })
  for (const id of ids) await portal.meddle('order', id, `update orders set updated_at = now() - interval '14 days' where id = ${id}`)
  const before = await Promise.all(ids.map(async (id) => (await org.omar.get(`/orders/${id}`)).body.updatedAt))
  assert.equal((await org.admin.delete(`/users/${clerk.id}?force=true`)).status, 204)
  const after = await Promise.all(ids.map(async (id) => (await org.omar.get(`/orders/${id}`)).body))
  assert.deepEqual(
    after.map(({ userId, updatedAt }, n) => [userId, updatedAt === before[n]]),
    [
      [org.omar.id, true],
      [org.omar.id, false],
    ],
  )
  const write = (id: number) => org.omar.post(`/orders/${id}/messages`, { text: 'Hello' })
  assert.deepEqual(
    [said(await write(done)), said(await write(open))],
    [
      [400, 'too_late'],
      [201, null],
    ],
  )
})

test('a preview shows an order that would outlive its requester but lose its receiver', async () => {
  const [person, clerk, worker] = [await make.newPerson(), await make.newPerson(), await make.newPerson({ roles: ['order_receiver'] })]
  const serviceId = await serviceWith({ onBehalf: 'everyone' })
  const id = await placed(clerk, serviceId, { forUserId: person.id })
  await org.admin.post(`/orders/${id}/assign`, { userId: worker.id })
  const returned = async (...ids: number[]) => {
    const changes = ids.map((id) => ({ kind: 'user', id, delete: true }))
    return (await org.admin.post('/admin/impact', { changes })).body.ordersReturned.map((one: { orderId: number }) => one.orderId)
  }
  assert.deepEqual(await returned(worker.id), [id])
  assert.deepEqual(await returned(worker.id, clerk.id), [id])
  assert.deepEqual(await returned(worker.id, clerk.id, person.id), [])
})

test('a preview counts the orders that would lapse with a person, but not those that would be deleted with them', async () => {
  const [person, clerk] = [await make.newPerson(), await make.newPerson()]
  const serviceId = await serviceWith({ onBehalf: 'everyone', steps: [stepOf({ userIds: [org.maha.id] })] })
  await placed(person, serviceId)
  await placed(clerk, serviceId)
  await placed(clerk, serviceId, { forUserId: person.id })
  const lapsed = async (change: object) => {
    const { status, body, text } = await org.admin.post('/admin/impact', { changes: [{ kind: 'user', ...change }] })
    assert.equal(status, 200, text)
    return body.ordersLapsedCount
  }
  assert.equal(await lapsed({ id: person.id, set: { isActive: false } }), 2)
  assert.equal(await lapsed({ id: person.id, delete: true }), 1)
  assert.equal(await lapsed({ id: clerk.id, delete: true }), 0)
})
