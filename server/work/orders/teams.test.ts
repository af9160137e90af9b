/** The orders of services with a team: reading, claiming, moving and handing them over. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { runJob } from '../../../test/jobs.ts'
import { silence, tracing } from '../../../test/makers.ts'
import type { Answer, Client } from '../../../test/portal.ts'
import { seededPortal } from '../../../test/seed.ts'
import { tokenOf } from '../../../test/tokens.ts'
import { claimOrders } from './receiving.ts'

const { portal, org, make, seeded } = seededPortal()
const { traced } = tracing(portal)

/** `ours`: a team whose receiver is Salem and whose lead is Noura, and its service. `theirs`: Rana receives, Faisal leads. */
let ours: { team: number; group: number; service: number }
let theirs: { team: number; group: number }
before(async () => {
  await seeded
  const [group, other] = [await make.newGroup({ userIds: [org.salem.id] }), await make.newGroup({ userIds: [org.rana.id] })]
  const team = await make.newTeam({ groupIds: [group.id], leadUserIds: [org.noura.id] })
  const service = await make.newService({ nameEn: 'Laptop', nameAr: 'حاسوب' })
  await org.admin.put(`/services/${service.id}/handling`, { teamId: team.id })
  ours = { team: team.id, group: group.id, service: service.id }
  theirs = { team: (await make.newTeam({ groupIds: [other.id], leadUserIds: [org.faisal.id] })).id, group: other.id }
})

const place = async (who: Client = org.huda) => (await who.post('/orders', { serviceId: ours.service })).body.id as number
async function inState(state: 'pending' | 'received' | 'preparing' | 'completed' | 'cancelled') {
  const id = await place()
  if (state === 'cancelled') await org.huda.patch(`/orders/${id}/status`, { status: 'cancelled' })
  if (['received', 'preparing', 'completed'].includes(state)) await org.salem.patch(`/orders/${id}/confirm-receipt`)
  if (['preparing', 'completed'].includes(state)) await org.salem.patch(`/orders/${id}/status`, { status: state })
  return id
}
const acts: Record<string, (who: Client, id: number) => Promise<Answer>> = {
  read: (who, id) => who.get(`/orders/${id}`),
  claim: (who, id) => who.patch(`/orders/${id}/confirm-receipt`),
  prepare: (who, id) => who.patch(`/orders/${id}/status`, { status: 'preparing' }),
  cancel: (who, id) => who.patch(`/orders/${id}/status`, { status: 'cancelled' }),
  release: (who, id) => who.post(`/orders/${id}/release`),
  assign: (who, id) => who.post(`/orders/${id}/assign`, { userId: org.salem.id }),
  receivers: (who, id) => who.get(`/orders/receivers?orderId=${id}`),
  transfer: (who, id) => who.post(`/orders/${id}/transfer`, { teamId: theirs.team }),
  remove: (who, id) => who.delete(`/orders/${id}`),
}
const byHand = `
             read claim prepare cancel release assign receivers transfer remove
pending
  huda       200  403   403     200    403     403    403       403      403
  salem      200  200   403     403    403     403    200       200      204
  rana       404  403   403     403    403     403    404       404      403
  noura      200  403   403     200    400     200    200       200      403
  faisal     404  403   403     403    403     403    404       404      403
  omar       404  403   403     403    403     403    404       404      403
  admin      200  403   400     200    400     200    200       200      204
received
  huda       200  403   403     200    403     403    403       403      403
  salem      200  409   200     200    200     403    200       200      204
  rana       404  403   403     403    403     403    404       404      403
  noura      200  403   403     200    200     200    200       200      403
  faisal     404  403   403     403    403     403    404       404      403
  admin      200  403   200     200    200     200    200       200      204
preparing
  salem      200  409   400     200    200     403    200       200      204
  noura      200  403   403     200    200     200    200       200      403
  rana       404  403   403     403    403     403    404       404      403
completed
  huda       200  403   403     400    403     403    403       403      204
  salem      200  409   400     400    400     403    200       400      403
  noura      200  403   403     400    400     400    200       400      403
cancelled
  noura      200  403   403     400    400     400    200       400      403
  admin      200  403   400     400    400     400    200       400      204
`
const [head, ...lines] = byHand.trim().split('\n') as [string, ...string[]]
const columns = head.trim().split(/\s+/)
let state = ''
for (const line of lines) {
  const [who, ...cells] = line.trim().split(/\s+/)
  if (cells.length === 0) state = who!
  else {
    const from = state as Parameters<typeof inState>[0]
    test(`the actions of ${who} on an order ${from} of a team have the results in the table`, async () => {
      const results: number[] = []
      for (const act of columns) {
        const id = await inState(from)
        results.push((await acts[act]!(org[who as 'huda'], id)).status)
        // Makes room, because a person can have only a limited number of waiting orders.
        await org.admin.delete(`/orders/${id}`)
      }
      assert.deepEqual(
        Object.fromEntries(columns.map((act, n) => [act, results[n]])),
        Object.fromEntries(columns.map((act, n) => [act, Number(cells[n])])),
      )
    })
  }
}

