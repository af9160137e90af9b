import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAIL_TRIES, mailQueue, resetUrl } from './rules.ts'

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
