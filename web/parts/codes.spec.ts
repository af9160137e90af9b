import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeIn } from './codes.ts'

test('six digits are a code, in each script and with spaces', () => {
  for (const typed of ['123456', ' 123 456 ', '١٢٣٤٥٦', '۱۲۳ ۴۵۶', '123-456', '\u200f123456\u200f', '123\u200b\u00ad456', '123\u2212456'])
    assert.deepEqual(codeIn(typed), { code: '123456' })
})

test('sixteen letters and digits are a recovery code, however they are written', () => {
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

test('anything else is neither', () => {
  for (const typed of ['', '12345', '1234567', 'abcdef', 'ABCD-EFGH-0123-456', 'ABCD-EFGH-0123-456é'])
    assert.equal(codeIn(typed), undefined)
})
