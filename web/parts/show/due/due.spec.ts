import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dueOf } from './due-of.ts'

const NOW = new Date('2026-11-29T08:00:00Z')
const [past, near, far] = ['2001-01-01T08:00:00.000Z', '2999-01-01T08:00:00.000Z', '2999-01-01T10:00:00.000Z']
const times = { receiveBy: near, completeBy: far, receivedAt: null, completedAt: null }
const untold = { receivedInTime: null, completedInTime: null, isLate: false, minutesUsed: 0 }
const due = (status: 'pending' | 'received' | 'completed' | 'cancelled', changes: Partial<Parameters<typeof dueOf>[1]> = {}) =>
  dueOf({ status }, { ...times, ...untold, ...changes }, NOW)

test('a waiting order is due by its claim target, and a claimed order by its completion target', () => {
  assert.deepEqual(
    [due('pending'), due('received', { receivedAt: past })],
    [
      { at: near, isUnclaimed: true, isLate: false },
      { at: far, isUnclaimed: false, isLate: false },
    ],
  )
})

test('a party is told when the order is to be completed, also while it waits to be claimed', () => {
  const asParty = (changes: object) => dueOf({ status: 'pending' }, { ...times, ...untold, ...changes }, NOW, true)
  assert.deepEqual(asParty({ receiveBy: past, isLate: true }), { at: far, isUnclaimed: false, isLate: false })
  assert.deepEqual(asParty({ completeBy: null }), { at: near, isUnclaimed: true, isLate: false })
  assert.deepEqual(asParty({ completeBy: past }), { at: past, isUnclaimed: false, isLate: true })
})

test('an order that was given back is due by its completion target', () => {
  assert.equal(due('pending', { receivedAt: past })?.at, far)
})

test('an order without a next target is never due, nor is one that has ended', () => {
  const none = [
    due('received', { receivedAt: past, completeBy: null }),
    due('completed'),
    due('cancelled'),
    due('pending', { completedAt: past }),
  ]
  assert.deepEqual(none, [undefined, undefined, undefined, undefined])
})

test('an order is late as soon as its target has passed, before the portal reports it', () => {
  assert.deepEqual([due('pending', { receiveBy: past })?.isLate, due('pending', { isLate: true })?.isLate], [true, true])
})
