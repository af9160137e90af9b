/** The details of an order, and the people who may read them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepOf } from '../../../test/approvals.ts'
import { elapse } from '../../../test/clock.ts'
import { seededPortal } from '../../../test/seed.ts'
import { tokenOf } from '../../../test/tokens.ts'
import type { Scope } from '../../platform/auth/scopes.ts'

const { portal, org, make } = seededPortal()

test('the requester, the team and administrators read the details, and everybody else gets 404', async () => {
  const [helpers, others] = [await make.newGroup({ userIds: [org.salem.id] }), await make.newGroup({ userIds: [org.rana.id] })]
  const [team, other] = [
    await make.newTeam({ groupIds: [helpers.id], leadUserIds: [org.noura.id] }),
    await make.newTeam({ groupIds: [others.id] }),
  ]
  const { id: serviceId } = await make.newService()
  await org.admin.put(`/services/${serviceId}/handling`, { teamId: team.id })
  await org.admin.put(`/services/${serviceId}/form`, { fields: [{ key: 'note', kind: 'text', labelEn: 'Note' }] })
  const { body: order } = await org.huda.post('/orders', { serviceId, answers: { note: 'x' } })
  const path = `/orders/${order.id}/details`
  const read = async () => {
    const everyone = { owner: org.huda, receiver: org.salem, lead: org.noura, admin: org.admin, rival: org.rana, stranger: org.omar }
    const answers = await Promise.all(Object.entries(everyone).map(async ([name, who]) => [name, (await who.get(path)).status]))
    return Object.fromEntries(answers)
  }
  assert.deepEqual(await read(), { owner: 200, receiver: 200, lead: 200, admin: 200, rival: 404, stranger: 404 })
  assert.equal((await org.omar.get(path)).text, (await org.omar.get('/orders/999999/details')).text)
  const { body } = await org.huda.get(path)
  assert.deepEqual([body.teamId, body.teamNameEn, body.answers], [team.id, team.nameEn, { note: 'x' }])
  await org.admin.post(`/orders/${order.id}/transfer`, { teamId: other.id })
  assert.deepEqual(await read(), { owner: 200, receiver: 404, lead: 404, admin: 200, rival: 200, stranger: 404 })
  assert.equal((await org.huda.get(path)).body.teamNameEn, other.nameEn)
})

test('the details of an order without a form and a team have only nulls and empty values for both', async () => {
  const { body: order } = await org.huda.post('/orders', { serviceId: org.coffee.id })
  const { body, headers } = await org.huda.get(`/orders/${order.id}/details`)
  assert.deepEqual(body, {
    ...{ orderId: order.id, teamId: null, teamNameAr: null, teamNameEn: null },
    ...{
      formVersion: null,
      fields: null,
      answers: null,
      ...{ files: [], wantedAt: null, approval: null, waiting: null, progress: 'pending', cancelReason: null, reopenCount: 0 },
      ...{ beneficiary: order.requester, lastMessageAt: null, unread: false, may: ['cancel', 'message'] },
      times: {
        ...{ receiveBy: null, completeBy: null, receivedAt: null, completedAt: null, receivedInTime: null, completedInTime: null },
        ...{ isLate: false, minutesUsed: null },
      },
    },
  })
  assert.match(headers.get('etag')!, /^"[\w-]+"$/)
})

test('an order keeps its form and answers when the service’s form changes, and deleting the order deletes its answers', async () => {
  const { id: serviceId } = await make.newService()
  const put = (labelEn: string, key = 'note') => org.admin.put(`/services/${serviceId}/form`, { fields: [{ key, kind: 'text', labelEn }] })
  await put('First')
  const { body: order } = await org.huda.post('/orders', { serviceId, answers: { note: 'x' } })
  await put('Second')
  await put('Third', 'other')
  const { body } = await org.huda.get(`/orders/${order.id}/details`)
  assert.deepEqual([body.formVersion, body.fields[0].labelEn, body.answers], [1, 'First', { note: 'x' }])
  assert.equal((await org.admin.delete(`/orders/${order.id}`)).status, 204)
  const { body: later } = await org.huda.post('/orders', { serviceId, answers: { other: 'y' } })
  assert.equal((await org.admin.delete(`/services/${serviceId}?force=true`)).status, 204)
  for (const { id } of [order, later]) assert.equal((await org.huda.get(`/orders/${id}/details`)).status, 404)
})

test('an order without targets says when it was received and completed, and the minutes that it took', async () => {
  const { id: calendarId } = await make.newCalendar()
  const helpers = await make.newGroup({ userIds: [org.salem.id] })
  const team = await make.newTeam({ groupIds: [helpers.id], calendarId })
  const { id: serviceId } = await make.newService()
  await org.admin.put(`/services/${serviceId}/handling`, { teamId: team.id })
  const { id } = (await org.huda.post('/orders', { serviceId })).body
  await org.salem.patch(`/orders/${id}/confirm-receipt`)
  await elapse(portal, calendarId, 25)
  const { body: completed } = await org.salem.patch(`/orders/${id}/status`, { status: 'completed' })
  const { receivedAt, completedAt, receivedInTime, completedInTime, minutesUsed } = (await org.huda.get(`/orders/${id}/details`)).body.times
  assert.ok(Math.abs(Date.parse(completedAt) - Date.parse(completed.updatedAt)) < 60_000)
  assert.ok(Date.parse(receivedAt) <= Date.parse(completedAt))
  assert.deepEqual([receivedInTime, completedInTime, minutesUsed], [null, null, 25])
})

test('the details and the export of an order that has ended keep the names of its team when the team is deleted', async () => {
  const helpers = await make.newGroup({ userIds: [org.salem.id] })
  const team = await make.newTeam({ groupIds: [helpers.id] })
  const { id: serviceId } = await make.newService()
  const { id } = (await org.huda.post('/orders', { serviceId })).body
  await org.admin.post(`/orders/${id}/transfer`, { teamId: team.id })
  await org.salem.patch(`/orders/${id}/confirm-receipt`)
  await org.salem.patch(`/orders/${id}/status`, { status: 'completed' })
  assert.equal((await org.admin.delete(`/service-teams/${team.id}`)).status, 204)
  const { teamId, teamNameAr, teamNameEn } = (await org.huda.get(`/orders/${id}/details`)).body
  assert.deepEqual([teamId, teamNameAr, teamNameEn], [team.id, team.nameEn, team.nameEn])
  const [{ day }] = (await portal.sql<{ day: string }>('select office_day(now())::text as day')) as [{ day: string }]
  const { text } = await org.admin.get(`/service-reports/orders.csv?from=${day}&to=${day}&serviceId=${serviceId}`)
  assert.equal(text.trim().split('\n')[1]!.split(',')[4], team.nameEn)
})

test('the timeline has the status before each hand-over, and the team’s names even when the team is deleted', async () => {
  const helpers = await make.newGroup({ userIds: [org.salem.id] })
  const [first, second] = [await make.newTeam({ groupIds: [helpers.id] }), await make.newTeam()]
  const { id } = (await org.huda.post('/orders', { serviceId: (await make.newService()).id })).body
  await org.admin.post(`/orders/${id}/transfer`, { teamId: first.id })
  await org.salem.patch(`/orders/${id}/confirm-receipt`)
  await org.admin.post(`/orders/${id}/transfer`, { teamId: second.id })
  assert.equal((await org.admin.delete(`/service-teams/${first.id}`)).status, 204)
  const { entries } = (await org.huda.get(`/orders/${id}/timeline`)).body
  const named = ({ id, nameEn }: typeof first) => ({ id, nameAr: nameEn, nameEn })
  assert.deepEqual(
    entries.flatMap(({ kind, from, to, team }: Record<string, unknown>) => (kind === 'transferred' ? [[from, to, team]] : [])),
    [
      ['received', 'pending', named(second)],
      ['pending', 'pending', named(first)],
    ],
  )
})

test('details read with a token list only the acts that its scopes allow, and neither decisions nor acts that are possible only in a browser', async () => {
  const { id: serviceId } = await make.newService()
  await org.admin.put(`/services/${serviceId}/handling`, { steps: [stepOf({ userIds: [org.maha.id] })] })
  const held = (await org.huda.post('/orders', { serviceId })).body.id
  const open = (await org.huda.post('/orders', { serviceId: org.coffee.id })).body.id
  const read = async (who: { id: number }, id: number, ...scopes: Scope[]) => {
    const token = await tokenOf(portal, who.id, { scopes: ['orders:read', ...scopes] })
    const [{ body: details }, { body: order }] = [await token.get(`/orders/${id}/details`), await token.get(`/orders/${id}`)]
    return `${details.may}; ${order.next}`
  }
  assert.equal(await read(org.huda, open), '; ')
  assert.equal(await read(org.huda, open, 'orders:write'), 'cancel,message; cancelled')
  assert.equal(await read(org.salem, open), '; ')
  assert.equal(await read(org.salem, open, 'orders:receive'), 'note,transfer; received')
  assert.equal(await read(org.admin, open, 'admin:write'), 'assign; ')
  assert.equal(await read(org.admin, open, 'orders:write', 'admin:write'), 'cancel,message,assign; cancelled')
  assert.equal(await read(org.maha, held, 'orders:write'), 'message; ')
  assert.equal(await read(org.admin, held, 'orders:write', 'admin:write'), 'cancel,message; cancelled')
  const { body } = await org.maha.get(`/orders/${held}/details`)
  assert.deepEqual(body.may, ['message', 'approve', 'deny'])
})
