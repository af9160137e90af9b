/** CSV as spreadsheet programs read it, with cells that cannot become formulas. */
import { stringify } from 'csv-stringify/sync'

const BOM = '\uFEFF'
/** After leading invisible marks, a sign that starts a formula, a tab or a carriage return; full-width signs count as well. */
const guarded = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*[=+\-@＝＋－＠\t\r]/u

/** A cell's text; one that a spreadsheet could run as a formula is led by a single quote. */
export const guardCell = (text: string) => (guarded.test(text) ? `'${text}` : text)

/** Some readers take a carriage return alone for the end of a row. */
const STRICT = { quoted_match: /\r/ }

/** The byte-order mark, the head, then the rows as they come. */
export async function* csvChunks(columns: readonly string[], pages: AsyncIterable<readonly (readonly string[])[]>) {
  yield BOM + stringify([columns])
  for await (const rows of pages)
    if (rows.length)
      yield stringify(
        rows.map((row) => row.map(guardCell)),
        STRICT,
      )
}
