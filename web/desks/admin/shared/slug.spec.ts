import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slugOf } from './slug.ts'

test('a slug neither begins nor ends with a hyphen, also where it is cut', () => {
  assert.equal(slugOf(' Room  booking (new) ', 100), 'room-booking-new')
  assert.equal(slugOf('Room booking', 5), 'room')
  assert.equal(slugOf('قاعات', 100), '')
})
