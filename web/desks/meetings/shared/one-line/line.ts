/**
 * A line as the grammar reads it: folded words, separated by single spaces, so that one pattern matches `13:00` and `13 : 00`, `غدًا`
 * and `غدا`. No pattern of the grammar repeats without a bound, so reading a line takes time in proportion to its length.
 */
import { folded } from '../../../../platform/folded.ts'

export type Span = [from: number, to: number]

interface Word {
  from: number
  to: number
  /** Where the word begins in `flat`. */
  at: number
  folded: string
  isSpaced: boolean
}

export interface Line {
  text: string
  words: Word[]
  flat: string
  /** For each end of a word in `flat`, the index of the next word. */
  after: Map<number, number>
}

const invisible = '\\u200B-\\u200F\\u061C\\u202A-\\u202E\\u2066-\\u2069\\uFEFF'
/** A link, a quotation, digits, letters, or any other sign. */
const tokens = new RegExp(
  `https?://[^\\s<>"\\\\^\`{|}«»]+|«[^«»]+»|“[^“”]+”|"[^"]+"|\\p{Nd}+|[\\p{L}\\p{M}'’‘ʼʻʿʾ${invisible}]+|[^\\s]`,
  'giu',
)
const bidi = /[\u200B\u200E\u200F\u061C\u202A-\u202E\u2066-\u2069\uFEFF]/g
const isQuoted = /^[«“"].+[»”"]$/su

export function readLine(text: string): Line {
  const line: Line = { text, words: [], flat: '', after: new Map() }
  for (const { 0: whole, index } of text.matchAll(tokens)) {
    const isLink = /^https?:/i.test(whole)
    const word = isLink ? whole.replace(/[.,;:!?)\]'’،؛؟]{1,9}$/u, '') : whole
    // A link and a quotation become one sign each, so that the grammar does not read the words in them.
    const reading = isLink ? '\u0001' : isQuoted.test(word) ? '"' : folded(word.replace(/['’]s$/i, '').replace(/['’‘ʼʻʿʾ]/g, ''))
    if (reading === '') continue
    const isSpaced = index === 0 || /\s/.test(text[index - 1]!)
    line.words.push({ from: index, to: index + word.length, at: line.flat.length, folded: reading, isSpaced })
    line.flat += reading
    line.after.set(line.flat.length, line.words.length)
    line.flat += ' '
  }
  return line
}

/** A pattern that starts and ends at word boundaries. */
export const pattern = (source: string) => new RegExp(`(?:${source})(?= )`, 'yu')

export type Match = (string | undefined)[] & { next: number }

/** Matches a pattern at a word; the result includes the index of the word after it. */
export function match(line: Line, index: number, wanted: RegExp): Match | undefined {
  if (index >= line.words.length) return undefined
  wanted.lastIndex = line.words[index]!.at
  const found = wanted.exec(line.flat)
  const next = found ? line.after.get(wanted.lastIndex) : undefined
  return next === undefined ? undefined : Object.assign([...found!], { next })
}

export const spanOf = ({ words }: Line, from: number, next: number): Span => [words[from]!.from, words[next - 1]!.to]

const edge = /^[\s,،;؛:|./)–—-]{1,99}|[\s,،;؛:|./(–—-]{1,99}$/gu

/** The text of a span, without direction marks, and without punctuation and quotation marks around it. */
export function written({ text }: Line, [from, to]: Span) {
  const plain = text.slice(from, to).replace(bidi, '').replace(/\s+/g, ' ').replace(edge, '')
  return isQuoted.test(plain) && !/[«»“”"]/.test(plain.slice(1, -1)) ? plain.slice(1, -1).trim() : plain
}
