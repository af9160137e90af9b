/** Generated requests never break the portal; `bench/hostile.ts` measures their cost. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { recount } from '../../server/work/stats/recount.ts'
import { testPortal } from '../portal.ts'
import { routes } from '../running.ts'
import { sealLedger } from '../sealing.ts'
import { scale } from '../suite.ts'
import { errorLog, inOrder, openFuzz } from './fuzz.ts'

/**
 * Each round sends requests to every endpoint. The ordinary suite sends one generated request to each; the slow suite sends 15,000 in all
 * rounds together. `TEST_SEED` gives other requests.
 */
const ROUNDS = scale(1, 5)
const PER_ENDPOINT = scale(1, Math.ceil(3000 / routes.length))

let fuzz: Awaited<ReturnType<typeof openFuzz>>
// Registered before the portal's own hook, which drops the database.
after(() => fuzz?.close())
const { log, logged } = errorLog()
const portal = testPortal({}, log)
before(async () => {
  await portal.ready
  fuzz = await openFuzz(portal, logged)
})

for (let round = 0; round < ROUNDS; round++)
  for (const route of inOrder)
    test(`no request breaks ${route.at}, round ${round + 1}`, async () => {
      await fuzz.attack(route, round, PER_ENDPOINT)
    })

test('every usual status of answers occurred', (t) => {
  const { byStatus, succeeded } = fuzz.sender
  t.diagnostic(JSON.stringify(Object.fromEntries([...byStatus].sort())))
  t.diagnostic(`never succeeded: ${routes.filter(({ at }) => !succeeded.has(at)).map(({ at }) => at)}`)
  for (const status of [200, 201, 204, 400, 401, 403, 404, 409, 413, 415]) assert.ok(byStatus.get(status), `no ${status}`)
})

test('every stored count is right, and the ledger is complete', async () => {
  assert.deepEqual(await recount(portal.instance.db.reads), [])
  await sealLedger(portal)
  const [ledger] = await portal.sql<{ count: number }>('select count(*)::int as count from ledger')
  let checked = 0
  for (let from: number | null = 1; from !== null; ) {
    const { body } = await fuzz.callers.clients.admin.get(`/admin/audit-logs/verify?from=${from}`)
    assert.deepEqual([body.valid, body.firstMismatch], [true, null])
    checked += body.checked
    from = body.nextSeal
  }
  assert.ok(checked >= ledger!.count - 1, `checked ${checked} of ${ledger!.count}`)
})
