/** The rows of an import as a CSV file. */
import type { Reads } from '../../platform/database/db.ts'
import type { Language } from '../../platform/tables.ts'
import { eachRow } from './queries.ts'
import type { Changes } from './rules.ts'

export const REPORT_COLUMNS = ['line', 'username', 'verdict', 'changes', 'details', 'isDone']

const written = (value: unknown) => (Array.isArray(value) ? value.join(' · ') : String(value ?? ''))
const changesOf = (changes: Changes) =>
  Object.entries(changes)
    .map(([column, { from, to }]) => `${column}: ${written(from)} → ${written(to)}`)
    .join('; ')

export async function* pageReport(db: Reads, importId: number, language: Language) {
  for await (const rows of eachRow(db, importId))
    yield rows.map(({ line, username, verdict, changes, details, isDone }) => [
      String(line ?? ''),
      username ?? '',
      verdict,
      changesOf(changes),
      details.map(({ path, messageAr, messageEn }) => `${path ? `${path}: ` : ''}${language === 'ar' ? messageAr : messageEn}`).join(' '),
      String(isDone),
    ])
}
