import assert from 'node:assert/strict'
import { test } from 'node:test'
import { portals } from './process.ts'
import { listen } from './tcp-way.ts'

const { startInVain } = portals()

test('a start waits for a database that does not answer, and then names the step that it waited for', async () => {
  const port = await listen((near) => near.resume())
  const { code, out, err } = await startInVain({ DATABASE_URL: `postgres://portal:hidden@127.0.0.1:${port}/portal` })
  assert.match(
    err,
    new RegExp(
      `^Bawaba cannot start: DATABASE_URL: waited 30 s for 127\\.0\\.0\\.1:${port} to accept a connection: [^\\n]*timeout[^\\n]*\\n$`,
    ),
  )
  assert.deepEqual([code, out], [1, ''])
})
