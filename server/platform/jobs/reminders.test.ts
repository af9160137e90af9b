import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { testPortal } from '../../../test/portal.ts'
import type { Tx } from '../database/db.ts'
import { type Due, type Reminders, reminding } from './reminders.ts'
import type { JobContext } from './runner.ts'

const portal = testPortal()
beforeEach(() => portal.ready)

const context = {
  transact: (_author: unknown, work: (tx: Tx) => Promise<{ reply: unknown }>) =>
    portal.instance.db.writes.transaction().execute(async (tx) => (await work(tx)).reply),
} as unknown as JobContext

/** Reminders that add to `sent` instead of notifying people. */
function listed(name: string, planned: string, sent: Due[]): Reminders {
  const changes = async (_tx: Tx, due: readonly Due[]) => {
    sent.push(...due)
    return []
  }
  return { name, planned: sql.raw(planned), changes }
}
const numbers = (days: string, deadline = `'infinity'::timestamptz`) => `
  select n as subject_id, 0 as object_id, ${deadline} as deadline, days, now() - make_interval(hours => days) as due_at
  from generate_series(1, 450) as n cross join unnest(array[${days}]) as days`

test('of a subject’s due reminders, only the last is sent, once for each deadline', async () => {
  const sent: Due[] = []
  const run = (deadline?: string) => reminding([listed('numbers', numbers('7, 3, -1', deadline), sent)])(undefined, context)
  for (let round = 0; round < 2; round++) await run()
  assert.deepEqual([sent.length, new Set(sent.map(({ subjectId }) => subjectId)).size], [450, 450])
  assert.ok(sent.every(({ days }) => days === 3))
  await run(`'2100-01-01'::timestamptz`)
  assert.equal(sent.length, 900)
})

test('concurrent jobs send each reminder once', async () => {
  const sent: Due[] = []
  const run = () => reminding([listed('at once', numbers('1'), sent)])(undefined, context)
  await Promise.all([run(), run(), run()])
  assert.deepEqual([sent.length, new Set(sent.map(({ subjectId }) => subjectId)).size], [450, 450])
})

test('reminders that fail do not keep the rest from being sent, and may be sent later', async () => {
  const sent: Due[] = []
  const broken = listed('broken', 'select 1 / 0 as subject_id', [])
  const refused: Reminders = { ...listed('refused', numbers('1'), []), changes: () => Promise.reject(new Error('not today')) }
  const run = () => reminding([broken, refused, listed('sent', numbers('1'), sent)])(undefined, context)
  await assert.rejects(run(), /^Error: broken: .*; refused: not today$/)
  assert.equal(sent.length, 450)
  const again: Due[] = []
  await reminding([listed('refused', numbers('1'), again)])(undefined, context)
  assert.equal(again.length, 450)
})
