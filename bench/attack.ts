/** Times the reads of one person while somebody else attacks with 64 connections, compared with a bare server under the same attack. */
import { Agent, request } from 'undici'
import { freePort } from '../test/free-port.ts'
import { note } from './figures.ts'
import { fillPeople } from './people.ts'
import { type BenchPortal, openBenchPortal, startProcess, stop } from './portal.ts'

const CONNECTIONS = 64
const SECONDS = Number(process.env['ATTACK_SECONDS'] ?? 8)
const MOST_MB = 350
const P99_MS = 250
const NOTES = 1600

const quantile = (values: number[], share: number) => values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN

interface Ask {
  method?: 'GET' | 'POST' | 'PUT'
  path: string
  body?: object | string
  /** Sent without a session. */
  isStrangers?: boolean
}

const filled = (lead: string, part: string, end: string, bytes: number) =>
  `${lead}${part.repeat((bytes - lead.length) / part.length - 2)}${end}`
/** Bodies of `bytes` bytes that cost a parser most: nested lists, empty objects, and empty objects in an undeclared field. */
const hostile = (bytes: number) => {
  const bodies = [
    `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`,
    filled('[', '{},', '{}]', bytes),
    filled('{"title":"x","name":"x","more":[', '{},', '{}]}', bytes),
  ]
  return (n: number) => bodies[n % bodies.length]!
}
const [large, allowed, small] = [hostile(1024 * 1024), hostile(480 * 1024), hostile(16 * 1024)]
const largest = JSON.stringify({ title: 'x', content: '', more: 'x'.repeat(480 * 1024) })

/** The attacker's repeated requests; `n` makes each call different. */
const attacks: Record<string, (n: number) => Ask> = {
  'lists of 64 MiB': () => ({ path: '/api/notes' }),
  'searches through 64 MiB': (n) => ({ path: `/api/notes?q=${n}nowhere` }),
  'lists of people': (n) => ({ path: `/api/notes/recipients?limit=50&q=${n % 10}` }),
  writes: (n) => ({ method: 'POST', path: '/api/notes/labels', body: { name: `label ${n}` } }),
  'bodies that nobody asks for': (n) => ({ method: 'POST', path: '/api/notifications/read-all', body: large(n) }),
  'bodies that are too large': (n) => ({ method: 'POST', path: ['/api/notes', '/api/orders'][n % 2]!, body: large(n) }),
  'bodies of too many values': (n) => ({ method: 'POST', path: '/api/notes', body: allowed(n) }),
  'bodies as large as they may be': () => ({ method: 'POST', path: '/api/notes', body: largest }),
  'bodies of strangers to nowhere': (n) => ({ isStrangers: true, method: 'POST', path: '/api/nothing', body: large(n) }),
  'bodies of strangers by another method': (n) => ({ isStrangers: true, method: 'PUT', path: '/api/healthz', body: large(n) }),
  'sign-ins of strangers': (n) => ({ isStrangers: true, method: 'POST', path: '/api/auth/login', body: small(n) }),
  'everything at once': (n) =>
    [
      { path: '/api/notes' },
      { path: `/api/notes?q=${n}x` },
      { path: '/api/notifications' },
      { path: '/api/stats/home' },
      { path: '/api/orders/my' },
    ][n % 5]!,
}
/** The requests of the person who does not attack. */
const reads = ['/api/apps', '/api/orders/my', '/api/notifications', '/api/notes?tab=active', '/api/auth/me']

async function send(dispatcher: Agent, base: string, cookie: string, { method = 'GET', path, body, isStrangers }: Ask) {
  const headers = { ...(!isStrangers && { cookie }), ...(body && { 'content-type': 'application/json' }) }
  const text = typeof body === 'object' ? JSON.stringify(body) : body
  const answer = await request(base + path, { dispatcher, method, headers, ...(text && { body: text }) })
  for await (const _ of answer.body);
  return answer.statusCode
}

