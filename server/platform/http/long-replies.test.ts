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
  const { sendLong: send } = longReplies(stallMs)
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

test('a list that waits is not read, and a turn lasts until its list has been read, even if the client leaves before', async () => {
  const { inLine } = longReplies()
  const app = Fastify({ forceCloseConnections: true })
  const read = Promise.withResolvers<string>()
  const counts = { begun: 0, left: 0 }
  app.get('/', (request, reply) => {
    reply.raw.once('close', () => counts.left++)
    return inLine(askedBy(1, request), reply, askAgain, () => {
      counts.begun++
      return read.promise
    })
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  closings.push(() => app.close())
  const { port } = app.server.address() as { port: number }
  const sockets = Array.from({ length: 17 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await until('sixteen are read', () => counts.begun === 16)
  for (const socket of sockets.slice(0, 8)) socket.destroy()
  await until('eight clients have left', () => counts.left === 8)
  assert.equal(counts.begun, 16)
  read.resolve('[]')
  await until('the last one is read', () => counts.begun === 17)
})
