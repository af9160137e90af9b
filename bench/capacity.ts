/**
 * Measures the cost of one act: processor time of the portal and of PostgreSQL, WAL and stored bytes. Also measures a hundredth of a day of
 * 50,000 people; its cost must follow from the costs of its acts. `docs/capacity.md` uses these figures.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { PASSWORD } from './people.ts'
import { openStage, RECEIVERS, type Stage } from './stage.ts'

const EACH = 300
const STREAMS = 500
const AT_ONCE = 16
const IDLE_S = 60
const SETTLED_MS = 10_000
/** The clock of the kernel ticks a hundred times a second. */
const TICK_MS = 10
/** A day of 500 people: each signs in, opens the home page and reads `READS` times; every fifth orders; every tenth writes a note. */
const PEOPLE = 500
const READS = 20
/** The factor by which the day's cost may differ from the sum of the costs of its acts. */
const WITHIN = 1.5

interface Cost {
  /** Milliseconds of processor time. */
  portal: number
  postgres: number
  /** Bytes. */
  wal: number
  kept: number
}
const plus = (one: Cost, other: Cost, times = 1): Cost => ({
  portal: one.portal + other.portal * times,
  postgres: one.postgres + other.postgres * times,
  wal: one.wal + other.wal * times,
  kept: one.kept + other.kept * times,
})
const nothing: Cost = { portal: 0, postgres: 0, wal: 0, kept: 0 }

/** Reads /proc/PID/stat: in fields 14 to 17 the user and system time of the process and of its ended children, in field 4 its parent. */
function statOf(pid: string) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    const [user, system, usersOfEnded, systemOfEnded] = fields.slice(11, 15).map(Number) as [number, number, number, number]
    return { parent: fields[1]!, ticks: user + system, ofEnded: usersOfEnded + systemOfEnded }
  } catch {
    return null
  }
}

/** Processor time so far, in ms, of the portal and of its PostgreSQL with all its processes. */
function processorOf({ portal: { child, dataDir } }: Stage) {
  const postmaster = readFileSync(`${dataDir}/postgres/postmaster.pid`, 'utf8').split('\n')[0]!
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const backends = all.map(statOf).filter((one) => one?.parent === postmaster)
  const own = statOf(postmaster)!
  return {
    portal: statOf(String(child.pid))!.ticks * TICK_MS,
    postgres: (own.ticks + own.ofEnded + backends.reduce((sum, one) => sum + one!.ticks, 0)) * TICK_MS,
  }
}

