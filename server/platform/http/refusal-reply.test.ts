import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import pino from 'pino'
import { fieldError } from '../errors/field-errors.ts'
import { Refusal } from '../errors/refusal.ts'
import { sendFile } from '../objects/files.ts'
import type { Objects } from '../objects/store.ts'
import { answerBrokenRequests, replyWithError } from './refusal-reply.ts'

const failure = (fields: object) => Object.assign(new Error('secret'), fields)

/** The reply to a request that fails with an error, and the levels at which it is logged. */
async function replyTo(error: Error) {
  const levels: string[] = []
  const formatters = { level: (label: string) => ({ level: label }) }
  const log = pino({ level: 'warn', formatters }, { write: (line: string) => void levels.push(JSON.parse(line).level) })
  const app = Fastify({ loggerInstance: log, genReqId: () => 'r1' })
  app.setErrorHandler((thrown: Error, request, reply) => replyWithError(thrown, request, reply))
  app.get('/', () => Promise.reject(error))
  const { statusCode: status, headers, body } = await app.inject('/')
  return { status, headers, body: JSON.parse(body), levels }
}

const framework = (code: string, statusCode?: number) => failure({ code: `FST_${code}`, statusCode })
const cases: [what: string, error: Error, status: number, code: string, retryAfter?: string, levels?: string[]][] = [
  ['a refusal', new Refusal('not_found'), 404, 'not_found'],
  ['a refusal that says when to retry', new Refusal('rate_limited', { retryAfter: 30 }), 429, 'rate_limited', '30'],
  ['an unknown address', framework('ERR_NOT_FOUND', 404), 404, 'route_not_found'],
  ['an unreachable database', failure({ code: 'ECONNREFUSED' }), 503, 'unavailable', '1', ['warn']],
  ['another refusal of the framework', framework('OTHER', 400), 400, 'validation_failed'],
  ['a failure of the framework', framework('OTHER', 500), 500, 'internal', undefined, ['error']],
  ['a failure of the framework without a status', framework('OTHER'), 500, 'internal', undefined, ['error']],
  ['an unforeseen error', failure({ statusCode: 400 }), 500, 'internal', undefined, ['error']],
  ['an error with a code of another library', failure({ code: 'XFST_OTHER', statusCode: 400 }), 500, 'internal', undefined, ['error']],
]
for (const [what, error, status, code, retryAfter, levels = []] of cases)
  test(`${what} is answered with ${status} ${code}`, async () => {
    const reply = await replyTo(error)
    assert.deepEqual([reply.status, reply.body.code, reply.headers['retry-after'], reply.levels], [status, code, retryAfter, levels])
    assert.deepEqual([reply.headers['x-request-id'], reply.headers['content-type']], ['r1', 'application/json; charset=utf-8'])
    assert.equal(reply.body.requestId, code === 'internal' ? 'r1' : undefined)
    assert.doesNotMatch(JSON.stringify(reply.body), /secret/)
  })

test('a range beyond the end reveals the size of a file, but not to a caller who may no longer read it', async () => {
  const file = { key: 'k', etag: 'e', name: 'n', size: 10, contentType: 'text/plain', storedAt: new Date(0) }
  const contentRange = async (replaced?: Refusal) => {
    const app = Fastify()
    app.setErrorHandler((thrown: Error, request, reply) => replyWithError(replaced ?? thrown, request, reply))
    app.get('/', (request, reply) => sendFile({} as Objects, request, reply, file))
    return (await app.inject({ url: '/', headers: { range: 'bytes=10-' } })).headers['content-range']
  }
  assert.deepEqual([await contentRange(), await contentRange(new Refusal('unauthorized'))], ['bytes */10', undefined])
})

test('the error of a field that refers to a missing object has the name of the field in the request', async () => {
  const detailsOf = async (fields: object) => (await replyTo(failure(fields))).body.details
  assert.deepEqual(await detailsOf({ code: 'BW002', column: 'avatar_image_url' }), [fieldError('avatarImageUrl', 'exists')])
  assert.deepEqual(await detailsOf({ code: 'BW002' }), [fieldError('', 'exists')])
})

/** The text written to the socket after a request that is not valid HTTP. */
function writtenFor(code: string, writable = true) {
  const written: string[] = []
  const socket = { writable, end: (text: string) => written.push(text) }
  const answer = answerBrokenRequests({ 'cache-control': 'no-store' })
  answer(failure({ code }), socket as unknown as Parameters<typeof answer>[1])
  return written.join('')
}

test('a request that is not valid HTTP gets a reply of the usual shape', () => {
  const [head, body] = writtenFor('HPE_INVALID_METHOD').split('\r\n\r\n') as [string, string]
  assert.match(head, /^HTTP\/1\.1 400 Bad Request\r\ncache-control: no-store\r\n/)
  assert.match(head, /\r\nx-request-id: [\w-]{36}\r\nconnection: close$/)
  assert.match(head, new RegExp(`\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`))
  assert.equal(JSON.parse(body).code, 'validation_failed')
})

test('headers that are too large are refused with 431', () => {
  assert.match(writtenFor('HPE_HEADER_OVERFLOW'), /^HTTP\/1\.1 431 /)
})

test('nothing is written to a closed socket', () => {
  assert.deepEqual([writtenFor('ECONNRESET'), writtenFor('HPE_INVALID_METHOD', false)], ['', ''])
})
