/** Reads files of people as spreadsheet programs save them: row by row, in whichever encoding and with whichever delimiter. */
import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { refuse, refuseField } from '../../platform/errors/refusal.ts'
import { lazily } from '../../platform/lazily.ts'
import { cleanText } from '../../platform/text.ts'
import { type ColumnName, columnOf } from './columns.ts'
import { MOST_COLUMNS, MOST_ROWS } from './rules.ts'

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1256'] as const
export type Encoding = (typeof encodings)[number]

/** Detects the encoding: by the byte-order mark; else UTF-8 if the bytes are valid; else the code page in which Excel saves Arabic. */
function encodingOf(bytes: Buffer): Encoding {
  const marked = (...mark: number[]) => mark.every((byte, at) => bytes[at] === byte)
  if (marked(0xff, 0xfe)) return 'utf-16le'
  if (marked(0xfe, 0xff)) return 'utf-16be'
  return marked(0xef, 0xbb, 0xbf) || isUtf8(bytes) ? 'utf-8' : 'windows-1256'
}

const CHUNK = 64 * 1024

/** Yields the text in pieces, with `\n` for each line break, and lets other requests run between the pieces. */
async function* decode(bytes: Buffer, encoding: Encoding) {
  const decoder = new TextDecoder(encoding)
  let held = ''
  for (let at = 0; at < bytes.length; at += CHUNK) {
    await setImmediate()
    const text = held + decoder.decode(bytes.subarray(at, at + CHUNK), { stream: true })
    held = text.endsWith('\r') ? '\r' : ''
    yield text.slice(0, text.length - held.length).replace(/\r\n?/g, '\n')
  }
  yield (held + decoder.decode()).replace(/\r\n?/g, '\n')
}

/** The first line that is not blank, and the rest of the text that was read with it. A line break within quotes does not end the line. */
async function firstLine(pieces: AsyncIterator<string>, begun = '') {
  let text = begun.replace(/^(?: *\n)+/, '')
  let at = 0
  let isQuoted = false
  for (;;) {
    for (; at < text.length; at++) {
      if (text[at] === '"') isQuoted = !isQuoted
      else if (text[at] === '\n' && !isQuoted) return { line: text.slice(0, at), rest: text.slice(at + 1) }
    }
    const next = await pieces.next()
    if (next.done) return isQuoted ? refuseField('', 'quote', { line: 1 }) : { line: text, rest: '' }
    text += next.value
    if (at === 0) text = text.replace(/^(?: *\n)+/, '')
  }
}

const LONGEST_HEADING = 50_000
const delimiters = [',', ';', '\t'] as const

/** The most frequent delimiter outside quotes. */
function delimiterOf(heading: string) {
  const bare = heading.replace(/"[^"]*"/g, '')
  const count = (delimiter: string) => bare.split(delimiter).length
  return delimiters.toSorted((one, other) => count(other) - count(one))[0]!
}
const SEPARATOR = /^"?sep=([,;\t])"?$/i

const parser = lazily(async () => (await import('csv-parse')).parse)

interface Row {
  /** The number of the row's first line; the heading is line 1. */
  line: number
  cells: string[]
}

/**
 * Passes a text on. Refuses `validation_failed` for a cell that begins with a quote and does not end with one: if its closing quote was
 * forgotten, the next quote of the file seems to close it, and the rows in between vanish. Other cells may contain quotes.
 */
async function* checkQuotes(text: AsyncIterable<string>, delimiter: string) {
  let state: 'begin' | 'plain' | 'quoted' | 'closing' = 'begin'
  let [line, opened] = [1, 1]
  for await (const piece of text) {
    for (let at = 0; at < piece.length; at++) {
      const letter = piece[at]
      const isEnd = letter === delimiter || letter === '\n'
      if (letter === '"') {
        if (state === 'begin') opened = line
        if (state !== 'plain') state = state === 'quoted' ? 'closing' : 'quoted'
      } else if (state === 'closing' && !isEnd) refuseField('', 'quote', { line: opened })
      else if (state !== 'quoted') state = isEnd ? 'begin' : 'plain'
      if (letter === '\n') line++
    }
    yield piece
  }
  if (state === 'quoted') refuseField('', 'quote', { line: opened })
}

