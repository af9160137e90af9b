/** Reading files with people as spreadsheet programs write them, and checking each row. */
import '../../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstFree, usernameOf } from '../shared/invitations.ts'
import { decode, languageIn, parseCsv, placesIn, writeCsv } from './csv.ts'
import { namesGroups, readRows } from './rows.ts'

const bytes = (...all: number[]) => new Uint8Array(all).buffer

test('files in UTF-8 and in the Arabic code page are decoded', () => {
  assert.equal(decode(new TextEncoder().encode('نورة').buffer as ArrayBuffer), 'نورة')
  assert.equal(decode(bytes(0xe4, 0xe6, 0xd1, 0xc9)), 'نورة')
})

test('the most frequent separator of the first line counts; quotes keep separators, quotes and line breaks', () => {
  assert.deepEqual(parseCsv('a,b;c,d\n1,2;3,4\n'), [
    ['a', 'b;c', 'd'],
    ['1', '2;3', '4'],
  ])
  assert.deepEqual(parseCsv('"x;y";b;c\r\n"1 ""one""";"2\n2";\r\n\r\n;;\r\n'), [
    ['x;y', 'b', 'c'],
    ['1 "one"', '2\n2', ''],
  ])
  assert.deepEqual(parseCsv('a\tb\n1\t2'), [
    ['a', 'b'],
    ['1', '2'],
  ])
  assert.deepEqual(parseCsv(''), [])
})

test('a written file can be read back, and contains no formula', () => {
  const rows = [
    ['سطر', 'a "b"', 'x,y'],
    ['=1+1', '-2', '@x'],
  ]
  const text = writeCsv(rows)
  assert.ok(text.startsWith('\uFEFF'))
  assert.deepEqual(parseCsv(text.slice(1)), [rows[0], ["'=1+1", "'-2", "'@x"]])
})

test('columns are recognised in both languages, in any case and order', () => {
  assert.deepEqual(placesIn(['\uFEFFE-Mail', 'NAME', 'language']), {
    ...{ username: undefined, email: 0, displayNameAr: undefined, displayNameEn: 1, preferredLanguage: 2, groups: undefined },
  })
  const places = placesIn(['المجموعات', 'الاسم', 'البريد الالكتروني', 'اسم المستخدم'])
  assert.deepEqual([places.groups, places.displayNameAr, places.email, places.username], [0, 1, 2, 3])
  assert.deepEqual(['AR', 'إنجليزي', 'عربيه', 'French'].map(languageIn), ['ar', 'en', 'ar', undefined])
})

const finance = { id: 7, name: 'finance', descriptionAr: 'المالية', descriptionEn: 'Finance' }

test('each row is new or has a fault, and usernames are proposed from the address', () => {
  const table = [
    ['email', 'username', 'language', 'groups'],
    ['dana@example.org', '', 'ar', 'FINANCE; الماليه'],
    ['DANA@example.org', 'other', '', ''],
    ['x', 'y', '', ''],
    ['y@example.org', 'two words', '', ''],
    ['z@example.org', 'z', 'fr', ''],
    ['u@example.org', '', '', 'finance|nobody'],
  ]
  assert.ok(namesGroups(table))
  const rows = readRows(table, [finance])!
  assert.deepEqual(
    rows.map(({ fault }) => fault?.code),
    [undefined, 'twice', 'email', 'username', 'language', 'group'],
  )
  const { line, username, preferredLanguage, groupIds } = rows[0]!
  assert.deepEqual([line, username, preferredLanguage, groupIds], [2, 'dana', 'ar', [7]])
  assert.equal(readRows([['name'], ['Dana']], []), undefined)
  assert.equal(
    namesGroups([
      ['email', 'groups'],
      ['x@y', ' '],
    ]),
    false,
  )
})

test('the proposed username is free', () => {
  assert.equal(usernameOf('Dana.Q+work@example.org'), 'dana.q.work')
  assert.equal(usernameOf('"odd one"@example.org'), '.odd.one.')
  assert.equal(usernameOf('نورة@مثال.السعودية'), 'نورة')
  assert.equal(firstFree('dana', ['other']), 'dana')
  assert.equal(firstFree('dana', ['DANA', 'dana3', 'dana2']), 'dana4')
})
