/** Writes tables for spreadsheet programs. */

/** Characters with which spreadsheet programs begin a formula. */
const formula = /^[=+\-@＝＋－＠\t\r]/

/** A CSV text that spreadsheet programs read as UTF-8 and without formulas. */
export function writeCsv(rows: readonly (readonly string[])[]) {
  const write = (cell: string) => {
    const guarded = formula.test(cell) ? `'${cell}` : cell
    return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
  }
  return `\uFEFF${rows.map((row) => row.map(write).join()).join('\r\n')}\r\n`
}

/** Saves a table on the device. */
export function saveCsv(name: string, rows: readonly (readonly string[])[]) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([writeCsv(rows)], { type: 'text/csv' }))
  link.download = `${name}.csv`
  link.click()
  URL.revokeObjectURL(link.href)
}
