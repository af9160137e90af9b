import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { language } from '../../../platform/language.ts'
import { spanned } from './spanned.ts'

test('a span of days has a dash in English, with spaces between whole dates, and words in Arabic', () => {
  language.value = 'en'
  assert.equal(spanned('2026-11-22', '2026-11-28'), '22–28 November 2026')
  assert.equal(spanned('2026-11-29', '2026-12-05'), '29 November – 5 December 2026')
  assert.equal(spanned('2026-12-27', '2027-01-02'), '27 December 2026 – 2 January 2027')
  assert.equal(spanned('2026-11-22', '2026-11-28', 'islamic-umalqura'), '12–18 Jumada II 1448 AH')
  language.value = 'ar'
  assert.equal(spanned('2026-11-22', '2026-11-28'), 'من 22 إلى 28 نوفمبر 2026')
  assert.equal(spanned('2026-11-29', '2026-12-05'), 'من 29 نوفمبر إلى 5 ديسمبر 2026')
  assert.equal(spanned('2026-11-22', '2026-11-28', 'islamic-umalqura'), 'من 12 إلى 18 جمادى الآخرة 1448 هـ')
})
