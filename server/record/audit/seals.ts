/** Sealing the ledger; `chain.ts` explains what a seal covers and hashes. */
import { sql } from 'kysely'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { writeSeal } from './rules.ts'

/** The newest seal in the form in which people store it outside the portal; undefined before the first one. */
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
 * Seals the next rows. Returns their number; null if it must wait for running transactions or another instance; 0 if all rows that existed
 * when it last returned 0 are sealed. Only the database's function, which runs as the owner of the seals, can make a seal.
 */
export async function sealSome(tx: Tx) {
  const { rows } = await sql<{ count: number | null }>`select seal_ledger() as count`.execute(tx)
  return rows[0]!.count
}
