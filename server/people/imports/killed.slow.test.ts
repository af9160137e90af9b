/** The portal is killed again and again while it applies a file: every row is done once, with its whole trace. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sendFile } from '../../../test/imports.ts'
import { PASSWORD, until } from '../../../test/portal.ts'
import { look, portals } from '../../../test/process.ts'

const { makeUsedFolder, startPortal } = portals()

const ROWS = 3000
const KILLS = 20

/** Releases the jobs of killed runners without the usual wait of half a minute, and resets their tries. */
const FREE = `
  update graphile_worker._private_jobs set locked_at = locked_at - interval '1 hour', attempts = 0, run_at = now() where task_id = (
    select id from graphile_worker._private_tasks where identifier = 'apply_import');
  update graphile_worker._private_job_queues set locked_at = locked_at - interval '1 hour' where locked_at is not null;
  select graphile_worker.add_job('free_lost_jobs')`

/** The wait in ms before each kill, so that kills hit different moments of a portion; the same in every run. */
const momentOf = (kill: number) => (kill * 137) % 500

test('a file that is applied while the portal is killed twenty times makes every account exactly once', async (t) => {
  const DATA_DIR = await makeUsedFolder()
  const env = { DATA_DIR, LOG_LEVEL: 'warn' }
  let portal = await startPortal(env)
  const signIn = () => portal.stranger().signIn('admin', PASSWORD)
  let admin = await signIn()
  const lines = Array.from({ length: ROWS }, (_, n) => `made${n},made${n}@example.org,Name ${n}`)
  const { body, text } = await sendFile(admin, ['username,email,display_name_en', ...lines])
  assert.equal(body.counts?.create, ROWS, text)
  const path = `/users/imports/${body.id}`
  assert.equal((await admin.post(`${path}/apply`, { invite: true })).status, 202)

  const count = async (what: string) => (await look<{ count: number }>(DATA_DIR, `select count(*)::int as count from ${what}`))[0]!.count
  const done = () => count('user_import_rows where is_settled')
  let seen = 0
  for (let kill = 0; kill < KILLS; kill++) {
    if (seen < ROWS) await until('more rows are done', async () => (await done()) > seen || (await done()) === ROWS)
    await pause(momentOf(kill))
    await portal.stop('SIGKILL')
    portal = await startPortal(env)
    seen = await done()
    t.diagnostic(`${seen} rows done after kill ${kill + 1}`)
    await look(DATA_DIR, FREE)
  }
  admin = await signIn()
  await until('the file is applied', async () => {
    await look(DATA_DIR, FREE)
    return (await admin.get(path)).body.state === 'applied'
  })

  const { done: settled, total, changedSince } = (await admin.get(path)).body
  assert.deepEqual([settled, total, changedSince], [ROWS, ROWS, 0])
  assert.equal(await count(`users where username like 'made%' and invitation = 'pending'`), ROWS)
  assert.equal(await count(`ledger where action = 'user.create' and facts ->> 'importId' = '${body.id}'`), ROWS)
  assert.equal(
    await count(`permission_history where kind = 'user.groups' and target_id in (select id from users where username like 'made%')`),
    ROWS,
  )
  assert.equal(await count(`ledger where kind = 'import.finished'`), 1)
  assert.equal((await portal.stop()).code, 0)
})
