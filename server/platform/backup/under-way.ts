/** Prevents the removal of objects that a running backup still has to read. */
import { sql } from 'kysely'
import type pg from 'pg'
import type { Reads } from '../database/db.ts'

const KEY = `hashtext('backup')`

/** Marks this connection as making a backup, until it closes. Throws an error of one line if another backup is running. */
export async function beginBackup(client: pg.Client) {
  const { rows } = await client.query<{ begun: boolean }>(`select pg_try_advisory_lock(${KEY}) as begun`)
  if (!rows[0]!.begun) throw new Error('another backup is being made')
}

/** Whether a backup is running. If not, no later backup contains rows that were deleted before this call, so their bytes may be removed. */
export async function isBackupUnderWay(db: Reads) {
  const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock_shared(${sql.raw(KEY)}) as free`.execute(db)
  return !rows[0]!.free
}
