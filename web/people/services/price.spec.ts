/** Prices show their currency. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { language } from '../../platform/language.ts'
import { priceIn } from './price.ts'

test('a numeric price gets the portal’s currency; any other stays as written', () => {
  language.value = 'en'
  const prices = ['25', '12,50', '١٥', '١٢٫٥٠٠', 'free for guests', null].map((price) => priceIn('SAR', price).replace('\u00a0', ' '))
  assert.deepEqual(prices, ['SAR 25', 'SAR 12.50', 'SAR 15', 'SAR 12.50', 'free for guests', ''])
  assert.equal(priceIn(null, '25'), '25')
})
