import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { portals } from './process.ts'

const { makeFolder, runScript, startPortal } = portals()

test('the first start creates an administrator and prints the password; the second prints no password', async () => {
  const DATA_DIR = makeFolder()
  const first = await startPortal({ DATA_DIR })
  const [, password] = /^First administrator: admin, password ([\w-]{16}) \(shown only once\)$/m.exec(first.printed.out)!
  const { body } = await (await first.stranger().signIn('admin', password)).get('/auth/me')
  assert.deepEqual([body.email, body.roles], ['admin@localhost', ['admin', 'user']])
  assert.equal((await first.stop()).code, 0)

  const second = await startPortal({ DATA_DIR })
  await second.stranger().signIn('admin', password)
  assert.equal((await second.stop()).code, 0)
  assert.doesNotMatch(second.printed.out, /password|First/)
})

test("an operator's command creates no database", async () => {
  const DATA_DIR = makeFolder()
  const { code, err } = await runScript('admin', ['reset-link', 'admin'], { DATA_DIR })
  assert.match(err, /^there is no portal in [^\n]+\n$/)
  assert.deepEqual([code, existsSync(join(DATA_DIR, 'postgres'))], [1, false])
})
