import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { fileCollector } from './collector.ts'
import { until } from './portal.ts'
import { portals } from './process.ts'

const { makeDatabase, makeFolder, startPortal } = portals()

const collector = await fileCollector()
const demo = fileURLToPath(new URL('../demo/main.ts', import.meta.url))

async function tablesOf(connection: pg.PoolConfig) {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const { rows } = await client.query(`select tablename from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`)
    return rows
  } finally {
    await client.end()
  }
}

test('the demonstration creates its own database and streams nothing, even if it inherits a DATABASE_URL and a collector', async () => {
  const { url, connection } = await makeDatabase()
  const portal = await startPortal({ DATABASE_URL: url, ...collector.env }, ['sh', '-c', `cd ${makeFolder()} && exec node ${demo}`])
  // The portal is a process of its own, which ends with the demonstration.
  try {
    assert.deepEqual(await tablesOf(connection), [])
    await until('it is filled', () => /^Sign in with the password/m.test(portal.printed.out))
    assert.deepEqual(await tablesOf(connection), [])
    const admin = await portal.stranger().signIn('admin', 'bawaba-demo')
    assert.equal((await admin.get('/push/vapid-public-key')).status, 200)
    assert.equal((await admin.get('/admin/audit-stream')).body.kind, null)
    assert.deepEqual(collector.got, [])
    const { externalUrl } = (await admin.get('/apps')).body.find(({ slug }: { slug: string }) => slug === 'news')
    assert.equal(new URL(externalUrl).hostname, new URL(portal.publicUrl).hostname)
    assert.match(await (await fetch(`${externalUrl}?lang=en`)).text(), /<html lang="en"/)
    const { items } = (await admin.get('/orders?limit=60')).body
    assert.ok(new Set(items.map(({ createdAt }: { createdAt: string }) => createdAt.slice(0, 10))).size > 10)
  } finally {
    await portal.stop()
  }
})
