/** Searching lists by substring, and sorting them alphabetically in a language. */
import { type Expression, sql } from 'kysely'
import type { Language } from '../../tables.ts'
import { likePattern } from '../text.ts'
import type { Reads } from './db.ts'

/** The `like` pattern that finds `text` in a `search` column, whatever its case, diacritics or letter forms. */
export async function searchPattern(db: Reads, text: string) {
  const { rows } = await sql<{ folded: string }>`select portal_fold(${text}::text) as folded`.execute(db)
  return likePattern(rows[0]!.folded)
}

const collations = { ar: sql.id('ar-x-icu'), en: sql.id('en-x-icu') }

export const alphabetically = (text: Expression<string>, language: Language) => sql<string>`${text} collate ${collations[language]}`
