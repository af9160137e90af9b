import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  changedItems,
  endIn,
  ending,
  endsToGive,
  joining,
  leaving,
  reversed,
  sizeOf,
  sortResolved,
  splitPasted,
  takingBack,
  unsaved,
} from './staged.ts'

const id = (item: { id: number }) => item.id
const [one, two, three] = [{ id: 1 }, { id: 2 }, { id: 3 }] as const
const nothing = { add: [], remove: [] }

test('adding and removing the same item, in either order, leaves no change', () => {
  assert.deepEqual(leaving(joining(nothing, [one, two], id), { id: 1 }, id), { add: [two], remove: [] })
  assert.deepEqual(joining(leaving(nothing, one, id), [{ id: 1 }], id), nothing)
})

test('an item is added or removed only once', () => {
  assert.deepEqual(joining(joining(nothing, [one], id), [{ id: 1 }, two, { id: 2 }], id), { add: [one, two], remove: [] })
  assert.deepEqual(leaving(leaving(nothing, three, id), { id: 3 }, id), { add: [], remove: [three] })
})

test('an undone change leaves the set as it was', () => {
  const staged = { add: [one], remove: [two] }
  assert.deepEqual(takingBack(takingBack(staged, one, id), two, id), nothing)
})

const [may, june] = ['2027-05-01T00:00:00.000Z', '2027-06-01T00:00:00.000Z']

test('an added item can get an end, which is dropped when the item is no longer added', () => {
  const staged = ending(joining(nothing, [one, two], id), one, id, null, may)
  assert.deepEqual([endIn(staged, one, id, null), endIn(staged, two, id, null), sizeOf(staged)], [may, null, 2])
  assert.deepEqual(
    endsToGive(staged).map(({ item, to }) => [item, to]),
    [[one, may]],
  )
  assert.deepEqual(leaving(staged, one, id), { add: [two], remove: [] })
  assert.deepEqual(ending(staged, one, id, null, null), { add: [one, two], remove: [] })
})

test('a new end for an item that stays is one change, and returning to the saved end leaves none', () => {
  const staged = ending(nothing, one, id, may, june)
  assert.deepEqual([sizeOf(staged), changedItems(staged), endIn(staged, one, id, may)], [1, [one], june])
  assert.deepEqual(ending(staged, one, id, may, may), nothing)
  assert.deepEqual(takingBack(staged, one, id), nothing)
  const leaves = leaving(staged, one, id, may)
  assert.deepEqual([sizeOf(leaves), endsToGive(leaves)], [1, []])
})

test('undoing saved changes restores the ends that they removed or changed', () => {
  const saved = leaving(ending(ending(joining(nothing, [one], id), one, id, null, june), two, id, may, null), three, id, may)
  assert.equal(sizeOf(saved), 3)
  const undone = reversed(saved)
  assert.deepEqual([undone.add, undone.remove], [[three], [one]])
  assert.deepEqual(
    endsToGive(undone).map(({ item, to }) => [item, to]),
    [
      [two, may],
      [three, may],
    ],
  )
  assert.deepEqual(reversed(undone), saved)
})

test('changes that are already saved are no longer staged, but an end that was refused still is', () => {
  const staged = leaving(ending(ending(joining(nothing, [one, two], id), one, id, null, june), { id: 4 }, id, may, june), three, id, may)
  const isIn =
    (...items: { id: number }[]) =>
    (item: { id: number }) =>
      items.some((other) => other.id === item.id)
  const before = isIn(three, { id: 4 })
  const endBefore = () => may
  assert.deepEqual(unsaved(staged, before, endBefore), staged)
  assert.deepEqual(
    unsaved(staged, isIn(one, two, { id: 4 }), (item) => (item.id === 4 ? june : null)),
    { add: [], remove: [], ends: [{ item: one, from: null, to: june, isAlone: true }] },
  )
  assert.deepEqual(
    unsaved(staged, isIn(one, two, { id: 4 }), () => june),
    nothing,
  )
  assert.deepEqual(unsaved(staged, isIn()), { add: [one, two], remove: [], ends: [{ item: one, from: null, to: june }] })
})

test('a pasted list is split at lines, tabs and commas of both scripts, without duplicates', () => {
  assert.deepEqual(splitPasted('dana@example.com\r\nomar, ليلى حمدان؛ dana@example.com\tHuda Salem <huda@example.com>;'), [
    'dana@example.com',
    'omar',
    'ليلى حمدان',
    'huda@example.com',
  ])
  for (const single of ['Dana Al-Anzi', '  \n', '', 'dana@example.com,']) assert.equal(splitPasted(single), undefined)
})

test('a resolved list separates matches, present members, ambiguous texts and missing ones', () => {
  const sorted = sortResolved(
    [
      { text: 'a', matches: [one] },
      { text: 'A', matches: [{ id: 1 }] },
      { text: 'b', matches: [two] },
      { text: 'c', matches: [one, three] },
      { text: 'd', matches: [] },
    ],
    id,
    (item) => item.id === 2,
  )
  assert.deepEqual(sorted, { found: [one], already: [two], ambiguous: [{ text: 'c', matches: [one, three] }], missing: ['d'] })
})
