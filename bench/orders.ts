/** Measures placing orders (`placing.ts`), claiming them, listing them among 10,000 and a million, and adding roles. */
import { ask, json, type Requests } from './asking.ts'
import { note } from './figures.ts'
import { measurePlacing, untilQuiet } from './placing.ts'
import type { BenchPortal } from './portal.ts'
import { fillOrders, OWN, openStage, RECEIVERS, type Stage } from './stage.ts'

const CONNECTIONS = 64
const ROUNDS = 5
/** Each connection sends 100 claims and 10 grants. */
const CLAIMS = 100 * CONNECTIONS
const GRANTS = 10 * CONNECTIONS
const FEW = 10_000
const MANY = 1_000_000

/** Sends each request once, over all connections; returns the requests per second. */
async function sendOnce({ base }: BenchPortal, requests: Requests) {
  // A connection sends all requests that it is given, so each connection gets a share of its own.
  const share = requests.length / CONNECTIONS
  const begun = performance.now()
  await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, lane) =>
      // autocannon ends at the end of a sample, which lasts a second by default.
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

/** Adds a role to `GRANTS` people over all connections; the portal runs changes of access one at a time. */
function grants({ portal, adminCookie, ids }: Stage) {
  const headers = { ...json, cookie: adminCookie }
  const body = JSON.stringify({ roleName: 'order_receiver' })
  return sendOnce(
    portal,
    ids.slice(-GRANTS).map((id) => ({ method: 'POST' as const, path: `/api/users/${id}/roles`, headers, body })),
  )
}

async function compareLists(few: Stage, many: Stage) {
  const held: boolean[] = []
  for (const [path, who] of [
    ['/api/orders/my', 1],
    ['/api/orders/incoming', 0],
  ] as const) {
    const read = async ({ portal, cookies }: Stage) => {
      const requests = [{ method: 'GET' as const, path, headers: { cookie: cookies[who]! } }]
      return (await ask(portal.base, requests, { connections: CONNECTIONS, duration: 3 })).requests.average
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
  const [stage, another] = [await openStage(), await openStage()]
  const placing = await measureCommands(stage, another).finally(() => Promise.all([stage.close(), another.close()]))
  const [few, many] = [await openStage(), await openStage()]
  const lists = await measureLists(few, many).finally(() => Promise.all([few.close(), many.close()]))
  return placing && lists
}

async function measureCommands(stage: Stage, another: Stage) {
  const keepsPace = await measurePlacing(stage)
  note({ what: 'claiming orders', unit: '/s', rounds: [await claims(stage)] })
  // Measured without the 400,000 orders in work of the other portal: each change of access reads all that are in work.
  note({ what: 'giving a role to one person after the other', unit: '/s', rounds: [await grants(another)] })
  return keepsPace
}

async function measureLists(few: Stage, many: Stage) {
  await fillOrders(few, FEW)
  await fillOrders(many, MANY)
  return compareLists(few, many)
}
