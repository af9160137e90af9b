import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareOf } from './depth.ts'

const cases = ['one', 'another', 'a third', 'a fourth']

test('of cases that are alike some are tried, each once, and over several runs all of them', () => {
  for (const count of [1, 3, 4]) {
    const tried = cases.map((_, place) => shareOf(cases, count, place + 1000))
    for (const some of tried) assert.equal(new Set(some).size, count)
    assert.deepEqual(new Set(tried.flat()), new Set(cases))
  }
})

test('more than there are are never tried', () => {
  assert.deepEqual(shareOf(cases, 9, 0), cases)
})
