/** `npm run admin -- recount`. */
import type pg from 'pg'
import { openDb } from '../platform/database/db.ts'
import { recount } from '../work/stats/recount.ts'

const HOUR_MS = 3600 * 1000

/** Allows a busy database 30 s to accept a connection. */
const PATIENCE = 15

/** Compares the stored counts with a recount; exits with 1 when they differ. */
export async function printRecount(connection: pg.PoolConfig) {
  const db = openDb(connection, { size: 1, statementMs: HOUR_MS, patience: PATIENCE })
  try {
    const differences = await recount(db.reads)
    console.log(differences.join('\n') || 'Every count is correct.')
    if (differences.length) process.exitCode = 1
  } finally {
    await db.close()
  }
}
