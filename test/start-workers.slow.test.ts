import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:http'
import { test } from 'node:test'
import { serversOf } from './clusters.ts'
import { PASSWORD, until } from './portal.ts'
import { portals, type Running, untilHealthy } from './process.ts'

const { makeFolder, makeMigratedDatabase, makeUsedFolder, startPortal } = portals()

const workers = { WORKERS: '2', LOG_LEVEL: 'debug', METRICS_PORT: '0' }
const settings = async () => ({ DATA_DIR: await makeUsedFolder(), ...workers })

/** The process ids of the workers that have logged that they listen. */
const workersOf = (portal: Running) => [
  ...new Set(
    portal
      .logged()
      .filter(({ msg }) => /^listening/.test(String(msg)))
      .map(({ worker }) => worker as number),
  ),
]
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Sends a request on a new connection. */
async function askAnew({ base }: Running) {
  const [response] = await once(get(`${base}/api/auth/me`, { agent: false }), 'response')
  response.resume()
  assert.equal(response.statusCode, 401)
}

const untilAllAnswer = (portal: Running, workers: number[]) =>
  until('each has answered', async () => {
    await askAnew(portal)
    const answering = new Set(
      portal
        .logged()
        .filter(({ route }) => route === '/api/auth/me')
        .map(({ worker }) => worker),
    )
    return workers.every((worker) => answering.has(worker))
  })

test('two workers share the port; a killed one is replaced; a stop ends them all', async () => {
  const env = await settings()
  const portal = await startPortal(env)
  const first = await until('both have logged that they listen', () => (workersOf(portal).length === 2 ? workersOf(portal) : null))
  await untilAllAnswer(portal, first)
  const { cookie } = await portal.stranger().signIn('admin')

  process.kill(first[0]!, 'SIGKILL')
  const [, , third] = await until('another one listens', () => (workersOf(portal).length === 3 ? workersOf(portal) : null))
  await untilAllAnswer(portal, [first[1]!, third!])
  assert.equal((await Object.assign(portal.stranger(), { cookie }).get('/auth/me')).status, 200)

  const { code } = await portal.stop()
  assert.equal(code, 0)
  assert.deepEqual([workersOf(portal).filter(isAlive), serversOf(env.DATA_DIR)], [[], []])
})

test('a stop finishes the workers’ requests, also when the terminal signals all processes at once', async () => {
  const env = await settings()
  const portal = await startPortal(env)
  const logins = Array.from({ length: 20 }, () => portal.stranger().signIn('admin'))
  await Promise.race(logins)
  for (const worker of workersOf(portal)) process.kill(worker, 'SIGINT')
  const stop = portal.stop('SIGINT')
  await Promise.all(logins)
  assert.equal((await stop).code, 0)
  assert.deepEqual(serversOf(env.DATA_DIR), [])
})

test('an event written at one worker reaches a stream at another, and metrics carry the number of their worker', async () => {
  const database = await makeMigratedDatabase()
  const portal = await startPortal({ ...workers, DATABASE_URL: database.url, DATA_DIR: makeFolder(), ADMIN_PASSWORD: PASSWORD })
  const admin = await portal.stranger().signIn('admin')
  const streams = await Promise.all(Array.from({ length: 6 }, () => admin.listen()))
  await portal.stranger().post('/auth/forgot-password', { identifier: 'admin' })
  for (const stream of streams) await stream.next('notification_created')
  const { port } = await until('the port is known', () => portal.logged().find(({ msg }) => /metrics/.test(String(msg))))
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const open = [...text.matchAll(/^event_streams\{worker="([12])"\} (\d+)$/gm)]
  assert.deepEqual(open.map(([, worker]) => worker).toSorted(), ['1', '2'])
  assert.equal(
    open.reduce((sum, [, , count]) => sum + Number(count), 0),
    6,
  )
  for (const stream of streams) stream.close()
})

test('when the main process is killed, its workers end, and the next start works', async () => {
  const env = await settings()
  const portal = await startPortal(env)
  await portal.stop('SIGKILL')
  await until('the workers are gone', () => !workersOf(portal).some(isAlive))
  const again = await startPortal({ ...env, WORKERS: '1' })
  await untilHealthy(again.base)
  await again.stranger().signIn('admin')
})
