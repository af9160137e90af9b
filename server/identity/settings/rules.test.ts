import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameList, type Readiness, unmetConditions } from './rules.ts'

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
  test(`a provider cannot be required while these lack: ${unmet.join(', ') || 'none'}, of ${readiness.exceptions.length}`, () => {
    const details = unmetConditions(readiness)
    assert.deepEqual(
      details.map(({ rule }) => rule),
      unmet,
    )
    assert.ok(details.every(({ path }) => path === 'passwords'))
  })

test('lists are the same with the same members in the same order', () => {
  assert.ok(isSameList([], []) && isSameList(['a', 'b'], ['a', 'b']))
  assert.ok(!isSameList(['a'], ['b']) && !isSameList(['a'], ['a', 'b']) && !isSameList(['a', 'b'], ['a']))
})
