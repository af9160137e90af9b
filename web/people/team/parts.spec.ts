/** In which part of a lead's page an order stands. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { intoParts } from './parts.ts'

const NOW = new Date('2026-11-30T08:00:00.000Z')
const [past, next] = ['2026-11-30T07:00:00.000Z', '2026-11-30T09:00:00.000Z']
const untold = { receivedAt: null, completedAt: null, receivedInTime: null, completedInTime: null, isLate: false, minutesUsed: 0 }
type Order = Parameters<typeof intoParts>[0][number]
interface Fields {
  by?: string
  progress?: Order['details']['progress']
  updatedAt?: string
}
function row(id: number, status: Order['order']['status'], fields: Fields = {}): Order {
  const { by = next, progress = status, updatedAt = past } = fields
  return {
    order: { id, status, updatedAt },
    details: { times: { ...untold, receiveBy: null, completeBy: by }, progress },
  }
}
const idsIn = (...rows: Order[]) =>
  Object.fromEntries(Array.from(intoParts(rows, NOW), ([name, some]) => [name, some.map(({ order }) => order.id)]))

test('an order stands in the first part that fits: late, for later, unclaimed, waiting for an answer, in work', () => {
  const rows = [
    row(1, 'pending', { by: past }),
    row(2, 'received', { by: past, progress: 'waiting' }),
    row(3, 'pending'),
    row(4, 'preparing', { progress: 'waiting' }),
    row(5, 'preparing'),
    row(6, 'received'),
    row(7, 'pending', { progress: 'later' }),
    row(8, 'pending', { by: past, progress: 'later' }),
  ]
  assert.deepEqual(idsIn(...rows), { late: [1, 2, 8], unclaimed: [3], waiting: [4], work: [5, 6], later: [7] })
})

test('an order in several lists appears once, in its newest state', () => {
  const [claimed, former] = [row(1, 'received', { updatedAt: next }), row(1, 'pending')]
  assert.deepEqual([idsIn(former, claimed), idsIn(claimed, former)], [{ work: [1] }, { work: [1] }])
})
