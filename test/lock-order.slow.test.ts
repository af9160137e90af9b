/** Commands take their locks in the order of docs/lock-order.md, so no two of them can deadlock. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import webpush from 'web-push'
import { dayAhead, REVIEWS } from './access-reviews.ts'
import { furtherCommands } from './connected-commands.ts'
import { locksDuring, locksOf } from './locking.ts'
import { makers } from './makers.ts'
import { SSO_ENV } from './oidc/lying-portal.ts'
import { type Client, testPortal } from './portal.ts'
import { must } from './sign-in-commands.ts'

const portal = testPortal(SSO_ENV)
const make = makers(portal)

/** The names in the numbered list of docs/lock-order.md, in order. Names on one line have no order among themselves. */
const page = readFileSync(join(import.meta.dirname, '../docs/lock-order.md'), 'utf8')
const places = page
  .split('\n')
  .flatMap((line) => (/^\d+\. /.test(line) ? [[...line.split(':')[0]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)] : []))
const placeOf = (name: string) => places.findIndex((names) => names.includes(name))

const DAY = '2031-05-05'
const MEETINGS = '/executive-meetings'
const visit = { date: DAY, titleEn: 'Visit' }

const keys = () => ({ p256dh: webpush.generateVAPIDKeys().publicKey, auth: 'A'.repeat(22) })

/** People with records of every kind, so that commands have much to lock. */
async function populate() {
  const [huda, salem] = [
    await make.newPerson({ roles: ['order_receiver', 'executive_office_manager'] }),
    await make.newPerson({ roles: ['order_receiver', 'executive_coordinator'] }),
  ]
  const [role, category] = [await make.newRole(['portal.it']), await make.newCategory()]
  const [permissionId] = await make.idsOfPermissions('portal.hr')
  const app = await make.newApp({ permissionIds: [permissionId] })
  const group = await make.newGroup({ userIds: [huda.id], roleIds: [role.id], appIds: [app.id] })
  const service = await make.newService({ categoryId: category.id })
  return { admin: portal.admin, huda, salem, role, permissionId: permissionId!, app, group, category, service }
}
type Setting = Awaited<ReturnType<typeof populate>>

const order = async ({ huda, service }: Setting) => (await must(huda.post('/orders', { serviceId: service.id }))).id as number
const claimed = async (setting: Setting) => {
  const id = await order(setting)
  await must(setting.salem.patch(`/orders/${id}/confirm-receipt`))
  return id
}
const meet = async (by: Client, ...attendees: { id: number }[]) =>
  (await must(by.post(MEETINGS, { ...visit, attendees: attendees.map(({ id }) => ({ name: 'Guest', userId: id })) }))).id as number
const ask = async ({ salem }: Setting, meetingId: number) =>
  (await must(salem.post(`${MEETINGS}/requests`, { type: 'reschedule', meetingId, details: { date: '2031-05-06' } }))).id as number

/** A note with a folder and a label, filed by its recipient as well. */
async function note({ huda, salem }: Setting) {
  const folderId = (await must(huda.post('/notes/folders', { name: crypto.randomUUID() }))).id
  const labelId = (await must(huda.post('/notes/labels', { name: crypto.randomUUID() }))).id
  const id = (await must(huda.post('/notes', { title: 'Plan', folderId, labelIds: [labelId] }))).id
  await must(huda.post(`/notes/${id}/send`, { recipientUserIds: [salem.id] }))
  const row = (await must(salem.get('/notes/received'))).find((one: { id: number }) => one.id === id).recipientRowId
  const ownFolder = (await must(salem.post('/notes/folders', { name: crypto.randomUUID() }))).id
  await must(salem.patch(`/notes/received/${row}`, { folderId: ownFolder }))
  return { id, folderId, labelId, row, ownFolder }
}

