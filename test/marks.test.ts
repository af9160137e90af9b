import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPortal } from './portal.ts'

const portal = testPortal()

test('a name with more combining marks in a row than any script needs is refused before any query', async () => {
  for (const between of ['', '\u0007', '\u202e']) {
    const username = `a${`\u0301${between}`.repeat(16)}${`\u0327${between}`.repeat(16)}`
    const { status, body } = await portal.stranger().post('/auth/login', { username, password: 'x' })
    assert.deepEqual([status, body.code], [400, 'validation_failed'], JSON.stringify(between))
  }
})
