import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { until } from './house.ts'
import { makeDatabase, makeFolder, serversOf, startPortal } from './process.ts'

const demo = fileURLToPath(new URL('../server/demo/main.ts', import.meta.url))

test('the demonstration fills a database of its own, whatever database it inherits the address of', async () => {
  const { url, connection } = await makeDatabase()
  const folder = makeFolder()
  const portal = await startPortal({ DATABASE_URL: url }, ['sh', '-c', `cd ${folder} && exec node ${demo}`])
  await until('it is filled', () => /password/.test(portal.printed.out))
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query(
    `select schemaname, tablename from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  await client.end()
  assert.deepEqual(rows, [])
  await portal.stop()
  assert.deepEqual(serversOf(`${folder}/data-demo`), [])
})
