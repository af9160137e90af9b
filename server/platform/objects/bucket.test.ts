import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { Refusal } from '../errors/refusal.ts'
import { openBucket } from './bucket.ts'

const asked: string[] = []
let answer: (request: IncomingMessage) => { status: number; body?: string }
/** A fake S3-compatible store with the answers that the test sets. */
const store = createServer(async (request, response) => {
  asked.push(`${request.method} ${request.url}`)
  request.resume()
  await once(request, 'end')
  const { status, body = '' } = answer(request)
  response.writeHead(status, { 'content-length': Buffer.byteLength(body) }).end(body)
})
await once(store.listen(0, '127.0.0.1'), 'listening')
const { port } = store.address() as AddressInfo
const bucket = openBucket({
  endpoint: `http://127.0.0.1:${port}`,
  bucket: 'portal',
  region: 'us-east-1',
  accessKeyId: 'x',
  secretAccessKey: 'x',
})
after(async () => {
  await bucket.close()
  store.close()
})
async function* bytes() {
  yield Buffer.from('hello')
}
const span = { start: 0, end: 1 }

test('while the store fails, all calls are refused as `unavailable`, and an object that may have arrived is removed', async () => {
  answer = () => ({ status: 503 })
  const isUnavailable = (error: unknown) => error instanceof Refusal && error.code === 'unavailable' && error.extras.retryAfter === 5
  await assert.rejects(bucket.read('a', span), isUnavailable)
  await assert.rejects(bucket.remove('a'), isUnavailable)
  await assert.rejects(Array.fromAsync(bucket.listBefore(new Date())), isUnavailable)
  asked.length = 0
  await assert.rejects(bucket.put(bytes(), 5), isUnavailable)
  const [put, removed] = asked
  assert.equal(removed, put!.replace('PUT', 'DELETE'))
})

test('a store that cannot be reached is unavailable', async () => {
  const nowhere = openBucket({ endpoint: 'http://127.0.0.1:1', bucket: 'x', region: 'x', accessKeyId: 'x', secretAccessKey: 'x' })
  await assert.rejects(nowhere.read('a', span), { code: 'unavailable', extras: { retryAfter: 5 } })
  await nowhere.close()
})

test('a store that rejects the portal’s key is an error for the operator', async () => {
  answer = () => ({ status: 403 })
  await assert.rejects(bucket.read('a', span), { message: 'the object store answers GET with 403' })
})

test('reading a missing object is refused, and removing it does nothing', async () => {
  answer = () => ({ status: 404 })
  await assert.rejects(bucket.read('a', span), { code: 'not_found' })
  await bucket.remove('a')
})

test('a store that answers with more than the part asked for is an error for the operator; the whole object may be the part', async () => {
  answer = () => ({ status: 200, body: 'hello' })
  for (const part of [
    { start: 0, end: 1 },
    { start: 1, end: 5 },
  ])
    await assert.rejects(bucket.read('a', part), { message: 'the object store answers the request for a part with the whole object' })
  assert.deepEqual(Buffer.concat(await (await bucket.read('a', { start: 0, end: 4 })).toArray()).toString(), 'hello')
  answer = () => ({ status: 206, body: 'he' })
  assert.deepEqual(Buffer.concat(await (await bucket.read('a', span)).toArray()).toString(), 'he')
})

test('keys are listed page by page, only those last written before a time', async () => {
  const old = '2026-01-01T00:00:00.000Z'
  const young = '2026-03-01T00:00:00.000Z'
  const entry = (key: string, at: string) => `<Contents><Key>uploads/${key}</Key><LastModified>${at}</LastModified></Contents>`
  const pages: Record<string, string> = {
    'uploads/': entry('a', old) + entry('b', young),
    'uploads/b': entry('c', young),
    'uploads/c': entry('d', old),
  }
  answer = ({ url }) => ({ status: 200, body: `<List>${pages[new URL(url!, 'http://x').searchParams.get('start-after')!] ?? ''}</List>` })
  assert.deepEqual(await Array.fromAsync(bucket.listBefore(new Date('2026-02-01'))), [['a'], ['d']])
})