/** Commands that lock more than one table, each with the records that it needs. */
const commands: Record<string, (setting: Setting) => Promise<unknown>> = {
  'a person is created': () => make.newPerson(),
  ...furtherCommands(portal, make),
  'roles of a person': async ({ admin, salem, role }) => {
    await must(admin.post(`/users/${salem.id}/roles`, { roleName: role.name }))
    await must(admin.delete(`/users/${salem.id}/roles/${role.name}`))
  },
  'groups and activity of a person': async ({ admin, salem, group }) => {
    await must(admin.patch(`/users/${salem.id}`, { groupIds: [group.id], displayNameEn: 'Salem' }))
    const leaver = await make.newPerson()
    await must(admin.patch(`/users/${leaver.id}`, { isActive: false }))
  },
  'sets of a group': async ({ admin, group, huda, salem, role, app }) => {
    await must(admin.patch(`/groups/${group.id}`, { userIds: [salem.id], roleIds: [], appIds: [] }))
    await must(admin.patch(`/groups/${group.id}`, { userIds: [huda.id], roleIds: [role.id], appIds: [app.id] }))
    await must(admin.post(`/groups/${group.id}/users`, { userId: salem.id }))
    const { id } = await make.newGroup({ userIds: [huda.id], roleIds: [role.id], appIds: [app.id] })
    await must(admin.delete(`/groups/${id}?force=true`))
  },
  'a request for access': async ({ admin, huda, salem, group }) => {
    const policy = { requestable: true, approverUserIds: [huda.id], approverGroupIds: [group.id] }
    const { id: groupId } = await make.newGroup()
    await must(admin.put(`/groups/${groupId}/request-policy`, policy))
    const request = async (by: Client) => (await must(by.post('/access-requests', { groupId }))).id as number
    await must(huda.post(`/access-requests/${await request(salem)}/deny`, { note: 'No' }))
    await must(salem.post(`/access-requests/${await request(salem)}/withdraw`))
    await must(huda.post(`/access-requests/${await request(salem)}/approve`, { days: 3 }))
    await must(admin.post(`/access-requests/${await request(salem)}/approve`, {}))
    await must(salem.delete(`/auth/me/groups/${groupId}`))
    const leaver = await make.newPerson()
    await request(leaver)
    await must(admin.delete(`/users/${leaver.id}`))
    await request(salem)
    await must(admin.delete(`/groups/${groupId}?force=true`))
  },
  'permissions of a role': async ({ admin, role, permissionId }) => {
    await must(admin.put(`/roles/${role.id}/permissions`, { permissionIds: [permissionId] }))
    await must(admin.patch(`/roles/${role.id}`, { descriptionEn: 'Changed' }))
    const { id } = await make.newRole(['portal.it'])
    await must(admin.delete(`/roles/${id}`))
    await must(admin.delete(`/permissions/${(await make.newPermission()).id}`))
  },
  'an app': async ({ admin, app, huda, permissionId }) => {
    await must(huda.post(`/apps/${app.id}/open`))
    await must(huda.put('/me/app-order', { order: [app.id] }))
    await must(admin.patch(`/apps/${app.id}`, { nameEn: 'Other' }))
    await must(admin.post(`/apps/${app.id}/permissions`, { permissionId }))
    const { id } = await make.newApp({ permissionIds: [permissionId] })
    await must(admin.put('/admin/apps/order', { ids: (await make.list('/admin/apps')).map((one) => one.id).toReversed() }))
    await must(admin.post(`/apps/${id}/open`))
    await must(admin.delete(`/apps/${id}?force=true`))
  },
  'a service and its category': async (setting) => {
    const { admin, category } = setting
    const service = await make.newService({ categoryId: category.id })
    await must(admin.patch(`/services/${service.id}`, { categoryId: category.id, nameEn: 'Tea' }))
    await claimed({ ...setting, service })
    await must(admin.delete(`/services/${service.id}?force=true`))
    const other = await make.newCategory()
    await make.newService({ categoryId: other.id })
    for (const path of ['/services', '/service-categories'])
      await must(admin.put(`${path}/order`, { ids: (await make.list(path)).map(({ id }) => id).toReversed() }))
    await must(admin.delete(`/service-categories/${other.id}`))
    const { entries } = await must(admin.get('/admin/audit-logs?action=service_category.delete&limit=1'))
    await must(admin.post(`/admin/undo/${entries[0].id}`))
  },
  'receivers who lose the right to receive': async (setting) => {
    const { admin } = setting
    const role = await make.newRole(['orders.receive'])
    for (const lose of [
      (id: number) => admin.delete(`/users/${id}/roles/${role.name}`),
      (id: number) => admin.patch(`/users/${id}`, { isActive: false }),
      () => admin.put(`/roles/${role.id}/permissions`, { permissionIds: [] }),
    ]) {
      const receiver = await make.holderOf(role)
      const id = await order(setting)
      await must(receiver.patch(`/orders/${id}/confirm-receipt`))
      await must(lose(receiver.id))
      await must(admin.delete(`/orders/${id}`))
    }
  },
  'an order': async (setting) => {
    const { huda, salem, admin } = setting
    const id = await claimed(setting)
    await must(salem.patch(`/orders/${id}/status`, { status: 'preparing' }))
    await must(salem.patch(`/orders/${id}/status`, { status: 'cancelled' }))
    await must(huda.patch(`/orders/${id}/status`, { status: 'received' }))
    await must(admin.post(`/orders/${id}/assign`, { userId: huda.id }))
    await must(huda.post(`/orders/${id}/release`))
    await must(admin.delete(`/orders/${id}`))
    await must(admin.post('/orders/bulk-delete', { ids: [await order(setting), await claimed(setting)] }))
  },
  'a note': async (setting) => {
    const { huda, salem } = setting
    const { id, folderId, labelId, row, ownFolder } = await note(setting)
    await must(salem.get(`/notes/${id}/thread`))
    await must(salem.post(`/notes/${id}/replies`, { content: 'Fine' }))
    await must(huda.post(`/notes/${id}/replies`, { content: 'Thanks', recipientUserId: salem.id }))
    await must(huda.patch(`/notes/${id}`, { title: 'Other', folderId: null, labelIds: [] }))
    await must(huda.patch(`/notes/${id}`, { folderId, labelIds: [labelId] }))
    await must(salem.patch(`/notes/received/${row}`, { status: 'archived' }))
    await must(huda.delete(`/notes/labels/${labelId}`))
    await must(huda.delete(`/notes/folders/${folderId}`))
    await must(salem.delete(`/notes/folders/${ownFolder}`))
    await must(huda.delete(`/notes/${id}`))
  },
  'a meeting': async (setting) => {
    const { huda, salem } = setting
    const id = await meet(huda, salem)
    await must(huda.patch(`${MEETINGS}/${id}`, { startTime: '09:00' }))
    await must(huda.patch(`${MEETINGS}/${id}`, { date: '2031-05-07' }))
    const { id: copy } = await must(huda.post(`${MEETINGS}/${id}/duplicate`, { date: DAY }))
    await must(huda.put(`${MEETINGS}/order`, { date: DAY, ids: [copy] }))
    await must(huda.post(`${MEETINGS}/tasks`, { titleEn: 'Draft', meetingId: id, assigneeId: salem.id }))
    await ask(setting, id)
    await must(huda.delete(`${MEETINGS}/${id}`))
    await must(huda.delete(`${MEETINGS}/${copy}`))
  },
  'a request': async (setting) => {
    const { huda, salem } = setting
    const meetingId = await meet(huda, salem)
    await must(huda.patch(`${MEETINGS}/requests/${await ask(setting, meetingId)}`, { status: 'approved' }))
    const id = await ask(setting, meetingId)
    await must(huda.patch(`${MEETINGS}/requests/${id}`, { status: 'needs_edit' }))
    await must(salem.patch(`${MEETINGS}/requests/${id}`, { action: 'resubmit', details: { date: DAY } }))
    await must(salem.patch(`${MEETINGS}/requests/${id}`, { action: 'withdraw' }))
    const created = await must(salem.post(`${MEETINGS}/requests`, { type: 'create', details: visit }))
    await must(huda.patch(`${MEETINGS}/requests/${created.id}`, { status: 'approved' }))
  },
  'a task': async ({ huda, salem }) => {
    const [meetingId, other] = [await meet(huda), await meet(huda)]
    const { id } = await must(huda.post(`${MEETINGS}/tasks`, { titleEn: 'Draft', meetingId, assigneeId: salem.id }))
    await must(huda.patch(`${MEETINGS}/tasks/${id}`, { meetingId: other, assigneeId: huda.id }))
    await must(huda.delete(`${MEETINGS}/tasks/${id}`))
  },
  'fonts and a PDF': async ({ huda }) => {
    await must(huda.put(`${MEETINGS}/font-settings`, { scope: 'user', fontSize: 20 }))
    await must(huda.post(`${MEETINGS}/pdf-archives`, { date: DAY, language: 'ar' }))
  },
  'own account': async ({ admin }) => {
    const person = await make.newPerson()
    await must(person.post('/push/subscribe', { endpoint: 'https://push.example.org/1', keys: keys() }))
    await must(person.patch('/auth/me/language', { language: 'en' }))
    const { resetUrl } = await must(admin.post(`/auth/admin/users/${person.id}/issue-reset-link`))
    await must(person.post('/auth/reset-password', { token: new URL(resetUrl).searchParams.get('token'), newPassword: 'another one' }))
    await must(portal.stranger().post('/auth/login', { username: person.username, password: 'another one' }))
  },
  'being at a record and at a day': async ({ admin, huda, group }) => {
    await must(admin.put('/admin/presence', { targetType: 'group', targetId: group.id, editing: true }))
    await must(huda.put(`${MEETINGS}/presence`, { date: DAY, editing: false }))
  },
  'the settings and an upload': async ({ admin }) => {
    await must(admin.patch('/settings', { siteNameEn: 'Portal' }))
    await must(admin.post('/storage/uploads/request-url', { name: 'a', size: 1, contentType: 'text/plain' }))
  },
  'a review of access': async ({ admin, group, salem, huda }) => {
    const fields = { titleEn: 'Quarter', groupIds: [group.id], dueDate: dayAhead(3), ifSilent: 'remove' }
    const { id } = await must(admin.post(REVIEWS, { ...fields, reviewerUserIds: [salem.id] }))
    await must(admin.patch(`${REVIEWS}/${id}`, { titleAr: 'الربع', reviewerUserIds: [salem.id, huda.id] }))
    const [item] = (await must(admin.get(`${REVIEWS}/${id}/items`))).items
    await must(salem.post(`${REVIEWS}/${id}/verdicts`, { items: [{ id: item.id, verdict: 'keep' }] }))
    await must(admin.post(`${REVIEWS}/${id}/close`, {}))
    await must(admin.post(`${REVIEWS}/${(await must(admin.post(REVIEWS, fields))).id}/cancel`))
  },
  'a service gets a team, a form and a notice, and an order another team': async (setting) => {
    const { admin, service } = setting
    const [path, team] = [`/services/${service.id}`, await make.newTeam()]
    const field = { key: 'drink', kind: 'choice', labelEn: 'Drink', options: [{ key: 'tea', en: 'Tea' }] }
    await must(admin.put(`${path}/handling`, { teamId: team.id }))
    await must(admin.put(`${path}/form`, { fields: [field] }))
    await must(admin.put(`${path}/notice`, { noticeEn: 'Soon', offOptions: ['drink.tea'] }))
    const asked = await order(setting)
    await must(admin.post(`/orders/${asked}/messages`, { text: 'Which room?' }))
    await must(admin.post(`/orders/${asked}/internal-notes`, { text: 'Again' }))
    await must(admin.post(`/orders/${asked}/transfer`, { teamId: (await make.newTeam()).id }))
    await must(admin.put(`${path}/form`, { fields: [] }))
    for (const part of ['handling', 'notice']) await must(admin.put(`${path}/${part}`, {}))
    await must(admin.patch(`/service-teams/${team.id}`, { nameEn: 'Another' }))
  },
  'a calendar of working hours': async ({ admin }) => {
    const { id } = await make.newCalendar()
    const team = await make.newTeam({ calendarId: id })
    await must(admin.patch(`/working-calendars/${id}`, { daysOff: [{ date: dayAhead(9) }] }))
    await must(admin.patch(`/service-teams/${team.id}`, { calendarId: null }))
    await must(admin.delete(`/working-calendars/${id}`))
  },
  'a person is deleted with everything they have': async (setting) => {
    const { admin, huda, salem } = setting
    await note(setting)
    await order(setting)
    await claimed(setting)
    const meetingId = await meet(huda, salem)
    await ask(setting, meetingId)
    await must(huda.post(`${MEETINGS}/tasks`, { titleEn: 'Draft', meetingId, assigneeId: salem.id }))
    await must(admin.delete(`/users/${salem.id}?force=true`))
    await must(admin.delete(`/users/${huda.id}?force=true`))
  },
}

