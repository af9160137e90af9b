import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Detail } from '../../platform/errors/field-errors.ts'
import type { Refusal } from '../../platform/errors/refusal.ts'
import { openFile } from './reading.ts'

async function read(bytes: Uint8Array | string) {
  const { rows, ...file } = await openFile(Buffer.from(bytes as string))
  return { ...file, rows: await Array.fromAsync(rows) }
}
const utf16 = (text: string, isBig = false) => {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le')
  return isBig ? bytes.swap16() : bytes
}
const LIST = 'username;الاسم بالعربية\r\nx;نورة\r\n'

test('the encoding is that of the byte-order mark, else UTF-8 if the bytes are valid, else that of Arabic Excel', async () => {
  const arabic1256 = Buffer.from([
    ...Buffer.from('username;'),
    0xc7,
    0xe1,
    0xc7,
    0xd3,
    0xe3,
    0x20,
    0xc8,
    0xc7,
    0xe1,
    0xda,
    0xd1,
    0xc8,
    0xed,
    0xc9,
    0x0d,
    0x0a,
    ...Buffer.from('x;'),
    0xe4,
    0xe6,
    0xd1,
    0xc9,
  ])
  for (const [encoding, bytes] of [
    ['utf-8', Buffer.from(LIST)],
    ['utf-8', Buffer.from(`\uFEFF${LIST}`)],
    ['utf-16le', utf16(LIST)],
    ['utf-16be', utf16(LIST, true)],
    ['windows-1256', arabic1256],
  ] as const) {
    const file = await read(bytes)
    assert.deepEqual(
      [file.encoding, file.columns, file.rows],
      [encoding, ['username', 'display_name_ar'], [{ line: 2, cells: { username: 'x', display_name_ar: 'نورة' } }]],
    )
  }
})

test('the delimiter follows from the heading, or from a line before it', async () => {
  for (const [delimiter, text] of [
    [',', 'username,email,"a;b;c;d"'],
    [';', 'username;email;"a,b,c,d"'],
    ['\t', 'username\temail'],
    [',', 'username'],
    [';', 'sep=;\nusername;email'],
    ['\t', 'sep=\t\r\nusername\temail'],
  ] as const)
    assert.equal((await read(text)).delimiter, delimiter, text)
})

test('line numbers count from the heading, even after multi-line quotes and blank lines', async () => {
  const { rows } = await read('sep=,\r\nusername,groups\r\n"a","x\r\ny"\r\n\r\n , \r\nb,"say ""hi"""\r\nc "d",1\re,2')
  assert.deepEqual(
    rows.map(({ line, cells }) => [line, cells.username]),
    [
      [2, 'a'],
      [6, 'b'],
      [7, 'c "d"'],
      [8, 'e'],
    ],
  )
  assert.equal(rows[1]!.cells.groups, 'say "hi"')
})

test('a row with too few or too many cells gives their number, and a quote against formulas is dropped', async () => {
  const { rows, ignoredColumns } = await read("username,groups,other\na,'=A;B,1\nb,x\nc,x,1,2\n'@d,,")
  assert.deepEqual(rows, [
    { line: 2, cells: { username: 'a', groups: '=A;B' } },
    { line: 3, cells: { username: 'b', groups: 'x' }, found: 2 },
    { line: 4, cells: { username: 'c', groups: 'x' }, found: 4 },
    { line: 5, cells: { username: '@d' } },
  ])
  assert.deepEqual(ignoredColumns, ['other'])
})

test('a cell that begins with a quote must end with one, and the line of the quote is named', async () => {
  const quoteOf = (text: string) =>
    read(text).then(
      ({ rows }) => rows.length,
      (error: Refusal) => (error.extras.body!['details'] as Detail[]).map(({ path, rule, params }) => [path, rule, params['line']]),
    )
  const at = (line: number) => [['', 'quote', line]]
  const head = 'username,email,display_name_en'
  assert.deepEqual(await quoteOf(`${head}\na,a@x.org,"Ann\nb,b@x.org,Bob\nc,c@x.org,"Cee"`), at(2))
  assert.deepEqual(await quoteOf(`${head}\na,a@x.org,"Ann\nb,b@x.org,Bob`), at(2))
  assert.deepEqual(await quoteOf(`${head}\na,"x\r\ny","Ann" B`), at(3))
  assert.deepEqual(await quoteOf(`${head}\na,"a@x.org""",""" Ann"\nb,"",""""\nc,5" disk,say "hi"`), 3)
})

test('pieces of a long file join where a letter, a line break or a quote is cut', async () => {
  const rows = Array.from({ length: 9000 }, (_, n) => `u${n},"نورة\r\n${'ب'.repeat(n % 7)}"`)
  const file = await read(`username,display_name_ar\r\n${rows.join('\r\n')}`)
  assert.equal(file.rows.length, 9000)
  for (const [n, { line, cells }] of file.rows.entries())
    assert.deepEqual([line, cells.display_name_ar], [2 + 2 * n, `نورة\n${'ب'.repeat(n % 7)}`.trim()])
})