/** The rows that are not blank. */
async function* parse(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<Row> {
  const options = { delimiter, record_delimiter: ['\n'], relax_column_count: true, relax_quotes: true, skip_empty_lines: true, info: true }
  const parsing = (await parser.get())(options)
  const source = Readable.from(checkQuotes(text, delimiter), { objectMode: false, encoding: 'utf8' })
  source.on('error', (error) => parsing.destroy(error))
  try {
    for await (const { record, info } of source.pipe(parsing) as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      const within = record.reduce((sum, cell) => sum + (cell.includes('\n') ? cell.split('\n').length - 1 : 0), 0)
      if (record.some((cell) => cell.trim() !== '')) yield { line: info.lines - within, cells: record }
    }
  } finally {
    source.destroy()
    parsing.destroy()
  }
}

/** The columns of a heading, by place. Refuses too many or repeated columns, and a heading without a column that identifies people. */
function readHeading(cells: readonly string[]) {
  if (cells.length > MOST_COLUMNS) refuseField('columns', 'maxItems', { limit: MOST_COLUMNS })
  const named = cells.map(columnOf)
  const known = named.filter((name) => name !== undefined)
  if (new Set(known).size < known.length) refuseField('columns', 'uniqueItems')
  if (!known.includes('username') && !known.includes('email')) refuseField('columns', 'minProperties', { fields: ['username', 'email'] })
  const unknown = cells.filter((cell, at) => named[at] === undefined && cell.trim() !== '')
  return { named, columns: known, ignoredColumns: unknown.map((cell) => [...cleanText(cell, 'line')].slice(0, 100).join('')) }
}

/** The quote that keeps a spreadsheet from running a cell as a formula. The portal's exports add it. */
const GUARD = /^'(?=[=+\-@＝＋－＠])/
export const unguarded = (text: string) => text.trim().replace(GUARD, '').trim()

export interface FileRow {
  line: number
  /** The cells of known columns that are not empty. */
  cells: Partial<Record<ColumnName, string>>
  /** The number of cells, if it differs from the number of headings. */
  found?: number
}

/** Opens a file. Refuses one without a heading that names people; `rows` refuses more than 50,000 rows, and quotes that are left open. */
export async function openFile(bytes: Buffer) {
  const encoding = encodingOf(bytes)
  const pieces = decode(bytes, encoding)
  let first = await firstLine(pieces)
  const declared = (SEPARATOR.exec(first.line) ?? SEPARATOR.exec(first.line.trim()))?.[1]
  if (declared) first = await firstLine(pieces, first.rest)
  // A heading this long is refused as one with too many columns, without counting them.
  if (first.line.length > LONGEST_HEADING) refuseField('columns', 'maxItems', { limit: MOST_COLUMNS })
  const delimiter = declared ?? delimiterOf(first.line)
  async function* text() {
    yield `${first.line}\n${first.rest}`
    yield* pieces
  }
  const all = parse(text(), delimiter)
  const heading = (await all.next()).value as Row | undefined
  const { named, ...columns } = readHeading(heading?.cells ?? [])
  async function* rows(): AsyncGenerator<FileRow> {
    let count = 0
    for await (const { line, cells } of all) {
      if (++count > MOST_ROWS) refuse('too_many_items')
      const written = named.flatMap((name, at) => (name && unguarded(cells[at] ?? '') ? [[name, unguarded(cells[at]!)] as const] : []))
      yield { line, cells: Object.fromEntries(written), ...(cells.length !== named.length && { found: cells.length }) }
    }
  }
  return { encoding, delimiter, ...columns, width: named.length, rows: rows() }
}
