import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPostmaster, serversOf } from './clusters.ts'
import { type Client, PASSWORD, until } from './portal.ts'
import { portals, type Running, untilHealthy } from './process.ts'

const { makeUsedFolder, startPortal } = portals()

const settings = async () => ({ DATA_DIR: await makeUsedFolder() })

/** Requests with and without a session, reading and writing. */
const kinds: ((client: Client) => ReturnType<Client['get']>)[] = [
  (client) => client.get('/healthz'),
  (client) => client.get('/auth/me'),
  (client) => client.get('/users'),
  (client) => client.patch('/auth/me/language', { language: 'en' }),
  // Signs in without the session, because signing in with a session would end it.
  (client) => Object.assign(client, { cookie: '' }).post('/auth/login', { username: 'admin', password: PASSWORD }),
  (client) => client.post('/auth/forgot-password', { identifier: 'nobody' }),
  (client) => client.post('/auth/reset-password/verify', { token: 'x'.repeat(43) }),
]

/** Sends all requests repeatedly until `isOver`; returns the refusals. */
function askOn(portal: Running, cookie: string, isOver: () => boolean) {
  const refused: { status: number; code: string; retryAfter: string | null }[] = []
  const asking = Promise.all(
    kinds.map(async (ask) => {
      while (!isOver()) {
        const client = Object.assign(portal.stranger(), { cookie })
        const { status, body, headers } = await ask(client)
        if (status >= 300) refused.push({ status, code: body.code, retryAfter: headers.get('retry-after') })
      }
    }),
  )
  return { refused, asking }
}

const unavailable = { status: 503, code: 'unavailable', retryAfter: '1' }

test('while the database is down, every request is refused as unavailable; once it restarts, the portal recovers by itself', async () => {
  const env = await settings()
  const portal = await startPortal(env)
  const { cookie } = await portal.stranger().signIn('admin')
  let isOver = false
  const { refused, asking } = askOn(portal, cookie, () => isOver)
  process.kill(readPostmaster(env.DATA_DIR), 'SIGKILL')
  await until('something is refused', () => refused.length)
  await untilHealthy(portal.base)
  isOver = true
  await asking
  for (const refusal of refused) assert.deepEqual(refusal, unavailable)
  assert.equal((await Object.assign(portal.stranger(), { cookie }).get('/auth/me')).status, 200)
})

test('while the database hangs, every request is refused, health checks included; afterwards the portal continues', async () => {
  const env = await settings()
  const portal = await startPortal(env)
  const client = await portal.stranger().signIn('admin')
  const stream = await client.listen()
  const stopped = serversOf(env.DATA_DIR)
  for (const pid of stopped) process.kill(pid, 'SIGSTOP')
  let rounds = 0
  const { refused, asking } = askOn(portal, client.cookie, () => ++rounds > 2 * kinds.length)
  await asking
  const health = await portal.stranger().get('/healthz')
  for (const pid of stopped) process.kill(pid, 'SIGCONT')

  assert.equal(refused.length, 2 * kinds.length)
  for (const refusal of refused) assert.deepEqual(refusal, unavailable)
  assert.deepEqual([health.status, health.headers.get('retry-after')], [503, '1'])
  assert.deepEqual([health.body.status, health.body.code, typeof health.body.messageAr], ['unavailable', 'unavailable', 'string'])
  await untilHealthy(portal.base)
  assert.equal((await client.get('/auth/me')).status, 200)
  assert.ok(stream.isOpen)
  stream.close()
})

test('a stop does not wait for a hanging database, and the next start finds everything in order', async () => {
  const env = await settings()
  const portal = await startPortal(env)
  const stopped = serversOf(env.DATA_DIR)
  for (const pid of stopped) process.kill(pid, 'SIGSTOP')
  await portal.stop()
  for (const pid of serversOf(env.DATA_DIR)) process.kill(pid, 'SIGCONT')
  const again = await startPortal(env)
  await again.stranger().signIn('admin')
})

/** Registers people one by one and notes whose registration was acknowledged. `at` follows the portal to a new address. */
function keepRegistering(at: { base: string; stranger: Running['stranger'] }, tag: string) {
  const acknowledged: string[] = []
  let isOver = false
  const registering = Promise.all(
    [1, 2, 3].map(async (clerk) => {
      for (let number = 1; !isOver; number++) {
        const username = `${tag}-${clerk}-${number}`
        const person = { username, email: `${username}@example.org`, password: PASSWORD }
        const answer = await at
          .stranger()
          .post('/auth/register', person)
          .catch(() => null)
        if (answer?.status === 201) acknowledged.push(username)
        else
          await until(
            'it can be asked again',
            async () =>
              isOver ||
              (
                await at
                  .stranger()
                  .get('/healthz')
                  .catch(() => null)
              )?.status === 200,
          )
      }
    }),
  )
  return {
    acknowledged,
    async end() {
      isOver = true
      await registering
    },
  }
}

/** Asserts that all acknowledged people exist, and that the history of the group Everyone adds up to its members. */
async function assertNothingLost(portal: Running, acknowledged: string[]) {
  const admin = await portal.stranger().signIn('admin')
  const people: { id: number; username: string }[] = (await admin.get('/users')).body
  const present = new Set(people.map(({ username }) => username))
  assert.deepEqual(
    acknowledged.filter((username) => !present.has(username)),
    [],
  )
  const groups: { id: number; name: string }[] = (await admin.get('/groups')).body
  const { id } = groups.find(({ name }) => name === 'Everyone')!
  const { userIds } = (await admin.get(`/groups/${id}`)).body
  assert.deepEqual(userIds.toSorted(byNumber), people.map((person) => person.id).toSorted(byNumber))
  let after: number[] = userIds
  for (let offset: number | null = 0; offset !== null; ) {
    const page: Page = (await admin.get(`/groups/${id}/audit?limit=200&offset=${offset}`)).body
    for (const { newIds, previousIds } of page.entries) {
      assert.deepEqual(newIds.toSorted(byNumber), after.toSorted(byNumber))
      after = previousIds
    }
    offset = page.nextOffset
  }
  assert.deepEqual(after, [])
}
interface Page {
  entries: { newIds: number[]; previousIds: number[] }[]
  nextOffset: number | null
}
const byNumber = (a: number, b: number) => a - b

test('the database is killed twice during registrations: no acknowledged registration is lost', async () => {
  const env = await settings()
  const portal = await startPortal(env)
  const clerks = keepRegistering(portal, 'postmaster')
  for (let round = 0; round < 2; round++) {
    const before = clerks.acknowledged.length
    await until('some are in', () => clerks.acknowledged.length > before + 5)
    process.kill(readPostmaster(env.DATA_DIR), 'SIGKILL')
    await until('some more are in', () => clerks.acknowledged.length > before + 15)
  }
  await clerks.end()
  await assertNothingLost(portal, clerks.acknowledged)
  assert.equal((await portal.stop()).code, 0)
})

test('the portal is killed twice during registrations: it restarts on its running database, and no acknowledged registration is lost', async () => {
  const env = await settings()
  let portal = await startPortal(env)
  const acknowledged: string[] = []
  for (let round = 0; round < 2; round++) {
    const clerks = keepRegistering(portal, `portal-${round}`)
    await until('some are in', () => clerks.acknowledged.length > 10)
    await portal.stop('SIGKILL')
    const ended = clerks.end()
    acknowledged.push(...clerks.acknowledged)
    assert.ok(serversOf(env.DATA_DIR).includes(readPostmaster(env.DATA_DIR)))
    portal = await startPortal(env)
    await ended
  }
  await assertNothingLost(portal, acknowledged)
})
