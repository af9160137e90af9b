/** Seals, webhooks and the audit stream read only the part of the ledger to which no running transaction can still add. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { testPortal, until } from '../../../test/portal.ts'

const portal = testPortal()

/** Moves each horizon three times, and returns the id of the last row that each has passed. */
async function moved() {
  for (let n = 0; n < 3; n++) {
    await until('the ledger is settled', async () => (await portal.sql('select from settle_ledger()')).length)
    await portal.sql(`select from place_audit_entries('run', 1000)`)
    await portal.sql('select seal_ledger()')
  }
  const [last] = await portal.sql<{ settled: number; placed: number; sealed: number }>(`
    select (select settled from webhook_horizon)::int as settled, (select ledger_id from audit_stream_horizon)::int as placed,
      (select coalesce(max(last_id), 0) from audit_seals)::int as sealed`)
  return last!
}
const ADD = `insert into ledger (kind, target_type, target_id, facts) values ('test', 'test', 1, '{}') returning id::int`

test('no horizon passes a row of a running transaction, whatever number the transaction has', async (t) => {
  const running = new pg.Client(portal.connection)
  await running.connect()
  t.after(() => running.end())
  await running.query('begin')
  const { id } = (await running.query<{ id: number }>(ADD)).rows[0]!
  // Later transactions have higher numbers. While the first one runs, none, then one, then five more of them commit.
  for (const others of [0, 1, 5]) {
    for (let n = 0; n < others; n++) await portal.sql(ADD)
    for (const [name, last] of Object.entries(await moved())) assert.ok(last < id, `${name} ${last} with ${id} under way`)
  }
  await running.query('commit')
  await until('every horizon passes it', async () => Object.values(await moved()).every((last) => last >= id))
})

test('a transaction that already has a number cannot move a horizon', async () => {
  for (const work of ['select seal_ledger()', 'select from settle_ledger()', `select from place_audit_entries('run', 1000)`])
    await assert.rejects(portal.sql(`begin; select pg_current_xact_id(); ${work}; commit`), { code: '25001' })
})
