import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanText, describeDate, displayName, hasLongMarkRun, isStorable, likePattern, unstorableIn } from './text.ts'

const cleaned: [sent: string, line: string, text: string][] = [
  [' a ', 'a', 'a'],
  ['a\nb', 'a b', 'a\nb'],
  ['a\r\n\tb', 'a b', 'a\n\tb'],
  ['a\rb\r\rc', 'a b c', 'a\nb\n\nc'],
  ['a\u2028b\u2029\u2028c', 'a b c', 'a\nb\n\nc'],
  ['a\u0000\u0007\u001fb', 'ab', 'ab'],
  ['a\u007fb\u009fc', 'abc', 'abc'],
  ['a\u202ab\u202ec\u2066d\u2069e', 'abcde', 'abcde'],
  ['a\u200fb\u2070c', 'a\u200fb\u2070c', 'a\u200fb\u2070c'],
  ['e\u0301', '\u00e9', '\u00e9'],
  ['\u00a0أحمد\ufeff', 'أحمد', 'أحمد'],
]
for (const [sent, line, text] of cleaned)
  test(`${JSON.stringify(sent)} is cleaned`, () => assert.deepEqual([cleanText(sent, 'line'), cleanText(sent, 'text')], [line, text]))

test('thirty combining marks in a row are accepted, one more is too many', () => {
  assert.equal(hasLongMarkRun(`a${'\u0301'.repeat(30)}`), false)
  assert.equal(hasLongMarkRun(`a${'\u0301'.repeat(31)}`), true)
  for (const dropped of ['\u0007', '\u007f', '\u202e', '\u2066']) assert.equal(hasLongMarkRun(`a${`\u0301${dropped}`.repeat(31)}`), true)
})

test('a text that PostgreSQL or UTF-8 cannot hold is not storable', () => {
  for (const text of ['', 'a', 'أحمد', '👩‍👩‍👧']) assert.equal(isStorable(text), true, text)
  for (const text of ['\0', 'a\0b', '\ud800', 'a\udc00b']) assert.equal(isStorable(text), false, JSON.stringify(text))
})

const bad = '\ud800'
const values: [value: unknown, paths: string[]][] = [
  ['a', []],
  [bad, ['']],
  [1, []],
  [null, []],
  [{ a: ['b', null, { c: 'd' }] }, []],
  [{ a: ['b', null, { c: bad }] }, ['a.2.c']],
  [{ a: 'b', [bad]: bad }, [bad]],
  [{ b: { c: bad }, a: bad }, ['b.c', 'a']],
  [
    [bad, 'a', bad],
    ['0', '2'],
  ],
]
for (const [value, paths] of values)
  test(`of ${JSON.stringify(value)}, the texts that cannot be stored are found`, () => assert.deepEqual(unstorableIn(value, 50), paths))

test('at most so many texts that cannot be stored are named, and names of fields count', () => {
  assert.equal(unstorableIn(Array(60).fill(bad), 50).length, 50)
  assert.equal(unstorableIn(Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`${n}${bad}`, 1])), 50).length, 50)
})

test('the search does not overflow the stack on deep values', () => {
  let value: unknown = bad
  for (let depth = 0; depth < 10_000; depth++) value = [value]
  assert.equal(unstorableIn(value, 1).length, 1)
})

test('a person’s name is in the reader’s language, else in the other, else the username', () => {
  const person = { username: 'huda', displayNameAr: 'هدى', displayNameEn: 'Huda' }
  const names = (fields: object) => ['ar', 'en'].map((language) => displayName({ ...person, ...fields }, language))
  assert.deepEqual(names({}), ['هدى', 'Huda'])
  assert.deepEqual(names({ displayNameAr: '' }), ['Huda', 'Huda'])
  assert.deepEqual(names({ displayNameEn: null }), ['هدى', 'هدى'])
  assert.deepEqual(names({ displayNameAr: null, displayNameEn: '' }), ['huda', 'huda'])
})

test('wildcards in a search text have no special meaning', () => {
  assert.equal(likePattern('50% a_b\\'), '%50\\% a\\_b\\\\%')
  assert.equal(likePattern('plain'), '%plain%')
})

test('a date is written with its day of the week and the Hijri date', () => {
  assert.equal(describeDate('2026-03-01', 'en'), 'Sunday, 1 March 2026 (12 Ramadan 1447 AH)')
  const arabic = describeDate('2026-03-01', 'ar')
  for (const part of ['الأحد', 'مارس', '2026', 'رمضان', '1447']) assert.ok(arabic.includes(part), arabic)
})
