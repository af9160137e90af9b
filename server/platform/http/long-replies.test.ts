/** Limits of long replies: a queue for each person, and a deadline for clients that read nothing. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import Fastify, { type FastifyRequest } from 'fastify'
import { until } from '../../../test/client.ts'
import { longReplies } from './long-replies.ts'

const closings: (() => Promise<unknown>)[] = []
after(async () => {
  for (const close of closings) await close()
})

const askAgain = async () => {}
const PIECE = 'x'.repeat(1024 * 1024)
/** Yields more than the system's buffers between two sockets hold. */
async function* endless(onEnd: () => void) {
  try {
    for (;;) yield PIECE
  } finally {
    onEnd()
  }
}

const askedBy = (id: number, request: FastifyRequest): FastifyRequest =>
  Object.assign(Object.create(request), { caller: { actor: { id } } })

/** A server that takes a request for `/1` as that of the person with the id 1. */
async function serving(stallMs?: number) {
  const counts = { begun: 0, ended: 0 }
  const send = longReplies(stallMs)
  const app = Fastify({ forceCloseConnections: true })
  app.get('/:id', (request, reply) => {
    async function* pieces() {
      counts.begun++
      yield* endless(() => counts.ended++)
    }
    return send(askedBy(Number((request.params as { id: string }).id), request), reply, { pieces: pieces(), headers: {}, askAgain })
  })
  app.get('/failing', (request, reply) => {
    async function* pieces() {
      yield await Promise.reject<string>(new Error('no'))
    }
    return send(askedBy(9, request), reply, { pieces: pieces(), headers: { 'content-disposition': 'attachment' }, askAgain })
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  closings.push(() => app.close())
  const { port } = app.server.address() as { port: number }
  /** A client that sends a request, and reads nothing of the answer. */
  const ask = async (id: number): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {}).pause()
    await once(socket, 'connect')
    socket.write(`GET /${id} HTTP/1.1\r\nHost: x\r\n\r\n`)
    return socket
  }
  return { counts, ask, app }
}

test('one person has sixteen long replies at once; the next begins when one ends, and other people do not wait', async () => {
  const { counts, ask } = await serving()
  const sockets = await Promise.all(Array.from({ length: 17 }, () => ask(1)))
  await until('sixteen are under way', () => counts.begun === 16)
  await ask(2)
  await until('someone else’s begins', () => counts.begun === 17)
  sockets[0]!.destroy()
  await until('the last one begins', () => counts.begun === 18)
  assert.equal(counts.ended, 1)
})

test('a client that disconnects while waiting leaves the queue', async () => {
  const { counts, ask } = await serving()
  const sockets = await Promise.all(Array.from({ length: 16 }, () => ask(1)))
  await until('sixteen are under way', () => counts.begun === 16)
  const waiting = await ask(1)
  waiting.destroy()
  for (const socket of sockets) socket.destroy()
  await until('none is under way', () => counts.ended === counts.begun)
  await Promise.all(Array.from({ length: 16 }, () => ask(1)))
  await until('sixteen more are under way', () => counts.begun - counts.ended === 16)
})

test('a client that reads nothing is disconnected, and its source is closed', async () => {
  const { counts, ask } = await serving(50)
  const socket = await ask(1)
  await until('it is left', () => counts.ended === 1)
  socket.destroy()
})

test('a reply whose first piece fails is refused, without the headers of the reply', async () => {
  const { app } = await serving()
  const { statusCode, headers } = await app.inject('/failing')
  assert.equal(statusCode, 500)
  assert.equal(headers['content-disposition'], undefined)
})