/** Tables that need no place in the lock order if a transaction locks `orders`; in all others, they have one like every table. */
const ofOrders = ['order_details', 'order_figures', 'order_steps', 'order_approvals', 'objects']
const withoutThoseOfOrders = (locks: string[]) => locks.filter((name) => !(locks.includes('orders') && ofOrders.includes(name)))

test('every command takes its locks in the order of docs/lock-order.md', async (t) => {
  const setting = await populate()
  const seen = new Set<string>()
  for (const [what, act] of Object.entries(commands))
    await t.test(what, async () => {
      for (const locks of (await locksDuring(() => act(setting))).map(withoutThoseOfOrders)) {
        for (const name of locks) {
          assert.notEqual(placeOf(name), -1, `docs/lock-order.md has no place for ${name}, which is locked in ${locks.join(', ')}`)
          seen.add(name)
        }
        const inOrder = locks.toSorted((one, other) => placeOf(one) - placeOf(other))
        assert.deepEqual(locks, inOrder, 'docs/lock-order.md has another order: take the locks in that one, or a deadlock is possible')
      }
    })
  assert.deepEqual([...seen].toSorted(), places.flat().toSorted(), 'docs/lock-order.md lists a name that no command here locks')
})

test('the locks of a statement are read from its text', () => {
  assert.deepEqual(locksOf('select "id" from "orders" where "id" = $1 for no key update'), ['orders'])
  assert.deepEqual(locksOf('select from meetings where id in (select id from tasks) order by id for update'), ['meetings'])
  assert.deepEqual(locksOf('select o.id from orders as o join users u on true for update of o'), ['orders'])
  assert.deepEqual(locksOf('with a as (select 1 from users for key share) update "orders" set x = 1 from a'), ['users', 'orders'])
  assert.deepEqual(locksOf(`select pg_advisory_xact_lock(hashtext('a day'), hashtext($1))`), ['a day'])
  assert.deepEqual(locksOf(`select pg_advisory_xact_lock_shared(hashtext('access'), 0)`), [])
  assert.deepEqual(locksOf('insert into orders values (1) on conflict do update set x = 1'), [])
})
