/** Approvals after people have left, after orders have ended, and in the figures of services. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approving, stepOf } from '../../../test/approvals.ts'
import { runJob } from '../../../test/jobs.ts'
import type { Answer, Client } from '../../../test/portal.ts'
import { seededPortal } from '../../../test/seed.ts'

const { portal, org, make } = seededPortal()
const { serviceWith, serviceOf, placed, approve, deny, detailsFor, waitingFor } = approving(portal, make)
const said = ({ status, body }: Answer) => [status, body?.code ?? null]
const today = async () => (await portal.sql<{ day: string }>('select office_day(now())::text as day'))[0]!.day

test('a step whose only remaining approver is a party to the order waits for administrators', async () => {
  const [boss, gone, guest] = [await make.newPerson(), await make.newPerson(), await make.newPerson()]
  await org.admin.put(`/users/${guest.id}/manager`, { userId: boss.id })
  const serviceId = await serviceWith({ onBehalf: 'everyone', steps: [stepOf({ manager: true, userIds: [gone.id] })] })
  await org.admin.delete(`/users/${gone.id}?force=true`)
  const id = await placed(boss, serviceId, { forUserId: guest.id })
  assert.equal((await detailsFor(boss, id)).approval.state, 'waiting')
  assert.ok((await waitingFor(org.admin)).includes(id))
})

test('an order whose remaining approvers have all approved waits for administrators', async () => {
  const leaver = await make.newPerson()
  const serviceId = await serviceWith({ steps: [stepOf({ userIds: [org.omar.id, leaver.id], needed: 2 })] })
  const id = await placed(org.huda, serviceId)
  assert.equal((await approve(org.omar, id)).body.approval.state, 'waiting')
  assert.equal((await waitingFor(org.admin)).includes(id), false)
  await org.admin.patch(`/users/${leaver.id}`, { isActive: false })
  assert.ok((await waitingFor(org.admin)).includes(id))
  assert.equal((await approve(org.admin, id)).body.approval.state, 'approved')
})

test('administrators are told once of a step that has lost its last approver, or never had one', async () => {
  const [approver, manager, guest] = [await make.newPerson(), await make.newPerson(), await make.newPerson()]
  await org.admin.put(`/users/${guest.id}/manager`, { userId: manager.id })
  const ids = [
    await placed(org.huda, await serviceOf(approver)),
    await placed(guest, await serviceWith({ steps: [stepOf({ manager: true })] })),
    await placed(org.huda, await serviceWith({ steps: [stepOf({ groupIds: [(await make.newGroup()).id] })] })),
  ]
  const asked = async () => {
    await runJob(portal, 'remind')
    const { body } = await org.admin.get('/notifications?limit=200')
    const titles = (id: number) => body.filter(({ relatedId }: { relatedId: number }) => relatedId === id)
    return ids.map((id) => titles(id).map(({ titleEn }: { titleEn: string }) => titleEn))
  }
  const once = ['An order for your approval']
  assert.deepEqual(await asked(), [[], [], once])
  await org.admin.patch(`/users/${approver.id}`, { isActive: false })
  await org.admin.put(`/users/${guest.id}/manager`, { userId: null })
  assert.deepEqual(await asked(), [once, once, once])
  assert.deepEqual(await asked(), [once, once, once])
})

test('an order that was cancelled and restored is not released if its beneficiary has become inactive', async () => {
  const guest = await make.newPerson()
  const serviceId = await serviceWith({ onBehalf: 'everyone', steps: [stepOf({ userIds: [org.omar.id] })] })
  const id = await placed(org.huda, serviceId, { forUserId: guest.id })
  await org.huda.patch(`/orders/${id}/status`, { status: 'cancelled' })
  await org.admin.patch(`/users/${guest.id}`, { isActive: false })
  assert.equal((await org.huda.patch(`/orders/${id}/status`, { status: 'pending' })).status, 200)
  assert.deepEqual(said(await approve(org.omar, id)), [400, 'invalid_transition'])
  const { approval } = await detailsFor(org.huda, id)
  assert.deepEqual([approval.state, approval.lapseReason], ['lapsed', 'requester_gone'])
})

test('when a party cancels an order, its approvers get an event and are no longer asked', async () => {
  const id = await placed(org.huda, await serviceOf(org.omar))
  const stream = await org.omar.listen()
  await org.huda.patch(`/orders/${id}/status`, { status: 'cancelled' })
  await stream.next('order_details_changed', (data) => data['orderId'] === id && data['change'] === 'approval')
  stream.close()
  assert.equal((await waitingFor(org.omar)).includes(id), false)
  const asked = (await org.omar.get('/notifications?limit=200')).body.filter((one: { relatedId: number }) => one.relatedId === id)
  assert.ok(asked.length > 0 && asked.every(({ isRead }: { isRead: boolean }) => isRead))
})

test('a denial needs a visible reason, and the exported orders of the service have it', async () => {
  const serviceId = await serviceOf(org.omar)
  const id = await placed(org.huda, serviceId)
  assert.deepEqual(said(await deny(org.omar, id, '\u200d')), [400, 'reason_required'])
  assert.equal((await deny(org.omar, id, 'Too dear')).status, 200)
  const day = await today()
  const { text } = await org.admin.get(`/service-reports/orders.csv?from=${day}&to=${day}&serviceId=${serviceId}`)
  assert.match(text, /,Too dear\b/)
})

test('an order that was never released is not in the figures of a lead, not even after its deletion', async () => {
  const group = await make.newGroup({ userIds: [org.salem.id] })
  const team = await make.newTeam({ groupIds: [group.id], leadUserIds: [org.noura.id] })
  const serviceId = await serviceWith({ teamId: team.id, steps: [stepOf({ userIds: [org.omar.id] })] })
  const day = await today()
  const placedOf = async (who: Client) => (await who.get(`/service-reports?from=${day}&to=${day}&serviceId=${serviceId}`)).body.total.placed
  const [deleted, cancelled, denied] = [
    await placed(org.huda, serviceId),
    await placed(org.maha, serviceId),
    await placed(org.huda, serviceId),
  ]
  await org.admin.delete(`/orders/${deleted}`)
  await org.maha.patch(`/orders/${cancelled}/status`, { status: 'cancelled' })
  await deny(org.omar, denied)
  assert.deepEqual([await placedOf(org.admin), await placedOf(org.noura)], [3, 0])
  await approve(org.omar, await placed(org.huda, serviceId))
  assert.deepEqual([await placedOf(org.admin), await placedOf(org.noura)], [4, 1])
})

test('a beneficiary can hand over an order only without a note to the team', async () => {
  const boss = await make.newPerson({ roles: ['admin'] })
  const team = await make.newTeam()
  const id = await placed(org.huda, await serviceWith({ onBehalf: 'everyone' }), { forUserId: boss.id })
  assert.deepEqual(said(await boss.post(`/orders/${id}/transfer`, { teamId: team.id, note: 'Hurry' })), [403, 'forbidden'])
  assert.equal((await boss.post(`/orders/${id}/transfer`, { teamId: team.id })).status, 200)
})
