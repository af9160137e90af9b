import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPortal } from '../../../test/portal.ts'
import type { Refusal } from '../errors/refusal.ts'
import { changedSet, checkKnown, hasMoved, lockExisting, movesBetween, noMoves, refuseUnknown } from './sets.ts'

const portal = testPortal()

test('the gains and losses of a set are unique and sorted', () => {
  assert.deepEqual(movesBetween([3, 1, 2], [2, 10, 5, 10]), { added: [5, 10], removed: [1, 3] })
  assert.deepEqual(movesBetween([10, 9], []), { added: [], removed: [9, 10] })
  assert.deepEqual(movesBetween([1, 2], [2, 1]), noMoves)
})

test('a set has moved if it gained or lost something', () => {
  assert.deepEqual([noMoves, { added: [1], removed: [] }, { added: [], removed: [1] }, { added: [1], removed: [2] }].map(hasMoved), [
    false,
    true,
    true,
    true,
  ])
})

test('a change shows only the ids that left and joined; a set that did not move is not shown', () => {
  assert.deepEqual(changedSet('ids', { added: [1, 11], removed: [9] }), { ids: { from: [9], to: [1, 11] } })
  assert.deepEqual(changedSet('ids', noMoves), {})
})

const unknown = (unknownIds: number[]) => (error: Refusal) => {
  assert.deepEqual([error.code, error.extras.body], ['unknown_ids', { unknownIds }])
  return true
}

test('the refusal of unknown ids lists each id once, in ascending order', () => {
  refuseUnknown([1, 2, 1], [{ id: 2 }, { id: 1 }])
  refuseUnknown([], [])
  assert.throws(() => refuseUnknown([30, 2, 4, 30], [{ id: 2 }]), unknown([4, 30]))
})

test('ids are looked up in their own table, and locked until the end of the transaction', async () => {
  const { db } = portal.instance
  await checkKnown(db.reads, 'roles', [1, 2])
  await assert.rejects(checkKnown(db.reads, 'roles', [1, 900, 800]), unknown([800, 900]))
  await db.writes.transaction().execute(async (tx) => {
    await lockExisting(tx, 'users', [])
    await lockExisting(tx, 'users', [portal.admin.id])
    await assert.rejects(portal.sql(`select from users where id = 1 for update nowait`), { code: '55P03' })
    await assert.rejects(lockExisting(tx, 'users', [portal.admin.id, 900]), unknown([900]))
  })
})
