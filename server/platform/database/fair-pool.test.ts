import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { testPortal, until } from '../../../test/portal.ts'
import { askingFor, FairPool } from './fair-pool.ts'

const portal = testPortal()

for (const [size, share] of [
  [2, 1],
  [5, 1],
  [6, 1],
  [7, 2],
  [10, 3],
] as const)
  test(`one person gets ${share} of ${size} connections at once, and their next call waits for one of these`, async () => {
    const pool = new FairPool({ ...portal.connection, max: size }, 1)
    // `pool.end()` does not wait for the sockets, and the database is dropped right after it.
    pool.on('connect', (client) => client.on('error', () => {}))
    pool.on('error', () => {})
    const had: pg.PoolClient[] = []
    try {
      const asked = Array.from({ length: size + 1 }, () => askingFor('greedy', () => pool.connect()).then((client) => had.push(client)))
      await until('the share is used up', () => had.length >= share)
      const other = await askingFor('other', () => pool.connect())
      await other.query('select')
      assert.deepEqual([had.length, pool.totalCount], [share, share + 1])
      for (let given = 0; given < asked.length; given++) {
        await until('another is served', () => had.length > given)
        had[given]!.release()
      }
      await Promise.all(asked)
      other.release()
    } finally {
      await pool.end()
    }
  })
