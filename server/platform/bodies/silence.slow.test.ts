/** A body that falls silent is answered with 408; a body that keeps coming is waited for. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { testPortal, until, untilClosed } from '../../../test/portal.ts'
import { limitBodies } from './silence.ts'

const portal = testPortal()

/** Sends the head of a request and `part` of its body to another instance, whose clock stands still. */
async function begin({ mock }: TestContext, head: string, part = '{') {
  mock.timers.enable({ apis: ['setInterval'] })
  const other = await portal.another()
  const socket = connect(Number(new URL(other.base).port), '127.0.0.1').setEncoding('utf8')
  const begun = { socket, answer: '', closed: untilClosed(socket) }
  socket.on('data', (text) => (begun.answer += text))
  const arrived = once(other.app.server, 'request')
  socket.write(`${head}\r\nHost: portal\r\n\r\n${part}`)
  const [request] = await arrived
  const bytes = () => request.socket.bytesRead as number
  return {
    ...begun,
    tick: (seconds: number) => {
      for (let n = 0; n < seconds; n++) mock.timers.tick(1000)
    },
    /** Sends more, and waits until it has arrived. */
    send: async (more: string) => {
      const before = bytes()
      socket.write(more)
      await until('more of the body', () => bytes() > before)
    },
    status: () => until('an answer', () => Number(begun.answer.split(' ')[1])),
    text: () => begun.answer,
  }
}
const SIGN_IN = 'POST /api/auth/login HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 100'
const LOGOUT_FORM =
  'POST /api/auth/oidc/none/backchannel-logout HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100'
const CHUNKED = 'POST /api/auth/login HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked'

for (const [what, head, part] of [
  ['a body', SIGN_IN, '{"username":'],
  ['a body of which nothing comes', SIGN_IN, ''],
  ['a body in chunks', CHUNKED, '1\r\n{\r\n'],
  ['a form', LOGOUT_FORM, 'logout_token='],
] as const)
  test(`${what} that falls silent for 15 s is answered with 408, and the connection is closed`, async (context) => {
    const { tick, status, text, closed, socket } = await begin(context, head, part)
    // The server begins to wait for the body only after a moment, and the first tick may still see new bytes: the refusal may come some
    // ticks late.
    tick(14)
    assert.equal(text(), '')
    await until('an answer', () => {
      tick(1)
      return text().includes('body_too_slow')
    })
    assert.equal(await status(), 408)
    const [, headers = '', body = ''] = /^(.*?)\r\n\r\n(.*)$/s.exec(text())!
    assert.match(headers, /\r\nconnection: close/i)
    assert.match(headers, /\r\nx-request-id: /i)
    const { code, error, messageAr, messageEn } = JSON.parse(body)
    assert.deepEqual([code, error], ['body_too_slow', messageEn])
    assert.ok(messageAr)
    socket.end()
    await closed
  })

test('a body that keeps coming is waited for, however slowly it comes', async (context) => {
  const { tick, send, status, text } = await begin(context, SIGN_IN)
  for (let n = 0; n < 6; n++) {
    tick(14)
    await send(' ')
    assert.equal(text(), '')
  }
  await send(`"username":"a","password":"b"}`.padEnd(93))
  assert.equal(await status(), 401)
})

test('a body that nobody reads is not waited for, and is cut off 15 s after the answer', async (context) => {
  const { tick, send, status, closed } = await begin(context, 'POST /api/nothing HTTP/1.1\r\nContent-Length: 1000')
  assert.equal(await status(), 404)
  for (let n = 0; n < 10; n++) {
    await send(' ')
    tick(1)
  }
  tick(10)
  await closed
})

test('a body that is silent for 14 s before the answer is cut off only 15 s after the answer', (context) => {
  const { mock } = context
  mock.timers.enable({ apis: ['setInterval'] })
  const hooks: Record<string, (...given: unknown[]) => void> = {}
  const app = {
    addHook(name: string, hook: (...given: unknown[]) => void) {
      hooks[name] = hook
    },
  }
  limitBodies(app as unknown as FastifyInstance)
  const raw = {
    headers: { 'content-length': '1000' },
    socket: { bytesRead: 1 },
    readableLength: 0,
    complete: false,
    destroyed: false,
    emit: () => false,
    destroy() {
      raw.destroyed = true
    },
  }
  const answer = { raw: { headersSent: false } }
  hooks['onRequest']!({ raw }, answer, () => {})
  const pass = (seconds: number) => mock.timers.tick(seconds * 1000)
  pass(14)
  answer.raw.headersSent = true
  pass(15)
  assert.equal(raw.destroyed, false)
  pass(1)
  assert.equal(raw.destroyed, true)
})
