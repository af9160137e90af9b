/** The PostgreSQL of a run. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { addressOf } from '../../server/platform/database/db.ts'
import { startPostgres } from '../../server/platform/postgres/server.ts'
import { scratch } from '../scratch.ts'
import { inDatabase } from './sandbox.ts'

/** Starts it where the tests' set-up looks for one, with function calls being counted; returns how to stop it. */
export async function startServer() {
  const folder = mkdtempSync(join(scratch, 'bw-pg-'))
  const postgres = await startPostgres(folder)
  process.env['DATABASE_URL'] = addressOf(postgres.owner)
  process.env['TEST_POSTGRES'] = JSON.stringify({ ...postgres.owner, database: 'postgres' })
  const { user, password } = postgres.connection
  process.env['TEST_ROLE'] = JSON.stringify({ user, password })
  const cluster = join(folder, 'postgres')
  appendFileSync(join(cluster, 'postgresql.auto.conf'), `track_functions = 'all'\n`)
  process.kill(Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10), 'SIGHUP')
  const counts = async () =>
    (await inDatabase('postgres', (client) => client.query('show track_functions'))).rows[0].track_functions === 'all'
  while (!(await counts())) await pause(20)
  return async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