/**
 * Sends calls over 64 connections, one after another on each. Returns a function that stops them and returns the number of calls by status.
 */
function attack(base: string, cookie: string, askOf: (n: number) => Ask) {
  const agent = new Agent({ connections: CONNECTIONS, pipelining: 1, bodyTimeout: 0, headersTimeout: 0 })
  let isOver = false
  let calls = 0
  const statuses = new Map<number, number>()
  const loop = async () => {
    while (!isOver) {
      const status = await send(agent, base, cookie, askOf(calls++)).catch(() => 0)
      if (!isOver) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  const loops = Array.from({ length: CONNECTIONS }, loop)
  return async () => {
    isOver = true
    await agent.destroy()
    await Promise.all(loops)
    return statuses
  }
}

/** Times the reads of the person who does not attack, one after the other, for `SECONDS`. */
async function timeReads(base: string, cookie: string, look = () => {}) {
  const agent = new Agent({ connections: 2 })
  const times: number[] = []
  let refused = 0
  const end = performance.now() + SECONDS * 1000
  for (let n = 0; performance.now() < end; n++) {
    const begun = performance.now()
    const status = await send(agent, base, cookie, { path: reads[n % reads.length]! })
    times.push(performance.now() - begun)
    if (status !== 200) refused++
    look()
  }
  await agent.destroy()
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99), most: Math.max(...times), count: times.length, refused }
}
const summarize = ({ p50, p99, most, count, refused }: Awaited<ReturnType<typeof timeReads>>) =>
  `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, most ${most.toFixed(0)} ms of ${count} reads, ${refused} refused`

const fill = ({ sql }: BenchPortal, attacker: number) =>
  sql(
    `with added as (insert into notes (user_id, title, content) select $1, 'n' || n, repeat('س', 20000) from generate_series(1, $2::int) as n returning id)
     insert into ledger (kind, target_type, target_id, facts) select 'bench.filled', 'note', id, '{}' from added`,
    [attacker, NOTES],
  )

/** Prints the figures; returns whether the other person's reads stay within their bound under every attack. */
export async function benchAttack() {
  const portal = await openBenchPortal()
  const port = await freePort()
  const floor = await startProcess('node', ['bench/attack-floor.ts'], { FLOOR_PORT: String(port) }, /ready/)
  let holds = true
  try {
    const { ids, cookies } = await fillPeople(portal, 200)
    const [attacker, other] = cookies as [string, string]
    await fill(portal, ids[0]!)
    await portal.sql('analyze')
    console.log(`without an attack: ${summarize(await timeReads(portal.base, other))}`)
    for (const [name, askOf] of Object.entries(attacks)) {
      const bare = `http://127.0.0.1:${port}`
      const stopBare = attack(bare, attacker, askOf)
      const floored = await timeReads(bare, other)
      await stopBare()
      const stopAttack = attack(portal.base, attacker, askOf)
      let mostMb = 0
      const ours = await timeReads(portal.base, other, () => {
        mostMb = Math.max(mostMb, portal.rssMb())
      })
      const statuses = [...(await stopAttack())].map(([status, count]) => `${count} × ${status}`).join(', ')
      const isWell = ours.p99 < P99_MS && ours.refused === 0 && mostMb < MOST_MB
      holds &&= isWell
      note({ what: `someone else’s reads during ${name}, p99`, unit: 'ms', rounds: [ours.p99], atMost: P99_MS })
      note({ what: `memory of the portal during ${name}`, unit: 'MB', rounds: [mostMb], atMost: MOST_MB })
      note({ what: `a bare server under ${name}, p99`, unit: 'ms', rounds: [floored.p99] })
      console.log(`${name}: ${summarize(ours)} (p99 below ${P99_MS} ms, none refused); the attacker got ${statuses}`)
      console.log(`  a bare server under it: ${summarize(floored)}; the portal took ${Math.round(mostMb)} MB at most (below ${MOST_MB})`)
    }
  } finally {
    await stop(floor.child)
    await portal.close()
  }
  return holds
}
