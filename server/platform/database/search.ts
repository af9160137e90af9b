/** Searching lists by substring, and sorting them alphabetically in a language. */
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Language } from '../tables.ts'
import { likePattern } from '../text.ts'
import type { Reads } from './db.ts'

/** Normalises a text as the `search` columns are: without case, diacritics and variants of letters. */
export const fold = async (db: Reads, text: string) =>
  (await sql<{ folded: string }>`select portal_fold(${text}::text) as folded`.execute(db)).rows[0]!.folded

/** The `like` pattern that finds `text` in a `search` column. */
export const searchPattern = async (db: Reads, text: string) => likePattern(await fold(db, text))

/** As `searchPattern`; null if there is nothing to search for. */
export const patternFor = async (db: Reads, text: string | undefined) => (text ? await searchPattern(db, text) : null)

/**
 * SQL: a text in lower case, as in the columns with unique keys. The outer collation is that of these columns: their indexes serve no other
 * collation, and PostgreSQL refuses to compare texts with two different explicit collations.
 */
export const lowered = (text: RawBuilder<unknown>) => sql<string>`lower((${text}) collate "und-x-icu") collate "default"`

/** The key of a username or an e-mail address. */
export const keyOf = (text: string) => lowered(sql`${text}::text`)

const FIRST_LETTERS = 4

/**
 * Finds `text` in a `search` column of long texts, in linear time. `like` alone would compare the whole pattern at every place of a text
 * that repeats the beginning of the pattern. So `like` looks for the first letters only, and a regular expression, which never backtracks,
 * for the whole.
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

/** SQL: sorts rows that have a name in each language by the name in this one. */
export const byNameIn = (language: Language) => alphabetically(sql.ref(`name_${language}`), language)
