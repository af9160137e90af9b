/** Notifications that are marked as read without their reader: those about finished matters and the reader’s own acts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inDays, passDays } from '../../../test/grants.ts'
import { runJob } from '../../../test/jobs.ts'
import { makers, silence, tracing } from '../../../test/makers.ts'
import { MEETINGS, meetingPortal } from '../../../test/meetings.ts'
import { sentNote } from '../../../test/notes.ts'
import { type Client, testPortal, until } from '../../../test/portal.ts'

const portal = testPortal()
const { newGroup, newPerson, newRole, newService } = makers(portal)
const { traced } = tracing(portal)
const { newMeeting, newTask, whenReady, who } = meetingPortal(portal)

interface Notification {
  id: number
  titleEn: string
  isRead: boolean
  relatedType: string | null
  relatedId: number | null
}
const notificationsOf = async (person: Client) => (await person.get('/notifications')).body as Notification[]
const unread = async (person: Client) => (await notificationsOf(person)).filter(({ isRead }) => !isRead).map(({ titleEn }) => titleEn)
const placed = async (person: Client) => (await person.post('/orders', { serviceId: (await newService()).id })).body.id as number
const newReceiver = () => newPerson({ roles: ['order_receiver'] })

test('the notification of a person’s own act is read from the start, for that person only, and is not pushed to them', async () => {
  const [own, other] = [await newReceiver(), await newReceiver()]
  for (const { id } of [own, other])
    await portal.sql(`with made as (insert into push_subscriptions (user_id, session_id, endpoint, p256dh, auth)
      select ${id}, max(id), 'https://push.example.org/${id}', 'p', 'a' from sessions where user_id = ${id} returning user_id)
      insert into ledger (kind, target_type, target_id, facts) select 'test.meddled', 'user', user_id, '{}' from made`)
  await portal.sql(`create table pushed as select user_id from pushes join push_subscriptions s on s.id = subscription_id where false`)
  await portal.sql(`create function note_push() returns trigger language plpgsql security definer as
    $$ begin insert into pushed select user_id from push_subscriptions where id = new.subscription_id; return null; end $$`)
  await portal.sql('create trigger note_push after insert on pushes for each row execute function note_push()')
  const id = await placed(own)
  await own.patch(`/orders/${id}/status`, { status: 'cancelled' })
  assert.deepEqual(
    (await notificationsOf(own)).map(({ titleEn, isRead }) => [titleEn, isRead]),
    [
      ['Your order was cancelled', true],
      ['New order', true],
    ],
  )
  assert.deepEqual(await portal.sql('select user_id as id from pushed'), [{ id: other.id }])
})

test('once an order is claimed, every receiver’s notification of it is read, and stays read when the order returns', async () => {
  const [requester, first, second] = [await newPerson(), await newReceiver(), await newReceiver()]
  const [id, waiting] = [await placed(requester), await placed(requester)]
  const ids = async (who: Client) => (await notificationsOf(who)).filter(({ relatedId }) => relatedId === id).map((one) => one.id)
  const { events } = await portal.traces(() => first.patch(`/orders/${id}/confirm-receipt`))
  for (const who of [first, second])
    assert.deepEqual(
      events.filter(({ event, to }) => event === 'notifications_read' && to![0] === who.id),
      [{ event: 'notifications_read', data: { ids: await ids(who) }, to: [who.id] }],
    )
  await first.post(`/orders/${id}/release`)
  for (const who of [first, second])
    assert.deepEqual(
      (await notificationsOf(who)).map(({ relatedId, isRead }) => [relatedId, isRead]),
      [
        [waiting, false],
        [id, true],
      ],
    )
  assert.deepEqual(await unread(requester), ['Your order is waiting again', 'Your order was claimed'])
})

test('a claim leaves the notification that an order is no longer one’s own unread', async () => {
  const [requester, former, next] = [await newPerson(), await newReceiver(), await newReceiver()]
  const id = await placed(requester)
  await former.patch(`/orders/${id}/confirm-receipt`)
  await portal.admin.post(`/orders/${id}/release`)
  await next.patch(`/orders/${id}/confirm-receipt`)
  assert.deepEqual(await unread(former), ['An order is no longer yours'])
})

test('a pending order that is cancelled or deleted marks its notifications as read', async () => {
  const [requester, receiver] = [await newPerson(), await newReceiver()]
  await requester.patch(`/orders/${await placed(requester)}/status`, { status: 'cancelled' })
  await portal.admin.delete(`/orders/${await placed(requester)}`)
  assert.deepEqual(await unread(receiver), [])
})

/** For each kind of record: a record of which a person was notified, and its deletion. */
const deletions: Record<string, () => Promise<{ recipient: Client; relatedType: string; remove: () => Promise<unknown> }>> = {
  order: async () => {
    const [requester, recipient] = [await newPerson(), await newReceiver()]
    const id = await placed(requester)
    return { recipient, relatedType: 'order', remove: () => portal.admin.delete(`/orders/${id}`) }
  },
  'order of a service that is deleted': async () => {
    const [requester, recipient, { id }] = [await newPerson(), await newReceiver(), await newService()]
    await requester.post('/orders', { serviceId: id })
    return { recipient, relatedType: 'order', remove: () => portal.admin.delete(`/services/${id}?force=true`) }
  },
  note: async () => {
    const [sender, recipient] = [await newPerson(), await newPerson()]
    const id = await sentNote(sender, recipient)
    return { recipient, relatedType: 'note', remove: () => sender.delete(`/notes/${id}`) }
  },
  'note of someone who is deleted': async () => {
    const [sender, recipient] = [await newPerson(), await newPerson()]
    await sentNote(sender, recipient)
    return { recipient, relatedType: 'note', remove: () => portal.admin.delete(`/users/${sender.id}?force=true`) }
  },
  meeting: async () => {
    const recipient = who('executive_viewer')
    const { id } = await newMeeting({ attendees: [{ name: 'Viewer', userId: recipient.id }] })
    return { recipient, relatedType: 'meeting', remove: () => portal.admin.delete(`${MEETINGS}/${id}`) }
  },
  'request about a meeting that is deleted': async () => {
    const { id } = await newMeeting()
    await who('executive_coordinator').post(`${MEETINGS}/${id}/requests`, { type: 'note', details: { text: 'Bring the plan' } })
    return { recipient: who('executive_ceo'), relatedType: 'meeting_request', remove: () => portal.admin.delete(`${MEETINGS}/${id}`) }
  },
  task: async () => {
    const recipient = who('executive_coordinator')
    const { id } = await newTask({ assigneeId: recipient.id })
    return { recipient, relatedType: 'meeting_task', remove: () => portal.admin.delete(`${MEETINGS}/tasks/${id}`) }
  },
  user: async () => {
    const { id, username } = await newPerson()
    await portal.stranger().post('/auth/forgot-password', { identifier: username })
    return { recipient: portal.admin, relatedType: 'user', remove: () => portal.admin.delete(`/users/${id}`) }
  },
  group: async () => {
    const [recipient, { id }] = [await newPerson(), await newGroup()]
    await portal.admin.post(`/groups/${id}/users`, { userId: recipient.id, expiresAt: inDays(8) })
    await passDays(portal, 2)
    await runJob(portal, 'remind')
    return { recipient, relatedType: 'group', remove: () => portal.admin.delete(`/groups/${id}?force=true`) }
  },
  role: async () => {
    const [recipient, { id, name }] = [await newPerson(), await newRole()]
    await portal.admin.post(`/users/${recipient.id}/roles`, { roleName: name, expiresAt: inDays(1) })
    await passDays(portal, 2)
    await runJob(portal, 'expire_grants')
    return { recipient, relatedType: 'role', remove: () => portal.admin.delete(`/roles/${id}`) }
  },
}
for (const [what, prepare] of Object.entries(deletions))
  test(`${what}: deleting the record marks its notifications as read, and they keep its type but no longer link to it`, async () => {
    await whenReady()
    const { recipient, relatedType, remove } = await prepare()
    const before = await until('the notification is there', async () =>
      (await notificationsOf(recipient)).find((one) => one.relatedType === relatedType && !one.isRead),
    )
    const { events } = await portal.traces(remove)
    const read = events.filter(({ event, to }) => event === 'notifications_read' && to!.includes(recipient.id))
    assert.deepEqual(
      read.map(({ data }) => data),
      [{ ids: [before.id] }],
    )
    const [after, ...news] = (await notificationsOf(recipient)).filter(({ id }) => id >= before.id).toReversed()
    assert.deepEqual(after, { ...before, isRead: true, relatedId: null })
    assert.deepEqual(
      news.map(({ relatedId }) => relatedId),
      news.map(() => null),
    )
  })

