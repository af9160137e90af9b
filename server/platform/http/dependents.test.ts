import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkDependents } from './dependents.ts'

test('an object with dependents is deleted only by force, and the result tells whether force was needed', () => {
  assert.equal(checkDependents({ users: 0, groups: 0 }, false), false)
  assert.equal(checkDependents({ users: 0, groups: 0 }, true), false)
  assert.equal(checkDependents({ users: 0, groups: 1 }, true), true)
  for (const force of [false, undefined])
    assert.throws(() => checkDependents({ users: 0, groups: 1 }, force), {
      code: 'has_dependents',
      extras: { body: { users: 0, groups: 1 } },
    })
})
