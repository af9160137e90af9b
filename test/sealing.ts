/** Seals the whole ledger of a portal by the scheduled job. */
import assert from 'node:assert/strict'
import { until } from './client.ts'
import type { Sql } from './ledger.ts'

export async function sealLedger({ sql }: { sql: Sql }) {
  await sql(`select graphile_worker.add_job('seal_ledger')`)
  await until('the ledger is sealed', async () => {
    const jobs = await sql<{ error: string | null }>(
      `select last_error as error from graphile_worker.jobs where task_identifier = 'seal_ledger'`,
    )
    for (const { error } of jobs) assert.equal(error, null)
    return jobs.length === 0
  })
}
