import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joining, leaving, sortResolved, splitPasted, takingBack } from './staged.ts'

const id = (item: { id: number }) => item.id
const [one, two, three] = [{ id: 1 }, { id: 2 }, { id: 3 }] as const
const nothing = { add: [], remove: [] }

test('joining and leaving again, in either order, is no change', () => {
  assert.deepEqual(leaving(joining(nothing, [one, two], id), { id: 1 }, id), { add: [two], remove: [] })
  assert.deepEqual(joining(leaving(nothing, one, id), [{ id: 1 }], id), nothing)
})

test('nobody joins or leaves twice', () => {
  assert.deepEqual(joining(joining(nothing, [one], id), [{ id: 1 }, two, { id: 2 }], id), { add: [one, two], remove: [] })
  assert.deepEqual(leaving(leaving(nothing, three, id), { id: 3 }, id), { add: [], remove: [three] })
})

test('an undone change leaves the set as it was', () => {
  const staged = { add: [one], remove: [two] }
  assert.deepEqual(takingBack(takingBack(staged, one, id), two, id), nothing)
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
