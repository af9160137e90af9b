import '../testing/outside.ts'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { afterEach, test } from 'node:test'
import { api, isReached, onForbidden } from './client.ts'
import { Refusal, Unreached } from './refusal.ts'

interface Sent {
  body: unknown
  key: string | null
}
const usual = globalThis.fetch
afterEach(() => {
  globalThis.fetch = usual
  onForbidden(async () => false)
})

/** Answers the first `times` calls with 403 and later ones with 200. Returns the calls that were sent. */
function forbid(times: number) {
  const sent: Sent[] = []
  globalThis.fetch = async (_, init) => {
    sent.push({ body: init?.body, key: new Headers(init?.headers).get('idempotency-key') })
    const json = sent.length > times ? { id: 5 } : { code: 'confirmation_required' }
    return Response.json(json, { status: sent.length > times ? 200 : 403 })
  }
  return sent
}
const order = () => api.POST('/orders', { body: { serviceId: 3, quantity: 1 } })

test('a call that is repeated after a refusal has the same body and the same idempotency key', async () => {
  const sent = forbid(2)
  onForbidden(async ({ code }) => code === 'confirmation_required')
  const { data } = await order()
  assert.deepEqual(data, { id: 5 })
  assert.equal(sent.length, 3)
  assert.ok(sent[0]!.key)
  assert.deepEqual(new Set(sent.map((one) => JSON.stringify(one))).size, 1)
})

test('a POST call has a key if the portal takes one, and no call without a session has one', async () => {
  const { paths } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
    paths: Record<string, { post?: { parameters?: { $ref?: string }[] } }>
  }
  const posts = Object.entries(paths).flatMap(([path, { post }]) => (post ? [{ path, post }] : []))
  const keyed = new Set<string>()
  for (const { path } of posts) {
    globalThis.fetch = async (_, init) => {
      if (new Headers(init?.headers).has('idempotency-key')) keyed.add(path)
      return Response.json({})
    }
    await api.POST(path as '/orders', { body: { serviceId: 3 } })
  }
  const takesKey = ({ post }: (typeof posts)[number]) => post.parameters?.some(({ $ref }) => $ref?.endsWith('/Idempotency-Key'))
  assert.deepEqual(
    posts.filter((one) => takesKey(one) && !keyed.has(one.path)),
    [],
  )
  // To begin again has no effect of its own.
  const begins = ['/auth/me/confirm/{slug}', '/auth/me/identities/{slug}/start', '/auth/me/passkeys/options']
  assert.deepEqual(
    posts.flatMap((one) => (one.path.startsWith('/auth/') && keyed.has(one.path) && !takesKey(one) ? [one.path] : [])).toSorted(),
    begins,
  )
})

test('a forbidden call that the page cannot remedy throws the refusal, and is sent once', async () => {
  const sent = forbid(1)
  await assert.rejects(order(), (thrown) => thrown instanceof Refusal && thrown.code === 'confirmation_required')
  assert.equal(sent.length, 1)
})

test('a call that is not answered in time fails as unreached, and the portal counts as out of reach', async (t) => {
  const limit = new AbortController()
  t.mock.method(AbortSignal, 'timeout', () => limit.signal)
  globalThis.fetch = (_, init) => new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
  const read = api.GET('/apps')
  limit.abort()
  await assert.rejects(read, Unreached)
  assert.equal(isReached.peek(), false)
})

test('a call has keepalive only while all bodies under way with it are within the browser’s limit in bytes', async () => {
  const kept: unknown[] = []
  const { promise: answered, resolve } = Promise.withResolvers<void>()
  globalThis.fetch = async (_, init) => {
    kept.push(init?.keepalive)
    await answered
    return Response.json({})
  }
  const save = (content: string) => api.PATCH('/notes/{id}', { params: { path: { id: 1 } }, body: { content }, keepalive: true })
  // The letter `س` has two bytes.
  const calls = ['س'.repeat(20_000), 'س'.repeat(20_000), 'س'].map(save)
  resolve()
  await Promise.all(calls)
  await save('س'.repeat(20_000))
  await save('س'.repeat(40_000))
  assert.deepEqual(kept, [true, false, true, true, false])
})

test('a call whose answer stops halfway fails as unreached', async (t) => {
  const limit = new AbortController()
  t.mock.method(AbortSignal, 'timeout', () => limit.signal)
  globalThis.fetch = async (_, init) => {
    const body = new ReadableStream({ start: (half) => init?.signal?.addEventListener('abort', () => half.error(init.signal?.reason)) })
    return new Response(body)
  }
  const read = api.GET('/apps')
  setTimeout(() => limit.abort())
  await assert.rejects(read, Unreached)
})

test('a call made again after no answer reuses its key, and each later call has a new one', async () => {
  const keys: (string | null)[] = []
  let isThere = false
  globalThis.fetch = async (_, init) => {
    keys.push(new Headers(init?.headers).get('idempotency-key'))
    if (!isThere) throw new TypeError('lost')
    return Response.json({ id: 5 })
  }
  await assert.rejects(order(), Unreached)
  isThere = true
  await order()
  await order()
  await api.POST('/orders', { body: { serviceId: 4, quantity: 1 } })
  assert.deepEqual(
    keys.map((key) => keys.indexOf(key)),
    [0, 0, 0, 3, 4],
  )
})
