/** A key that the instances share if there is no SECRETS_KEY. It is in an unlogged table, so that neither base backups nor the portal's own have it. */
import { randomBytes } from 'node:crypto'
import type pg from 'pg'

const LOOK_EVERY_MS = 30_000

/**
 * Reads the shared key every 30 s. The first instance that finds none stores a new one. A crash of the database empties the table; the
 * first instance that finds it empty then stores its key again.
 */
export async function openMadeKey(pool: pg.Pool, onError: (error: unknown) => void) {
  async function settle(key: Buffer) {
    for (;;) {
      const { rows } = await pool.query<{ value: Buffer }>('select value from made_key')
      if (rows[0]) return rows[0].value
      await pool.query('insert into made_key (value) values ($1) on conflict do nothing', [key])
    }
  }
  let keys: readonly [Buffer, ...Buffer[]] = [await settle(randomBytes(32))]
  const timer = setInterval(() => {
    settle(keys[0]).then((key) => {
      if (!key.equals(keys[0])) keys = [key, keys[0]]
    }, onError)
  }, LOOK_EVERY_MS)
  timer.unref()
  return {
    /** The present key, and the previous one if there was one. */
    keys: () => keys,
    close: async () => clearInterval(timer),
  }
}
