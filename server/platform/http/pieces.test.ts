/** The pieces in which long answers are sent, and when the rights of their reader are checked again. */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { Actor } from '../auth/actor.ts'
import { newToken } from '../auth/tokens.ts'
import type { Portal } from './call.ts'
import type { Endpoint } from './endpoint.ts'
import { endLate, inPieces, piecesOf } from './pieces.ts'

const closings: (() => Promise<unknown>)[] = []
after(async () => {
  for (const close of closings) await close()
})

const KIB = 1024
async function* chunks(...sizes: number[]) {
  for (const size of sizes) yield 'ا'.repeat(size / 2)
}

test('pieces have 256 KiB at most, are passed on at once, and together contain all bytes', async () => {
  const sizes: number[] = []
  for await (const piece of piecesOf(chunks(2, 700 * KIB, 200 * KIB, 0, 122 * KIB + 2))) sizes.push(piece.length / KIB)
  assert.deepEqual(sizes, [2 / KIB, 256, 256, 188, 200, 122 + 2 / KIB])
})

/** A server that answers with `size` bytes; `asked` counts how often the rights of the reader were checked again. */
async function serving(size: number) {
  let asked = 0
  const access = { roles: [], permissions: new Set<string>(), groups: [], groupIds: new Set<number>() }
  const actor = new Actor({ id: 1, kind: 'person', username: 'huda', language: 'ar', access, version: 1, epoch: 1, edition: 1 })
  const sessions = {
    authenticate: async () => {
      asked++
      return { actor, session: { id: 1, userId: 1 } }
    },
  }
  const enter = (_endpoint: Endpoint, caller: unknown) => caller
  const portal = { sessions, enter, config: { secureCookies: false } } as unknown as Portal
  const app = Fastify({ forceCloseConnections: true })
  app.get('/', { onSend: inPieces(portal, { allow: 'signed-in' } as Endpoint) }, (_request, reply) => reply.send(Buffer.alloc(size, 'x')))
  const base = await app.listen({ port: 0, host: '127.0.0.1' })
  closings.push(() => app.close())
  return { base, asked: () => asked }
}

for (const [size, times] of [
  [10, 0],
  [256 * KIB, 0],
  [256 * KIB + 1, 1],
  [KIB * KIB, 3],
] as const)
  test(`for an answer of ${size} bytes, rights are checked again ${times} times, and the header has its length`, async () => {
    const { base, asked } = await serving(size)
    const answer = await fetch(base, { headers: { cookie: `portal_session=${newToken()}` } })
    assert.equal(answer.headers.get('content-length'), String(size))
    assert.equal((await answer.arrayBuffer()).byteLength, size)
    assert.equal(asked(), times)
  })

test('an answer that does not end is cut off', async () => {
  async function* endless() {
    for (;;) yield Buffer.alloc(KIB)
  }
  const app = Fastify({ forceCloseConnections: true })
  endLate(app, 50)
  app.get('/', (_request, reply) => reply.send(Readable.from(endless(), { objectMode: false })))
  closings.push(() => app.close())
  const answer = await fetch(await app.listen({ port: 0, host: '127.0.0.1' }))
  await assert.rejects(answer.arrayBuffer())
})
