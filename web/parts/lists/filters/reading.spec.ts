import assert from 'node:assert/strict'
import { test } from 'node:test'
import { day, id, oneOf, readFilters, text } from './reading.ts'

const kinds = { q: text, group: id, status: oneOf('active', 'disabled') }
const read = (query: string) => {
  const written = new URLSearchParams(query)
  return readFilters(kinds, (name) => written.get(name) ?? '')
}

test('valid values are read, and missing ones mean no filter', () => {
  assert.deepEqual(read('q=dana&group=7&status=disabled&other=1'), { values: { q: 'dana', group: 7, status: 'disabled' }, wrong: [] })
  assert.deepEqual(read(''), { values: { q: undefined, group: undefined, status: undefined }, wrong: [] })
})

test('invalid values are dropped and named', () => {
  for (const query of ['group=0', 'group=x', 'group=2147483648', 'group=-1', 'group=1.5'])
    assert.deepEqual(read(query), { values: { q: undefined, group: undefined, status: undefined }, wrong: ['group'] }, query)
  assert.deepEqual(read('status=gone').wrong, ['status'])
})

test('a text is cut to the length that the portal accepts', () => {
  assert.equal(read(`q=${'x'.repeat(300)}`).values.q?.length, 200)
})

test('a day must exist in the calendar', () => {
  assert.deepEqual(['2026-02-28', '2026-02-29', '2026-2-8', '2026-13-01', 'today'].map(day), [
    '2026-02-28',
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
