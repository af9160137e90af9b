/** The portal needs a database session of its own for each connection. Some poolers change the session with each transaction. */
import type pg from 'pg'
import { withClient } from './client.ts'

const NAMED = { name: 'own_session', text: `select pg_backend_pid() as pid, current_setting('default_transaction_read_only') as setting` }

/** Throws an error of one line unless a setting and a prepared statement survive a transaction of another connection. */
export const assertOwnSessions = (connection: pg.PoolConfig) =>
  withClient(connection, (one) =>
    withClient(connection, async (other) => {
      const ask = (client: pg.Client) => client.query<{ pid: number; setting: string }>(NAMED).then(({ rows }) => rows[0]!)
      await one.query(`select set_config('default_transaction_read_only', 'on', false)`)
      const before = await ask(one)
      // A pooler would now give this transaction the server session that looks free.
      await other.query('begin')
      const after = await ask(one).catch(() => null)
      await other.query('rollback')
      if (after?.pid !== before.pid || after.setting !== 'on')
        throw new Error(
          `a pooler gives each transaction another session of the database: the portal needs its own (PgBouncer's pool_mode=session)`,
        )
    }),
  )
