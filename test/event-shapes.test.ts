/** Checks every frame that arrives on a stream against its published schema, for every kind of change that notifies or emits. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Ajv } from 'ajv'
import { changeKinds } from '../server/lists/changes.ts'
import type { AnyKind } from '../server/platform/changes/change-kind.ts'
import { eventPayloads } from '../server/site/events/shapes.ts'
import { asking } from './access-requests.ts'
import { reviewing } from './access-reviews.ts'
import { signInActs } from './duties.ts'
import { factorActs } from './factors.ts'
import { inDays, passDays } from './grants.ts'
import { importActs } from './import-acts.ts'
import { runJob } from './jobs.ts'
import { meetingActs } from './meeting-acts.ts'
import { meetingPortal } from './meetings.ts'
import { mark, newFolder, newLabel, sentNote, writeNote } from './notes.ts'
import { providerActs } from './oidc/acts.ts'
import { type Client, testPortal, until } from './portal.ts'
import { scimActs } from './scim-acts.ts'
import { serviceActs } from './service-acts.ts'
import { webhookActs } from './webhook-acts.ts'

const portal = testPortal({ SECRETS_KEY: Buffer.alloc(32, 'k').toString('base64url') })
const asks = asking(portal)
const { make } = asks
const reviews = reviewing(portal)
const meetings = meetingPortal(portal)

const ajv = new Ajv({ strict: false, allErrors: true, formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/ } })
const fits = Object.fromEntries(Object.entries(eventPayloads).map(([name, shape]) => [name, ajv.compile(shape)]))

type Stream = Awaited<ReturnType<Client['listen']>>
/** The streams of all listeners; the administrator’s and Huda’s come first. */
const streams: Stream[] = []
let huda: Client
before(async () => {
  await meetings.whenReady()
  huda = await portal.person('huda', { roles: ['executive_coordinator'] })
  streams.push(await portal.admin.listen(), await huda.listen())
})
after(() => {
  for (const stream of streams) stream.close()
})

/** Makes a request of Huda’s; returns its id. */
const asked = (groupId: number) => asks.ask(huda, groupId)
const hers = () => ({ userIds: [huda.id] })
const ordered = async () => (await huda.post('/orders', { serviceId: (await make.newService()).id })).body.id as number
const roleOfHers = async () => {
  const role = await make.newRole()
  await portal.admin.post(`/users/${huda.id}/roles`, { roleName: role.name })
  return role
}
/** Gives Huda a membership or a role for 1.2 days, lets `days` pass, and runs the jobs. */
async function ending(days: number, give: () => Promise<number | { name: string }>) {
  const given = await give()
  const expiresAt = inDays(1.2)
  if (typeof given === 'number') await portal.admin.post(`/groups/${given}/users`, { userId: huda.id, expiresAt })
  else await portal.admin.post(`/users/${huda.id}/roles`, { roleName: given.name, expiresAt })
  await passDays(portal, days)
  await runJob(portal, 'expire_grants')
  await runJob(portal, 'remind')
}
const rolesOfHers = async () => (await portal.admin.get(`/users/${huda.id}`)).body.roleIds as number[]
/** The id of an unread notification of Huda’s. */
const notified = async () => {
  await portal.admin.patch(`/orders/${await ordered()}/confirm-receipt`)
  return (await huda.get('/notifications?limit=1')).body[0].id as number
}
const newToken = async () => (await huda.post('/auth/me/tokens', { name: 'Report', scopes: ['profile:read'] })).body.id as number
const permission = async () => (await make.newPermission()).id

/** Reverses the order of a list. */
const reversed = async (path: '/admin/apps' | '/services' | '/service-categories') => {
  const newOne = { '/admin/apps': make.newApp, '/services': make.newService, '/service-categories': make.newCategory }[path]
  for (let n = 0; n < 2; n++) await newOne()
  const { body } = await portal.admin.get(path)
  return portal.admin.put(`${path}/order`, { ids: body.map(({ id }: { id: number }) => id).toReversed() })
}

/** Deletes a record and undoes the deletion. */
const undone = async (targetType: string, path: string) => {
  await portal.admin.delete(path)
  const { entries } = (await portal.admin.get(`/admin/audit-logs?targetType=${targetType}&targetId=${path.split('/')[2]}&limit=1`)).body
  return portal.admin.post(`/admin/undo/${entries[0].id}`)
}

