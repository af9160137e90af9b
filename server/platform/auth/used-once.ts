/** Remembers what may be used once, such as a challenge, until it is refused for its age anyway. */
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Reads, Tx } from '../database/db.ts'

const hashOf = (text: string) => hash('sha256', text, 'base64url')

/**
 * Whether this is the first use of a text. A use counts once its transaction is committed; a concurrent one waits for that. The text
 * begins with a word that says what it is, so that it cannot equal another kind of text.
 */
export async function useOnce(tx: Tx, text: string, until: Date) {
  const used = await tx
    .insertInto('usedOnce')
    .values({ hash: hashOf(text), until })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return used.numInsertedOrUpdatedRows === 1n
}

/** Remembers a text until that time at least, whether or not it is remembered already. */
export const useAgain = (tx: Tx, text: string, until: Date) =>
  tx
    .insertInto('usedOnce')
    .values({ hash: hashOf(text), until })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ until: sql`greatest(used_once.until, excluded.until)` }))
    .execute()

/** Whether one of these texts is remembered for longer than that. */
export const isUsedBeyond = async (db: Reads, texts: readonly string[], until: Date) =>
  (await db
    .selectFrom('usedOnce')
    .select('hash')
    .where('hash', '=', sql<string>`any(${texts.map(hashOf)}::text[])`)
    .where('until', '>', until)
    .executeTakeFirst()) !== undefined

/** Whether a text was used. */
export const isUsed = async (db: Reads, text: string) =>
  (await db.selectFrom('usedOnce').select('hash').where('hash', '=', hashOf(text)).executeTakeFirst()) !== undefined
