import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Detail, type FieldRule, fieldError, fieldRules, ruleError } from './field-errors.ts'
import { forms } from './forms.ts'

const bounds: Partial<Record<FieldRule, object>> = {
  type: { type: ['integer', 'null'] },
  enum: { allowedValues: ['up', null] },
  const: { allowedValue: 'image/png' },
  pattern: { form: 'date' },
  json: { reason: 'it ends' },
  size: { bytes: 51200 },
  fetched: { bytes: 5_242_880 },
  exclusive: { fields: ['from', 'to'] },
  onlyWith: { field: 'range=custom' },
  minProperties: { fields: ['date', 'startTime'] },
  ownerRights: { scopes: ['people:read'] },
  quote: { line: 3 },
  twice: { line: 3 },
  columnCount: { expected: 3, found: 2 },
  unknownManager: { name: 'sara' },
  unknownGroup: { name: 'Stock' },
  grants_admin: { name: 'Stock' },
  managed_elsewhere: { name: 'entra' },
  usernameKept: { name: 'sara' },
}
const inBoth = ({ message, messageEn, messageAr }: Detail) => {
  assert.equal(message, messageEn)
  return [messageEn, messageAr] as const
}

test('every rule and every form has a sentence in both languages, without a missing value', () => {
  const all = fieldRules.map((rule) => inBoth(ruleError('a.b', rule, { limit: 5, ...bounds[rule] })))
  for (const [en, ar] of [...all, ...Object.values(forms).map(({ en, ar }) => [en, ar] as const)]) {
    assert.match(en, /^[A-Z][^\u0600-\u06ff]*\.$/)
    assert.match(ar, /^[\u0600-\u06ff].*\.$/)
    assert.doesNotMatch(en + ar, /undefined|NaN|\[object/)
  }
})

test('a field error has its path, its rule and the rule’s bounds', () =>
  assert.deepEqual(fieldError('keys.auth', 'maxLength', { limit: 200 }), {
    path: 'keys.auth',
    rule: 'maxLength',
    params: { limit: 200 },
    message: 'Use at most 200 characters.',
    messageAr: 'استخدم 200 حرف على الأكثر.',
    messageEn: 'Use at most 200 characters.',
  }))

const sentences: [said: Detail, en: string, ar: string][] = [
  [fieldError('', 'maxLength', { limit: 1 }), 'Use at most 1 character.', 'استخدم حرفًا واحدًا على الأكثر.'],
  [fieldError('', 'minLength', { limit: 1 }), 'This must not be empty.', 'لا يمكن ترك هذا الحقل فارغًا.'],
  [fieldError('', 'minLength', { limit: 2 }), 'Use at least 2 characters.', 'استخدم حرفين على الأقل.'],
  [fieldError('', 'minLength', { limit: 6 }), 'Use at least 6 characters.', 'استخدم 6 أحرف على الأقل.'],
  [fieldError('', 'minLength', { limit: 11 }), 'Use at least 11 characters.', 'استخدم 11 حرفًا على الأقل.'],
  [fieldError('', 'maxLength', { limit: 20_000 }), 'Use at most 20,000 characters.', 'استخدم 20,000 حرف على الأكثر.'],
  [fieldError('', 'length', { limit: 5 }), 'Use at most 5 characters.', 'اكتب 5 أحرف على الأكثر.'],
  [fieldError('', 'length', { limit: 40 }), 'Use at most 40 characters.', 'اكتب 40 حرفًا على الأكثر.'],
  [fieldError('', 'decimals', { limit: 2 }), 'Use at most 2 decimal places.', 'اكتب منزلتين عشريتين على الأكثر.'],
  [fieldError('', 'minItems', { limit: 1 }), 'Choose at least 1 item.', 'اختر عنصرًا واحدًا على الأقل.'],
  [fieldError('', 'maxItems', { limit: 3 }), 'Choose at most 3 items.', 'اختر 3 عناصر على الأكثر.'],
  [
    fieldError('', 'maxDays', { limit: 92 }),
    'Choose at most 92 days, counting the first and the last.',
    'يجب ألا تزيد المدة على 92 يومًا، بما فيها اليوم الأول واليوم الأخير.',
  ],
  [fieldError('', 'type', { type: ['integer', 'null'] }), 'This must be a whole number or null.', 'يجب أن تكون القيمة عددًا صحيحًا أو null.'],
  [
    fieldError('', 'required', { unless: ['titleEn'] }),
    'This field is required unless `titleEn` is given.',
    'هذا الحقل مطلوب ما لم تُحدَّد قيمة `titleEn`.',
  ],
  [
    fieldError('', 'required', { unless: ['from', 'to'] }),
    'This field is required unless `from` and `to` are given.',
    'هذا الحقل مطلوب ما لم تُحدَّد قيمة `from` و`to`.',
  ],
  [
    fieldError('', 'enum', { allowedValues: ['up', 'down'] }),
    'This must be one of: up, down.',
    'يجب أن تكون القيمة إحدى القيم الآتية: up، down.',
  ],
]
for (const [said, en, ar] of sentences)
  test(`${said.rule} ${JSON.stringify(said.params)}: ${en}`, () => assert.deepEqual(inBoth(said), [en, ar]))

test('the error for an unreadable body stays short', () =>
  assert.ok(fieldError('', 'json', { reason: 'x'.repeat(1000) }).message.length <= 200))
