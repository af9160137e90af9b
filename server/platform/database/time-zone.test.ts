/** A database with a time zone of its own. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import pg from 'pg'
import { Registry } from 'prom-client'
import { Client, type Instance, testPortal } from '../../../test/portal.ts'
import { openJobPool } from '../jobs/pool.ts'
import { showFigures } from '../metrics/gauges.ts'
import { withClient } from './client.ts'

const portal = testPortal()
const SHOWN = `select current_setting('TimeZone') as zone`
interface Asked {
  query(text: string): Promise<{ rows: { zone: string }[] }>
}
const zoneOf = async (asked: Asked) => (await asked.query(SHOWN)).rows[0]!.zone

let instance: Instance
before(async () => {
  await portal.ready
  await portal.sql(`alter database ${portal.connection.database} set timezone = 'Africa/Cairo'`)
  instance = await portal.another()
})

test('each connection of the portal counts in UTC', async () => {
  const plain = new pg.Client(portal.connection)
  await plain.connect()
  const jobs = openJobPool(portal.connection, 1, () => {})
  const zones = {
    plain: await zoneOf(plain),
    client: await withClient(portal.connection, zoneOf),
    jobs: await zoneOf(jobs),
    ...Object.fromEntries(
      await Promise.all(Object.entries(instance.db.pools).map(async ([name, pool]) => [name, await zoneOf(pool)] as const)),
    ),
  }
  await plain.end()
  await jobs.end()
  const ours = { client: 'UTC', jobs: 'UTC', write: 'UTC', read: 'UTC', sessions: 'UTC', events: 'UTC' }
  assert.deepEqual(zones, { plain: 'Africa/Cairo', ...ours })
})

test('figures are counted in UTC', async () => {
  const registry = new Registry()
  const close = showFigures(registry, portal.connection, [
    { name: 'is_utc', help: 'Whether.', query: `select (current_setting('TimeZone') = 'UTC')::int` },
  ])
  assert.match(await registry.metrics(), /^is_utc 1$/m)
  await close()
})

test('the log has every day of a month, also one without a midnight in the zone of the database', async () => {
  const admin = Object.assign(new Client(instance.base), { cookie: portal.admin.cookie })
  const { body } = await admin.get('/admin/audit-logs/counts?from=2026-04-01&to=2026-04-30')
  const days = Array.from({ length: 30 }, (_, n) => `2026-04-${String(n + 1).padStart(2, '0')}`)
  assert.deepEqual(
    body.map(({ date }: { date: string }) => date),
    days,
  )
})
