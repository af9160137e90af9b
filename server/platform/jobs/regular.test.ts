import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { testPortal } from '../../../test/portal.ts'
import { openSchedule } from './regular.ts'

const portal = testPortal()

// No runner knows these jobs, so they wait.
const CRONTAB = '* * * * * each_minute\n7 * * * * each_hour\n12 3 * * * each_day'
const kinds = ['each_day', 'each_hour', 'each_minute']
const look = () => openSchedule(portal.instance.db.pools.write, CRONTAB)()
const jobs = async () =>
  (
    await portal.sql<{ kind: string }>(
      `select task_identifier as kind from graphile_worker.jobs where task_identifier like 'each_%' order by 1`,
    )
  ).map(({ kind }) => kind)
/** Sets when the jobs were last added. */
const lastAdded = (at: string) => portal.sql(`update regular_jobs set last_at = ${at}`)

beforeEach(async () => {
  // The hooks of a file start concurrently, so the portal may not be ready yet.
  await portal.ready
  await look()
  await portal.sql('delete from graphile_worker._private_jobs')
})

test('a new job is not due before its time', async () => {
  await portal.sql('delete from regular_jobs')
  await look()
  assert.deepEqual(await jobs(), [])
})

test('after a clock jumps by days, each job is added once, by the instance that looks first', async () => {
  await lastAdded(`now() - interval '3 days'`)
  await Promise.all([look(), look(), look()])
  assert.deepEqual(await jobs(), kinds)
  await look()
  assert.deepEqual(await jobs(), kinds)
})

test('after a clock that was ahead is corrected, jobs are due as usual', async () => {
  await lastAdded(`now() + interval '1 hour'`)
  await look()
  assert.deepEqual(await jobs(), kinds)
})

test('a due job is not added while one of its kind waits, but is added while a dead runner holds one', async () => {
  await lastAdded(`now() - interval '1 day'`)
  await look()
  await portal.sql(`update graphile_worker._private_jobs set locked_by = 'pool-that-is-gone', locked_at = now()
    where task_id = (select id from graphile_worker._private_tasks where identifier = 'each_hour')`)
  for (let round = 0; round < 400; round++) {
    await lastAdded(`now() - interval '1 day'`)
    await look()
  }
  assert.deepEqual(await jobs(), ['each_day', 'each_hour', 'each_hour', 'each_minute'])
})

test('a failed job, whether it is tried again or not, does not block the next one', async () => {
  await lastAdded(`now() - interval '1 day'`)
  await look()
  await portal.sql(`update graphile_worker._private_jobs set run_at = now() + interval '1 hour', attempts = 3
    where task_id = (select id from graphile_worker._private_tasks where identifier = 'each_hour')`)
  await portal.sql(`update graphile_worker._private_jobs set attempts = max_attempts
    where task_id = (select id from graphile_worker._private_tasks where identifier = 'each_day')`)
  await lastAdded(`now() - interval '1 day'`)
  await look()
  assert.deepEqual(await jobs(), ['each_day', 'each_day', 'each_hour', 'each_hour', 'each_minute'])
})
