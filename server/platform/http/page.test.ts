import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FieldRule, ruleError } from '../errors/field-errors.ts'
import { Refusal } from '../errors/refusal.ts'
import { daySpan, isCalendarDate, pageOf } from './page.ts'

const envelopes: [what: string, items: number, total: number, offset: number, next: number | null][] = [
  ['a page in the middle', 2, 10, 4, 6],
  ['the last page', 2, 6, 4, null],
  ['a page of all', 3, 3, 0, null],
  ['nothing', 0, 0, 0, null],
  ['a page past the end', 0, 3, 5, null],
  ['an empty page before the end', 0, 3, 1, null],
]
for (const [what, count, totalCount, offset, nextOffset] of envelopes)
  test(`the next offset after ${what} is ${nextOffset ?? 'nothing'}`, () => {
    const items = Array.from({ length: count }, (_, index) => index)
    assert.deepEqual(pageOf('rows', items, totalCount, { limit: 2, offset }), { rows: items, totalCount, limit: 2, offset, nextOffset })
  })

const days: [text: string, isDay: boolean][] = [
  ['2024-02-29', true],
  ['2023-02-29', false],
  ['2023-02-28', true],
  ['2023-04-31', false],
  ['2023-13-01', false],
  ['2023-00-10', false],
  ['2023-01-00', false],
  ['0001-01-01', true],
  ['0000-12-31', false],
  ['9999-12-31', true],
  ['2023-1-01', false],
  ['12023-01-01', false],
  ['2023-01-011', false],
  ['x2023-01-01', false],
  ['', false],
]
for (const [text, isDay] of days) test(`${text || 'nothing'} is ${isDay ? 'a' : 'no'} day`, () => assert.equal(isCalendarDate(text), isDay))

test('a span includes both its days, and may be open at either end', () => {
  const [start, end] = [new Date('2024-02-28T00:00:00Z'), new Date('2024-03-01T00:00:00Z')]
  assert.deepEqual(daySpan({ from: '2024-02-28', to: '2024-02-29' }), { start, end })
  assert.deepEqual(daySpan({ from: '2024-02-28' }), { start, end: null })
  assert.deepEqual(daySpan({ to: '2024-02-29' }), { start: null, end })
  assert.deepEqual(daySpan({}), { start: null, end: null })
  assert.deepEqual(daySpan({ from: '2024-02-29', to: '2024-02-29' }), { start: new Date('2024-02-29T00:00:00Z'), end })
})

const wrong: [span: Parameters<typeof daySpan>[0], path: string, rule: FieldRule][] = [
  [{ from: '2023-02-02', to: '2023-02-01' }, 'from', 'order'],
]
for (const [span, path, rule] of wrong)
  test(`the span ${JSON.stringify(span)} is refused at ${path}`, () => {
    assert.throws(
      () => daySpan(span),
      (error: Refusal) => {
        assert.deepEqual([error.code, error.extras.body], ['validation_failed', { details: [ruleError(path, rule, {})] }])
        return error instanceof Refusal
      },
    )
  })
