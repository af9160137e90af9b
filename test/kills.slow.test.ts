/** The portal and its database are killed while people place orders: no acknowledged order is lost or half-written. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import webpush from 'web-push'
import { borrowPostgres } from '../server/platform/postgres/server.ts'
import { readPostmaster } from './clusters.ts'
import { findTorn, Ledger, type Sql, type Status } from './ledger.ts'
import { ascending } from './makers.ts'
import { type Answer, type Client, PASSWORD, until } from './portal.ts'
import { portals, type Running, untilHealthy } from './process.ts'
import { type Browser, PUSH_HOST, startPushService } from './push-service.ts'

const { makeUsedFolder, startPortal } = portals()

/** How often the portal is killed, and how often the database. */
const KILLS = 20

/** The setting of a run. `portal` is the running one; during a restart, requests fail. */
interface Site {
  portal: Running
  env: { DATA_DIR: string } & Record<string, string>
  ledger: Ledger
  isOver: boolean
}

async function openSite(extra: Record<string, string>): Promise<Site> {
  const env = { DATA_DIR: await makeUsedFolder(), LOG_LEVEL: 'warn', ...extra }
  return { portal: await startPortal(env), env, ledger: new Ledger(), isOver: false }
}

/** Sends a request to the portal that is running. Returns null if there was no answer, or one that leaves the outcome open. */
async function ask({ portal, ledger }: Site, who: Client, method: string, path: string, body?: unknown): Promise<Answer | null> {
  const asked = Object.assign(portal.stranger(), { cookie: who.cookie })
  const answer = await asked.send(method, path, body).catch(() => null)
  const isFair = !answer || [200, 201, 503].includes(answer.status) || ['already_claimed', 'invalid_transition'].includes(answer.body.code)
  if (!isFair) ledger.odd.push(`${method} ${path}: ${answer.status} ${answer.text}`)
  if (answer && answer.status !== 503) return answer
  await pause(100)
  return null
}

let notesMade = 0

/** Places orders one by one, and cancels some. */
async function keepOrdering(site: Site, who: Client, serviceId: number) {
  const { ledger } = site
  while (!site.isOver) {
    const notes = `order ${++notesMade}`
    const placed = await ask(site, who, 'POST', '/orders', { serviceId, notes })
    if (!placed) ledger.unansweredNotes.add(notes)
    if (placed?.status !== 201) continue
    ledger.noteAnswer(placed.body.id, 'pending')
    if (notesMade % 4 === 0) await move(site, who, placed.body.id, 'cancelled')
    await pause(10)
  }
}

async function move(site: Site, who: Client, id: number, to: Status) {
  const { ledger } = site
  const isClaim = to === 'received'
  const path = `/orders/${id}/${isClaim ? 'confirm-receipt' : 'status'}`
  const moved = await ask(site, who, 'PATCH', path, isClaim ? undefined : { status: to })
  if (!moved) ledger.noteUnanswered(id, to)
  if (moved?.status === 200) ledger.noteAnswer(id, to)
}

const nextOf: Partial<Record<Status, Status[]>> = { pending: ['received'], received: ['preparing', 'completed'], preparing: ['completed'] }

/** Claims waiting orders and moves them on, step by step. */
async function keepReceiving(site: Site, who: Client) {
  while (!site.isOver) {
    const incoming = await ask(site, who, 'GET', '/orders/incoming')
    for (const { id, status } of (incoming?.body ?? []).slice(0, 5)) {
      const next = nextOf[status as Status]!
      await move(site, who, id, next[id % next.length]!)
    }
    await pause(10)
  }
}

/** Collects a person’s events; after each break, the stream resumes after the last event. */
async function keepListening(site: Site, who: Client) {
  const received: { id: string; event: string }[] = []
  let stream: Awaited<ReturnType<Client['listen']>> | null = null
  let lastId: string | undefined
  let hasEnded = false
  let times = 0
  const listen = () => Object.assign(site.portal.stranger(), { cookie: who.cookie }).listen(lastId)
  const note = () => {
    if (!stream) return
    received.push(...stream.events.splice(0))
    lastId = stream.lastId || lastId
  }
  async function keepOn() {
    for (; !hasEnded; await pause(20)) {
      stream = await listen().catch(() => null)
      if (stream?.status !== 200) continue
      times++
      while (stream.isOpen && !hasEnded) await pause(5)
      note()
    }
    stream?.close()
  }
  const keeping = keepOn()
  await until('the stream is open', () => times)
  return {
    received: () => {
      note()
      return received
    },
    times: () => times,
    async end() {
      hasEnded = true
      await keeping
    },
  }
}

