/** Events of public changes go to everyone, and events of personal changes only to the person. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from './makers.ts'
import { type Client, PASSWORD, testPortal } from './portal.ts'

const portal = testPortal()
const { holderOf, newCategory, newPerson, newRole, newService } = makers(portal)

/** The recipients of each event that an act causes; null means everyone, in one row. */
async function eventsOf(act: () => Promise<unknown>) {
  const { events } = await portal.traces(act)
  return events.filter(({ event }) => event !== 'notification_created').map(({ event, to }) => [event, to])
}

test('a new service, a new category and new settings each reach everyone by one event', async () => {
  const stream = await (await newPerson()).listen()
  assert.deepEqual(await eventsOf(() => newService()), [['services_changed', null]])
  assert.deepEqual(await eventsOf(() => newCategory()), [['services_changed', null]])
  assert.deepEqual(await eventsOf(() => portal.admin.patch('/settings', { siteNameEn: 'Gate' })), [['settings_changed', null]])
  await stream.next('settings_changed')
  assert.deepEqual(
    stream.events.map(({ event, data }) => [event, data]),
    [
      ['services_changed', {}],
      ['services_changed', {}],
      ['settings_changed', {}],
    ],
  )
  stream.close()
})

test('people get an event for any change to their own record, and nobody else does', async () => {
  const [person, role] = [await newPerson(), await newRole()]
  const holder = await holderOf(role)
  const groupId = (await portal.admin.post('/groups', { name: 'Told', userIds: [person.id] })).body.id
  const meOnly = async (act: () => Promise<unknown>) => (await eventsOf(act)).filter(([event]) => event === 'me_changed')
  const acts: [Client, () => Promise<unknown>][] = [
    [person, () => person.patch('/auth/me/language', { language: 'en' })],
    [person, () => person.patch('/auth/me/clock-style', { clockStyle: 'digital' })],
    [person, () => portal.admin.patch(`/users/${person.id}`, { displayNameEn: 'Huda' })],
    [person, () => portal.admin.post(`/users/${person.id}/roles`, { roleName: 'order_receiver' })],
    [person, () => portal.admin.patch(`/groups/${groupId}`, { name: 'Told again' })],
    [person, () => portal.admin.post(`/groups/${groupId}/roles`, { roleId: role.id })],
    [person, () => portal.admin.delete(`/groups/${groupId}?force=true`)],
    [holder, () => portal.admin.patch(`/roles/${role.id}`, { name: 'renamed' })],
  ]
  for (const [who, act] of acts) assert.deepEqual(await meOnly(act), [['me_changed', [who.id]]], String(act))
})

test('reading something on one page updates the reader’s other pages', async () => {
  const [person, sender] = [await newPerson(), await newPerson()]
  const elsewhere = portal.stranger()
  await elsewhere.post('/auth/login', { username: person.username, password: PASSWORD })
  const stream = await elsewhere.listen()
  const others = await sender.listen()
  const note = (await sender.post('/notes', { title: 'Plan' })).body.id
  await sender.post(`/notes/${note}/send`, { recipientUserIds: [person.id] })
  const [{ id }] = (await person.get('/notifications')).body
  await person.patch(`/notifications/${id}/read`)
  assert.deepEqual((await stream.next('notifications_read')).data, { ids: [id] })
  await sender.post(`/notes/${note}/replies`, { content: 'Look', recipientUserId: person.id })
  await person.post('/notifications/read-all')
  assert.deepEqual((await stream.next('notifications_read', ({ all }) => all)).data, { all: true })
  assert.deepEqual(others.seen('notifications_read'), [])
  for (const one of [stream, others]) one.close()
})
