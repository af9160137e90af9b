import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAIL_TRIES, mailQueue, resetUrl, tries } from './rules.ts'

test('a reset link leads to the portal’s own page', () => {
  assert.equal(resetUrl({ publicUrl: 'https://x.org' }, 'abc'), 'https://x.org/reset-password?token=abc')
})

test('links asked for with one name, however it is written, wait in one queue of eight', () => {
  assert.equal(mailQueue('Huda@Example.org'), mailQueue('huda@example.ORG'))
  const queues = new Set(Array.from({ length: 500 }, (_, number) => mailQueue(`person${number}`)))
  assert.deepEqual(
    [...queues].toSorted(),
    Array.from({ length: 8 }, (_, number) => `reset links ${number}`),
  )
})

test('a mail is tried for a little more than an hour, the time a link is good for', () => {
  // graphile-worker waits e^n seconds after the nth try, at most e^10.
  const lastAt = (tries: number) =>
    Array.from({ length: tries - 1 }, (_, index) => Math.exp(Math.min(10, index + 1))).reduce((a, b) => a + b, 0)
  assert.ok(lastAt(MAIL_TRIES) > 3600 && lastAt(MAIL_TRIES - 1) < 3600)
})

test('passwords are tried ten times in a quarter of an hour, links asked for five times an hour; an address stands for many people', () => {
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
