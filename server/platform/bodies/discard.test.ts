import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { afterEach, test } from 'node:test'
import { setImmediate as nextRound } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { discardRests } from './discard.ts'

type OnSend = (request: { raw: Readable }, reply: null, payload: string, done: () => void) => void

/** Answers requests with these bodies. */
function answerAll(bodies: Readable[]) {
  const app = {
    addHook: (_name: string, hook: OnSend) => {
      for (const raw of bodies) hook({ raw }, null, '', () => {})
    },
  }
  discardRests(app as unknown as FastifyInstance)
}
const open = new Set<Readable>()
afterEach(() => {
  for (const body of open) body.destroy()
})

/** A body that is never complete, and the number of its pieces that were taken. */
function endless() {
  const body = Object.assign(new Readable({ highWaterMark: 1, read: () => void setImmediate(() => body.push('x')) }), {
    complete: false,
    taken: 0,
    socket: { destroyed: false },
  })
  const { read } = body
  body.read = (size?: number) => {
    const piece = read.call(body, size)
    if (piece !== null) body.taken++
    return piece
  }
  open.add(body)
  return body
}

test('bodies that nobody reads are discarded one piece in each round of the event loop, in rotation', async () => {
  const bodies = [endless(), endless(), endless()]
  answerAll(bodies)
  const taken = () => bodies.map((body) => body.taken)
  const sum = () => taken().reduce((all, count) => all + count)
  await nextRound()
  for (let round = 0; round < 30; round++) {
    const before = sum()
    await nextRound()
    assert.ok(sum() - before <= 1)
  }
  const [least, most] = [Math.min(...taken()), Math.max(...taken())]
  assert.ok(least >= 9 && most - least <= 2, String(taken()))
})

test('a complete body is left to Node', async () => {
  const body = Object.assign(endless(), { complete: true })
  answerAll([body])
  await nextRound()
  assert.equal(body.taken, 0)
})

test('only bodies that are still arriving take turns', async () => {
  const bodies = Array.from({ length: 100 }, endless)
  answerAll(bodies)
  await nextRound()
  const [last, ...others] = bodies as [(typeof bodies)[number], ...typeof bodies]
  for (const [n, body] of others.entries()) {
    if (n % 2) body.complete = true
    else body.socket.destroyed = true
  }
  const before = last.taken
  for (let round = 0; round < 20; round++) await nextRound()
  assert.ok(last.taken - before >= 9, String(last.taken - before))
})
