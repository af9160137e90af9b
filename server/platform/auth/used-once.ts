/** Remembers texts that may be used only once, such as challenges, until they are refused for their age anyway. */
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Reads, Tx } from '../database/db.ts'

const hashOf = (text: string) => hash('sha256', text, 'base64url')

/**
 * Whether this is the first use of a text. A use counts once its transaction is committed; a concurrent use waits for that. The text
 * begins with a word for its kind, so that texts of different kinds are never equal.
 */
export async function useOnce(tx: Tx, text: string, until: Date) {
  const used = await tx
    .insertInto('usedOnce')
    .values({ hash: hashOf(text), until })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return used.numInsertedOrUpdatedRows === 1n
}

/** Remembers a text at least until `until`, whether or not it is remembered already. */
export const useAgain = (tx: Tx, text: string, until: Date) =>
  tx
    .insertInto('usedOnce')
    .values({ hash: hashOf(text), until })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ until: sql`greatest(used_once.until, excluded.until)` }))
    .execute()

/** Whether one of the texts is remembered for longer than `until`. */
export const isUsedBeyond = async (db: Reads, texts: readonly string[], until: Date) =>
  (await db
    .selectFrom('usedOnce')
    .select('hash')
    .where('hash', '=', sql<string>`any(${texts.map(hashOf)}::text[])`)
    .where('until', '>', until)
    .executeTakeFirst()) !== undefined

export const isUsed = async (db: Reads, text: string) =>
  (await db.selectFrom('usedOnce').select('hash').where('hash', '=', hashOf(text)).executeTakeFirst()) !== undefined
