import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byDue, daysLate, spanOf } from './due.ts'

// A Tuesday.
const TODAY = '2026-11-24'

test('a task is late, due today, due this week, due later, or without a due day', () => {
  const expected = {
    '2026-11-23': 'late',
    '2026-11-24': 'today',
    '2026-11-25': 'week',
    '2026-11-28': 'week',
    '2026-11-29': 'later',
    '2027-11-24': 'later',
  }
  for (const [day, span] of Object.entries(expected)) assert.equal(spanOf(day, TODAY), span, day)
  assert.equal(spanOf(null, TODAY), 'none')
})

test('on a Saturday the week has no days left', () => {
  assert.equal(spanOf('2026-11-29', '2026-11-28'), 'later')
})

test('lateness counts calendar days', () => {
  assert.deepEqual(
    ['2026-11-22', '2026-11-23', '2026-11-24', '2026-12-01'].map((day) => daysLate(day, TODAY)),
    [2, 1, 0, 0],
  )
})

test('tasks are sorted by due day, those without one last', () => {
  const tasks = [
    { id: 1, dueDate: null },
    { id: 3, dueDate: '2026-11-25' },
    { id: 2, dueDate: '2026-11-25' },
    { id: 4, dueDate: '2026-11-20' },
  ]
  assert.deepEqual(
    tasks.toSorted(byDue).map(({ id }) => id),
    [4, 2, 3, 1],
  )
})
