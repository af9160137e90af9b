import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unset } from '../server/platform/config.ts'
import { environmentOf } from './environment.ts'

test('the demo takes no variable of the portal from the environment except those for where it listens and how it runs', () => {
  const given = Object.fromEntries(Object.keys(unset).map((name) => [name, 'given']))
  const taken = Object.entries(environmentOf({ ...given, PATH: 'given' })).filter(([, value]) => value)
  assert.deepEqual(taken.map(([name]) => name).toSorted(), [
    ...['HOST', 'LOG_LEVEL', 'METRICS_HOST', 'METRICS_PORT', 'PATH', 'PORT', 'PUBLIC_URL', 'RATE_LIMITS', 'TRUST_PROXY', 'WORKERS'],
  ])
})