interface Crowd {
  admin: Client
  requesters: Client[]
  receivers: Client[]
  serviceId: number
}

async function gather(site: Site): Promise<Crowd> {
  const admin = await site.portal.stranger().signIn('admin')
  const person = async (username: string, roleName?: string) => {
    const { body } = await admin.post('/users', { username, email: `${username}@example.org`, password: PASSWORD })
    if (roleName) await admin.post(`/users/${body.id}/roles`, { roleName })
    return site.portal.stranger().signIn(username)
  }
  return {
    admin,
    requesters: await Promise.all(['huda', 'omar'].map((name) => person(name))),
    receivers: await Promise.all(['rana', 'sami'].map((name) => person(name, 'order_receiver'))),
    serviceId: (await admin.post('/services', { nameAr: 'قهوة', nameEn: 'Coffee' })).body.id,
  }
}

/** Queries the database of the site directly. */
async function look<T>({ env }: Site, act: (sql: Sql) => Promise<T>) {
  const { connection, release } = await borrowPostgres(env.DATA_DIR)
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await act(async <R>(text: string, values: unknown[] = []) => (await client.query(text, values)).rows as R[])
  } finally {
    await client.end()
    await release()
  }
}

/** The pushes still to be sent. First makes failed jobs due, and releases the jobs of a killed runner, as would happen minutes later. */
const leftPushes = (site: Site) =>
  look(site, async (sql) => {
    await sql('update graphile_worker._private_jobs set run_at = least(run_at, now())')
    await sql(
      `update graphile_worker._private_jobs set locked_at = now() - interval '3 minutes' where locked_at > now() - interval '3 minutes'`,
    )
    await sql(`select graphile_worker.add_job('free_lost_jobs', job_key => 'now')`)
    await pause(100)
    return sql<{ place: string; attempts: number; error: string | null; runner: string | null }>(
      `select 'job' as place, attempts, last_error as error, locked_by as runner
       from graphile_worker.jobs where task_identifier = 'send_push'
       union all select 'not handed over', 0, null, null from pushes`,
    )
  })

type Listening = Awaited<ReturnType<typeof keepListening>> & { who: Client }

/** Lets a crowd use a portal that is killed repeatedly, and then checks all answers, events and pushes. */
async function survive(t: TestContext, kills: number, killNext: (site: Site, kill: number) => Promise<void>) {
  const service = await startPushService()
  t.after(() => service.close())
  const { publicKey, privateKey } = webpush.generateVAPIDKeys()
  const vapid = { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: 'mailto:desk@example.org' }
  const site = await openSite({ ...vapid, NODE_EXTRA_CA_CERTS: service.caFile, PUSH_INTERNAL_HOSTS: PUSH_HOST })
  t.after(() => {
    site.isOver = true
  })
  const crowd = await gather(site)
  const [huda, rana] = [crowd.requesters[0]!, crowd.receivers[0]!]
  const browsers = new Map<Client, Browser>([huda, rana].map((who) => [who, service.newBrowser()]))
  for (const [who, { subscription }] of browsers) assert.equal((await who.post('/push/subscribe', subscription)).status, 200)
  const streams: Listening[] = await Promise.all([huda, rana].map(async (who) => ({ who, ...(await keepListening(site, who)) })))
  t.after(() => Promise.all(streams.map(({ end }) => end())))
  const working = Promise.all([
    ...crowd.requesters.map((who) => keepOrdering(site, who, crowd.serviceId)),
    ...crowd.receivers.map((who) => keepReceiving(site, who)),
  ])

  const { ledger } = site
  const untilWorkIsDone = () => {
    const before = ledger.acknowledged
    return until('work is done', () => ledger.acknowledged > before + 12)
  }
  for (let kill = 0; kill < kills; kill++) {
    await untilWorkIsDone()
    await killNext(site, kill)
  }
  await untilWorkIsDone()
  site.isOver = true
  await working

  assert.deepEqual(ledger.odd, [])
  await look(site, async (sql) => {
    const lost = ledger.compare(await sql('select id, status, notes from orders'))
    t.diagnostic(`${kills} kills: ${ledger.answered.size} orders, ${ledger.acknowledged} acknowledged steps, ${lost.length} lost`)
    assert.deepEqual(lost, [])
    assert.deepEqual(await findTorn(sql), [])
    await assertReceiversNotified(sql, [crowd.admin, ...crowd.receivers])
    for (const stream of streams) await assertAllReceived(sql, stream)
  })
  let left: Awaited<ReturnType<typeof leftPushes>> = []
  const arePushesOut = async () => {
    left = await leftPushes(site)
    return left.length === 0
  }
  await until('all pushes are out', arePushesOut).catch(() => assert.fail(JSON.stringify({ left, log: site.portal.logged().slice(-20) })))
  for (const [who, browser] of browsers) {
    const twice = await look(site, (sql) => assertAllPushed(sql, who, browser))
    t.diagnostic(`${twice} of ${browser.received.length} pushes came twice`)
  }
  const opened = streams.map(({ times }) => times())
  t.diagnostic(`nothing was acknowledged for ${ledger.longestGapMs.toFixed(0)} ms at most; streams opened ${opened} times`)
  t.diagnostic(`unanswered: ${ledger.unansweredNotes.size} orders, ${[...ledger.unanswered.values()].flat().length} steps`)
  assert.equal((await site.portal.stop()).code, 0)
}

