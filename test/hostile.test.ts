/**
 * Whatever anyone sends to the running portal, it never fails, it answers as documented and in time, what it refuses leaves nothing
 * behind, and afterwards the memory is what it was and the books are right. `FC_SEED` repeats a run but for the ids that it names.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import pino from 'pino'
import { recount } from '../server/stats/recount.ts'
import { type Attack, openAttacks } from './attacks.ts'
import { castOf } from './cast.ts'
import { deep, FULL_DEPTH } from './depth.ts'
import { furnish } from './furnish.ts'
import { knownAttacksOn } from './known-attacks.ts'
import { openLearned } from './learned.ts'
import { measureMemory } from './memory.ts'
import { testPortal, until } from './portal.ts'
import { type Route, routes } from './running.ts'
import { allShown, isReading, isRefused, openStrikes } from './strikes.ts'
import { watch } from './watch.ts'

/** Each round goes over all endpoints; all rounds of the full depth are 100,000 generated requests. */
const ROUNDS = deep(10)
/** Which part of the rounds is made here: `1/2` is every second of them. */
const [PART = 1, PARTS = 1] = (process.env['TEST_PART'] ?? '1/1').split('/').map(Number)
const rounds = Array.from({ length: ROUNDS }, (_, round) => round).filter((round) => round % PARTS === PART - 1)
const PER_ENDPOINT = Math.ceil(deep(10_000) / routes.length)
/** How many requests are sent at once. */
const TOGETHER = 16
/** How much more may be reachable at the end of a run than at its middle, in MiB: the caches may still fill, or be used for the first time. */
const MOST_GROWTH = rounds.length > 1 ? 64 : 96
const seed = Number(process.env['FC_SEED'] ?? Date.now() % 2 ** 31)
console.log(`FC_SEED=${seed}`)

let opened: Awaited<ReturnType<typeof open>> | undefined
// Registered before the portal's own hook, which drops the database.
after(async () => {
  await opened?.watcher.close()
  await opened?.strikes.close()
})
/** What the portal logged last, to explain a failure. */
const logged: string[] = []
const log = pino({ level: 'error' }, { write: (line) => void (logged.push(line) > 20 && logged.shift()) })
const portal = testPortal({}, log)

interface Known {
  /** Whether all callers are who they should be. */
  isCast: boolean
  /** What the database held after the last change; null after one that it was not looked at. */
  state: Record<string, string> | null
}
const unknown: Known = { isCast: false, state: null }

async function open() {
  const { body: document } = await portal.stranger().get('/openapi.json')
  const learned = openLearned()
  const cast = castOf(portal)
  await cast.fill()
  const strikes = openStrikes(portal.base, document, cast.visitors, learned, logged)
  const watcher = await watch(portal.connection)
  return { learned, cast, strikes, watcher, attacks: openAttacks(document, learned), furnished: 0, ...unknown }
}
type Opened = NonNullable<typeof opened>

/** Calls whose success may sign out, deactivate, demote or delete one of the cast. */
const changesPeople = ({ path }: Route) => /^.(auth|users|groups|roles)\b/.test(path)

/**
 * Sends requests at once. When one of them changed something, those that were refused are sent again without it, until all are
 * refused or only read: then nothing may have been left behind.
 */
async function strikeTogether(all: Opened, route: Route, attacks: Attack[]) {
  const { strikes, watcher } = all
  if (!all.isCast) await all.cast.fill()
  all.isCast = true
  all.state ??= await watcher.settle()
  const heard = await strikes.strike(route, attacks)
  const refused = heard.filter(isRefused).map(({ attack }) => attack)
  const isUnchanged = isReading(route) || refused.length === attacks.length
  if (isUnchanged) assert.deepEqual(await watcher.look(), all.state, `one of these left something behind:\n${allShown(route, attacks)}`)
  const repeated = await strikes.repeatSlow(route, heard)
  if (isUnchanged && !repeated) return
  Object.assign(all, { isCast: !changesPeople(route), state: null })
  if (!isUnchanged && refused.length) await strikeTogether(all, route, refused)
}

