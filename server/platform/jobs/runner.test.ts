import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type pg from 'pg'
import { quiet, testPortal, until } from '../../../test/portal.ts'
import { type JobContext, startJobs } from './runner.ts'

const portal = testPortal()

const waiting = (id: number) => portal.sql<{ locked_by: string | null }>('select locked_by from graphile_worker.jobs where id = $1', [id])

async function addJob(name: string, runAt = 'now()') {
  const [job] = await portal.sql<{ id: number }>(`select id from graphile_worker.add_job('${name}', run_at => ${runAt})`)
  return job!.id
}
const untilDone = (id: number) => until('the job is done', async () => (await waiting(id)).length === 0)

/** Adds a job that the runner began three minutes ago. */
async function addBegunJob(runner: string, name = 'clean_up') {
  const id = await addJob(name, `now() + interval '1 hour'`)
  await portal.sql(
    `update graphile_worker._private_jobs set run_at = now(), attempts = 1, locked_by = $1, locked_at = now() - interval '3 minutes' where id = $2`,
    [runner, id],
  )
  return id
}

/** The ids of the live runners, from the names of their listening connections. */
async function findRunners() {
  const found = await portal.sql<{ runner: string }>(
    `select substr(application_name, 16) as runner from pg_stat_activity where application_name like 'bawaba jobs of pool-%' and datname = current_database()`,
  )
  return found.map(({ runner }) => runner)
}
/** Waits for a live runner that is not in `before`, and returns its id. */
const untilRuns = (before: string[] = []) =>
  until('the runner is known', async () => (await findRunners()).find((runner) => !before.includes(runner)))

test('the jobs of a dead runner are released and done; a live runner keeps its jobs', async () => {
  const lost = await addBegunJob('pool-that-is-gone')
  const runner = await untilRuns()
  const underWay = await addBegunJob(runner)
  await addJob('free_lost_jobs')
  await untilDone(lost)
  const isUntouched = `select locked_by, locked_at < now() - interval '2 minutes' as since from graphile_worker._private_jobs
    where id = $1`
  assert.deepEqual(await portal.sql(isUntouched, [underWay]), [{ locked_by: runner, since: true }])
})

test('a job that a live runner has held for a quarter of an hour is released and done; its other jobs and queues stay locked', async () => {
  const runner = await untilRuns()
  const [forgotten, underWay] = [await addBegunJob(runner), await addBegunJob(runner)]
  const inQueue = async (id: number, age: string) => {
    await portal.sql(
      `with queue as (
         insert into graphile_worker._private_job_queues (queue_name, locked_by, locked_at) values ($1, $2, now() - $3::interval) returning id)
       update graphile_worker._private_jobs set locked_at = now() - $3::interval, job_queue_id = queue.id from queue where _private_jobs.id = $4`,
      [`queue ${id}`, runner, age, id],
    )
  }
  await inQueue(forgotten, '16 minutes')
  await inQueue(underWay, '14 minutes')
  await addJob('free_lost_jobs')
  await untilDone(forgotten)
  const locked = await portal.sql(
    `select j.locked_by = $2 and j.locked_at < now() - interval '13 minutes' as job, q.locked_by = $2 and q.locked_at < now() - interval '13 minutes' as queue
     from graphile_worker._private_jobs j join graphile_worker._private_job_queues q on q.id = j.job_queue_id where j.id = $1`,
    [underWay, runner],
  )
  assert.deepEqual(locked, [{ job: true, queue: true }])
})

/** Adds jobs, cuts every connection of the portal, and waits until the jobs are done. */
async function loseConnections() {
  const jobs = await Promise.all(Array.from({ length: 10 }, () => addJob('clean_up')))
  await portal.sql(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'bawaba%' and datname = current_database()`,
  )
  await until('all is done', async () => {
    // An interrupted job is retried later, with growing pauses.
    await portal.sql('update graphile_worker._private_jobs set run_at = now() where id = any($1) and run_at > now()', [jobs])
    // A runner may have locked a job and never learned of it. `free_lost_jobs` releases such a job only after a quarter of an hour.
    await portal.sql(
      `with lost as (
         update graphile_worker._private_jobs set locked_at = now() - interval '16 minutes'
         where id = any($1) and locked_at between now() - interval '15 minutes' and now() - interval '20 seconds' returning id)
       select graphile_worker.add_job('free_lost_jobs') from lost`,
      [jobs],
    )
    return (await portal.sql('select from graphile_worker.jobs where id = any($1)', [jobs])).length === 0
  })
}

test('a portal that loses every connection still does its jobs, and answers', async () => {
  for (let round = 0; round < 3; round++) await loseConnections()
  // A connection that is being cut may still be used once.
  await until('the portal answers', async () => (await portal.admin.get('/auth/me')).status === 200)
})

type Fault = 'cut' | 'mute'

/** A proxy to the database that cuts or silences a connection which sends one of these words. Each fault happens once, in order. */
async function openFaultyWay(t: TestContext, faults: [string, Fault][]) {
  const { host, port } = portal.connection
  const folder = await mkdtemp(join(tmpdir(), 'bawaba-way-'))
  const server = net.createServer((near) => {
    const far = net.connect(`${host}/.s.PGSQL.${port}`)
    let isMute = false
    near.on('data', (chunk) => {
      if (faults.length && chunk.includes(faults[0]![0])) {
        if (faults.shift()![1] === 'cut') return near.destroy()
        isMute = true
      }
      if (!isMute) far.write(chunk)
    })
    far.pipe(near)
    near.on('error', () => {}).on('close', () => far.destroy())
    far.on('error', () => {}).on('close', () => near.destroy())
  })
  await new Promise<void>((resolve) => server.listen(join(folder, `.s.PGSQL.${port}`), resolve))
  t.after(async () => {
    server.close()
    await rm(folder, { recursive: true })
  })
  return { ...portal.connection, host: folder } as pg.PoolConfig
}

/** Starts a second runner, for jobs that only it knows, through a proxy with these faults. Returns its id. */
async function startFaultyRunner(t: TestContext, faults: [string, Fault][]) {
  const before = await findRunners()
  let runner: Awaited<ReturnType<typeof startJobs>> | undefined
  t.after(() => runner?.stop())
  const jobs = { note: async () => {} } as unknown as Parameters<typeof startJobs>[0]['jobs']
  const connection = await openFaultyWay(t, faults)
  runner = await startJobs({ jobs, schedule: '' }, { db: { connection }, log: quiet } as unknown as JobContext, 3000)
  return untilRuns(before)
}

/** A fault that stops a runner: it cannot record the end of a job. */
const RECORD: [string, Fault] = ['_private_jobs as jobs\nwhere id', 'cut']

test('a runner that cannot record the end of a job is replaced, and the jobs that it had begun are done', async (t) => {
  const faults: [string, Fault][] = []
  const begun = await addBegunJob(await startFaultyRunner(t, faults), 'note')
  // So that `free_lost_jobs` does not release the job.
  await portal.sql(`update graphile_worker._private_jobs set locked_at = now() + interval '1 hour' where id = $1`, [begun])
  faults.push(RECORD)
  await untilDone(await addJob('note'))
  await untilDone(begun)
  assert.deepEqual(faults, [])
})

test('a runner whose start gets no answer is abandoned, and the next one does the jobs', async (t) => {
  const faults: [string, Fault][] = [RECORD, ['force_unlock_workers', 'mute']]
  await startFaultyRunner(t, faults)
  await addJob('note')
  await until('a start is not answered', () => faults.length === 0)
  await untilDone(await addJob('note'))
})
