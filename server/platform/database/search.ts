/** Searching lists by substring, and sorting them alphabetically in a language. */
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Language } from '../../tables.ts'
import { likePattern } from '../text.ts'
import type { Reads } from './db.ts'

/** A text as `search` columns have it, whatever its case, diacritics or letter forms. */
export const fold = async (db: Reads, text: string) =>
  (await sql<{ folded: string }>`select portal_fold(${text}::text) as folded`.execute(db)).rows[0]!.folded

/** The `like` pattern that finds `text` in a `search` column. */
export const searchPattern = async (db: Reads, text: string) => likePattern(await fold(db, text))

/** The same where there may be nothing to search for. */
export const patternFor = async (db: Reads, text: string | undefined) => (text ? await searchPattern(db, text) : null)

const FIRST_LETTERS = 4

/**
 * What finds `text` in a `search` column of long texts, in time linear to them. `like` alone would compare all of it at every place of a
 * text that repeats its beginning, so it looks for that only, and a regular expression, which never goes back, for the whole.
 */
export async function longSearch(db: Reads, text: string) {
  const folded = await fold(db, text)
  const letters = [...folded]
  const first = likePattern(letters.slice(0, FIRST_LETTERS).join(''))
  const isShort = letters.length <= FIRST_LETTERS
  return {
    folded,
    isIn: (column: RawBuilder<unknown>) =>
      isShort ? sql`${column} like ${first}` : sql`${column} like ${first} and ${column} ~ ${`***=${folded}`} collate "C"`,
  }
}

const collations = { ar: sql.id('ar-x-icu'), en: sql.id('en-x-icu') }

export const alphabetically = (text: Expression<string>, language: Language) => sql<string>`${text} collate ${collations[language]}`