/** Sends requests of someone whose session or account ends meanwhile. */
async function strikeLeaving(all: Opened, route: Route, attacks: Attack[]) {
  const { cast, strikes } = all
  const half = Math.ceil(attacks.length / 2)
  const early = strikes.strike(route, attacks.slice(0, half))
  const leaving = cast.leave()
  const late = strikes.strike(route, attacks.slice(half))
  const heard = [...(await early), ...(await late)]
  await leaving
  await cast.replaceLeaver()
  await strikes.repeatSlow(route, heard)
  Object.assign(all, { isCast: !changesPeople(route), state: null })
}

// Deletions come last in a round, so that the others find something.
const inOrder = routes.toSorted((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'))
const marks: ReturnType<typeof measureMemory>[] = []

for (const [before, round] of rounds.entries())
  for (const [index, route] of inOrder.entries())
    test(`nothing hostile breaks ${route.at}, round ${round + 1}`, async () => {
      opened ??= await open()
      const all = opened
      if (all.furnished === before) {
        all.furnished++
        await all.cast.fill()
        await furnish(portal, all.cast.visitors, all.learned)
        Object.assign(all, unknown)
      }
      const allKnown = knownAttacksOn(route, all.attacks.fieldsOf(route))
      const known = allKnown.filter((_, nth) => (nth + index + seed + round) % FULL_DEPTH === 0)
      const numRuns = PER_ENDPOINT
      const attacks = [...known, ...fc.sample(all.attacks.attacksOn(route), { numRuns, seed: seed + round * inOrder.length + index })]
      const [leaving = [], staying = []] = [true, false].map((is) => attacks.filter(({ as }) => (as === 'leaver') === is))
      if (leaving.length) await strikeLeaving(all, route, leaving)
      for (let sent = 0; sent < staying.length; sent += TOGETHER) await strikeTogether(all, route, staying.slice(sent, sent + TOGETHER))
      const done = before * inOrder.length + index + 1
      if (Math.floor((done * 4) / (rounds.length * inOrder.length)) > marks.length) marks.push(measureMemory())
    })

test('among the answers were all kinds', (t) => {
  const { strikes } = opened!
  t.diagnostic(JSON.stringify({ ...strikes.figures(), cpu: process.cpuUsage() }))
  t.diagnostic(`never done: ${routes.filter(({ at }) => !strikes.succeeded.has(at)).map(({ at }) => at)}`)
  for (const status of [200, 201, 204, 400, 401, 403, 404, 409, 413, 415]) assert.ok(strikes.byStatus.get(status), `no ${status}`)
})

test('the memory stays as it was halfway', (t) => {
  t.diagnostic(JSON.stringify(marks))
  const [halfway, end] = [marks[1]!, marks[3]!]
  assert.ok(end.reachable - halfway.reachable < MOST_GROWTH, `grew from ${halfway.reachable} to ${end.reachable} MiB`)
})

test('every stored count is right, and the ledger is whole', async () => {
  assert.deepEqual(await recount(portal.instance.db.reads), [])
  await portal.sql(`select graphile_worker.add_job('seal_ledger')`)
  await until(
    'the ledger is sealed',
    async () => (await portal.sql(`select from graphile_worker.jobs where task_identifier = 'seal_ledger'`)).length === 0,
  )
  const [ledger] = await portal.sql<{ count: number }>('select count(*)::int as count from ledger')
  let checked = 0
  for (let from: number | null = 1; from !== null; ) {
    const { body } = await opened!.cast.visitors.admin.get(`/admin/audit-logs/verify?from=${from}`)
    assert.deepEqual([body.valid, body.firstMismatch], [true, null])
    checked += body.checked
    from = body.nextSeal
  }
  assert.ok(checked >= ledger!.count - 1, `checked ${checked} of ${ledger!.count}`)
})
