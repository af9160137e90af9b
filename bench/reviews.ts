/** Measures reviews of access in an organisation of 50,000: beginning one, paging through it, and closing it while people work. */
import { setTimeout as pause } from 'node:timers/promises'
import autocannon from 'autocannon'
import { dayAhead } from '../test/access-reviews.ts'
import { median, note } from './figures.ts'
import { fillOrganisation } from './organisation.ts'
import { signIn } from './people.ts'
import { type BenchPortal, openBenchPortal } from './portal.ts'

const ROUNDS = 5
const PAGES = 100
const ITEMS = 50_000
const REMOVED = 5000
/** The load of other people's calls while the review is closed, low enough not to keep the machine busy. */
const LOAD = { connections: 8, overallRate: 200, duration: 10 }

interface Bench {
  portal: BenchPortal
  cookie: string
  cookies: string[]
}

async function ask({ portal, cookie }: Bench, path: string, sent?: object) {
  const begun = performance.now()
  const headers = { cookie, ...(sent && { 'content-type': 'application/json' }) }
  const response = await fetch(`${portal.base}/api${path}`, { ...(sent && { method: 'POST', body: JSON.stringify(sent) }), headers })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return { ms: performance.now() - begun, body: JSON.parse(text) }
}

const review = (groupIds: number[]) => ({ titleEn: 'Bench', groupIds, dueDate: dayAhead(30), ifSilent: 'remove' })

/** The largest groups that together have at most `most` members. */
async function groupsOf({ portal }: Bench, most: number) {
  const groups = await portal.sql<{ id: number; count: number }>(
    `select group_id as id, count(*)::int as count from memberships join groups on groups.id = group_id where not is_system group by 1 order by 2 desc, 1`,
  )
  const ids: number[] = []
  let left = most
  for (const { id, count } of groups) {
    if (count > left) continue
    left -= count
    ids.push(id)
  }
  return ids
}

/** Copies the items of a review into a table with the same columns and indexes: the least work that beginning a review can take. */
async function insertItems({ portal }: Bench, reviewId: number) {
  await portal.sql('drop table if exists floor_items')
  await portal.sql('create table floor_items (like access_review_items including defaults including indexes including generated)')
  const columns = `review_id, user_id, username, name_ar, name_en, group_id, role_id, target_name, granted_at, app_ids`
  const begun = performance.now()
  await portal.sql(`insert into floor_items (id, ${columns}) select id, ${columns} from access_review_items where review_id = $1`, [
    reviewId,
  ])
  return (performance.now() - begun) / 1000
}

async function timeOpening(bench: Bench, groupIds: number[]) {
  const rounds: { ours: number; floor: number }[] = []
  let id = 0
  for (let round = 0; round < ROUNDS; round++) {
    const { ms, body } = await ask(bench, '/access-reviews', review(groupIds))
    id = body.id
    if (body.counts.total < ITEMS * 0.98) throw new Error(`the review has only ${body.counts.total} items`)
    rounds.push({ ours: ms / 1000, floor: await insertItems(bench, id) })
  }
  const ours = rounds.map((round) => round.ours)
  const held = [
    note({ what: 'beginning a review of 50,000 items', unit: 's', rounds: ours, atMost: 10 }),
    note({ what: 'the same, against inserting its items', unit: 's', rounds: ours, floor: rounds.map(({ floor }) => floor) }),
  ]
  return { id, held: held.every(Boolean) }
}

/** Times pages anywhere in a large review against pages of a small one. */
async function timePages(bench: Bench, large: number, small: number) {
  const rounds: { large: number; small: number }[] = []
  for (let n = 0; n < PAGES; n++) {
    const offset = Math.floor((n * ITEMS) / PAGES)
    const pageOf = async (id: number, from: number) => (await ask(bench, `/access-reviews/${id}/items?limit=50&offset=${from}`)).ms
    rounds.push({ large: await pageOf(large, offset), small: await pageOf(small, offset % 50) })
  }
  const ms = rounds.map((round) => round.large)
  const held = [
    note({ what: 'a page of a review of 50,000 items', unit: 'ms', rounds: ms, atMost: 100 }),
    note({ what: 'the same, against a page of a review of 100', unit: 'ms', rounds: ms, floor: rounds.map((round) => round.small) }),
  ]
  return held.every(Boolean)
}

/** The 99th percentile of the times in which orders are placed and read, in ms. */
async function work({ portal, cookies }: Bench, serviceId: number) {
  const requests = cookies.slice(0, 500).flatMap((cookie) => [
    { method: 'GET' as const, path: '/api/orders/my', headers: { cookie } },
    {
      method: 'POST' as const,
      path: '/api/orders',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ serviceId }),
    },
  ])
  const { latency, errors, non2xx } = await autocannon({ url: portal.base, ...LOAD, requests })
  if (errors || non2xx) throw new Error(`${non2xx} refused, ${errors} failed`)
  return latency.p99
}

/** Times other people's calls while 5,000 grants are taken away, against those in a quiet time. */
async function timeClosing(bench: Bench) {
  const [service] = await bench.portal.sql<{ id: number }>('select id from services order by id limit 1')
  const rounds: { quiet: number; closing: number }[] = []
  let seconds = 0
  for (let round = 0; round < 3; round++) {
    const { body } = await ask(bench, '/access-reviews', review(await groupsOf(bench, REMOVED)))
    const quiet = await work(bench, service!.id)
    const begun = performance.now()
    await ask(bench, `/access-reviews/${body.id}/close`, {})
    const closing = await work(bench, service!.id)
    rounds.push({ quiet, closing })
    while ((await ask(bench, `/access-reviews/${body.id}`)).body.status !== 'closed') await pause(100)
    seconds = (performance.now() - begun) / 1000
  }
  console.log(
    `  ${REMOVED} grants were taken away within ${seconds.toFixed(0)} s; p99 quiet ${median(rounds.map(({ quiet }) => quiet))} ms`,
  )
  return note({
    what: 'others’ p99 while 5,000 grants are taken away, against a quiet time',
    unit: 'ms',
    rounds: rounds.map(({ closing }) => closing),
    floor: rounds.map(({ quiet }) => quiet),
  })
}

/** Prints the figures; returns whether they meet their targets. */
export async function benchReviews() {
  const portal = await openBenchPortal()
  try {
    const { cookies } = await fillOrganisation(portal, { share: Number(process.env['DESK_SHARE'] ?? 0.1) })
    const bench: Bench = { portal, cookie: await signIn(portal.base), cookies }
    const opening = await timeOpening(bench, await groupsOf(bench, ITEMS))
    await portal.sql('vacuum analyze')
    const { body: small } = await ask(bench, '/access-reviews', review((await groupsOf(bench, 400)).slice(0, 1)))
    const held = [opening.held, await timePages(bench, opening.id, small.id), await timeClosing(bench)]
    return held.every(Boolean)
  } finally {
    await portal.close()
  }
}
