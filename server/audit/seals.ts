/** Sealing the ledger; `chain.ts` explains what a seal covers and hashes. */
import { sql } from 'kysely'
import type { Reads, Tx } from '../platform/database/db.ts'
import { writeSeal } from './rules.ts'

/** The newest seal as it is handed out; undefined before the first one. */
export async function newestSeal(db: Reads) {
  const newest = await db
    .selectFrom('auditSeals')
    .select(['id', 'at', sql<string>`encode(hash, 'hex')`.as('hash')])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest && { id: newest.id, at: newest.at, seal: writeSeal(newest) }
}

/**
 * Seals the next rows, and returns how many. Null where it has to wait for transactions under way. 0 where all are sealed that the ledger
 * had when 0 was returned before. Only the owner of the seals can make one, by this function of theirs.
 */
export async function sealSome(tx: Tx) {
  const { rows } = await sql<{ count: number | null }>`select seal_ledger() as count`.execute(tx)
  return rows[0]!.count
}
