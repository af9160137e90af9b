import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeOf } from '../lists/place-of.ts'

test('a match in a name is marked even if its letters are typed in a different form', () => {
  const marked = (text: string, typed: string) => {
    const place = placeOf(text, typed)
    return place && text.slice(...place)
  }
  assert.equal(marked('أحمد درويش', 'احمد'), 'أحمد')
  assert.equal(marked('د. أحْمَد الغامدي', 'احمد'), 'أحْمَد')
  assert.equal(marked('محـمد', 'محمد'), 'محـمد')
  assert.equal(marked('Ahmad DARWISH', 'darw'), 'DARW')
  assert.equal(marked('ﷲ أكبر', 'اكبر'), 'أكبر')
  assert.equal(marked('Dana', ' '), undefined)
  assert.equal(marked('Dana', 'x'), undefined)
})