/** For each kind of change, an act that causes such a change. The change reaches the administrator or Huda. */
const acts: Partial<Record<keyof typeof changeKinds, () => Promise<unknown>>> = {
  'session.ended': async () => {
    const elsewhere = await portal.stranger().signIn(huda.username)
    streams.push(await elsewhere.listen())
    return elsewhere.post('/auth/logout')
  },
  ...factorActs(portal, { of: () => huda, another: make.newPerson, watch: async (one) => streams.push(await one.listen()) }),
  ...serviceActs(portal, make, ordered, () => huda),
  'user.reset_asked': () => portal.stranger().post('/auth/forgot-password', { identifier: huda.username }),
  'user.preferences_changed': () => huda.patch('/auth/me/profile', { displayNameEn: crypto.randomUUID() }),
  'user.updated': async () => {
    const { groups } = (await portal.admin.get(`/users/${huda.id}`)).body
    const groupIds = [...groups.map(({ id }: { id: number }) => id), (await make.newGroup()).id]
    return portal.admin.patch(`/users/${huda.id}`, { groupIds })
  },
  'user.role_added': roleOfHers,
  'user.role_removed': async () => portal.admin.delete(`/users/${huda.id}/roles/${(await roleOfHers()).name}`),
  'user.roles_replaced': async () =>
    portal.admin.put(`/users/${huda.id}/roles`, { roleIds: [...(await rolesOfHers()), (await make.newRole()).id] }),
  'group.created': () => make.newGroup(hers()),
  'group.updated': async () => {
    const [group, app] = [await make.newGroup(hers()), await make.newApp()]
    return portal.admin.patch(`/groups/${group.id}`, { appIds: [app.id] })
  },
  'group.member_added': async () => portal.admin.post(`/groups/${(await make.newGroup()).id}/users`, { userId: huda.id }),
  'group.member_removed': async () => portal.admin.delete(`/groups/${(await make.newGroup(hers())).id}/users/${huda.id}`),
  'group.member_end_changed': async () => {
    const { id } = await make.newGroup(hers())
    return portal.admin.post(`/groups/${id}/users`, { userId: huda.id, expiresAt: inDays(3) })
  },
  'user.role_end_changed': async () =>
    portal.admin.post(`/users/${huda.id}/roles`, { roleName: (await roleOfHers()).name, expiresAt: inDays(3) }),
  'group.member_expired': async () => ending(2, async () => (await make.newGroup(hers())).id),
  'user.role_expired': async () => ending(2, roleOfHers),
  ...signInActs(portal, { of: () => huda, roleOfHers }),
  'user.reminded_of_end': async () => ending(0.5, roleOfHers),
  'access_request.made': async () => asked((await asks.openGroup()).id),
  'access_request.approved': async () => asks.approve(portal.admin, await asked((await asks.openGroup()).id)),
  'access_request.denied': async () => asks.deny(portal.admin, await asked((await asks.openGroup()).id)),
  'access_request.withdrawn': async () => asks.withdraw(huda, await asked((await asks.openGroup()).id)),
  'access_request.lapsed': async () => {
    const { id } = await asks.openGroup()
    await asked(id)
    return asks.setPolicy(id, {})
  },
  'access_request.lapse_told': async () => {
    const { id } = await asks.openGroup()
    const requestId = await asked(id)
    await asks.setPolicy(id, {})
    return runJob(portal, 'tell_of_lapses', { requestIds: [requestId] })
  },
  'access_request.reminded': async () => {
    await asks.age(await asked((await asks.openGroup()).id), 3 * 24)
    return runJob(portal, 'remind')
  },
  'group.deleted': async () => portal.admin.delete(`/groups/${(await make.newGroup(hers())).id}?force=true`),
  'role.updated': async () => portal.admin.patch(`/roles/${(await roleOfHers()).id}`, { name: `renamed${Date.now()}` }),
  'role.permissions_replaced': async () =>
    portal.admin.put(`/roles/${(await roleOfHers()).id}/permissions`, { permissionIds: [await permission()] }),
  'role.permission_added': async () =>
    portal.admin.post(`/roles/${(await roleOfHers()).id}/permissions`, { permissionId: await permission() }),
  'role.permission_removed': async () => {
    const [role, permissionId] = [await roleOfHers(), await permission()]
    await portal.admin.post(`/roles/${role.id}/permissions`, { permissionId })
    return portal.admin.delete(`/roles/${role.id}/permissions/${permissionId}`)
  },
  'app.created': () => make.newApp(),
  'app.updated': async () => portal.admin.patch(`/apps/${(await make.newApp()).id}`, { nameEn: 'Another' }),
  'app.deleted': async () => portal.admin.delete(`/apps/${(await make.newApp()).id}`),
  'app.access_replaced': async () =>
    portal.admin.put(`/apps/${(await make.newApp()).id}/access`, { permissionIds: [await permission()], groupIds: [] }),
  'app.permission_added': async () =>
    portal.admin.post(`/apps/${(await make.newApp()).id}/permissions`, { permissionId: await permission() }),
  'app.permission_removed': async () => {
    const permissionId = await permission()
    const app = await make.newApp({ permissionIds: [permissionId] })
    return portal.admin.delete(`/apps/${app.id}/permissions/${permissionId}`)
  },
  'apps.reordered': async () => huda.put('/me/app-order', { order: [(await make.newApp()).id] }),
  'presence.changed': async () =>
    portal.admin.put('/admin/presence', { targetType: 'group', targetId: (await make.newGroup()).id, editing: true }),
  'app_order.changed': () => reversed('/admin/apps'),
  'service_order.changed': () => reversed('/services'),
  'service_category_order.changed': () => reversed('/service-categories'),
  'app.restored': async () => undone('app', `/apps/${(await make.newApp()).id}`),
  'service.restored': async () => undone('service', `/services/${(await make.newService()).id}`),
  'service_category.restored': async () => undone('service_category', `/service-categories/${(await make.newCategory()).id}`),
  'settings.updated': () => portal.admin.patch('/settings', { siteNameEn: crypto.randomUUID() }),
  'calendar_feed.created': () => huda.post('/auth/me/calendar'),
  'calendar_feed.deleted': () => huda.delete('/auth/me/calendar'),
  'token.created': () => newToken(),
  'token.revoked': async () => huda.delete(`/auth/me/tokens/${await newToken()}`),
  'token.announced': () => newToken(),
  'service.created': () => make.newService(),
  'service.updated': async () => portal.admin.patch(`/services/${(await make.newService()).id}`, { nameEn: 'Tea' }),
  'service_category.created': () => make.newCategory(),
  'service_category.updated': async () => portal.admin.patch(`/service-categories/${(await make.newCategory()).id}`, { nameEn: 'Tea' }),
  'service_category.deleted': async () => portal.admin.delete(`/service-categories/${(await make.newCategory()).id}`),
  'notification.read': async () => huda.patch(`/notifications/${await notified()}/read`),
  'notification.all_read': async () => {
    await notified()
    return huda.post('/notifications/read-all')
  },
  'service.deleted': async () => {
    const service = await make.newService()
    await huda.post('/orders', { serviceId: service.id })
    return portal.admin.delete(`/services/${service.id}?force=true`)
  },
  'order.placed': ordered,
  'order.moved': async () => portal.admin.patch(`/orders/${await ordered()}/confirm-receipt`),
  'order.deleted': async () => portal.admin.delete(`/orders/${await ordered()}`),
  'note.created': () => writeNote(huda),
  'note.updated': async () => huda.patch(`/notes/${await sentNote(huda, portal.admin)}`, { title: 'Another' }),
  'note.deleted': async () => huda.delete(`/notes/${await sentNote(huda, portal.admin)}`),
  'note.sent': () => sentNote(huda, portal.admin),
  'note.replied': async () => portal.admin.post(`/notes/${await sentNote(huda, portal.admin)}/replies`, { content: 'Fine' }),
  'note.status_changed': async () => mark(huda, await sentNote(portal.admin, huda), { status: 'archived' }),
  'note.filed': async () => mark(huda, await sentNote(portal.admin, huda), { folderId: await newFolder(huda, 'Received') }),
  'note_folder.created': () => newFolder(huda),
  'note_folder.renamed': async () => huda.patch(`/notes/folders/${await newFolder(huda)}`, { name: 'Another' }),
  'note_folder.deleted': async () => huda.delete(`/notes/folders/${await newFolder(huda)}`),
  'note_label.created': () => newLabel(huda),
  'note_label.updated': async () => huda.patch(`/notes/labels/${await newLabel(huda)}`, { color: 'pink' }),
  'note_label.deleted': async () => huda.delete(`/notes/labels/${await newLabel(huda)}`),
  ...meetingActs(portal, meetings, () => huda),
  ...{ ...reviews.scenes(() => huda), ...providerActs(portal, () => huda) },
  ...{ ...scimActs(portal, () => huda), ...webhookActs(portal), ...importActs(portal) },
}

