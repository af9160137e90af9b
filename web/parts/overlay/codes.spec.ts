import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeIn } from './codes.ts'

test('six digits in any script are a code, with or without spaces', () => {
  for (const typed of ['123456', ' 123 456 ', '١٢٣٤٥٦', '۱۲۳ ۴۵۶', '123-456', '\u200f123456\u200f', '123\u200b\u00ad456', '123\u2212456'])
    assert.deepEqual(codeIn(typed), { code: '123456' })
})

test('sixteen letters and digits are a recovery code, in either case and with any separators', () => {
  for (const typed of [
    'ABCD-EFGH-0123-4567',
    'abcdefgh01234567',
    'abcd efgh ٠١٢٣ ٤٥٦٧',
    'ABCD–EFGH–0123–4567',
    '\u200fABCD-EFGH-0123-4567\u200e',
  ])
    assert.deepEqual(codeIn(typed), { recoveryCode: 'ABCDEFGH01234567' })
  assert.deepEqual(codeIn('1234-5678-9012-3456'), { recoveryCode: '1234567890123456' })
})

test('any other text is not a code', () => {
  for (const typed of ['', '12345', '1234567', 'abcdef', 'ABCD-EFGH-0123-456', 'ABCD-EFGH-0123-456é'])
    assert.equal(codeIn(typed), undefined)
})
