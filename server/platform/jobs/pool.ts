/** Connections for jobs, beside those of the portal. */
import type pg from 'pg'
import { Pool } from '../database/pool.ts'
import { giveSettings } from '../database/runs.ts'

/** Lost connections are replaced. Those in use need an error listener as well, or their loss would end the process. */
export function openJobPool(connection: pg.PoolConfig, max: number, onError: (error: Error) => unknown, limits: pg.PoolConfig = {}) {
  const usual = { connectionTimeoutMillis: 5000, application_name: 'bawaba jobs', verify: giveSettings() }
  const pool = new Pool({ ...connection, max, ...usual, ...limits })
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}
