/** A person who is notified of a record can open it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REVIEWS, reviewing } from '../../../test/access-reviews.ts'
import { DAY, MEETINGS, TASKS } from '../../../test/meetings.ts'
import { sentNote } from '../../../test/notes.ts'
import { type Client, until } from '../../../test/portal.ts'
import { seededPortal } from '../../../test/seed.ts'
import type { relatedTypes } from './shapes.ts'

const { portal, org, make, order } = seededPortal()
const { open } = reviewing(portal)
const UNKNOWN = 2 ** 31 - 1

async function made(by: Client, path: string, fields: object) {
  const { status, body, text } = await by.post(path, fields)
  assert.equal(status, 201, text)
  return body as { id: number }
}
const newMeeting = (fields: object = {}) => made(org.admin, MEETINGS, { date: DAY, titleAr: 'الميزانية', titleEn: 'Budget', ...fields })
const newTask = (fields: object = {}) => made(org.admin, TASKS, { titleAr: 'المسودة', titleEn: 'Draft', ...fields })

/** Notifications of a group or role are about a grant to the reader, who cannot open the record. */
type OpenType = Exclude<(typeof relatedTypes)[number], 'group' | 'role'>
/** For each type: the person who is notified, an act that notifies them, and the path of the record. */
const types: Record<OpenType, [person: keyof typeof org, notify: () => Promise<unknown>, path: (id: number) => string]> = {
  order: ['salem', () => order(), (id) => `/orders/${id}`],
  note: ['omar', () => sentNote(org.huda, org.omar), (id) => `/notes/${id}/thread`],
  meeting: ['faisal', () => newMeeting({ attendees: [{ name: 'Faisal', userId: org.faisal.id }] }), (id) => `${MEETINGS}/${id}`],
  meeting_request: [
    'maha',
    async () => made(org.noura, `${MEETINGS}/${(await newMeeting()).id}/requests`, { type: 'note', details: { text: 'Bring the plan' } }),
    (id) => `${MEETINGS}/requests/${id}`,
  ],
  meeting_task: ['noura', () => newTask({ assigneeId: org.noura.id }), (id) => `${TASKS}/${id}`],
  access_request: [
    'admin',
    async () => {
      const { id: groupId } = await make.newGroup()
      await portal.admin.put(`/groups/${groupId}/request-policy`, { requestable: true })
      await made(org.huda, '/access-requests', { groupId })
    },
    (id) => `/access-requests/${id}`,
  ],
  access_review: [
    'omar',
    async () => open({ groupIds: [(await make.newGroup({ userIds: [org.huda.id] })).id], reviewerUserIds: [org.omar.id] }),
    (id) => `${REVIEWS}/${id}`,
  ],
  user: ['admin', () => portal.stranger().post('/auth/forgot-password', { identifier: 'huda' }), (id) => `/users/${id}`],
}

for (const relatedType of Object.keys(types) as OpenType[])
  test(`someone notified of a record of type ${relatedType} can open the record and the notification`, async () => {
    const [name, notify, path] = types[relatedType]
    const person = org[name] as Client
    await notify()
    const notification = await until('they are notified', async () =>
      (await person.get('/notifications')).body.find((one: { relatedType: string }) => one.relatedType === relatedType),
    )
    assert.deepEqual((await person.get(`/notifications/${notification.id}`)).body, notification)
    const { status, body, text } = await person.get(path(notification.relatedId))
    assert.deepEqual([status, body.id], [200, notification.relatedId], text)
  })

