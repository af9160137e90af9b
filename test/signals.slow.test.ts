import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readdirSync, writeSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { serversOf } from './clusters.ts'
import { freePort } from './free-port.ts'
import { PASSWORD, until } from './portal.ts'
import { portals, type Running, untilHealthy } from './process.ts'

const { makeFolder, makeUsedFolder, startPortal, startUnseen } = portals()

const start = async (settings: Record<string, string> = {}) => {
  const DATA_DIR = await makeUsedFolder()
  return { DATA_DIR, ...(await startPortal({ DATA_DIR, ...settings })) }
}

/** Asserts a clean end: exit code 0, which a stop cut short after 9 s would not have, and no process left. */
async function assertCleanEnd(portal: Running & { DATA_DIR: string }, stop = portal.stop()) {
  const { code, signal } = await stop
  assert.deepEqual([code, signal], [0, null])
  assert.deepEqual(serversOf(portal.DATA_DIR), [])
}

/** Signs in many times at once, which takes long enough for a signal to arrive meanwhile. */
const signInOften = ({ base }: Running, count = 10) =>
  Array.from({ length: count }, () =>
    fetch(`${base}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password: PASSWORD }),
    }).then(async (response) => ({ status: response.status, connection: response.headers.get('connection'), body: await response.json() })),
  )

for (const [signal, again] of [
  ['SIGTERM', []],
  ['SIGHUP', []],
  // npm forwards signals in this way to a process that the terminal has already signalled.
  ['SIGINT', ['SIGINT', 'SIGTERM']],
] as const)
  test(`${[signal, ...again].join(', then ')} during many sign-ins: all are answered, and their connections close`, async () => {
    const portal = await start()
    const logins = signInOften(portal)
    await Promise.race(logins)
    const stop = portal.stop(signal)
    for (const next of again) portal.child.kill(next)
    const answers = await Promise.all(logins)
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    assert.ok(answers.some(({ connection }) => connection === 'close'))
    await assertCleanEnd(portal, stop)
  })

/** Sends `bytes` and waits until they are sent; never reads the answer. */
async function openSocket({ port }: Running, bytes: string) {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  if (bytes) await new Promise((done) => socket.write(bytes, done))
  return socket
}

const halfRequest = 'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'
test('half a request, idle connections and open streams do not delay a stop, and streams end with the time to reconnect', async () => {
  const portal = await start()
  const sockets = await Promise.all([halfRequest, 'GET /api/healthz HTT', ''].map((bytes) => openSocket(portal, bytes)))
  const agent = new Agent({ keepAlive: true, keepAliveMsecs: 60_000 })
  const [response] = await once(get(`${portal.base}/api/healthz`, { agent }), 'response')
  response.resume()
  await once(response, 'end')
  const { cookie } = await portal.stranger().signIn('admin')
  const stream = await fetch(`${portal.base}/api/events`, { headers: { cookie } })
  assert.equal(stream.status, 200)
  const words = stream.text()
  await assertCleanEnd(portal)
  assert.match(await words, /\n\nretry: 1000\n\n$/)
  for (const socket of sockets) socket.destroy()
  agent.destroy()
})

test('a signal during the start cleans up after it', async () => {
  const DATA_DIR = join(makeFolder(), 'data')
  const portal = startUnseen({ DATA_DIR, PORT: String(await freePort()) }, 'pipe')
  await until('the database is being made', () => existsSync(DATA_DIR))
  const { code } = await portal.stop()
  assert.deepEqual([code, serversOf(DATA_DIR)], [0, []])
  assert.deepEqual(
    readdirSync(DATA_DIR).filter((name) => name.startsWith('postgres.new-')),
    [],
  )
  assert.doesNotMatch(portal.printed.out, /ready/)
})

test('npm forwards the signal, and the portal that it started ends with it', async () => {
  const DATA_DIR = await makeUsedFolder()
  const portal = await startPortal({ DATA_DIR }, ['npm', 'start'])
  portal.child.kill('SIGTERM')
  await portal.ended
  await until('the portal is gone', () =>
    fetch(portal.base).then(
      () => false,
      () => true,
    ),
  )
  await until('its database is gone', () => serversOf(DATA_DIR).length === 0)
})

/** Enough requests to fill a pipe with log lines. */
const askOften = async (base: string) => {
  for (let round = 0; round < 60; round++) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`${base}/api/healthz`)))
    assert.ok(answers.every(({ status }) => status === 200))
  }
}

test('when the reader of its output ends, the portal keeps serving and stops cleanly', async () => {
  const portal = await start({ LOG_LEVEL: 'trace' })
  portal.child.stdout!.destroy()
  await askOften(portal.base)
  await assertCleanEnd(portal)
})

/** A pipe that nobody reads. */
function makePipe() {
  const path = join(makeFolder(), 'pipe')
  execFileSync('mkfifo', [path])
  return openSync(path, 'r+')
}

for (const [when, fillFirst] of [
  ['from the start', true],
  ['later', false],
] as const)
  test(`with its unread output full ${when}, the portal keeps serving and stops cleanly`, async () => {
    const pipe = makePipe()
    if (fillFirst) writeSync(pipe, 'x'.repeat(64 * 1024))
    const DATA_DIR = await makeUsedFolder()
    const portal = startUnseen({ DATA_DIR, LOG_LEVEL: 'trace', PORT: String(await freePort()) }, pipe)
    await untilHealthy(portal.base)
    await askOften(portal.base)
    await assertCleanEnd({ DATA_DIR, ...portal })
    closeSync(pipe)
  })
