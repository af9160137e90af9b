/** Finds the letters that the fonts of a schedule lack, so that no letter is printed as an empty box. */

/** The character that is printed in place of a letter that no font has. */
export const MARK = '\uFFFD'

/** A letter with its marks. */
const LETTER = /\P{M}\p{M}*|\p{M}+/gu
/** Characters that need no glyph. */
const isBlank = /[\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u

const BYTES_OF_SET = 0x110000 / 8

/** The segments of a character map of format 4 (OpenType, `cmap`). */
function* segmentsOf(font: Buffer, at: number): Generator<[first: number, last: number]> {
  const bytes = font.readUInt16BE(at + 6)
  for (let entry = at + 14; entry < at + 14 + bytes; entry += 2) {
    const [last, first] = [font.readUInt16BE(entry), font.readUInt16BE(entry + bytes + 2)]
    const place = entry + 3 * bytes + 2
    const offset = font.readUInt16BE(place)
    const hasGlyph = (code: number) => offset === 0 || font.readUInt16BE(place + offset + 2 * (code - first)) !== 0
    for (let code = first; code <= last && code < 0xffff; code++) if (hasGlyph(code)) yield [code, code]
  }
}

/** The groups of a character map of format 12. */
function* groupsOf(font: Buffer, at: number): Generator<[first: number, last: number]> {
  for (let left = font.readUInt32BE(at + 12), entry = at + 16; left > 0; left--, entry += 12)
    yield [font.readUInt32BE(entry), font.readUInt32BE(entry + 4)]
}

/** The code points that a font has, as bits. */
function readCodePoints(font: Buffer) {
  const codePoints = new Uint8Array(BYTES_OF_SET)
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, n) => 12 + 16 * n)
  const map = font.readUInt32BE(tables.find((at) => font.toString('latin1', at, at + 4) === 'cmap')! + 8)
  for (let n = font.readUInt16BE(map + 2), entry = map + 4; n > 0; n--, entry += 8) {
    const at = map + font.readUInt32BE(entry + 4)
    const format = font.readUInt16BE(at)
    const ranges = format === 4 ? segmentsOf(font, at) : format === 12 ? groupsOf(font, at) : []
    for (const [first, last] of ranges) for (let code = first; code <= last; code++) codePoints[code >> 3]! |= 1 << (code & 7)
  }
  return codePoints
}

/** Returns a function that says whether one of the fonts has a letter with all its marks, composed or not. */
export function coverageOf(fonts: readonly Buffer[]) {
  const sets = fonts.map(readCodePoints)
  const isIn = (codePoints: Uint8Array, letter: string) =>
    [...letter].every((part) => isBlank.test(part) || codePoints[part.codePointAt(0)! >> 3]! & (1 << (part.codePointAt(0)! & 7)))
  return (letter: string) => {
    const forms = [letter, letter.normalize('NFC'), letter.normalize('NFD')]
    return sets.some((codePoints) => forms.some((form) => isIn(codePoints, form)))
  }
}
type Covers = ReturnType<typeof coverageOf>

/** The letters of all texts in a value that no font has, each once. */
export function lettersLacking(covers: Covers, value: unknown) {
  const letters = new Set<string>()
  JSON.stringify(value, (_, inner) => {
    if (typeof inner === 'string') for (const [letter] of inner.matchAll(LETTER)) letters.add(letter)
    return inner
  })
  return [...letters].filter((letter) => !covers(letter))
}

/** The value as JSON, with `MARK` in place of each letter that no font has. */
export function writeMarked(covers: Covers, value: unknown) {
  const lacking = new Set(lettersLacking(covers, value))
  if (lacking.size === 0) return JSON.stringify(value)
  return JSON.stringify(value, (_, inner) =>
    typeof inner === 'string' ? inner.replace(LETTER, (letter) => (lacking.has(letter) ? MARK : letter)) : inner,
  )
}
