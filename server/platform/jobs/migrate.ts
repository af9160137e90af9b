import type pg from 'pg'
import { START_WITHIN_MS } from '../database/client.ts'
import { openJobPool } from './pool.ts'

/** Migrates the queue's own tables. */
export async function migrateJobs(connection: pg.PoolConfig) {
  const { runMigrations } = await import('graphile-worker')
  const pool = openJobPool(connection, 1, () => {}, { connectionTimeoutMillis: START_WITHIN_MS })
  try {
    await runMigrations({ pgPool: pool })
  } finally {
    await pool.end()
  }
}
