import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, Socket } from 'node:net'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import Fastify, { type FastifyInstance } from 'fastify'
import { drainOnClose } from './draining.ts'

async function listening(app: FastifyInstance) {
  app.get('/', async () => 'here')
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}
const draining = () => {
  const app = Fastify({ return503OnClosing: false })
  drainOnClose(app)
  return app
}

const CLIENTS = 50
/** Connects and sends requests while the main thread is blocked; posts all answers to it. */
const clients = `
  const { workerData: { port, count, connected }, parentPort } = require('node:worker_threads')
  const { connect } = require('node:net')
  const answers = Array.from({ length: count }, () => new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n', () => {
      if (Atomics.add(connected, 0, 1) === count - 1) Atomics.notify(connected, 0)
    }))
    let received = ''
    socket.setEncoding('utf8').on('data', (text) => (received += text)).on('error', (error) => (received += error.code))
    socket.on('close', () => resolve(received))
  }))
  Promise.all(answers).then((all) => parentPort.postMessage(all))`

test('clients that connected before the stop get an answer and `connection: close`, even those not accepted yet', async () => {
  const app = draining()
  const port = await listening(app)
  const connected = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(clients, { eval: true, workerData: { port, count: CLIENTS, connected } })
  await once(worker, 'online')
  for (let seen = 0; seen < CLIENTS; seen = Atomics.load(connected, 0)) Atomics.wait(connected, 0, seen)
  const [[answers]] = (await Promise.all([once(worker, 'message'), app.close()])) as [[string[]], undefined]
  assert.deepEqual(
    answers.filter((answer) => !/^HTTP\/1\.1 200 OK\r\n(.*\r\n)*connection: close\r\n(.*\r\n)*\r\nhere$/i.test(answer)),
    [],
  )
})

test('clients that keep connecting do not hold up the stop', async () => {
  const app = Fastify()
  // Connections are counted, and never served.
  app.server.removeAllListeners('connection')
  drainOnClose(app)
  await listening(app)
  const giveUp = performance.now() + 20_000
  let [isClosed, isOver] = [false, false]
  const connectOn = () => {
    app.server.emit('connection', new Socket())
    isOver = performance.now() > giveUp
    if (!isClosed && !isOver) setImmediate(connectOn)
  }
  connectOn()
  await app.close()
  isClosed = true
  assert.equal(isOver, false)
})

test('a closed server leaves nothing that keeps the process alive', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
  const before = timers()
  const app = draining()
  await listening(app)
  await app.close()
  assert.equal(timers(), before)
})