async function standing(stage: Stage): Promise<Cost> {
  const [row] = await stage.portal.sql<{ wal: string; kept: string }>(
    `select pg_current_wal_insert_lsn() - '0/0' as wal, sum(pg_total_relation_size(oid)) as kept
     from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
  )
  return { ...processorOf(stage), wal: Number(row!.wal), kept: Number(row!.kept) }
}

/** The cost of `work`, including the jobs that follow from it. */
async function costOf(stage: Stage, work: () => Promise<unknown>) {
  const before = await standing(stage)
  await work()
  for (;;) {
    const [left] = await stage.portal.sql<{ waiting: boolean }>(
      'select exists (select from pushes) or exists (select from graphile_worker.jobs where attempts = 0 and run_at <= now()) as waiting',
    )
    if (!left!.waiting) break
    await pause(50)
  }
  return plus(await standing(stage), before, -1)
}

/** Calls the portal; fails on a refusal. */
async function call({ portal: { base } }: Stage, cookie: string, method: string, path: string, body?: object) {
  const headers = { cookie, ...(body && { 'content-type': 'application/json' }) }
  const response = await fetch(`${base}/api${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text ? JSON.parse(text) : undefined
}

/** Runs `works`, `AT_ONCE` at a time. */
async function atOnce(works: (() => Promise<unknown>)[]) {
  const waiting = works.values()
  const lane = async () => {
    for (const work of waiting) await work()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}
const times = (count: number, work: (n: number) => Promise<unknown>) => atOnce(Array.from({ length: count }, (_, n) => () => work(n)))

const HOME = ['/auth/me', '/apps', '/stats/home', '/notifications?limit=20', '/orders/my']

/** The acts of people. `n` is the number of the act; simultaneous acts are of different people. */
function actsOn(stage: Stage, appId: number) {
  const { cookies, ids, receivers, serviceId } = stage
  const own = (n: number) => cookies[RECEIVERS + (n % (cookies.length - RECEIVERS))]!
  const orders: number[] = []
  return {
    'a sign-in': (n: number) =>
      call(stage, '', 'POST', '/auth/login', { username: `person${RECEIVERS + 1 + (n % 1000)}`, password: PASSWORD }),
    'the home page': async (n: number) => {
      for (const path of HOME) await call(stage, own(n), 'GET', path)
    },
    'a reading': (n: number) => call(stage, own(n), 'GET', HOME[n % HOME.length]!),
    'an order to five receivers': async (n: number) => {
      orders.push((await call(stage, own(n), 'POST', '/orders', { serviceId, notes: 'الطابق الثالث' })).id)
    },
    'a claim, and its end': async (n: number) => {
      const [id, cookie] = [orders.shift()!, cookies[n % receivers.length]!]
      await call(stage, cookie, 'PATCH', `/orders/${id}/confirm-receipt`)
      await call(stage, cookie, 'PATCH', `/orders/${id}/status`, { status: 'completed' })
    },
    'a note to three': async (n: number) => {
      const { id } = await call(stage, own(n), 'POST', '/notes', { title: 'الاجتماع', content: 'غدًا في العاشرة' })
      await call(stage, own(n), 'POST', `/notes/${id}/send`, {
        recipientUserIds: [1, 2, 3].map((step) => ids[RECEIVERS + ((n + step) % 1000)]!),
      })
    },
    'a change for everybody': (n: number) => call(stage, stage.adminCookie, 'PATCH', `/apps/${appId}`, { nameEn: `App ${n}` }),
  }
}

async function openStreams({ portal: { base }, cookies }: Stage, count: number) {
  const streams: IncomingMessage[] = []
  for (const cookie of cookies.slice(RECEIVERS, RECEIVERS + count))
    streams.push(
      await new Promise<IncomingMessage>((resolve, reject) => {
        request(`${base}/api/events`, { headers: { cookie } }, resolve).on('error', reject).end()
      }),
    )
  for (const stream of streams) stream.on('error', () => {}).resume()
  const close = () => {
    for (const stream of streams) stream.destroy()
  }
  return { close }
}

const figure = (value: number) => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)
const rowOf = (what: string, { portal, postgres, wal, kept }: Cost) =>
  `| ${what} | ${figure(portal)} ms | ${figure(postgres)} ms | ${figure(wal / 1000)} kB | ${figure(Math.max(0, kept) / 1000)} kB |`
const HEAD = '| | Portal | PostgreSQL | WAL | Kept |\n| --- | --- | --- | --- | --- |'

/** Prints the costs of the acts and of the day; returns whether the day costs about the sum of its acts. */
export async function benchCapacity() {
  const stage = await openStage()
  try {
    const app = { slug: 'capacity', nameAr: 'تطبيق', nameEn: 'App', iconName: 'box', route: '/app', color: '#0af' }
    const { id: appId } = await call(stage, stage.adminCookie, 'POST', '/apps', app)
    const acts = actsOn(stage, appId)
    type Name = keyof typeof acts
    // Warms up code and caches before anything is measured.
    for (const act of Object.values(acts)) await times(40, act)
    const costs = {} as Record<Name, Cost>
    for (const [name, act] of Object.entries(acts) as [Name, (n: number) => Promise<unknown>][]) {
      if (name === 'a change for everybody') continue
      costs[name] = plus(nothing, await costOf(stage, () => times(EACH, act)), 1 / EACH)
    }
    // Finishes the database work that the acts leave behind, so that it does not count as the cost at rest.
    await stage.portal.sql('vacuum analyze')
    await pause(SETTLED_MS)
    const idle = await costOf(stage, () => pause(IDLE_S * 1000))
    const streams = await openStreams(stage, STREAMS)
    const held = plus(await costOf(stage, () => pause(IDLE_S * 1000)), idle, -1)
    const perHour = plus(nothing, held, 3600 / IDLE_S / STREAMS)
    costs['a change for everybody'] = plus(nothing, await costOf(stage, () => times(20, acts['a change for everybody'])), 1 / 20)
    console.log(HEAD)
    for (const [name, cost] of Object.entries(costs))
      console.log(rowOf(name === 'a change for everybody' ? `a change that reaches ${STREAMS} open pages` : name, cost))
    console.log(rowOf('an open page, an hour of rest', perHour))
    console.log(rowOf('the portal at rest, an hour', plus(nothing, idle, 3600 / IDLE_S)))

    const day: [Name, number][] = [
      ['a sign-in', PEOPLE],
      ['the home page', PEOPLE],
      ['a reading', PEOPLE * READS],
      ['an order to five receivers', PEOPLE / 5],
      ['a claim, and its end', PEOPLE / 5],
      ['a note to three', PEOPLE / 10],
      ['a change for everybody', 1],
    ]
    const began = performance.now()
    const spent = await costOf(stage, async () => {
      for (const [name, count] of day) {
        await times(count, acts[name])
        // After this change, every open page reads the apps again.
        if (name === 'a change for everybody') await times(PEOPLE, (n) => call(stage, stage.cookies[RECEIVERS + n]!, 'GET', '/apps'))
      }
    })
    streams.close()
    const rest = plus(idle, held)
    const reckoned = [...day, ['a reading', PEOPLE] as [Name, number]].reduce(
      (sum, [name, count]) => plus(sum, costs[name], count),
      plus(nothing, rest, (performance.now() - began) / 1000 / IDLE_S),
    )
    console.log(rowOf(`a day of ${PEOPLE} people, measured`, spent))
    console.log(rowOf(`a day of ${PEOPLE} people, reckoned`, reckoned))
    const isNear = (['portal', 'postgres', 'wal'] as const).map((part) => {
      const ratio = spent[part] / reckoned[part]
      console.log(`${part}: ${figure(ratio)} times the sum of its acts (within ${WITHIN})`)
      return ratio < WITHIN && ratio > 1 / WITHIN
    })
    return isNear.every(Boolean)
  } finally {
    await stage.close()
  }
}
