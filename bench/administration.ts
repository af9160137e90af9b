/** Measures an administrator's requests in an organisation of 50,000 people, and the recording of app opens. */
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import autocannon from 'autocannon'
import { median } from './figures.ts'
import { fillOrganisation } from './organisation.ts'
import { signIn } from './people.ts'
import { type BenchPortal, openBenchPortal, startProcess } from './portal.ts'

const CONNECTIONS = 64
const SECONDS = 5
const ROUNDS = 5
const ASKED = 100
const MOST_PREVIEW = 700

interface Organisation {
  portal: BenchPortal
  adminCookie: string
  cookies: string[]
  ids: number[]
}

/** Sends a GET, or a POST with a body. */
async function ask({ portal, adminCookie }: Organisation, path: string, sent?: object) {
  const begun = performance.now()
  const headers = { cookie: adminCookie, ...(sent && { 'content-type': 'application/json' }) }
  const init = sent ? { method: 'POST', body: JSON.stringify(sent) } : {}
  const response = await fetch(`${portal.base}/api${path}`, { ...init, headers })
  const body = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${body}`)
  return { ms: performance.now() - begun, body }
}

/** Prints the median time of requests for `pathOf(0)`, `pathOf(1)` and so on. */
async function timeAnswers(organisation: Organisation, name: string, pathOf: (n: number) => string, most: number) {
  const times = []
  for (let n = 0; n < ASKED; n++) times.push((await ask(organisation, pathOf(n))).ms)
  const ms = median(times)
  console.log(`${name}: median ${ms.toFixed(1)} ms (at most ${most})`)
  return ms <= most
}

const dayBefore = (days: number) => new Date(Date.now() - days * 24 * 3600 * 1000).toISOString().slice(0, 10)

const year = (daysAgo: number) => `/stats/admin?range=custom&from=${dayBefore(365 + daysAgo)}&to=${dayBefore(daysAgo)}`

/**
 * Compares the statistics of a year with those of a tenth as many rows. The requests alternate, so that a change in the machine's speed
 * affects both.
 */
async function compareYears(whole: Organisation, tenth: Organisation) {
  const firsts = []
  for (let n = 1; n <= 5; n++) firsts.push((await ask(whole, year(n))).ms)
  const rounds: { whole: number; tenth: number }[] = []
  for (const organisation of [tenth, whole]) await ask(organisation, year(0))
  for (let n = 0; n < ASKED; n++) rounds.push({ tenth: (await ask(tenth, year(0))).ms, whole: (await ask(whole, year(0))).ms })
  const [ms, ratio] = [median(rounds.map((round) => round.whole)), median(rounds.map((round) => round.whole / round.tenth))]
  console.log(
    `a year of statistics: median ${ms.toFixed(1)} ms (at most 40), ${ratio.toFixed(2)} times that of a tenth (at most 1.3); ` +
      `a year that nobody asked for before: ${median(firsts).toFixed(0)} ms`,
  )
  return ms <= 40 && ratio <= 1.3
}

/** The filters, single and combined, for which the first page of the log is timed. */
const logFilters = [
  '',
  'action=user.update',
  'action=user.force_delete',
  'action=app.create',
  'targetType=group',
  'targetId=77',
  'targetType=user&targetId=77',
  'targetType=user&targetId=78',
  'actorUserId=7',
  'actorUserId=7&action=role.update',
  'forcedOnly=true',
  'forcedOnly=true&targetType=app',
  `from=${dayBefore(200)}&to=${dayBefore(170)}`,
  `from=${dayBefore(200)}&to=${dayBefore(170)}&action=app.update&targetType=app`,
  `from=${dayBefore(9)}&actorUserId=3&targetId=12`,
]

async function timeLog(organisation: Organisation) {
  let held = true
  for (const filter of logFilters)
    held = (await timeAnswers(organisation, `the log by “${filter}”`, () => `/admin/audit-logs?${filter}`, 40)) && held
  return held
}

/** Prints how much the server's memory grows while it sends a long answer. */
async function growth(organisation: Organisation, what: string, path: string) {
  const { portal } = organisation
  const before = portal.rssMb()
  let most = before
  const watching = setInterval(() => {
    most = Math.max(most, portal.rssMb())
  }, 10)
  const { ms, body } = await ask(organisation, path)
  clearInterval(watching)
  const rows = path === '/users' ? JSON.parse(body).length : body.trimEnd().split('\n').length - 1
  console.log(
    `${what}, ${rows} rows, ${(body.length / 1e6).toFixed(0)} MB in ${ms.toFixed(0)} ms: the server grew by ${(most - before).toFixed(0)} MB (at most 40)`,
  )
  return most - before < 40 && rows >= 50_000
}

/** Prints the median times of previews of changes of the group Everyone. */
async function timePreviews(organisation: Organisation) {
  const { portal, ids } = organisation
  const [found] = await portal.sql<{ everyone: number; role: number; app: number }>(
    `select (select id from groups where name = 'Everyone') as everyone, (select id from roles where name = 'order_receiver') as role,
       (select app_id from app_permissions limit 1) as app`,
  )
  const { everyone, role, app } = found!
  let held = true
  for (const [what, change] of Object.entries({
    'three of its members removed': { remove: { userIds: ids.slice(0, 3) } },
    'a role given to it': { add: { roleIds: [role] } },
    'an app opened to it': { add: { appIds: [app] } },
  })) {
    const changes = [{ kind: 'group', id: everyone, ...change }]
    const times = []
    for (let n = 0; n < 9; n++) times.push((await ask(organisation, '/admin/impact', { changes })).ms)
    console.log(`a preview of a group of ${ids.length}, ${what}: median ${median(times).toFixed(0)} ms (at most ${MOST_PREVIEW})`)
    held = median(times) <= MOST_PREVIEW && held
  }
  return held
}

/** Prints the median time of requests for the access of a person at a past moment. */
async function timePast(organisation: Organisation) {
  const at = new Date().toISOString()
  const { ids } = organisation
  return timeAnswers(
    organisation,
    'the access of a person at a past moment',
    (n) => `/users/${ids[n * 37]}/effective-access?at=${at}`,
    1000,
  )
}

async function openThroughPortal({ portal, cookies }: Organisation, appIds: number[]) {
  const requests = cookies.slice(0, 2000).map((cookie, n) => ({
    method: 'POST' as const,
    path: `/api/apps/${appIds[n % appIds.length]}/open`,
    headers: { cookie },
  }))
  const result = await autocannon({ url: portal.base, connections: CONNECTIONS, duration: SECONDS, requests })
  if (result.non2xx || result.errors) throw new Error(`app opens: ${result.non2xx} refused, ${result.errors} failed`)
  return result.requests.average
}

async function openRaw({ portal, ids }: Organisation, appIds: number[]) {
  const task = { connection: portal.connection, connections: CONNECTIONS, seconds: SECONDS, appIds, userIds: ids.slice(0, 2000) }
  const env = { RAW_APP_OPENS: JSON.stringify(task) }
  const { child, printed } = await startProcess('node', ['bench/raw-app-opens.ts'], env, /noted [\d.]+ a second/)
  if (child.exitCode === null) await once(child, 'exit')
  return Number(/noted ([\d.]+)/.exec(printed())![1])
}

async function compareAppOpens(organisation: Organisation) {
  const apps = await organisation.portal.sql<{ id: number }>(
    'select id from apps where not exists (select from app_permissions where app_id = id)',
  )
  const appIds = apps.map(({ id }) => id)
  await openThroughPortal(organisation, appIds)
  const rounds: { raw: number; ours: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ raw: await openRaw(organisation, appIds), ours: await openThroughPortal(organisation, appIds) })
  }
  const ratio = median(rounds.map(({ raw, ours }) => ours / raw))
  const of = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick)).toFixed(0)
  console.log(
    `recording app opens: ${of(({ ours }) => ours)}/s, single rows ${of(({ raw }) => raw)}/s: ratio ${ratio.toFixed(2)} (more than 1)`,
  )
  return ratio > 1
}

/** Deletes the app or the person with the most app opens; prints how long it then takes to delete these opens. */
async function timeDeletion({ portal, adminCookie }: Organisation, owner: 'app' | 'user') {
  const [most] = await portal.sql<{ id: number; opens: number }>(
    `select ${owner}_id as id, sum(count)::int as opens from ${owner}_open_months group by 1 order by 2 desc limit 1`,
  )
  const begun = performance.now()
  const since = () => ((performance.now() - begun) / 1000).toFixed(1)
  const path = `/${owner}s/${most!.id}?force=true`
  const { status } = await fetch(`${portal.base}/api${path}`, { method: 'DELETE', headers: { cookie: adminCookie } })
  const deleted = since()
  while ((await portal.sql(`select from app_opens where ${owner}_id = $1 limit 1`, [most!.id])).length) await pause(100)
  console.log(`deleting the ${owner} with ${most!.opens} app opens: ${status} in ${deleted} s (204); they were gone after ${since()} s`)
  return status === 204
}

async function openOrganisation(share: number): Promise<Organisation> {
  const portal = await openBenchPortal()
  const begun = performance.now()
  const people = await fillOrganisation(portal, { share })
  console.log(`filled ${share} of a year in ${((performance.now() - begun) / 1000).toFixed(0)} s (at most 900)`)
  return { portal, ...people, adminCookie: await signIn(portal.base) }
}

/** Prints the figures; returns whether they meet their targets. `DESK_SHARE` is the share of the year's rows to use; 1 if unset. */
export async function benchAdministration() {
  const share = Number(process.env['DESK_SHARE'] ?? 1)
  const tenth = await openOrganisation(share / 10)
  try {
    const begun = performance.now()
    const whole = await openOrganisation(share)
    try {
      const filledInTime = performance.now() - begun < 900_000
      const held = [
        await compareYears(whole, tenth),
        await timeAnswers(whole, 'people found by a piece of a name', (n) => `/users?q=person${1000 + n * 37}`, 40),
        await timeLog(whole),
        await growth(whole, 'the log exported', '/admin/audit-logs/export'),
        await growth(whole, 'everyone', '/users'),
        await timePreviews(whole),
        await timePast(whole),
        await compareAppOpens(whole),
        await timeDeletion(whole, 'app'),
        await timeDeletion(whole, 'user'),
      ]
      return held.every(Boolean) && filledInTime
    } finally {
      await whole.portal.close()
    }
  } finally {
    await tenth.portal.close()
  }
}
