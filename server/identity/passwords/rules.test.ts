import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAIL_TRIES } from '../../platform/jobs/runner.ts'
import { mailQueue, resetUrl, tries } from './rules.ts'

test('a reset link leads to the reset page of the portal', () => {
  assert.equal(resetUrl({ publicUrl: 'https://x.org' }, 'abc'), 'https://x.org/reset-password?token=abc')
})

test('all requests for links under one name, in any case, wait in the same one of eight queues', () => {
  assert.equal(mailQueue('Huda@Example.org'), mailQueue('huda@example.ORG'))
  const queues = new Set(Array.from({ length: 500 }, (_, number) => mailQueue(`person${number}`)))
  assert.deepEqual(
    [...queues].toSorted(),
    Array.from({ length: 8 }, (_, number) => `reset links ${number}`),
  )
})

test('a mail is retried for a little over an hour, as long as a link works', () => {
  // graphile-worker waits e^n seconds after the nth try, at most e^10.
  const lastAt = (tries: number) =>
    Array.from({ length: tries - 1 }, (_, index) => Math.exp(Math.min(10, index + 1))).reduce((a, b) => a + b, 0)
  assert.ok(lastAt(MAIL_TRIES) > 3600 && lastAt(MAIL_TRIES - 1) < 3600)
})

test('the limits are ten tries in a quarter of an hour and five links an hour for a name, and many more for an address', () => {
  const [quarter, hour] = [900_000, 3_600_000]
  assert.deepEqual(Object.fromEntries(Object.entries(tries).map(([what, { tries, withinMs }]) => [what, [tries, withinMs]])), {
    loginOfDevice: [10, quarter],
    loginFromAddress: [100, quarter],
    loginOfName: [10, quarter],
    loginOfAccount: [10, quarter],
    ownPassword: [10, quarter],
    resetOfDevice: [5, hour],
    resetFromAddress: [300, hour],
    resetOfName: [5, hour],
    resetOfAccount: [5, hour],
    registrationFromAddress: [300, hour],
  })
})
