import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templates } from '../server/lists/notices/notices.ts'

test('every notification has its texts in both languages, with the same placeholders', () => {
  const places = (text: string | null) => [...(text ?? '').matchAll(/\{\w+\}/g)].map(String).sort()
  for (const [name, { titleAr, titleEn, bodyAr, bodyEn }] of Object.entries(templates)) {
    assert.deepEqual(places(titleAr), places(titleEn), name)
    assert.deepEqual(places(bodyAr), places(bodyEn), name)
    for (const text of [titleAr, bodyAr]) assert.match(text, /[\u0600-\u06FF]/, name)
    for (const text of [titleEn, bodyEn]) assert.match(text, /^[^\u0600-\u06FF]+$/, name)
  }
})