/** For each type of record: the role that opens it, and an act that notifies a person without that role. */
const owned: [type: (typeof relatedTypes)[number], role: string, notify: (person: Client) => Promise<unknown>][] = [
  ['meeting', 'executive_viewer', ({ id }) => newMeeting({ attendees: [{ name: 'Sami', userId: id }] })],
  [
    'meeting_request',
    'executive_coordinator',
    async (person) => {
      const { id } = await made(person, `${MEETINGS}/requests`, { type: 'create', details: { date: DAY, titleEn: 'Visit' } })
      await org.maha.patch(`${MEETINGS}/requests/${id}`, { status: 'rejected' })
    },
  ],
  ['meeting_task', 'executive_viewer', ({ id }) => newTask({ assigneeId: id })],
  [
    'order',
    'order_receiver',
    async () => {
      await org.huda.post('/orders', { serviceId: (await make.newService()).id })
    },
  ],
  [
    'order',
    'order_receiver',
    async ({ id }) => {
      const group = await make.newGroup({ userIds: [id] })
      const [team, service] = [await make.newTeam({ groupIds: [group.id] }), await make.newService()]
      await portal.admin.put(`/services/${service.id}/handling`, { teamId: team.id })
      await org.huda.post('/orders', { serviceId: service.id })
    },
  ],
  ['access_review', 'admin', async () => open({ roleIds: [(await make.roleNamed('order_receiver')).id] })],
  ['user', 'admin', () => portal.stranger().post('/auth/forgot-password', { identifier: 'omar' })],
]
for (const [n, [relatedType, role, notify]] of owned.entries())
  test(`a notification of type ${relatedType} names no record while its reader may not open the record (${n})`, async () => {
    const person = await make.newPerson({ roles: [role] })
    await notify(person)
    const newest = async () => (await person.get('/notifications?limit=1')).body[0]
    const { id, relatedId } = await until('they are notified', newest)
    assert.deepEqual((await newest()).relatedType, relatedType)
    await portal.admin.delete(`/users/${person.id}/roles/${role}`)
    const { relatedType: type, relatedId: about, titleEn } = await newest()
    assert.deepEqual([type, about], [null, null])
    assert.ok(titleEn)
    assert.equal((await person.patch(`/notifications/${id}/read`, {})).body.relatedType, null)
    await portal.admin.post(`/users/${person.id}/roles`, { roleName: role })
    assert.equal((await newest()).relatedId, relatedId)
  })

test('a request for approval no longer leads to the order if its reader left the approvers before deciding', async () => {
  const [group, service] = [await make.newGroup({ userIds: [org.omar.id, org.tariq.id] }), await make.newService()]
  const steps = [{ key: 'first', nameAr: 'الأولى', nameEn: 'First', groupIds: [group.id] }]
  await portal.admin.put(`/services/${service.id}/handling`, { steps })
  const { id } = await made(org.huda, '/orders', { serviceId: service.id })
  assert.equal((await org.tariq.post(`/orders/${id}/approve`, {})).status, 200)
  const relatedTo = async (who: Client) => {
    const { body } = await who.get('/notifications')
    return body.find(({ titleEn }: { titleEn: string }) => titleEn === 'An order for your approval').relatedId
  }
  assert.deepEqual([await relatedTo(org.omar), (await org.omar.get(`/orders/${id}`)).status], [id, 200])
  for (const who of [org.omar, org.tariq]) await portal.admin.delete(`/groups/${group.id}/users/${who.id}`)
  assert.deepEqual([await relatedTo(org.omar), (await org.omar.get(`/orders/${id}`)).status], [null, 404])
  assert.deepEqual([await relatedTo(org.tariq), (await org.tariq.get(`/orders/${id}`)).status], [id, 200])
})

test('someone else’s notification is refused like a missing one', async () => {
  await sentNote(org.huda, org.omar)
  const [{ id }] = (await org.omar.get('/notifications')).body
  for (const unknown of [id, UNKNOWN]) assert.equal((await org.huda.get(`/notifications/${unknown}`)).body.code, 'not_found')
})

test('single requests and tasks are visible only with executive access', async () => {
  const task = await newTask()
  const request = await made(org.noura, `${MEETINGS}/requests`, { type: 'create', details: { date: '2030-06-02', titleEn: 'Visit' } })
  for (const path of [`${TASKS}/${task.id}`, `${MEETINGS}/requests/${request.id}`]) {
    assert.deepEqual([(await org.faisal.get(path)).status, (await org.huda.get(path)).status], [200, 403])
  }
  for (const path of [`${TASKS}/${UNKNOWN}`, `${MEETINGS}/requests/${UNKNOWN}`]) assert.equal((await org.faisal.get(path)).status, 404)
})
