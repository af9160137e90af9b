import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Readiness, unmetConditions } from './rules.ts'

const ready = { hasPassword: true, hasFactor: true }
const cases: [readiness: Readiness, unmet: string[]][] = [
  [{ isProven: true, exceptions: [ready] }, []],
  [{ isProven: true, exceptions: [ready, ready] }, []],
  [{ isProven: false, exceptions: [ready] }, ['ownProviderSignIn']],
  [{ isProven: true, exceptions: [] }, ['exceptions']],
  [{ isProven: true, exceptions: [ready, { ...ready, hasPassword: false }] }, ['exceptionPassword']],
  [{ isProven: true, exceptions: [ready, { ...ready, hasFactor: false }] }, ['exceptionFactor']],
  [
    { isProven: false, exceptions: [{ hasPassword: false, hasFactor: false }] },
    ['ownProviderSignIn', 'exceptionPassword', 'exceptionFactor'],
  ],
]
for (const [readiness, unmet] of cases)
  test(`the unmet conditions are ${unmet.join(', ') || 'none'}, with ${readiness.exceptions.length} exceptions`, () => {
    const details = unmetConditions(readiness)
    assert.deepEqual(
      details.map(({ rule }) => rule),
      unmet,
    )
    assert.ok(details.every(({ path }) => path === 'passwords'))
  })
