/** Orders: placing them, compared with raw inserts; claiming them; adding roles; listing them among few and a million others. */
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import autocannon from 'autocannon'
import { note } from './figures.ts'
import { type BenchPortal, startProcess } from './portal.ts'
import { openStage, RECEIVERS, type Stage } from './stage.ts'

const CONNECTIONS = 64
const SECONDS = 5
const ROUNDS = 5
/** Per connection. */
const CLAIMS = 100 * CONNECTIONS
const GRANTS = 10 * CONNECTIONS
const FEW = 10_000
const MANY = 1_000_000
const OWN = 200

/** Deletes pushes and their jobs, so that one round does not slow down the next. */
async function untilQuiet({ portal: { sql } }: Stage) {
  for (;;) {
    const [left] = await sql<{ waiting: boolean }>(
      'select exists (select from pushes) or exists (select from graphile_worker.jobs where attempts = 0) as waiting',
    )
    if (!left!.waiting) return
    await pause(50)
  }
}

type Requests = NonNullable<autocannon.Options['requests']>
async function ask(base: string, requests: Requests, options: Partial<autocannon.Options>) {
  const result = await autocannon({ url: base, connections: CONNECTIONS, requests, ...options })
  if (result.non2xx || result.errors) throw new Error(`${result.non2xx} refused, ${result.errors} failed`)
  return result
}
const json = { 'content-type': 'application/json' }

async function placeThroughPortal({ portal, serviceId, cookies }: Stage) {
  const body = JSON.stringify({ serviceId, notes: 'الطابق الثالث، القاعة الكبرى' })
  const requests = cookies
    .slice(RECEIVERS)
    .map((cookie) => ({ method: 'POST' as const, path: '/api/orders', headers: { ...json, cookie }, body }))
  // Each connection has its own people, because the calls of one person take turns.
  const share = Math.floor(requests.length / CONNECTIONS)
  let lane = 0
  const setupClient = (client: autocannon.Client) => client.setRequests(requests.slice(lane * share, ++lane * share))
  return (await ask(portal.base, requests.slice(0, 1), { duration: SECONDS, setupClient })).requests.average
}

async function insertRaw({ portal, serviceId, receivers, ids, subscriptions }: Stage) {
  const task = {
    connection: portal.connection,
    connections: CONNECTIONS,
    seconds: SECONDS,
    serviceId,
    receivers,
    requesters: ids.slice(RECEIVERS),
    subscriptions,
  }
  const { child, printed } = await startProcess(
    'node',
    ['bench/raw-inserts.ts'],
    { RAW_INSERTS: JSON.stringify(task) },
    /placed [\d.]+ a second/,
  )
  if (child.exitCode === null) await once(child, 'exit')
  return Number(/placed ([\d.]+)/.exec(printed())![1])
}

/** Alternates the two and takes the medians of the rounds. Both must leave the same rows. */
async function comparePlacing(stage: Stage) {
  const rounds: { raw: number; ours: number }[] = []
  const left = { raw: '', ours: '' }
  await placeThroughPortal(stage)
  for (let round = 0; round < ROUNDS; round++) {
    const raw = await rowsLeftBy(stage, () => insertRaw(stage))
    const ours = await rowsLeftBy(stage, () => placeThroughPortal(stage))
    Object.assign(left, { raw: raw.rows, ours: ours.rows })
    rounds.push({ raw: raw.perSecond, ours: ours.perSecond })
  }
  if (left.raw !== left.ours) throw new Error(`the floor leaves other rows: ${left.raw}, and the portal ${left.ours}`)
  console.log(`each order leaves ${left.ours}`)
  return note({
    what: 'placing orders, compared with raw inserts of the same rows',
    unit: '/s',
    rounds: rounds.map(({ ours }) => ours),
    floor: rounds.map(({ raw }) => raw),
    atLeast: 1,
  })
}

/** How many rows an order leaves, by table. */
async function rowsLeftBy(stage: Stage, act: () => Promise<number>) {
  const { sql } = stage.portal
  await untilQuiet(stage)
  const count = async () =>
    (
      await sql<{ orders: number; ledger: number; notifications: number; events: number }>(
        `select (select count(*) from orders) as orders, (select count(*) from ledger) as ledger,
           (select count(*) from notifications) as notifications, (select count(*) from events) as events`,
      )
    )[0]!
  const before = await count()
  const perSecond = await act()
  const after = await count()
  const orders = after.orders - before.orders
  const each = (table: 'ledger' | 'notifications' | 'events') => `${(after[table] - before[table]) / orders} ${table}`
  return { perSecond, rows: `${each('ledger')}, ${each('notifications')}, ${each('events')}` }
}

