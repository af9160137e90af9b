/** The everyday requests against a bare server answering the same bytes, logins, starting times, memory. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { fillPeople, PASSWORD } from './people.ts'
import { type BenchPortal, freePort, median, openBenchPortal, startProcess, stop } from './portal.ts'

const PEOPLE = 5000
const CONNECTIONS = 64
const SECONDS = 4
const ROUNDS = 5
const PATHS = ['/api/auth/me', '/api/apps']

/** 60 apps, 30 of them unrestricted. */
async function fillApps({ sql }: BenchPortal) {
  await sql(
    `with added as (
       insert into apps (slug, name_ar, name_en, description_ar, description_en, icon_name, route, color, sort_order)
       select 'app-' || n, 'التطبيق رقم ' || n, 'Application number ' || n, 'وصف موجز للتطبيق', 'A short description of the application',
         'layout-grid', '/apps/app-' || n, '#1f5f8b', n
       from generate_series(1, 60) as n returning id, sort_order),
     restricted as (
       insert into app_permissions select added.id, permissions.id from added, permissions
       where sort_order > 30 and permissions.name = 'portal.it' returning app_id),
     history as (insert into permission_history (kind, target_id, added, removed) select 'app.permissions', app_id, '{}', '{}' from restricted)
     insert into changes (kind, about, subject, facts) select 'bench.filled', 'app', id, '{}' from added`,
  )
  await sql('analyze')
}

async function record({ base, dataDir }: BenchPortal, cookie: string) {
  const answers = []
  for (const path of PATHS) {
    const response = await fetch(base + path, { headers: { cookie } })
    const headers = [...response.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name))
    answers.push({ path, headers, body: await response.text() })
  }
  const file = join(dataDir, 'answers.json')
  await writeFile(file, JSON.stringify(answers))
  return file
}

type Load = Awaited<ReturnType<typeof load>>
async function load(base: string, path: string, cookies: string[]) {
  const result = await autocannon({
    url: base,
    connections: CONNECTIONS,
    duration: SECONDS,
    requests: cookies.map((cookie) => ({ method: 'GET' as const, path, headers: { cookie } })),
  })
  if (result.non2xx || result.errors) throw new Error(`${path}: ${result.non2xx} refused, ${result.errors} failed`)
  return { perSecond: result.requests.average, p99: result.latency.p99 }
}

async function logins(base: string) {
  const body = (n: number) => JSON.stringify({ username: `person${n + 1}`, password: PASSWORD })
  const result = await autocannon({
    url: base,
    connections: CONNECTIONS,
    duration: SECONDS * 2,
    requests: Array.from({ length: PEOPLE }, (_, n) => ({
      method: 'POST' as const,
      path: '/api/auth/login',
      headers: { 'content-type': 'application/json' },
      body: body(n),
    })),
  })
  if (result.non2xx || result.errors) throw new Error(`login: ${result.non2xx} refused, ${result.errors} failed`)
  return result.requests.average
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`

/** Prints the figures; answers whether they hold. */
export async function benchHouse() {
  const portal = await openBenchPortal()
  try {
    return await measure(portal)
  } finally {
    await portal.close()
  }
}

async function measure(portal: BenchPortal) {
  console.log(`cold start ${seconds(portal.coldMs)} (at most 6), warm start ${seconds(portal.warmMs)} (at most 2)`)
  const { cookies } = await fillPeople(portal, PEOPLE)
  await fillApps(portal)
  const ratios = await compareWithFloor(portal, cookies)
  console.log(`logins: ${(await logins(portal.base)).toFixed(0)}/s`)
  await settle(portal.base)
  const rss = portal.rssMb()
  console.log(`memory of the server after the run: ${rss.toFixed(0)} MB (at most 200)`)
  return portal.coldMs < 6000 && portal.warmMs < 2000 && ratios.every((ratio) => ratio >= 0.5) && rss < 200
}

/** The two in turn, so that a change of the machine's pace meets both; medians of the rounds. */
async function compareWithFloor(portal: BenchPortal, cookies: string[]) {
  const port = await freePort()
  const env = { FLOOR_PORT: String(port), FLOOR_ANSWERS: await record(portal, cookies[0]!) }
  const floor = await startProcess('node', ['bench/floor.ts'], env, /ready/)
  const ratios = []
  try {
    for (const path of PATHS) {
      await load(portal.base, path, cookies)
      const rounds: { bare: Load; ours: Load }[] = []
      for (let round = 0; round < ROUNDS; round++) {
        rounds.push({ bare: await load(`http://127.0.0.1:${port}`, path, cookies), ours: await load(portal.base, path, cookies) })
      }
      const of = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick))
      const ratio = of(({ bare, ours }) => ours.perSecond / bare.perSecond)
      ratios.push(ratio)
      console.log(
        `GET ${path}: ${of((r) => r.ours.perSecond).toFixed(0)}/s, floor ${of((r) => r.bare.perSecond).toFixed(0)}/s, ratio ${ratio.toFixed(2)} (at least 0.5); ` +
          `p99 ${of((r) => r.ours.p99)} ms, floor ${of((r) => r.bare.p99)} ms`,
      )
    }
  } finally {
    await stop(floor.child)
  }
  return ratios
}

/** Clients that hung up leave passwords to check; once one more login is answered, they are done. */
async function settle(base: string) {
  const body = JSON.stringify({ username: 'admin', password: PASSWORD })
  await fetch(`${base}/api/auth/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}
