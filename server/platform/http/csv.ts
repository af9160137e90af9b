/** CSV as spreadsheet programs read it, with cells that cannot become formulas. */
import { stringify } from 'csv-stringify/sync'

const BOM = '\uFEFF'
/** Without tabs and carriage returns, which separate or begin: no stretch of it is read twice. */
const invisible = '[[\\s\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}]--[\\t\\r]]*'
/**
 * Where a formula may begin: at the start of a cell, and after each character at which a spreadsheet set to another separator would cut
 * it. Invisible marks before the sign are dropped by some programs, and full-width signs are taken for narrow ones.
 */
const formula = new RegExp(`(?<=^|[;,\\|\\t])(?=${invisible}[=+\\-@＝＋－＠\\t\\r])`, 'gv')

/** A cell's text, with a single quote before each place at which a spreadsheet could begin a formula. */
export const guardCell = (text: string) => text.replace(formula, "'")

/** The byte-order mark, the head, then the rows as they come. */
export async function* csvChunks(columns: readonly string[], pages: AsyncIterable<readonly (readonly string[])[]>) {
  yield BOM + stringify([columns])
  for await (const rows of pages) if (rows.length) yield stringify(rows.map((row) => row.map(guardCell)))
}