/** Sends each request once, over all connections; returns the requests per second. */
async function sendOnce({ base }: BenchPortal, requests: Requests) {
  // Every connection sends all requests that it is given, so each gets its own.
  const share = requests.length / CONNECTIONS
  const begun = performance.now()
  await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, lane) =>
      // It ends at the end of a sample, which lasts a second otherwise.
      ask(base, requests.slice(lane * share, (lane + 1) * share), { connections: 1, amount: share, sampleInt: 20 }),
    ),
  )
  return requests.length / ((performance.now() - begun) / 1000)
}

async function claims(stage: Stage) {
  const { portal, serviceId, ids, cookies } = stage
  const placed = await portal.sql<{ id: number }>(
    `with recorded as (insert into ledger (kind, target_type, target_id, facts) values ('bench.filled', 'service', $1, '{}'))
     insert into orders (service_id, user_id) select $1, id from unnest($2::int[]) as id, generate_series(1, $3::int) returning id`,
    [serviceId, ids.slice(0, 800), CLAIMS / 800],
  )
  await untilQuiet(stage)
  const requests = placed.map(({ id }, n) => ({
    method: 'PATCH' as const,
    path: `/api/orders/${id}/confirm-receipt`,
    headers: { cookie: cookies[n % RECEIVERS]! },
  }))
  return sendOnce(portal, requests)
}

/** Adds a role to one person after the other; changes of access run one at a time. */
function grants({ portal, adminCookie, ids }: Stage) {
  const headers = { ...json, cookie: adminCookie }
  const body = JSON.stringify({ roleName: 'order_receiver' })
  return sendOnce(
    portal,
    ids.slice(-GRANTS).map((id) => ({ method: 'POST' as const, path: `/api/users/${id}/roles`, headers, body })),
  )
}

/** Makes orders of others in every state, and 200 by one person, half of them waiting and half claimed by one receiver. */
async function fillOrders({ portal: { sql }, serviceId, ids }: Stage, others: number) {
  const [receiver, requester, ...rest] = ids
  // Checking a million times that the change is recorded would take minutes.
  await sql('alter table orders disable trigger demand_change')
  await sql(
    `with recorded as (insert into ledger (kind, target_type, target_id, facts) values ('bench.filled', 'service', $1, '{}')),
     own as (
       insert into orders (service_id, user_id, status, assigned_to)
       select $1, $2, case when n % 2 = 0 then 'pending' else 'received' end, case when n % 2 = 1 then $3::int end
       from generate_series(1, $4::int) as n)
     insert into orders (service_id, user_id, status, assigned_to, cancelled_at)
     select $1, ($5::int[])[1 + n % cardinality($5::int[])], status, ($5::int[])[1 + n % 50], case when status = 'cancelled' then now() end
     from generate_series(1, $6::int) as n, lateral (select (array['received', 'completed', 'completed', 'cancelled', 'preparing'])[1 + n % 5] as status)`,
    [serviceId, requester, receiver, OWN, rest, others],
  )
  await sql('alter table orders enable trigger demand_change')
  await sql('vacuum analyze')
}

async function compareLists(few: Stage, many: Stage) {
  const held: boolean[] = []
  for (const [path, who] of [
    ['/api/orders/my', 1],
    ['/api/orders/incoming', 0],
  ] as const) {
    const read = async ({ portal, cookies }: Stage) => {
      const requests = [{ method: 'GET' as const, path, headers: { cookie: cookies[who]! } }]
      return (await ask(portal.base, requests, { duration: 3 })).requests.average
    }
    for (const stage of [few, many]) await read(stage)
    const rounds = []
    for (let round = 0; round < ROUNDS; round++) rounds.push({ few: await read(few), many: await read(many) })
    held.push(
      note({
        what: `GET ${path} of ${OWN} orders among ${MANY} others: as long as among ${FEW}`,
        unit: 'times',
        rounds: rounds.map((round) => round.few / round.many),
        atMost: 1.3,
      }),
    )
  }
  return held.every(Boolean)
}

/** Prints the figures; returns whether they meet their targets. */
export async function benchOrders() {
  const stage = await openStage()
  const placing = await measurePlacing(stage).finally(stage.close)
  const [few, many] = [await openStage(), await openStage()]
  const lists = await measureLists(few, many).finally(() => Promise.all([few.close(), many.close()]))
  return placing && lists
}

async function measurePlacing(stage: Stage) {
  const keepsPace = await comparePlacing(stage)
  note({ what: 'claiming orders', unit: '/s', rounds: [await claims(stage)] })
  note({ what: 'giving a role to one person after the other', unit: '/s', rounds: [await grants(stage)] })
  return keepsPace
}

async function measureLists(few: Stage, many: Stage) {
  await fillOrders(few, FEW)
  await fillOrders(many, MANY)
  return compareLists(few, many)
}
