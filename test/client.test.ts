/** A client with generated types needs no casts: every answer has the type in the document. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPortal, until } from './portal.ts'
import { adminClient, listen, openClient } from './typed-client.ts'

const portal = testPortal()

test('a generated client signs in and signs out', async () => {
  const { admin, me } = await adminClient(portal)
  assert.ok(me.roles.includes('admin') && me.notificationSoundOrder === 'ding')
  const { data, response } = await admin.POST('/auth/logout')
  assert.deepEqual([data?.success, response.status, admin.answered()], [true, 200, 2])
})

test('a generated client adds an app and lists it', async () => {
  const { admin } = await adminClient(portal)
  const body = { slug: 'typed', nameAr: 'مكتوب', nameEn: 'Typed', iconName: 'box', route: '/typed', color: '#0af' }
  const { data: app } = await admin.POST('/apps', { body })
  const { data: apps } = await admin.GET('/apps')
  const typed = apps!.find(({ id }) => id === app!.id)!
  assert.deepEqual([typed.slug, typed.openMode, typed.openCount], ['typed', 'internal', 0])
  assert.equal(admin.answered(), 3)
})

test('a generated client orders a service, claims the order and receives its events', async () => {
  const { admin, me } = await adminClient(portal)
  const { messages, close } = await listen(admin)
  const { data: service } = await admin.POST('/services', { body: { nameAr: 'قهوة', nameEn: 'Coffee' } })
  const { data: order } = await admin.POST('/orders', { body: { serviceId: service!.id, notes: null } })
  assert.deepEqual([order!.status, order!.service.nameEn, order!.requester?.username], ['pending', 'Coffee', 'admin'])
  const { data: claimed } = await admin.PATCH('/orders/{id}/confirm-receipt', { params: { path: { id: order!.id } } })
  assert.equal(claimed!.assignedTo, me.id)

  await until('the event of the claim arrives', () =>
    messages.some((one) => one.event === 'order_incoming_changed' && one.data.change === 'claimed'),
  )
  assert.ok(messages.some((one) => one.event === 'notification_created' && one.data.notification.relatedId === order!.id))
  const statuses = messages.flatMap((one) =>
    one.event === 'order_updated' && one.data.order.id === order!.id ? [one.data.order.status] : [],
  )
  assert.deepEqual([statuses, admin.answered()], [['pending', 'received'], 5])
  await close()
})

const picture = new Blob([Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])], { type: 'image/png' })
/** Uploads the picture. Returns the parameters of its path. */
async function upload({ POST, PUT }: ReturnType<typeof openClient>) {
  const { data: place } = await POST('/storage/uploads/request-url', {
    body: { name: 'dot.png', size: picture.size, contentType: picture.type },
  })
  const { pathname, searchParams } = new URL(place!.uploadURL!)
  const path = { uuid: pathname.split('/').at(-1)! }
  const { response } = await PUT('/storage/uploads/{uuid}', {
    params: { path, query: { token: searchParams.get('token')! } },
    body: picture,
    bodySerializer: (body) => body,
    headers: { 'content-type': picture.type },
  })
  assert.equal(response.status, 204)
  return path
}

test('a generated client uploads a picture, and reads it whole and in part', async () => {
  const { admin } = await adminClient(portal)
  const path = await upload(admin)
  const read = (header?: { Range: string }) =>
    admin.GET('/storage/objects/uploads/{uuid}', { params: { path, header: header ?? {} }, parseAs: 'blob' })
  const whole = await read()
  assert.deepEqual([whole.data!.size, whole.data!.type], [picture.size, 'image/png'])
  const part = await read({ Range: 'bytes=0-3' })
  assert.deepEqual([part.response.status, part.data!.size, part.response.headers.get('content-range')], [206, 4, 'bytes 0-3/8'])
  assert.equal((await read({ Range: 'bytes=8-' })).error?.code, 'range_not_satisfiable')
  assert.equal(admin.answered(), 6)
})

test('a refusal is typed: signed out', async () => {
  const { error } = await openClient(portal).GET('/apps')
  assert.equal(error?.code, 'unauthorized')
})

test('a refusal is typed: unknown ids', async () => {
  const { admin } = await adminClient(portal)
  const { error } = await admin.POST('/groups', { body: { name: 'Typed', userIds: [2147483647] } })
  assert.ok(error?.code === 'unknown_ids')
  assert.deepEqual(error.unknownIds, [2147483647])
})

test('a refusal is typed: a service with an order', async () => {
  const { admin } = await adminClient(portal)
  const { data: service } = await admin.POST('/services', { body: { nameAr: 'شاي', nameEn: 'Tea' } })
  await admin.POST('/orders', { body: { serviceId: service!.id, notes: null } })
  const { error } = await admin.DELETE('/services/{id}', { params: { path: { id: service!.id } } })
  assert.ok(error?.code === 'has_dependents')
  assert.equal(error.orderCount, 1)
})
