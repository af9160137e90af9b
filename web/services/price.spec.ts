/** Prices say what they are in. */
import '../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { language } from '../platform/language.ts'
import { priceIn } from './price.ts'

test('a price that is a number has the currency of the portal, any other stays as it was written', () => {
  language.value = 'en'
  const prices = ['25', '12,50', '١٥', 'free for guests', null].map((price) => priceIn('SAR', price).replace('\u00a0', ' '))
  assert.deepEqual(prices, ['SAR 25', 'SAR 12.50', 'SAR 15', 'free for guests', ''])
  assert.equal(priceIn(null, '25'), '25')
})