test('read-about marks the caller’s notifications of a record as read, and sends an event to their other pages', async () => {
  const [sender, reader, other] = [await newPerson(), await newPerson(), await newPerson()]
  const [noteId] = [await sentNote(sender, reader, other), await sentNote(sender, reader)]
  const about = (relatedId: number) => () => reader.post('/notifications/read-about', { relatedType: 'note', relatedId })
  const ids = (await notificationsOf(reader)).filter(({ relatedId }) => relatedId === noteId).map(({ id }) => id)
  const { answer, ...traces } = await traced(about(noteId))
  assert.deepEqual([answer.status, answer.body], [200, { success: true }])
  assert.deepEqual(traces, { ...silence, events: [{ event: 'notifications_read', data: { ids }, to: [reader.id] }] })
  assert.deepEqual([(await unread(reader)).length, (await unread(other)).length], [1, 1])
  for (const id of [noteId, 2147483647])
    assert.deepEqual((({ answer: { body }, ...none }) => [body, none])(await traced(about(id))), [{ success: true }, silence])
})

test('issuing a reset link marks the person’s requests for one as read for all administrators, and no other notification', async () => {
  const [person, other] = [await newPerson(), await newPerson()]
  const chief = await newPerson({ roles: ['admin'] })
  const ask = async ({ username }: Client & { username: string }) => {
    const before = (await unread(chief)).length
    await portal.stranger().post('/auth/forgot-password', { identifier: username })
    await until('the administrators are notified', async () => (await unread(chief)).length > before)
  }
  for (const one of [person, other, person]) await ask(one)
  await portal.admin.post(`/auth/admin/users/${person.id}/issue-reset-link`)
  for (const who of [chief, portal.admin]) {
    const open = (await notificationsOf(who)).filter(({ isRead, relatedType }) => !isRead && relatedType === 'user')
    assert.deepEqual(
      open.map(({ relatedId }) => relatedId),
      [other.id],
    )
  }
})

for (const body of [{}, { relatedType: 'note' }, { relatedType: 'app', relatedId: 1 }, { relatedType: 'note', relatedId: 0 }])
  test(`read-about refuses ${JSON.stringify(body)}`, async () => {
    const { status, body: refusal } = await portal.admin.post('/notifications/read-about', body)
    assert.deepEqual([status, refusal.code], [400, 'validation_failed'])
  })
