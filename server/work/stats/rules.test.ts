import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { generated } from '../../../test/suite.ts'
import { contendersIn, type Days, inMonths, topOf } from './rules.ts'

const DAY_MS = 24 * 3600 * 1000
const dayOf = (number: number) => new Date(number * DAY_MS).toISOString().slice(0, 10)
const daysOf = ({ from, to }: Days) => {
  const days: string[] = []
  for (let day = from; day <= to; day = dayOf(Date.parse(day) / DAY_MS + 1)) days.push(day)
  return days
}

test('the months of a span, with the days added and taken at its ends, count each day of it once and no other', () => {
  fc.assert(
    fc.property(fc.nat(30_000), fc.nat(400), (start, length) => {
      const span = { from: dayOf(start), to: dayOf(start + length) }
      const { months, before, after } = inMonths(span)
      const counts = new Map<string, number>()
      const count = (day: string, sign: number) => counts.set(day, (counts.get(day) ?? 0) + sign)
      const near = daysOf({ from: dayOf(start - 40), to: dayOf(start + length + 40) })
      for (const day of near) if (`${day.slice(0, 7)}-01` >= months.from && `${day.slice(0, 7)}-01` <= months.to) count(day, 1)
      for (const edge of [before, after]) for (const day of daysOf(edge)) count(day, edge.sign)
      assert.deepEqual(
        [...counts].filter(([, times]) => times !== 0).toSorted(),
        daysOf(span).map((day) => [day, 1]),
      )
      for (const day of [months.from, months.to]) assert.match(day, /-01$|^0001-01-02$/)
      assert.ok(daysOf(before).length + daysOf(after).length <= 31, 'the shorter part of a month is read')
    }),
    generated(100, 1000),
  )
})

test('a span at the first day of the calendar names no day before it', () => {
  for (const to of ['0001-01-01', '0001-01-20', '0001-12-30']) {
    const { before, after } = inMonths({ from: '0001-01-01', to })
    for (const { from, to } of [before, after]) for (const day of [from, to]) assert.ok(day >= '0001-01-01', day)
  }
})

test('the top of a ranking after counts are added is the top of all sums', () => {
  const sums = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 4 })), { selector: ([id]) => id })
  fc.assert(
    fc.property(sums, sums, (past, added) => {
      const ranking = new Map(past.toSorted(([one, a], [other, b]) => b - a || one - other))
      const countOf = (id: number) => (ranking.get(id) ?? 0) + (new Map(added).get(id) ?? 0)
      const all = Array.from({ length: 12 }, (_, n) => ({ id: n + 1, count: countOf(n + 1) })).filter(({ count }) => count > 0)
      assert.deepEqual(topOf(ranking, new Map(added), 5), all.toSorted((a, b) => b.count - a.count || a.id - b.id).slice(0, 5))
    }),
    generated(100, 1000),
  )
})

for (const [mostAdded, mostContenders, contenders] of [
  [0, 9, 'AB'],
  [1, 9, 'AB'],
  [2, 9, 'ABC'],
  [3, 9, 'ABCD'],
  [3, 4, 'ABCD'],
  [3, 3, null],
  [6, 9, 'ABCDE'],
  [7, 9, null],
] as const)
  test(`with at most ${mostAdded} added and ${mostContenders} contenders allowed, ${contenders ?? 'everyone'} may reach the two top places`, () => {
    const ranking = new Map([9, 7, 5, 4, 3].map((count, index) => [index, count]))
    const ids = contenders && Array.from(contenders, (letter) => 'ABCDE'.indexOf(letter))
    assert.deepEqual(contendersIn(ranking, 2, mostAdded, mostContenders), ids)
  })

test('if the last place is free, everybody is a contender', () => {
  assert.equal(contendersIn(new Map([[1, 9]]), 2, 0, 9), null)
})

test('only contenders can reach the top, whatever app opens are added', () => {
  const past = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 30 })), { selector: ([id]) => id })
  const added = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 45 }), fc.integer({ min: 1, max: 6 })), { selector: ([id]) => id })
  let narrowed = 0
  fc.assert(
    fc.property(past, added, fc.integer({ min: 0, max: 2 }), (counts, more, slack) => {
      const ranking = new Map(counts.toSorted(([one, a], [other, b]) => b - a || one - other))
      const contenders = contendersIn(ranking, 5, Math.max(0, ...more.map(([, count]) => count)) + slack, 20)
      if (contenders === null) return
      narrowed++
      assert.ok(contenders.length <= 20)
      const some = more.filter(([id]) => contenders.includes(id))
      assert.deepEqual(topOf(ranking, new Map(some), 5), topOf(ranking, new Map(more), 5))
    }),
    generated(500, 5000),
  )
  assert.ok(narrowed > 50)
})
