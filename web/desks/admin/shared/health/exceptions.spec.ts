import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Health, Version } from './data.ts'
import { exceptionsOf } from './exceptions.ts'

const well: Health = {
  startedAt: '2030-01-01T00:00:00.000Z',
  version: { version: '0.1.0', build: 'source' },
  database: { ok: true, ms: 2, size: 1_000_000 },
  queue: { due: 0, oldestSeconds: 0, givenUp: [] },
  pushes: { waiting: 0, configured: true },
  streams: 3,
  ledger: { rows: 100, unsealedSeconds: 30, valid: true },
  auditStream: { state: 'working', lagSeconds: 1 },
  storage: { used: 5000, free: 50 * 1024 ** 3 },
  mail: { configured: true },
  secrets: { configured: true },
  clock: { aheadSeconds: -0.4 },
  last24h: [],
}
const current: Version = {
  current: well.version,
  latest: null,
  status: 'not-configured',
  errorMessage: null,
  checkedAt: null,
  configured: false,
}
const names = (health: Health, version = current) => exceptionsOf(health, version).map(({ what }) => what)

test('a healthy portal has no exceptions', () => {
  assert.deepEqual(names(well), [])
  assert.deepEqual(names({ ...well, storage: { used: 5000, free: null }, ledger: { ...well.ledger, valid: null } }), [])
  assert.deepEqual(exceptionsOf(undefined), [])
})

test('exceptions are listed by urgency, with missing setup last', () => {
  const job = { id: 812, task: 'send_push', error: null, attempts: 25 }
  assert.deepEqual(
    names(
      {
        ...well,
        database: { ok: false, ms: 0, size: 0 },
        queue: { due: 4, oldestSeconds: 900, givenUp: [job] },
        pushes: { waiting: 0, configured: false },
        ledger: { rows: 100, unsealedSeconds: 700, valid: false },
        auditStream: { state: 'failing', lagSeconds: 700 },
        storage: { used: 5000, free: 1000 },
        mail: { configured: false },
        secrets: { configured: false },
        clock: { aheadSeconds: -31 },
      },
      { ...current, status: 'update-available', latest: { version: '0.2.0', build: 'x' } },
    ),
    [
      'databaseGone',
      'broken',
      'sealLate',
      'streamFails',
      'full',
      'clockOff',
      'queueLate',
      'givenUp',
      'newer',
      'noMail',
      'noPush',
      'noSecrets',
    ],
  )
  assert.deepEqual(names({ ...well, auditStream: { state: 'behind', lagSeconds: 61 } }), ['streamLate'])
  assert.deepEqual(names({ ...well, auditStream: { state: 'off', lagSeconds: 0 } }), [])
  assert.deepEqual(names({ ...well, database: { ok: true, ms: 300, size: 1 } }, { ...current, status: 'error' }), [
    'slow',
    'versionUnknown',
  ])
})
