/** The months of a year in either calendar. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dateOf, monthsOf } from './days.ts'

test('a year has its twelve months in either calendar, whichever of its days is given', () => {
  for (const calendar of ['gregory', 'islamic-umalqura'] as const)
    for (const day of ['2026-01-31', '2026-11-30', '2028-02-29']) {
      const { year } = dateOf(day, calendar)
      const months = monthsOf(day, calendar).map((one) => dateOf(one, calendar))
      assert.deepEqual(
        months,
        Array.from({ length: 12 }, (_, at) => ({ year, month: at + 1, day: 1 })),
      )
    }
})
