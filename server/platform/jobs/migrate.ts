import type pg from 'pg'
import { openJobPool } from './pool.ts'

/** Migrates the queue's own tables. */
export async function migrateJobs(connection: pg.PoolConfig) {
  const { runMigrations } = await import('graphile-worker')
  const pool = openJobPool(connection, 1, () => {})
  try {
    await runMigrations({ pgPool: pool })
  } finally {
    await pool.end()
  }
}
