/** Holds back, while a backup is made, the removal of bytes that it has yet to read. */
import { sql } from 'kysely'
import type pg from 'pg'
import type { Reads } from '../database/db.ts'

const KEY = `hashtext('backup')`

/** Marks the connection, for as long as it lasts, as one that makes a backup. Throws an error of one line if another does. */
export async function beginBackup(client: pg.Client) {
  const { rows } = await client.query<{ begun: boolean }>(`select pg_try_advisory_lock(${KEY}) as begun`)
  if (!rows[0]!.begun) throw new Error('another backup is being made')
}

/**
 * Whether a backup is being made. If not, whatever was removed from the database before the question is in no later backup either, and
 * its bytes may go.
 */
export async function isBackupUnderWay(db: Reads) {
  const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock_shared(${sql.raw(KEY)}) as free`.execute(db)
  return !rows[0]!.free
}
