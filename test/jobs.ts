/** Regular jobs, which run in tests only when a test asks for them. */
import assert from 'node:assert/strict'
import { until } from './client.ts'
import type { Sql } from './ledger.ts'

/** Runs a job, and waits for its end. */
export async function runJob({ sql }: { sql: Sql }, name: string, payload: object = {}) {
  await sql('select graphile_worker.add_job($1, $2::json)', [name, JSON.stringify(payload)])
  await until(`the job ${name} is done`, async () => {
    const jobs = await sql<{ error: string | null }>('select last_error as error from graphile_worker.jobs where task_identifier = $1', [
      name,
    ])
    for (const { error } of jobs) assert.equal(error, null)
    return jobs.length === 0
  })
}
