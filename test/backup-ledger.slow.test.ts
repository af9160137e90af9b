/** A restore reports a ledger that was tampered with before the backup. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { withClient } from '../server/platform/database/client.ts'
import { borrowPostgres } from '../server/platform/postgres/server.ts'
import { portals } from './process.ts'

const { makeFolder, makeUsedFolder, runScript } = portals()
const admin = (DATA_DIR: string, ...args: string[]) => runScript('admin', args, { DATA_DIR })

test('a restore verifies the ledger and names its newest seal, or the first row that does not fit', async () => {
  const [source, file] = [await makeUsedFolder(), join(makeFolder(), 'backup')]
  assert.equal((await admin(source, 'backup', file)).code, 0)
  const whole = await admin(makeFolder(), 'restore', file)
  assert.match(whole.out, /\nThe ledger (fits its seals; the newest is \d+\.[0-9a-f]{64}|has no seal yet)\.\n$/)
  assert.equal(whole.code, 0)

  const { owner, release } = await borrowPostgres(source)
  await withClient(owner, (client) =>
    client.query(`alter table ledger disable trigger number_row;
      insert into ledger (id, kind, target_type, target_id, facts) overriding system value values (9000000000000, 'test.forged', 'user', 1, '{}');
      alter table ledger enable trigger number_row`),
  )
  await release()
  assert.equal((await admin(source, 'backup', `${file}2`)).code, 0)
  const forged = await admin(makeFolder(), 'restore', `${file}2`)
  assert.match(forged.out, /^Restored into /)
  assert.match(forged.err, /^The ledger does not fit its seals: the first row that is added is 9000000000000, of seal \d+\.\n$/)
  assert.equal(forged.code, 1)
})
