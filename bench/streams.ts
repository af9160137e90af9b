/** Measures how soon events arrive on a thousand open streams: those of an order at its receivers, and those of a change for everyone. */
import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { note } from './figures.ts'
import { openStage, type Stage } from './stage.ts'

const STREAMS = 1000
const ORDERS = 300
const CHANGES = 30
const PAUSE_MS = 30
/** Fails if an event does not arrive within this time. A change for everyone has to arrive on all streams before the next one is made. */
const RECEIVED_WITHIN_MS = 5000

interface Arrival {
  event: string
  orderId: number
  at: number
}

const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })

/** Listens as one person; passes on each event with its time. */
async function listen(base: string, cookie: string, onEvent: (arrival: Arrival) => void) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${base}/api/events`, { headers: { cookie }, agent }, resolve).on('error', reject).end()
  })
  const isReady = Promise.withResolvers<void>()
  let text = ''
  response.setEncoding('utf8').on('data', (chunk: string) => {
    const at = performance.now()
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) {
      if (/^id: /m.test(block)) isReady.resolve()
      const event = /^event: (.*)$/m.exec(block)?.[1]
      if (event) onEvent({ event, orderId: Number(/"orderId":(\d+)/.exec(block)?.[1] ?? 0), at })
    }
  })
  response.on('error', () => {})
  await isReady.promise
  return response
}

const quantile = (values: number[], share: number) => values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1]!

async function ask(base: string, method: string, path: string, cookie: string, body: object) {
  const headers = { 'content-type': 'application/json', cookie }
  const response = await fetch(`${base}/api${path}`, { method, headers, body: JSON.stringify(body) })
  const answered = performance.now()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return { answered, reply: (await response.json()) as { id: number } }
}

async function until(isDone: () => boolean, what: string) {
  for (const end = performance.now() + RECEIVED_WITHIN_MS; !isDone(); await pause(2)) {
    if (performance.now() > end) throw new Error(`${what} did not arrive`)
  }
}

/**
 * Milliseconds from the request for an order to the arrival of its event at each receiver. The commit lies in between, so no time is
 * understated.
 */
async function timeOrders({ portal: { base }, serviceId, cookies, receivers }: Stage, arrivals: Arrival[]) {
  const waits: number[] = []
  for (let n = 0; n < ORDERS; n++) {
    arrivals.length = 0
    const asked = performance.now()
    const { reply } = await ask(base, 'POST', '/orders', cookies[receivers.length + n]!, { serviceId })
    const received = () => arrivals.filter(({ event, orderId }) => event === 'order_incoming_changed' && orderId === reply.id)
    await until(() => received().length === receivers.length, `order ${reply.id}`)
    waits.push(...received().map(({ at }) => at - asked))
    await pause(PAUSE_MS)
  }
  return waits
}

/** Milliseconds from the request to change an app to the arrival of its event at each stream. */
async function timeChanges({ portal: { base }, adminCookie }: Stage, arrivals: Arrival[]) {
  const app = { slug: 'bench', nameAr: 'تطبيق', nameEn: 'App', iconName: 'box', route: '/app', color: '#0af' }
  const { reply } = await ask(base, 'POST', '/apps', adminCookie, app)
  await until(() => arrivals.filter(({ event }) => event === 'apps_changed').length === STREAMS, 'the new app')
  const waits: number[] = []
  for (let n = 0; n < CHANGES; n++) {
    arrivals.length = 0
    const asked = performance.now()
    await ask(base, 'PATCH', `/apps/${reply.id}`, adminCookie, { nameEn: `App ${n}` })
    await until(() => arrivals.filter(({ event }) => event === 'apps_changed').length === STREAMS, `change ${n}`)
    waits.push(...arrivals.filter(({ event }) => event === 'apps_changed').map(({ at }) => at - asked))
  }
  return waits
}

/** Prints the figures; returns whether they meet their targets. */
export async function benchStreams() {
  const stage = await openStage()
  const arrivals: Arrival[] = []
  const streams: IncomingMessage[] = []
  try {
    for (const cookie of stage.cookies.slice(0, STREAMS))
      streams.push(await listen(stage.portal.base, cookie, (arrival) => arrivals.push(arrival)))
    const orders = await timeOrders(stage, arrivals)
    const changes = await timeChanges(stage, arrivals)
    const arrival = (what: string, waits: number[], atMost: number) => [
      note({ what: `${what}, median`, unit: 'ms', rounds: [quantile(waits, 0.5)] }),
      note({ what: `${what}, p99`, unit: 'ms', rounds: [quantile(waits, 0.99)], atMost }),
    ]
    const held = [
      ...arrival(`from asking for an order to its arrival at ${stage.receivers.length} of ${STREAMS} open streams`, orders, 50),
      ...arrival(`from asking for a change to its arrival at all ${STREAMS} streams`, changes, 100),
    ]
    return held.every(Boolean)
  } finally {
    for (const stream of streams) stream.destroy()
    await stage.close()
  }
}
