import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { Registry } from 'prom-client'
import { until } from '../../../test/client.ts'
import { clusters } from '../../../test/clusters.ts'
import { showFigures } from './gauges.ts'

const { makeCluster, start } = clusters()

test('commits that wait for a synchronous standby are counted while they wait, and the database counts as up', async () => {
  const postgres = await start(await makeCluster(), undefined, { settings: { synchronous_standby_names: 'nobody' } })
  const registry = new Registry()
  const close = showFigures(registry, postgres.owner, [])
  const [writer, other] = [new pg.Client(postgres.owner), new pg.Client(postgres.owner)]
  for (const client of [writer, other]) await client.connect()
  const writing = writer.query('create table waits ()')
  const text = await until('the commit waits', async () => {
    const now = await registry.metrics()
    return /^database_commits_waiting 1$/m.test(now) ? now : null
  })
  assert.match(text, /^database_up 1$/m)
  assert.match(text, /^database_commits_waiting_seconds \d+\.\d+$/m)
  await other.query(`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`)
  await writing
  assert.match(await registry.metrics(), /^database_commits_waiting 0$/m)
  for (const client of [writer, other]) await client.end()
  await close()
})
