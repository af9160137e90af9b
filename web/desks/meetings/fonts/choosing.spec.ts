import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSame, nearest, printedIn, sizeOf, withFamily } from './choosing.ts'

const amiri = { family: 'Amiri', weights: [400, 700] }
const cairo = { family: 'Cairo', weights: [300, 400, 500, 600, 700] }

test('a stored name selects the family of that name, else the first family', () => {
  assert.deepEqual(printedIn([amiri, cairo], ' cairo '), { family: cairo, isKnown: true })
  assert.deepEqual(printedIn([amiri, cairo], 'My Face'), { family: amiri, isKnown: false })
})

test('a change of family selects the nearest weight that the family has', () => {
  assert.deepEqual(
    [300, 500, 550, 600, 700].map((weight) => nearest(amiri.weights, weight)),
    [400, 400, 400, 700, 700],
  )
  assert.deepEqual(withFamily({ fontFamily: 'Cairo', fontWeight: 300, fontSize: 13 }, amiri), {
    fontFamily: 'Amiri',
    fontWeight: 400,
    fontSize: 13,
  })
})

test('a size is a whole number from 8 to 48', () => {
  assert.deepEqual(['8', '48', '7', '49', '12.5', '', ' ', 'x', '1e1', '١٢'].map(sizeOf), [
    8,
    48,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    12,
  ])
})

test('settings differ if one field differs, or if only one of two is set', () => {
  const one = { fontFamily: 'Amiri', fontSize: 13, fontWeight: 400, alignment: 'start' }
  assert.deepEqual([isSame(one, { ...one }), isSame(null, null)], [true, true])
  assert.deepEqual([isSame(one, { ...one, fontSize: 14 }), isSame(one, null), isSame(null, one)], [false, false, false])
})