test('only the receivers of the team are notified of an order and can find it', async () => {
  let id = 0
  const { notices, events } = await portal.traces(async () => {
    id = await place()
  })
  assert.deepEqual(
    notices.map(({ user, titleEn }) => [user, titleEn]),
    [[org.salem.id, 'New order']],
  )
  const incoming = events.filter(({ event }) => event === 'order_incoming_changed').map(({ to }) => to)
  assert.deepEqual(incoming, [[org.salem.id]])
  const finds = async (who: Client) => (await who.get('/orders/incoming')).body.some((order: { id: number }) => order.id === id)
  assert.deepEqual(await Promise.all([org.salem, org.rana, org.admin].map(finds)), [true, false, false])
  assert.deepEqual((await org.noura.get(`/orders/${id}`)).body.next, ['cancelled'])
  const listed = (await org.noura.get(`/orders/receivers?orderId=${id}`)).body.map(({ user }: { user: { id: number } }) => user.id)
  assert.deepEqual(listed, [org.salem.id])
  const [team] = (await org.salem.get('/service-teams')).body
  assert.deepEqual(team.counts, { pending: 1, mine: 0, late: 0 })
  const refused = await org.noura.post(`/orders/${id}/assign`, { userId: org.rana.id })
  assert.deepEqual([refused.status, refused.body.details[0].rule], [400, 'receiver'])
  assert.equal((await org.huda.post('/orders/999999/assign', { userId: org.salem.id })).status, 403)
})

test('a receiver who leaves the team in any way gives back their orders in work', async () => {
  const ways: [string, () => Promise<Answer>, () => Promise<Answer>][] = [
    [
      'the group',
      () => org.admin.delete(`/groups/${ours.group}/users/${org.salem.id}`),
      () => org.admin.post(`/groups/${ours.group}/users`, { userId: org.salem.id }),
    ],
    [
      'the team of the group',
      () => org.admin.patch(`/service-teams/${ours.team}`, { groupIds: [theirs.group] }),
      () => org.admin.patch(`/service-teams/${ours.team}`, { groupIds: [ours.group] }),
    ],
    [
      'the service of the team',
      () => org.admin.put(`/services/${ours.service}/handling`, { teamId: theirs.team }),
      () => org.admin.put(`/services/${ours.service}/handling`, { teamId: ours.team }),
    ],
    [
      'the portal',
      () => org.admin.patch(`/users/${org.salem.id}`, { isActive: false }),
      () => org.admin.patch(`/users/${org.salem.id}`, { isActive: true }),
    ],
  ]
  const elsewhere = (await org.huda.post('/orders', { serviceId: org.coffee.id })).body.id
  await org.admin.post(`/orders/${elsewhere}/assign`, { userId: org.salem.id })
  for (const [way, leave, comeBack] of ways) {
    const id = await place()
    await org.admin.post(`/orders/${id}/assign`, { userId: org.salem.id })
    const { notices } = await portal.traces(async () => assert.ok((await leave()).status < 300, way))
    const told = notices.filter(({ titleEn }) => titleEn === 'Your order is waiting again').map(({ user }) => user)
    const kept = way === 'the portal' ? 1 : 0
    assert.ok(told.length >= 1 + kept, way)
    const [row] = await portal.sql<{ status: string; assigned_to: number | null }>('select status, assigned_to from orders where id = $1', [
      id,
    ])
    assert.deepEqual(row, { status: 'pending', assigned_to: null }, way)
    // An order without a team stays with its receiver as long as they receive orders.
    const [other] = await portal.sql<{ status: string }>('select status from orders where id = $1', [elsewhere])
    assert.equal(other!.status, kept ? 'pending' : 'received', way)
    assert.ok((await comeBack()).status < 300, way)
  }
  // The deactivation ended their session.
  await org.salem.signIn('salem')
})

