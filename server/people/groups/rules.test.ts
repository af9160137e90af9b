import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countsOf, groupMoves, memberOf, nothingMoves, parts, setOf } from './rules.ts'

const before = { userIds: [1, 2], roleIds: [3], appIds: [4] }

test('a set that is not sent does not change', () => {
  assert.deepEqual(groupMoves(before, {}), nothingMoves)
  assert.deepEqual(groupMoves(before, { userIds: [2, 5] }), { ...nothingMoves, users: { added: [5], removed: [1] } })
  assert.deepEqual(groupMoves(before, { roleIds: [] }), { ...nothingMoves, roles: { added: [], removed: [3] } })
  assert.deepEqual(groupMoves(before, { appIds: [4, 6] }), { ...nothingMoves, apps: { added: [6], removed: [] } })
})

test('the sets and counts of a group have the names that the API uses', () => {
  assert.deepEqual(parts, ['users', 'roles', 'apps'])
  assert.deepEqual(setOf, { users: 'userIds', roles: 'roleIds', apps: 'appIds' })
  assert.deepEqual(memberOf, { users: 'userId', roles: 'roleId', apps: 'appId' })
  assert.deepEqual(countsOf({ ...before, appIds: [] }), { memberCount: 2, appCount: 0, roleCount: 1 })
})
