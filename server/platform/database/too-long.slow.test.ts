/** A value that is longer than any JavaScript string can be. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { testPortal } from '../../../test/portal.ts'

const portal = testPortal()

test('a value too long for a string fails its own statement, and the pool keeps working', async (t) => {
  const LENGTH = 54_321
  const original = Buffer.prototype.toString
  const tooLong = Object.assign(new RangeError('Cannot create a string longer than 0x1fffffe8 characters'), { code: 'ERR_STRING_TOO_LONG' })
  t.mock.method(Buffer.prototype, 'toString', function (this: Buffer, encoding?: BufferEncoding, start = 0, end = this.length) {
    if (end - start === LENGTH) throw tooLong
    return original.call(this, encoding, start, end)
  })
  const { reads } = portal.instance.db
  await assert.rejects(sql`select repeat('x', ${sql.lit(LENGTH)})`.execute(reads), { code: 'ERR_STRING_TOO_LONG' })
  const { rows } = await sql<{ text: string }>`select repeat('x', 3) as text`.execute(reads)
  assert.deepEqual(rows, [{ text: 'xxx' }])
})
