/** Reads the cells of a row. */
import type { Detail } from '../../platform/errors/field-errors.ts'
import { fieldError } from '../../platform/errors/field-errors.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { bodyCheck } from '../../platform/http/validate.ts'
import { isStorable } from '../../platform/text.ts'
import { CellTexts, columnNames, columns, fieldColumns, valueIn, wordsOf } from './columns.ts'
import { type FileRow, unguarded } from './reading.ts'
import type { Wanted } from './rules.ts'

const checkTexts = bodyCheck(CellTexts)

/** The character that the decoder puts in place of invalid bytes. */
const LOST = '\uFFFD'

/** The cleaned texts of a row, without those that break a rule of their column. Adds the broken rules to `details`. */
function readTexts(cells: FileRow['cells'], details: Detail[]) {
  const texts: Record<string, string> = {}
  for (const name of columnNames) {
    const cell = cells[name]
    if (cell === undefined) continue
    if (!isStorable(cell) || cell.includes(LOST)) details.push(fieldError(name, 'storable'))
    else if ('shape' in columns[name]) texts[name] = cell
  }
  try {
    checkTexts(texts)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const wrong = error.extras.body!['details'] as Detail[]
    details.push(...wrong)
    for (const { path } of wrong) delete texts[path]
  }
  return texts
}

/** The names in a cell of groups. A leading `=` means that they replace the person's groups. */
function groupsIn(cell: string) {
  const isExact = cell.startsWith('=')
  const names = (isExact ? cell.slice(1) : cell).split(';').map(unguarded).filter(Boolean)
  return { isExact, names: [...new Set(names)] }
}

interface Read {
  wanted: Wanted
  /** The cells, with clean texts. */
  cells: FileRow['cells']
  details: Detail[]
}
/** Reads the changes that a row asks for, and the errors in its cells. */
export function readCells({ cells, found }: FileRow, width: number): Read {
  const details: Detail[] = []
  const texts = readTexts(cells, details)
  const fields: Record<string, unknown> = {}
  for (const [name, field] of fieldColumns) {
    const cell = cells[name]
    if (cell === undefined) continue
    const value = 'values' in columns[name] ? valueIn(name, cell) : texts[name]
    if (value !== undefined) fields[field] = value
    else if ('values' in columns[name]) details.push(fieldError(name, 'enum', { allowedValues: wordsOf(name) }))
  }
  const { username, email, manager } = texts
  if (cells.username === undefined && cells.email === undefined) details.push(fieldError('username', 'required', { unless: ['email'] }))
  const wanted = {
    ...(username !== undefined && { username }),
    ...(email !== undefined && { email }),
    ...(manager !== undefined && { manager }),
    ...(cells.groups !== undefined && isStorable(cells.groups) && { groups: groupsIn(cells.groups) }),
    fields: fields as Wanted['fields'],
  }
  const clean = { ...cells, ...texts }
  return { wanted, cells: clean, details: found === undefined ? details : [fieldError('', 'columnCount', { expected: width, found })] }
}