/** Asserts that every receiver was notified once of each order. */
async function assertReceiversNotified(sql: Sql, receivers: Client[]) {
  const ids = ascending(receivers.map(({ id }) => id))
  const notified = await sql<{ people: number[] }>(
    `select array_agg(notifications.user_id order by notifications.user_id) filter (where title_en = 'New order') as people
     from orders left join notifications on related_id = orders.id group by orders.id`,
  )
  for (const { people } of notified) assert.deepEqual(people, ids)
}

/** Asserts that a stream sent each of a person’s events once and in order. */
async function assertAllReceived(sql: Sql, { who, received }: Listening) {
  const written = await sql<{ id: string; event: string }>(
    `select events.tx || '.' || events.id as id, event from events
     where recipients @> array[$1::int] and (event like 'order%' or event like 'notification%') order by events.tx, events.id`,
    [who.id],
  )
  const placed = () =>
    received().map(({ id, event }) => {
      const [run, ...place] = id.split('.')
      return { run, id: place.join('.'), event }
    })
  await until('the stream has sent the last', () => placed().at(-1)?.id === written.at(-1)!.id).catch(() => {})
  assert.equal(new Set(placed().map(({ run }) => run)).size, 1, 'a kill begins no other run of events')
  assert.deepEqual(
    placed().map(({ id, event }) => ({ id, event })),
    written.map(({ id, event }) => ({ id, event })),
  )
}

/** Asserts that each unread notification reached the browser; returns how many were pushed more than once. */
async function assertAllPushed(sql: Sql, { id }: Client, { received }: Browser) {
  const stored = await sql<{ id: number; isRead: boolean }>('select id, is_read as "isRead" from notifications where user_id = $1', [id])
  const arrived = received.map(({ data }) => data.notificationId as number)
  const pushed = new Set(arrived)
  assert.deepEqual([...pushed.difference(new Set(stored.map(({ id }) => id)))], [])
  // Notifications that were read, or are about one’s own act, need no push.
  const unread = stored.filter(({ isRead }) => !isRead).map(({ id }) => id)
  assert.ok(unread.length > 0)
  assert.deepEqual(
    unread.filter((one) => !pushed.has(one)),
    [],
  )
  return arrived.length - pushed.size
}

const NOTHING_IS_LOST = 'what was acknowledged is there, nothing is half-written, every event and push arrives'

test(`the portal is killed ${KILLS} times during orders: ${NOTHING_IS_LOST}`, (t) =>
  survive(t, KILLS, async (site) => {
    await site.portal.stop('SIGKILL')
    site.portal = await startPortal(site.env)
  }))

/** After this many kills the portal is restarted, because a portal restarts a repeatedly crashing database more and more slowly. */
const KILLS_OF_ONE_PORTAL = 5

test(`the database is killed ${KILLS} times during orders: ${NOTHING_IS_LOST}`, (t) =>
  survive(t, KILLS, async (site, kill) => {
    process.kill(readPostmaster(site.env.DATA_DIR), 'SIGKILL')
    if (kill % KILLS_OF_ONE_PORTAL < KILLS_OF_ONE_PORTAL - 1) return
    await untilHealthy(site.portal.base)
    await site.portal.stop()
    site.portal = await startPortal(site.env)
  }))
