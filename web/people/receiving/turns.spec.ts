/** How a board sorts its orders. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstNow, inTurn, lateness } from './turns.ts'

const untold = { receivedAt: null, completedAt: null, receivedInTime: null, completedInTime: null, isLate: false, minutesUsed: 0 }
const at = (hour: string | null) => hour && `2026-11-30T${hour}:00.000Z`
type Progress = 'pending' | 'later' | 'received'
const row = (id: number, receiveBy: string | null, completeBy: string | null, progress: Progress = 'pending') => ({
  order: { id, status: progress === 'received' ? ('received' as const) : ('pending' as const) },
  details: { times: { ...untold, receiveBy: at(receiveBy), completeBy: at(completeBy) }, progress },
})
const turns = (...rows: Parameters<typeof inTurn>[0]) => inTurn(rows).map(({ order }) => order.id)

test('the order that is due first comes first, then orders without a target or with unknown details, and orders for later come last', () => {
  const unknown = { order: { id: 2, status: 'pending' as const }, details: undefined }
  const rows = [row(1, '09:00', null, 'later'), unknown, row(3, null, null), row(4, '12:00', '13:00'), row(5, '10:00', '20:00')]
  assert.deepEqual(turns(...rows), [5, 4, 2, 3, 1])
})

test('orders that are due at the same moment, and those without a target, come by age', () => {
  assert.deepEqual(turns(row(9, '10:00', null), row(8, null, null), row(7, '10:00', null), row(6, null, null)), [7, 9, 6, 8])
})

test('a claimed order is due when it must be done, not when it had to be claimed', () => {
  assert.deepEqual(turns(row(1, null, '14:00', 'received'), row(2, null, '11:00', 'received')), [2, 1])
})

test('a waiting order without a target is late after 15 minutes and far too late after 30', () => {
  const now = new Date('2026-11-30T12:00:00.000Z')
  const late = (
    time: string,
    targets: { receiveBy?: string; completeBy?: string } | undefined,
    status: 'pending' | 'received' = 'pending',
  ) =>
    lateness(
      { order: { status, createdAt: at(time)! }, details: targets && { times: { receiveBy: null, completeBy: null, ...targets } } },
      now,
    )
  assert.deepEqual([late('11:46', {}), late('11:45', {}), late('11:31', {}), late('11:30', {})], [undefined, 'warn', 'warn', 'danger'])
  const [receiveBy, completeBy] = [at('16:00')!, at('18:00')!]
  const others = [late('08:00', { receiveBy }), late('08:00', { completeBy }), late('08:00', undefined), late('08:00', {}, 'received')]
  assert.deepEqual(others, [undefined, undefined, undefined, undefined])
})

test('a key acts on the first order that is not for later, and on none if all are for later', () => {
  const [later, other] = [row(1, null, null, 'later'), row(2, null, null)]
  assert.deepEqual([firstNow(inTurn([later, other]))?.order.id, firstNow([later])], [2, undefined])
})
