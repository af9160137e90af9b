/** Whatever a notification is about can be opened by whoever is told of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from '../../test/makers.ts'
import { MEETINGS, meetingPortal } from '../../test/meetings.ts'
import { sentNote } from '../../test/notes.ts'
import { type Client, testPortal, until } from '../../test/portal.ts'
import { relatedTypes } from './shapes.ts'

const portal = testPortal()
const { holderOf, newPerson, newService } = makers(portal)
const { newMeeting, newTask, whenReady, who } = meetingPortal(portal)

/** Where the record is read. */
const paths: Record<(typeof relatedTypes)[number], (id: number) => string> = {
  order: (id) => `/orders/${id}`,
  note: (id) => `/notes/${id}/thread`,
  meeting: (id) => `${MEETINGS}/${id}`,
  meeting_request: (id) => `${MEETINGS}/requests/${id}`,
  meeting_task: (id) => `${MEETINGS}/tasks/${id}`,
  user: (id) => `/users/${id}`,
}

/** Of each kind, something that tells a person of it: who is told. */
const scenes: Record<(typeof relatedTypes)[number], () => Promise<Client>> = {
  order: async () => {
    const receiver = await holderOf('orders.receive')
    await (await newPerson()).post('/orders', { serviceId: (await newService()).id })
    return receiver
  },
  note: async () => {
    const [sender, recipient] = [await newPerson(), await newPerson()]
    await sentNote(sender, recipient)
    return recipient
  },
  meeting: async () => {
    await newMeeting({ attendees: [{ name: 'Viewer', userId: who('executive_viewer').id }] })
    return who('executive_viewer')
  },
  meeting_request: async () => {
    const { id } = await newMeeting()
    await who('executive_coordinator').post(`${MEETINGS}/${id}/requests`, { type: 'note', details: { text: 'Bring the plan' } })
    return who('executive_ceo')
  },
  meeting_task: async () => {
    await newTask({ assigneeId: who('executive_coordinator').id })
    return who('executive_coordinator')
  },
  user: async () => {
    await portal.stranger().post('/auth/forgot-password', { identifier: (await newPerson()).username })
    return portal.admin
  },
}

for (const relatedType of relatedTypes)
  test(`whoever is told of a record of kind ${relatedType} can open it, and the notification by itself`, async () => {
    await whenReady()
    const told = await scenes[relatedType]()
    const notification = await until('they are told', async () =>
      (await told.get('/notifications')).body.find((one: { relatedType: string }) => one.relatedType === relatedType),
    )
    assert.deepEqual((await told.get(`/notifications/${notification.id}`)).body, notification)
    const { status, body, text } = await told.get(paths[relatedType](notification.relatedId))
    assert.deepEqual([status, body.id], [200, notification.relatedId], text)
  })

test('a notification of someone else cannot be told from one that is not there', async () => {
  const [sender, recipient] = [await newPerson(), await newPerson()]
  await sentNote(sender, recipient)
  const [{ id }] = (await recipient.get('/notifications')).body
  for (const unknown of [id, 2147483647]) assert.equal((await sender.get(`/notifications/${unknown}`)).body.code, 'not_found')
})

test('requests and tasks are read one by one by those with executive access only', async () => {
  await whenReady()
  const task = await newTask()
  const { id } = (
    await who('executive_coordinator').post(`${MEETINGS}/requests`, { type: 'create', details: { date: '2030-06-02', titleEn: 'Visit' } })
  ).body
  const read = async (name: 'executive_viewer' | 'passer-by', path: string) => (await who(name).get(`${MEETINGS}${path}`)).status
  assert.deepEqual([await read('executive_viewer', `/tasks/${task.id}`), await read('executive_viewer', `/requests/${id}`)], [200, 200])
  assert.deepEqual([await read('passer-by', `/tasks/${task.id}`), await read('passer-by', `/requests/${id}`)], [403, 403])
  for (const path of ['/tasks/2147483647', '/requests/2147483647']) assert.equal(await read('executive_viewer', path), 404)
})
