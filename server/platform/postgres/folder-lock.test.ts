import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { lockFolder } from './folder-lock.ts'

const makeFolder = () => mkdtempSync(join(tmpdir(), 'bawaba-lock-'))

test('a locked folder cannot be locked again until it is unlocked', () => {
  const folder = makeFolder()
  for (let round = 0; round < 2; round++) {
    const unlock = lockFolder(folder)
    assert.throws(() => lockFolder(folder), {
      message: `another portal is running on ${folder}; stop it first, or give this one another DATA_DIR`,
    })
    unlock()
  }
  assert.equal(statSync(join(folder, 'portal.lock')).mode & 0o777, 0o600)
  rmSync(folder, { recursive: true })
})

test('for a folder that cannot be locked, the error gives the reason', () => {
  const folder = makeFolder()
  mkdirSync(join(folder, 'portal.lock'))
  assert.throws(() => lockFolder(folder), { message: `${folder}/portal.lock cannot be locked: unable to open database file` })
  rmSync(folder, { recursive: true })
  assert.throws(() => lockFolder(folder), { message: /^\S+portal\.lock cannot be locked: ENOENT: / })
})
