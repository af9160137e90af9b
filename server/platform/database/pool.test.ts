import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { testPortal } from '../../../test/portal.ts'
import { inSnapshot } from './db.ts'
import { Pool } from './pool.ts'

const portal = testPortal()

test('a connection that is released twice is in the pool only once, and still serves one caller at a time', async () => {
  const pool = new Pool({ ...portal.connection, max: 1 })
  try {
    const first = await pool.connect()
    const releaseFirst = first.release
    releaseFirst()
    releaseFirst()
    const second = await pool.connect()
    releaseFirst()
    let isThird = false
    const third = pool.connect().then((client) => {
      isThird = true
      client.release()
    })
    await second.query('select')
    assert.equal(isThird, false)
    second.release()
    await third
  } finally {
    await pool.end()
  }
})

// A pool's own queries take their connection by a callback.
test('a callback gets a connection, or the error if there is none', async () => {
  const pool = new Pool({ ...portal.connection, max: 1 })
  for (let round = 0; round < 2; round++) assert.deepEqual((await pool.query('select 1 as one')).rows, [{ one: 1 }])
  await pool.end()
  await assert.rejects(() => pool.query('select'), /after calling end/)
})

test('a connection prepares statements that have a plan, with values or without', async () => {
  const [without, inParentheses, withValue] = [sql`select 'without'`, sql`(select 'in parentheses')`, sql`select ${'value'}::text`]
  const prepared = await inSnapshot(portal.instance.db.reads, async (snapshot) => {
    for (const statement of [without, inParentheses, withValue]) await statement.execute(snapshot)
    const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(snapshot)
    return rows.map(({ statement }) => statement)
  })
  for (const text of ["select 'without'", "(select 'in parentheses')", 'select $1::text']) assert.ok(prepared.includes(text), text)
  assert.ok(prepared.every((text) => /select/.test(text)))
})