test('every kind of change that notifies or emits has an act here', () => {
  const sending = Object.entries<AnyKind>(changeKinds).flatMap(([name, { notifies, emits }]) =>
    notifies || emits !== 'nothing' ? [name] : [],
  )
  const missing = sending.filter((name) => !(name in acts))
  assert.equal(missing.length, 0, `add an act of each to "acts": ${missing.join(', ')}`)
  assert.deepEqual(Object.keys(acts).toSorted(), sending.toSorted())
})

const last = async (table: string) => (await portal.sql<{ id: number }>(`select coalesce(max(id), 0)::int as id from ${table}`))[0]!.id

/** Every frame that a change of this kind causes. */
async function framesOf(kind: keyof typeof changeKinds, act: () => Promise<unknown>) {
  const [event, entry] = [await last('events'), await last('ledger')]
  await act()
  const isKept = !('isKept' in changeKinds[kind])
  if (isKept)
    await until(`a change ${kind}`, async () => (await portal.sql('select from ledger where id > $1 and kind = $2', [entry, kind])).length)
  const sent = await portal.sql<{ id: string; event: string }>(
    'select id::text, event from events where id > $1 and (recipients is null or recipients && $2::int[])',
    [event, [portal.admin.id, huda.id]],
  )
  assert.ok(sent.length, `no event of ${kind} is for the administrator or Huda`)
  return until(`the events of ${kind}`, () => {
    const frames = streams.flatMap(({ events }) => events.filter((frame) => sent.some((one) => isOf(one, frame))))
    return sent.every((one) => frames.some((frame) => isOf(one, frame))) ? frames : null
  })
}

