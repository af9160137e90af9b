/** The key that the instances share if there is no SECRETS_KEY. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPortal } from '../../../test/portal.ts'
import { beginSnapshot } from '../backup/database.ts'
import { withClient } from '../database/client.ts'
import { openMadeKey } from './made-key.ts'

const portal = testPortal()
const ignore = () => {}
const open = () => openMadeKey(portal.instance.db.pools.write, ignore)
const [first, hour] = [0, 3_600_000]

test('instances that look at the same time share one key', async () => {
  await portal.sql('delete from made_key')
  const made = await Promise.all([open(), open(), open()])
  assert.equal(new Set(made.map(({ keys }) => keys()[first]!.toString('hex'))).size, 1)
  for (const { close } of made) await close()
})

test('after a crash of the database, which empties the table, an instance puts its key back; a different key is taken over', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const made = await open()
  const key = made.keys()[first]!
  await portal.sql('delete from made_key')
  const stored = async () => (await portal.sql<{ value: Buffer }>('select value from made_key'))[0]?.value
  const wait = async (isThere: () => Promise<boolean> | boolean) => {
    t.mock.timers.tick(hour)
    for (let n = 0; n < 1000 && !(await isThere()); n++) await new Promise((resolve) => setImmediate(resolve))
  }
  await wait(async () => (await stored()) !== undefined)
  assert.deepEqual(await stored(), key)
  const other = Buffer.alloc(32, 7)
  await portal.sql('update made_key set value = $1', [other])
  await wait(() => made.keys().length > 1)
  assert.deepEqual(made.keys(), [other, key])
  await made.close()
})

test('no backup has a key of cookies or of the log, and no permanent table stores one', async () => {
  const names = await withClient(portal.connection, async (client) => (await beginSnapshot(client)).tables.map(({ name }) => name))
  assert.deepEqual(
    names.filter((name) => /(^|_|\.)(log|cookie|made)_key$/.test(name)),
    [],
  )
  const kept = await portal.sql<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relpersistence = 'p' and relname ~ '_key$' and relname <> 'secrets_key'
       and relnamespace = 'public'::regnamespace`,
  )
  assert.deepEqual(kept, [])
})
