import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fieldError } from '../field-errors.ts'
import { Refusal } from '../refusal.ts'
import { answerBrokenRequests, replyWithError } from './refusal-reply.ts'

/** What goes out for an error, and what is logged of it. */
function answerTo(error: unknown) {
  const sent = { status: 0, type: '', headers: {} as Record<string, unknown>, body: {} as Record<string, unknown>, logged: [] as string[] }
  const reply = {
    header: (name: string, value: unknown) => {
      sent.headers[name] = value
    },
    code: (status: number) => {
      sent.status = status
      return reply
    },
    type: (type: string) => {
      sent.type = type
      return reply
    },
    send: (text: string) => {
      sent.body = JSON.parse(text)
      return reply
    },
  }
  const log = { error: () => sent.logged.push('error'), warn: () => sent.logged.push('warn') }
  replyWithError(error as Error, { id: 'r1', log } as unknown as FastifyRequest, reply as unknown as FastifyReply)
  return sent
}
const failure = (fields: object) => Object.assign(new Error('secret'), fields)

const cases: [what: string, error: unknown, status: number, code: string, retryAfter: number | undefined, logged: string[]][] = [
  ['a refusal is itself', new Refusal('not_found'), 404, 'not_found', undefined, []],
  ['one that says when to come back is passed on', new Refusal('rate_limited', { retryAfter: 30 }), 429, 'rate_limited', 30, []],
  ['another address', failure({ code: 'FST_ERR_NOT_FOUND', statusCode: 404 }), 404, 'route_not_found', undefined, []],
  ['a database that is away', failure({ code: 'ECONNREFUSED' }), 503, 'unavailable', 1, ['warn']],
  ['what the framework refuses else', failure({ code: 'FST_OTHER', statusCode: 400 }), 400, 'validation_failed', undefined, []],
  ['what fails in the framework', failure({ code: 'FST_OTHER', statusCode: 500 }), 500, 'internal', undefined, ['error']],
  ['what fails in the framework without a status', failure({ code: 'FST_OTHER' }), 500, 'internal', undefined, ['error']],
  ['what nobody foresaw', failure({ statusCode: 400 }), 500, 'internal', undefined, ['error']],
  ['another code', failure({ code: 'XFST_OTHER', statusCode: 400 }), 500, 'internal', undefined, ['error']],
]
for (const [what, error, status, code, retryAfter, logged] of cases)
  test(`${what}: ${status} ${code}`, () => {
    const sent = answerTo(error)
    assert.deepEqual([sent.status, sent.body['code'], sent.headers['retry-after'], sent.logged], [status, code, retryAfter, logged])
    assert.deepEqual([sent.headers['x-request-id'], sent.type], ['r1', 'application/json; charset=utf-8'])
    assert.equal(sent.body['requestId'], code === 'internal' ? 'r1' : undefined)
    assert.ok(!JSON.stringify(sent.body).includes('secret'))
  })

test('a field that names an object which is gone is named as the wire names it', () => {
  const { body } = answerTo(failure({ code: 'BW002', column: 'avatar_image_url' }))
  assert.deepEqual(body['details'], [fieldError('avatarImageUrl', 'exists')])
  assert.deepEqual(answerTo(failure({ code: 'BW002' })).body['details'], [fieldError('', 'exists')])
})

function saidTo(error: object, writable = true) {
  let said = ''
  const end = (text: string) => {
    said = text
  }
  const socket = { writable, end }
  answerBrokenRequests({ 'cache-control': 'no-store' })(
    failure(error),
    socket as unknown as Parameters<ReturnType<typeof answerBrokenRequests>>[1],
  )
  return said
}
test('bytes that are not HTTP get an answer of the usual shape; a socket that is gone gets none', () => {
  const said = saidTo({ code: 'HPE_INVALID_METHOD' })
  const [head, body] = said.split('\r\n\r\n') as [string, string]
  assert.match(head, /^HTTP\/1\.1 400 Bad Request\r\ncache-control: no-store\r\n/)
  assert.match(head, /\r\nx-request-id: [\w-]{36}\r\nconnection: close$/)
  assert.match(head, new RegExp(`\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`))
  assert.equal(JSON.parse(body).code, 'validation_failed')
  assert.match(saidTo({ code: 'HPE_HEADER_OVERFLOW' }), /^HTTP\/1\.1 431 /)
  assert.equal(saidTo({ code: 'ECONNRESET' }), '')
  assert.equal(saidTo({ code: 'HPE_INVALID_METHOD' }, false), '')
})
