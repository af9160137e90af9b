/** What administrators ask of an organisation of 50,000, and what its people do there every minute. */
import { once } from 'node:events'
import autocannon from 'autocannon'
import { fillOrganisation } from './organisation.ts'
import { PASSWORD } from './people.ts'
import { type BenchPortal, median, openBenchPortal, startProcess } from './portal.ts'

const CONNECTIONS = 64
const SECONDS = 5
const ROUNDS = 5
const ASKED = 100

interface Desk {
  portal: BenchPortal
  adminCookie: string
  cookies: string[]
  ids: number[]
}

async function ask({ portal }: Desk, path: string, cookie: string) {
  const begun = performance.now()
  const response = await fetch(`${portal.base}/api${path}`, { headers: { cookie } })
  const body = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${body}`)
  return { ms: performance.now() - begun, body }
}

/** Prints the median of asking again and again, for something else each time. */
async function timeAnswers(desk: Desk, name: string, pathOf: (n: number) => string, most: number) {
  const times = []
  for (let n = 0; n < ASKED; n++) times.push((await ask(desk, pathOf(n), desk.adminCookie)).ms)
  const ms = median(times)
  console.log(`${name}: median ${ms.toFixed(1)} ms (at most ${most})`)
  return ms <= most
}

/** Prints how much larger the server is while it sends everyone. */
async function growth(desk: Desk) {
  const { portal, adminCookie } = desk
  await ask(desk, '/users', adminCookie)
  const before = portal.rssMb()
  let most = before
  const watching = setInterval(() => {
    most = Math.max(most, portal.rssMb())
  }, 10)
  const { ms, body } = await ask(desk, '/users', adminCookie)
  clearInterval(watching)
  console.log(
    `everyone, ${(body.length / 1e6).toFixed(0)} MB in ${ms.toFixed(0)} ms: the server grew by ${(most - before).toFixed(0)} MB (at most 40)`,
  )
  return most - before < 40
}

async function openThroughPortal({ portal, cookies }: Desk, appIds: number[]) {
  const requests = cookies.slice(0, 2000).map((cookie, n) => ({
    method: 'POST' as const,
    path: `/api/apps/${appIds[n % appIds.length]}/open`,
    headers: { cookie },
  }))
  const result = await autocannon({ url: portal.base, connections: CONNECTIONS, duration: SECONDS, requests })
  if (result.non2xx || result.errors) throw new Error(`openings: ${result.non2xx} refused, ${result.errors} failed`)
  return result.requests.average
}

async function openRaw({ portal, ids }: Desk, appIds: number[]) {
  const task = { connection: portal.connection, connections: CONNECTIONS, seconds: SECONDS, appIds, userIds: ids.slice(0, 2000) }
  const env = { RAW_OPENINGS: JSON.stringify(task) }
  const { child, printed } = await startProcess('node', ['bench/raw-openings.ts'], env, /noted [\d.]+ a second/)
  if (child.exitCode === null) await once(child, 'exit')
  return Number(/noted ([\d.]+)/.exec(printed())![1])
}

async function compareOpenings(desk: Desk) {
  const apps = await desk.portal.sql<{ id: number }>('select id from apps where not exists (select from app_permissions where app_id = id)')
  const appIds = apps.map(({ id }) => id)
  await openThroughPortal(desk, appIds)
  const rounds: { raw: number; ours: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ raw: await openRaw(desk, appIds), ours: await openThroughPortal(desk, appIds) })
  }
  const ratio = median(rounds.map(({ raw, ours }) => ours / raw))
  const of = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick)).toFixed(0)
  console.log(
    `noting openings: ${of(({ ours }) => ours)}/s, single rows ${of(({ raw }) => raw)}/s: ratio ${ratio.toFixed(2)} (more than 1)`,
  )
  return ratio > 1
}

/** Prints the figures; answers whether they hold. `DESK_SHARE` of the year's rows, all of them when it is not set. */
export async function benchDesk() {
  const portal = await openBenchPortal()
  try {
    const begun = performance.now()
    const share = Number(process.env['DESK_SHARE'] ?? 1)
    const people = await fillOrganisation(portal, share)
    console.log(`filled ${share} of a year in ${((performance.now() - begun) / 1000).toFixed(0)} s (at most 900)`)
    const signedIn = await fetch(`${portal.base}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password: PASSWORD }),
    })
    const desk = { portal, ...people, adminCookie: signedIn.headers.getSetCookie()[0]!.split(';')[0]! }
    const held = [
      await timeAnswers(desk, 'people found by a piece of a name', (n) => `/users?q=person${1000 + n * 37}`, 40),
      await growth(desk),
      await compareOpenings(desk),
    ]
    return held.every(Boolean)
  } finally {
    await portal.close()
  }
}