test('a preview lists the orders that somebody who leaves the group of a team would give back', async () => {
  const id = await place()
  await org.admin.post(`/orders/${id}/assign`, { userId: org.salem.id })
  const changes = [{ kind: 'group', id: ours.group, remove: { userIds: [org.salem.id] } }]
  const { body, text } = await org.admin.post('/admin/impact', { changes })
  assert.deepEqual(
    body.ordersReturned?.map(({ orderId }: { orderId: number }) => orderId),
    [id],
    text,
  )
})

test('an order that is handed over waits for the new team, and the former team no longer sees it', async () => {
  const id = await inState('preparing')
  const { notices, events, audit } = await portal.traces(() => org.noura.post(`/orders/${id}/transfer`, { teamId: theirs.team }))
  assert.deepEqual(
    notices.map(({ user, titleEn }) => [user, titleEn]).toSorted(),
    [
      [org.huda.id, 'Your order is with another team'],
      [org.rana.id, 'An order for your team'],
      [org.salem.id, 'An order is no longer yours'],
    ].toSorted(),
  )
  assert.deepEqual(
    audit.map(({ action, metadata }) => [action, metadata]),
    [['order.transfer', { fromTeamId: ours.team, toTeamId: theirs.team }]],
  )
  const incoming = events
    .filter(({ event }) => event === 'order_incoming_changed')
    .map(({ to, data }) => [to, (data as { change: string }).change])
  assert.deepEqual(incoming, [
    [[org.salem.id], 'changed'],
    [[org.rana.id], 'placed'],
  ])
  assert.deepEqual([(await org.salem.get(`/orders/${id}`)).status, (await org.noura.get(`/orders/${id}`)).status], [404, 404])
  const { body } = await org.rana.get(`/orders/${id}`)
  assert.deepEqual([body.status, body.assignedTo, body.next], ['pending', null, ['received']])
  // The service loses its team; the order that was handed over keeps its own.
  await org.admin.put(`/services/${ours.service}/handling`, {})
  assert.equal((await org.salem.get(`/orders/${id}`)).status, 404)
  await org.admin.put(`/services/${ours.service}/handling`, { teamId: ours.team })
  const same = await portal.traces(() => org.rana.post(`/orders/${id}/transfer`, { teamId: theirs.team }))
  assert.deepEqual(same, silence)
  assert.equal((await org.rana.post(`/orders/${id}/transfer`, { teamId: 999_999 })).body.code, 'unknown_ids')
  assert.equal((await org.rana.post(`/orders/${id}/transfer`, { teamId: ours.team })).status, 200)
})

test('an order is handed over at most twenty times', async () => {
  const id = await place()
  for (let n = 0; n < 20; n++)
    assert.equal((await org.admin.post(`/orders/${id}/transfer`, { teamId: n % 2 ? ours.team : theirs.team })).status, 200)
  const { status, body } = await org.admin.post(`/orders/${id}/transfer`, { teamId: theirs.team })
  assert.deepEqual([status, body.code], [400, 'invalid_transition'])
})

test('after a simultaneous claim and hand-over, the order is pending and unassigned at the new team', async () => {
  for (let round = 0; round < 6; round++) {
    const id = await place()
    const [claimed, handedOver] = await Promise.all([acts['claim']!(org.salem, id), acts['transfer']!(org.noura, id)])
    assert.equal(handedOver.status, 200)
    assert.ok([200, 403, 409].includes(claimed.status), claimed.text)
    const [row] = await portal.sql('select status, assigned_to, team_id from orders where id = $1', [id])
    assert.deepEqual(row, { status: 'pending', assigned_to: null, team_id: theirs.team })
  }
})

