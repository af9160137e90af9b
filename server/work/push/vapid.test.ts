import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseEnv } from 'node:util'
import { portals } from '../../../test/process.ts'
import { readConfig } from '../../platform/config.ts'

const { runScript } = portals()

test('npm run vapid prints a new pair of keys each time, which the portal accepts', async () => {
  const [one, other] = await Promise.all([runScript('vapid', [], {}), runScript('vapid', [], {})])
  const env = parseEnv(one.out)
  assert.deepEqual([one.code, one.err, Object.keys(env).toSorted()], [0, '', ['VAPID_PRIVATE_KEY', 'VAPID_PUBLIC_KEY', 'VAPID_SUBJECT']])
  assert.deepEqual(readConfig(env).vapid, {
    publicKey: env['VAPID_PUBLIC_KEY'],
    privateKey: env['VAPID_PRIVATE_KEY'],
    subject: env['VAPID_SUBJECT'],
  })
  assert.notEqual(parseEnv(other.out)['VAPID_PRIVATE_KEY'], env['VAPID_PRIVATE_KEY'])
})
