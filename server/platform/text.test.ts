import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  cleanText,
  describeDate,
  displayName,
  hasLongMarkRun,
  isStorable,
  isVisible,
  likePattern,
  readAccountName,
  readNamedAddress,
  unstorableIn,
} from './text.ts'

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
  // Marks are dropped only at the edges of a line, because a mark inside may join letters or emoji.
  ['\u200fهدى \u200e', 'هدى', '\u200fهدى \u200e'],
  ['\u061c \u200b\u00ada\u200db\u2060\u00a0\u200c', 'a\u200db', '\u061c \u200b\u00ada\u200db\u2060\u00a0\u200c'],
  ['\u{e0041}a\u200f', '\u{e0041}a', '\u{e0041}a\u200f'],
  ['❤\ufe0f', '❤\ufe0f', '❤\ufe0f'],
  [
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}\u200f',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}\u200f',
  ],
  // The line is not emptied, so that a name of nothing but marks is refused as invisible.
  [' \u200f\u200b ', '\u200f\u200b', '\u200f\u200b'],
]
for (const [sent, line, text] of cleaned)
  test(`${JSON.stringify(sent)} is cleaned`, () => assert.deepEqual([cleanText(sent, 'line'), cleanText(sent, 'text')], [line, text]))

test('a line is cleaned in linear time, wherever its marks are', () => {
  const start = performance.now()
  for (const mark of ['\u200f', ' ', ' \u200f']) {
    const marks = mark.repeat(100_000)
    const lines = [`a${marks}b`, `${marks}b`, `a${marks}`].map((line) => cleanText(line, 'line'))
    assert.deepEqual(lines, [`a${marks}b`, 'b', 'a'])
  }
  assert.ok(performance.now() - start < 1000)
})

const addresses: [address: string, isFine: boolean][] = [
  ...[
    'a@b',
    'admin@localhost',
    'Dana.K+x@example.org',
    'سارة@مثال.السعودية',
    'x@xn--mgbh0fb.example',
    'ดา@ตัวอย่าง.ไทย',
    'é@é.org',
    'x@1.2-3.com',
  ].map((one): [string, boolean] => [one, true]),
  [`${'x'.repeat(64)}@example.org`, true],
  [`${'x'.repeat(65)}@example.org`, false],
  [`x@${'b'.repeat(63)}.org`, true],
  [`x@${'b'.repeat(64)}.org`, false],
  ['\u200fdana@example.org\u200e', true],
  ...[
    '\u034f',
    '\ufe0f',
    '\u180b',
    '\u{e0100}',
    '\u3164',
    '\u115f',
    '\u200b',
    '\u200d',
    '\u2800',
    '\ufffc',
    '\u{1d159}',
    '\ue000',
    '\uffff',
    '\u0000',
  ].flatMap((mark) => [`da${mark}na@example.org`, `dana@exam${mark}ple.org`].map((one): [string, boolean] => [one, false])),
  ...['\u034f', '\ufe0f', '\u180b', '\u{e0100}', '\u3164'].flatMap((mark) =>
    [`${mark}dana@example.org`, `dana@example.org${mark}`].map((one): [string, boolean] => [one, false]),
  ),
  ...[
    'x@example..org',
    'x@.org',
    'x@-',
    'x@.',
    'x@..',
    'x@-.org',
    'x@a-.org',
    'x@-a.org',
    'x@a_b.org',
    'x@!',
    'dana@example.org.',
    'dana@example。org',
    'dana@example．org',
    'dana@example｡org',
    'dana@example.org。',
    'x@\u0301a.org',
    '\u0301@example.org',
    '.x@example.org',
    'x.@example.org',
    'x..y@example.org',
    '@example.org',
    'x@',
    'x',
    'x@y@z',
    'x y@example.org',
    'x@[127.0.0.1]',
  ].map((one): [string, boolean] => [one, false]),
]
for (const [address, isFine] of addresses)
  test(`${JSON.stringify(address)} is ${isFine ? 'an' : 'no'} e-mail address`, () =>
    assert.equal(readAccountName(address, 'email') !== undefined, isFine))

test('an address is checked in linear time', () => {
  const start = performance.now()
  for (const part of ['a', 'a.', 'a-', '-', '.', '@', 'a@', 'é\u0301']) readAccountName(`x@${part.repeat(127 / part.length)}`, 'email')
  assert.ok(performance.now() - start < 100)
})

const senders: [text: string, sender: string | undefined][] = [
  ['portal@example.org', 'portal@example.org'],
  ['بوابة <portal@example.org>', 'بوابة <portal@example.org>'],
  ['\u200fبوابة\u200f <\u200eportal@example.org>\u200f', 'بوابة <portal@example.org>'],
  ['<portal@example.org>', '<portal@example.org>'],
  ['Portal <portal@example..org>', undefined],
  ['Portal <portal@example.org.>', undefined],
  ['Portal <por\u034ftal@example.org>', undefined],
  ['portal@-', undefined],
  ['Portal <a@b> <c@d>', undefined],
  ['Portal\r\nBcc: <a@b>', undefined],
  ['Portal', undefined],
]
for (const [text, sender] of senders)
  test(`${JSON.stringify(text)} ${sender ? 'can' : 'cannot'} send mail`, () => assert.equal(readNamedAddress(text), sender))

test('blank symbols are not visible', () => {
  for (const blank of ['', ' ', '\u2800', '\ufffc', '\u{1d159}', '\u3164', '\u0301', '\u{e0041}', '\ufffc \u2800'])
    assert.equal(isVisible(blank), false, JSON.stringify(blank))
  for (const text of ['.', '\ufffcx', '😀', 'ـ', '١', 'हि', '𝅘𝅥']) assert.equal(isVisible(text), true, text)
})

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

test('at most the given number of unstorable texts is returned, and names of fields count', () => {
  assert.equal(unstorableIn(Array(60).fill(bad), 50).length, 50)
  assert.equal(unstorableIn(Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`${n}${bad}`, 1])), 50).length, 50)
})

test('the search for unstorable texts does not overflow the stack on deep values', () => {
  let value: unknown = bad
  for (let depth = 0; depth < 10_000; depth++) value = [value]
  assert.equal(unstorableIn(value, 1).length, 1)
})

test('a person’s name is the one in the reader’s language, else the one in the other language, else the username', () => {
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
