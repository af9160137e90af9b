import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSame, meet, ownWords, withSent } from './merging.ts'

const base = { name: 'finance', text: 'Budget', ids: [1, 2, 3], on: true, staged: { add: [] as number[], remove: [] as number[] } }

test('a change by one side is kept', () => {
  assert.deepEqual(meet(base, { text: 'Budget and payroll' }, { ...base, name: 'money', on: false }), {
    mine: { text: 'Budget and payroll' },
    overlaps: [],
  })
})

test('different changes by both sides overlap and keep the local value', () => {
  assert.deepEqual(meet(base, { text: 'mine', on: false }, { ...base, text: 'theirs', name: 'money' }), {
    mine: { text: 'mine', on: false },
    overlaps: ['text'],
  })
})

test('a change that was sent without an answer is no change by the other side, even if the portal has trimmed it', () => {
  const theirs = { ...base, name: 'money', text: 'sent', ids: [1, 2, 3, 4] }
  const sent = [{ text: 'sent ', ids: [4, 3, 2, 1] }, { on: false }]
  assert.deepEqual(withSent(base, sent, theirs), { ...base, text: 'sent', ids: [1, 2, 3, 4] })
  assert.deepEqual(meet(withSent(base, sent, theirs), { text: 'sent and more', ids: [1, 2, 3] }, theirs), {
    mine: { text: 'sent and more', ids: [1, 2, 3] },
    overlaps: [],
  })
})

test('identical changes by both sides leave nothing to save', () => {
  assert.deepEqual(meet(base, { text: 'same', ids: [3, 1] }, { ...base, text: 'same', ids: [1, 3] }), { mine: {}, overlaps: [] })
})

test('lists of ids never overlap: removals and additions of both sides apply', () => {
  const { mine, overlaps } = meet(base, { ids: [2, 3, 4, 6] }, { ...base, ids: [1, 2, 5, 6] })
  assert.deepEqual(overlaps, [])
  assert.deepEqual(mine.ids?.toSorted(), [2, 4, 5, 6])
})

test('a staged change of a set survives other changes of the record', () => {
  const staged = { add: [7], remove: [2] }
  assert.deepEqual(meet(base, { staged }, { ...base, ids: [9] }), { mine: { staged }, overlaps: [] })
})

test('merging two lists is symmetric', () => {
  const subset = (bits: number) => [1, 2, 3, 4].filter((_, bit) => bits & (1 << bit))
  for (let all = 0; all < 4096; all++) {
    const [before, here, there] = [subset(all & 15), subset((all >> 4) & 15), subset(all >> 8)]
    const merged = meet({ ids: before }, { ids: here }, { ids: there }).mine.ids ?? there
    const other = meet({ ids: before }, { ids: there }, { ids: here }).mine.ids ?? here
    assert.ok(isSame(merged, other), `${before} / ${here} / ${there}`)
    assert.equal(new Set(merged).size, merged.length)
  }
})

test('the differing words of two texts are those between their common start and end', () => {
  assert.deepEqual(ownWords('الميزانية والرواتب والعقود', 'الميزانية والرواتب، ومقرّها'), ['الميزانية والرواتب ', 'والعقود', ''])
  assert.deepEqual(ownWords('a b c d', 'a x d'), ['a ', 'b c ', 'd'])
  assert.deepEqual(ownWords('a a', 'a'), ['a ', 'a', ''])
  assert.deepEqual(ownWords('', 'a'), ['', '', ''])
  assert.deepEqual(ownWords('same text', 'same text'), ['same text', '', ''])
})
