/** A client whose types are generated from the document compiles without casts, and every answer has the type it promises. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import createClient, { type Middleware } from 'openapi-fetch'
import type { components, paths } from '../client/schema.d.ts'
import { endpoints } from '../server/features.ts'
import { documentOf } from '../server/platform/http/openapi.ts'
import { answerCheckerOf, checkerOf } from './document-schemas.ts'
import { ADMIN_PASSWORD, testPortal, until } from './portal.ts'

type Message = components['schemas']['StreamMessage']

const portal = testPortal()
const document = documentOf(endpoints, { cookie: 'portal_session' })
const check = checkerOf(document)
const wrongWith = answerCheckerOf(document)

/** A client with its own session. Every answer is checked against the document. */
function openClient() {
  let cookie = ''
  let answers = 0
  const middleware: Middleware = {
    onRequest({ request }) {
      if (cookie) request.headers.set('cookie', cookie)
      return request
    },
    async onResponse({ request, response, schemaPath }) {
      const [set] = response.headers.getSetCookie()
      if (set) cookie = set.split(';')[0]!
      assert.deepEqual(await wrongWith(request.method, schemaPath, response), [], `${request.method} ${schemaPath}`)
      answers++
    },
  }
  const client = createClient<paths>({ baseUrl: `${portal.base}/api` })
  client.use(middleware)
  return { ...client, answered: () => answers }
}

async function signedIn(username: string, password: string) {
  const client = openClient()
  const { data } = await client.POST('/auth/login', { body: { username, password } })
  assert.ok(data)
  return { client, me: data }
}

const isMessage = (value: unknown): value is Message => check({ $ref: '#/components/schemas/StreamMessage' }, value).length === 0

/** The messages of a stream as they arrive; throws for one that the document does not describe. */
async function* messagesOf(reader: ReadableStreamDefaultReader<string>) {
  let text = ''
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const blocks = (text + piece.value).split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s)))
      if (fields['data'] === undefined) continue
      const message: unknown = { id: fields['id'], event: fields['event'], data: JSON.parse(fields['data']) }
      assert.ok(isMessage(message), block)
      yield message
    }
  }
}

test('a generated client signs in, lists apps, orders a service, and hears of it', async () => {
  const { client: admin, me } = await signedIn('admin', ADMIN_PASSWORD)
  assert.ok(me.roles.includes('admin') && me.notificationSoundOrder === 'ding')

  const { data: stream } = await admin.GET('/events', { parseAs: 'stream' })
  // Not ended by a signal: Node forgets whose it is once the request is collected.
  const reader = stream!.pipeThrough(new TextDecoderStream()).getReader()
  const heard: Message[] = []
  const listening = (async () => {
    for await (const message of messagesOf(reader)) heard.push(message)
  })()

  const { data: app } = await admin.POST('/apps', {
    body: { slug: 'typed', nameAr: 'مكتوب', nameEn: 'Typed', iconName: 'box', route: '/typed', color: '#0af' },
  })
  const { data: apps } = await admin.GET('/apps')
  const typed = apps!.find(({ id }) => id === app!.id)!
  assert.deepEqual([typed.slug, typed.openMode, typed.openCount], ['typed', 'internal', 0])

  const { data: service } = await admin.POST('/services', { body: { nameAr: 'قهوة', nameEn: 'Coffee' } })
  const { data: order } = await admin.POST('/orders', { body: { serviceId: service!.id, notes: null } })
  assert.deepEqual([order!.status, order!.service.nameEn, order!.requester?.username], ['pending', 'Coffee', 'admin'])
  const { data: claimed } = await admin.PATCH('/orders/{id}/confirm-receipt', { params: { path: { id: order!.id } } })
  assert.equal(claimed!.assignedTo, me.id)

  await until('the order is told of', () => heard.some((one) => one.event === 'order_incoming_changed' && one.data.change === 'claimed'))
  assert.ok(heard.some((one) => one.event === 'notification_created' && one.data.notification.relatedId === order!.id))
  const statuses = heard.flatMap((one) => (one.event === 'order_updated' && one.data.order.id === order!.id ? [one.data.order.status] : []))
  assert.deepEqual(statuses, ['pending', 'received'])
  await reader.cancel()
  await listening

  const { error } = await admin.DELETE('/services/{id}', { params: { path: { id: service!.id } } })
  assert.ok(error?.code === 'has_dependents')
  assert.equal(error.orderCount, 1)
  assert.equal(admin.answered(), 8)
})

test('a generated client uploads a picture, and reads all of it and a part', async () => {
  const { client } = await signedIn('admin', ADMIN_PASSWORD)
  const picture = new Blob([Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])], { type: 'image/png' })
  const { data: place } = await client.POST('/storage/uploads/request-url', {
    body: { name: 'dot.png', size: picture.size, contentType: picture.type },
  })
  const { pathname, searchParams } = new URL(place!.uploadURL)
  const path = { uuid: pathname.split('/').at(-1)! }
  const { response } = await client.PUT('/storage/uploads/{uuid}', {
    params: { path, query: { token: searchParams.get('token')! } },
    body: picture,
    bodySerializer: (body) => body,
    headers: { 'content-type': picture.type },
  })
  assert.equal(response.status, 204)

  const whole = await client.GET('/storage/objects/uploads/{uuid}', { params: { path }, parseAs: 'blob' })
  assert.deepEqual([whole.data!.size, whole.data!.type], [picture.size, 'image/png'])
  const part = await client.GET('/storage/objects/uploads/{uuid}', { params: { path, header: { Range: 'bytes=0-3' } }, parseAs: 'blob' })
  assert.deepEqual([part.response.status, part.data!.size, part.response.headers.get('content-range')], [206, 4, 'bytes 0-3/8'])
  const outside = await client.GET('/storage/objects/uploads/{uuid}', { params: { path, header: { Range: 'bytes=8-' } } })
  assert.equal(outside.error?.code, 'range_not_satisfiable')
  assert.equal(client.answered(), 6)
})

test('a generated client learns why it is refused', async () => {
  const { error: closed } = await openClient().GET('/apps')
  assert.equal(closed?.code, 'unauthorized')
  const { client } = await signedIn('admin', ADMIN_PASSWORD)
  const { error: unknown } = await client.POST('/groups', { body: { name: 'Typed', userIds: [2147483647] } })
  assert.ok(unknown?.code === 'unknown_ids')
  assert.deepEqual(unknown.unknownIds, [2147483647])
  const { data, response } = await client.POST('/auth/logout')
  assert.deepEqual([data?.success, response.status], [true, 200])
})
