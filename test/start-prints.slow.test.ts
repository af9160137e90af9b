import assert from 'node:assert/strict'
import { test } from 'node:test'
import { portals } from './process.ts'

const { makeFolder, makeMigratedDatabase, startPortal } = portals()

test('a first start prints the first administrator and the address, and nothing else', async () => {
  const portal = await startPortal({ DATABASE_URL: (await makeMigratedDatabase()).url, DATA_DIR: makeFolder() })
  const { out, err } = await portal.stop()
  const [admin, ready, ...others] = out.trim().split('\n')
  assert.match(admin!, /^First administrator: admin, password \S{16} \(shown only once\)$/)
  assert.equal(ready, `Bawaba is ready at ${portal.publicUrl} (listening on 127.0.0.1:${portal.port})`)
  assert.deepEqual([others, err], [[], ''])
})