/** The hub may see the end of a session before the event about it; then the frame has no id. */
const isOf = (sent: { id: string; event: string }, frame: Stream['events'][number]) =>
  frame.id.split('.')[2] === sent.id || (frame.id === '' && frame.event === sent.event)

function checkFits({ event, data }: { event: string; data: unknown }) {
  assert.ok(event in fits, `${event} is not listed`)
  fits[event]!(data)
  assert.deepEqual(fits[event]!.errors ?? [], [], `${event} ${JSON.stringify(data)}`)
}

for (const [kind, act] of Object.entries(acts) as [keyof typeof changeKinds, () => Promise<unknown>][])
  test(`each frame of ${kind} has its published shape`, async () => {
    for (const frame of await framesOf(kind, act)) checkFits(frame)
  })

test('the resync of a stream has its published shape', async () => {
  const stream = await huda.listen('00000000.1.1')
  streams.push(stream)
  checkFits(await stream.next('resync'))
})

test('the events that arrived have exactly the published names', () => {
  const seen = new Set(streams.flatMap(({ events }) => events.map(({ event }) => event)))
  assert.deepEqual([...seen].toSorted(), Object.keys(eventPayloads).toSorted())
})

test('an order arrives as its requester reads it, with the permitted actions and their deadline', async () => {
  const id = await ordered()
  await huda.patch(`/orders/${id}/status`, { status: 'cancelled' })
  const read = (await huda.get('/orders/my')).body.find((order: { id: number }) => order.id === id)
  const { data } = await streams[1]!.next('order_updated', ({ order }) => order.id === id && order.status === 'cancelled')
  assert.deepEqual(data.order, read)
  assert.deepEqual([data.order.next, typeof data.order.undoUntil], [['pending'], 'string'])
})