test('of claims that arrive together, only those of people in the team count', async () => {
  const id = await place()
  const undone = new Error('undone')
  let receivers: (number | null | undefined)[] = []
  const claiming = portal.instance.db.writes.transaction().execute(async (tx) => {
    const { written } = await claimOrders(
      tx,
      [org.rana, org.salem].map((one) => ({ id, receiverId: one.id })),
    )
    receivers = written.map((one) => one?.order.assignedTo)
    throw undone
  })
  await assert.rejects(claiming, undone)
  assert.deepEqual(receivers, [undefined, org.salem.id])
})

test('the event of an order placed with a token shows the steps that the token’s owner may take in a browser', async () => {
  const salem = await tokenOf(portal, org.salem.id, { scopes: ['orders:write'] })
  const { answer, events } = await traced(() => salem.post('/orders', { serviceId: ours.service }))
  const sent = events.find(({ event }) => event === 'order_updated')!.data as { order: { next: string[] } }
  assert.deepEqual([answer.body.next, sent.order.next], [['cancelled'], ['received', 'cancelled']])
})

test('a notice about an order links to it only for people who may read it now', async () => {
  const id = await place()
  await org.noura.post(`/orders/${id}/transfer`, { teamId: theirs.team })
  const linkOf = async (who: Client) =>
    (await who.get('/notifications')).body.find(({ titleEn }: { titleEn: string }) => /new order|order for your team/i.test(titleEn))
      ?.relatedId
  assert.deepEqual([await linkOf(org.salem), await linkOf(org.rana)], [null, id])
})

test('if nobody receives the waiting orders of a team, its leads are notified', async () => {
  const team = await make.newTeam({ leadUserIds: [org.faisal.id] })
  const id = await place()
  await org.admin.post(`/orders/${id}/transfer`, { teamId: team.id })
  const { notices } = await portal.traces(() => runJob(portal, 'remind'))
  assert.deepEqual(
    notices.map(({ user, titleEn }) => [user, titleEn]),
    [[org.faisal.id, 'Nobody receives a team’s orders']],
  )
})

test('administrators are notified when an order of a deleted team is reopened, and then once an hour while it waits', async () => {
  const group = await make.newGroup({ userIds: [org.rana.id] })
  const [team, { id: serviceId }] = [await make.newTeam({ groupIds: [group.id], leadUserIds: [org.faisal.id] }), await make.newService()]
  await org.admin.put(`/services/${serviceId}/handling`, { reopenDays: 7 })
  const { id } = (await org.huda.post('/orders', { serviceId })).body
  await org.admin.post(`/orders/${id}/transfer`, { teamId: team.id })
  await org.rana.patch(`/orders/${id}/confirm-receipt`)
  await org.rana.patch(`/orders/${id}/status`, { status: 'completed' })
  assert.equal((await org.admin.delete(`/service-teams/${team.id}`)).status, 204)
  const remind = () => runJob(portal, 'remind')
  await remind()
  const told = async (act: () => Promise<unknown>) =>
    (await portal.traces(act)).notices.filter(({ user }) => user === org.admin.id).map(({ titleEn }) => titleEn)
  const reopen = () => org.huda.post(`/orders/${id}/reopen`, { text: 'Still dark' })
  assert.deepEqual(await told(reopen), ['An order was reopened'])
  assert.equal((await org.admin.get(`/orders/${id}`)).body.status, 'pending')
  const unstaffed = 'Nobody receives a team’s orders'
  assert.deepEqual(await told(remind), [unstaffed])
  assert.match((await org.admin.get('/notifications?limit=1')).body[0].bodyEn, new RegExp(team.nameEn))
  // The hour may turn between two runs of the job: every hour has a reminder of its own.
  const again = await told(remind)
  const hours = await portal.sql(`select from reminders where kind = 'team_unstaffed' and subject_id = ${team.id}`)
  assert.deepEqual([unstaffed, ...again], Array(hours.length).fill(unstaffed))
  for (const who of [org.rana, org.faisal, org.salem]) assert.equal((await who.get(`/orders/${id}`)).status, 404)
})
