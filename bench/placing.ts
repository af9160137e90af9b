/** Compares placing orders with raw inserts of the same rows, over few and many connections, with few and many orders stored. */
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { ask, json } from './asking.ts'
import { note } from './figures.ts'
import { startProcess } from './portal.ts'
import { fillOrders, RECEIVERS, type Stage } from './stage.ts'

const SECONDS = 4
const ROUNDS = 3
const CONNECTIONS = [1, 16, 64]
/** How many orders are stored before the measurement. */
const STORED = [0, 50_000, 1_000_000]
/** With this many connections, orders share transactions. */
const MANY_CONNECTIONS = 64

/** Waits until pushes and jobs are done, so that one round does not slow down the next. */
export async function untilQuiet({ portal: { sql } }: Stage) {
  for (;;) {
    const [left] = await sql<{ waiting: boolean }>(
      'select exists (select from pushes) or exists (select from graphile_worker.jobs where attempts = 0) as waiting',
    )
    if (!left!.waiting) return
    await pause(50)
  }
}

/** Orders per second. */
async function placeThroughPortal({ portal, serviceId, cookies }: Stage, connections: number) {
  const body = JSON.stringify({ serviceId, notes: 'الطابق الثالث، القاعة الكبرى' })
  const requests = cookies
    .slice(RECEIVERS)
    .map((cookie) => ({ method: 'POST' as const, path: '/api/orders', headers: { ...json, cookie }, body }))
  // Each connection has its own people, because the calls of one person take turns.
  const share = Math.floor(requests.length / connections)
  let lane = 0
  const setupClient = (client: { setRequests(some: typeof requests): void }) =>
    client.setRequests(requests.slice(lane * share, ++lane * share))
  return (await ask(portal.base, requests.slice(0, 1), { connections, duration: SECONDS, setupClient })).requests.average
}

async function insertRaw({ portal, serviceId, receivers, ids, subscriptions }: Stage, connections: number) {
  const task = {
    connection: portal.connection,
    connections,
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

/** Runs `act`, which returns orders per second. Returns that rate and the number of rows that an order leaves, by table. */
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

/** Completes all waiting orders, because nobody may have more than a hundred of them. */
const completeAll = ({ portal: { sql }, serviceId }: Stage) =>
  sql(
    `with recorded as (insert into ledger (kind, target_type, target_id, facts) values ('bench.filled', 'service', $1, '{}'))
     update orders set status = 'completed' where status = 'pending'`,
    [serviceId],
  )

/** Alternates raw inserts with the portal; both must leave the same rows. Returns the orders per second of each round. */
async function comparePlacing(stage: Stage, connections: number) {
  const rounds: { raw: number; ours: number }[] = []
  await placeThroughPortal(stage, connections)
  for (let round = 0; round < ROUNDS; round++) {
    const raw = await rowsLeftBy(stage, () => insertRaw(stage, connections))
    const ours = await rowsLeftBy(stage, () => placeThroughPortal(stage, connections))
    if (raw.rows !== ours.rows) throw new Error(`the floor leaves other rows: ${raw.rows}, and the portal ${ours.rows}`)
    rounds.push({ raw: raw.perSecond, ours: ours.perSecond })
  }
  await completeAll(stage)
  return rounds
}

/**
 * Prints the figures; returns whether they meet their targets: over many connections, the portal keeps pace with raw inserts; and stored
 * orders slow it down by at most a quarter compared with the floor, over many connections and over one.
 */
export async function measurePlacing(stage: Stage) {
  const held: boolean[] = []
  const alone = new Map<number, number[]>()
  let filled = 0
  for (const stored of STORED) {
    if (stored > filled) await fillOrders(stage, stored - filled)
    filled = stored
    for (const connections of CONNECTIONS) {
      const rounds = await comparePlacing(stage, connections)
      const what = `placing orders over ${connections} connections, ${stored} stored`
      held.push(
        note({
          what: `${what}, compared with raw inserts of the same rows`,
          unit: '/s',
          rounds: rounds.map(({ ours }) => ours),
          floor: rounds.map(({ raw }) => raw),
          ...(connections === MANY_CONNECTIONS && { atLeast: 1 }),
        }),
      )
      const ratios = rounds.map(({ raw, ours }) => ours / raw)
      const before = alone.get(connections)
      if (!before) alone.set(connections, ratios)
      else
        held.push(
          note({
            what: `${what}: as long as with none, compared with the floor`,
            unit: 'times',
            rounds: ratios.map((ratio, round) => before[round]! / ratio),
            atMost: 1.25,
          }),
        )
    }
  }
  return held.every(Boolean)
}
