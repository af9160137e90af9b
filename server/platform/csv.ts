/** CSV for spreadsheet programs, with cells that the programs cannot mistake for formulas. */
import { stringify } from 'csv-stringify/sync'
import type { Language } from './tables.ts'

const BOM = '\uFEFF'
/** Invisible characters, except tabs and carriage returns, which can themselves begin or separate cells. */
const invisible = '[[\\s\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}]--[\\t\\r]]*'
/**
 * Where a formula could begin: at the start of a cell, and after each character that a spreadsheet with other settings takes for a
 * separator. Some programs drop invisible characters before the sign, and some take full-width signs for ordinary ones.
 */
const formula = new RegExp(`(?<=^|[;,\\|\\t])(?=${invisible}[=+\\-@＝＋－＠\\t\\r])`, 'gv')

/** A cell's text, with a single quote at each place where a spreadsheet could begin a formula. */
export const guardCell = (text: string) => text.replace(formula, "'")

/** The number of rows that a limit leaves out, and the language of the last row, which states the number. */
interface Cut {
  omitted: number
  language: Language
}
const numbers = new Intl.NumberFormat('en')
const left = {
  ar: (count: number) => `عدد الصفوف الأقدم التي لم تُدرج في هذا الملف: ${numbers.format(count)}`,
  en: (count: number) => `Older rows left out of this file: ${numbers.format(count)}`,
}

/** A CSV file in pieces: the byte-order mark and the column names, then the rows of each page, then how many rows were left out. */
export async function* csvChunks(columns: readonly string[], pages: AsyncIterable<readonly (readonly string[])[]>, cut?: Cut) {
  yield BOM + stringify([columns])
  for await (const rows of pages) if (rows.length) yield stringify(rows.map((row) => row.map(guardCell)))
  if (cut?.omitted) yield stringify([columns.map((_, place) => (place === 0 ? left[cut.language](cut.omitted) : ''))])
}
