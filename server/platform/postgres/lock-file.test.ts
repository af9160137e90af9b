import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { disownLockFile } from './leftovers.ts'

const folder = mkdtempSync(join(tmpdir(), 'bawaba-leftovers-'))
after(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'postmaster.pid')

/** The text of the lock file after `disownLockFile`; null if the file was removed. */
function disowned(text: string) {
  writeFileSync(file, text)
  disownLockFile(file)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}
/** A process id that is too large for Linux. */
const NOBODY = 2 ** 30

test('a lock file with the id of a running process, also of a single-user server, gets our own id; its other lines stay', () => {
  const rest = '\n/data/postgres\n1700000000\n5432\n'
  assert.equal(disowned(`${process.ppid}${rest}`), `${process.pid}${rest}`)
  assert.equal(disowned(`-${process.ppid}${rest}`), `${process.pid}${rest}`)
})

test('a number that is longer than our own id is replaced completely', () => {
  const padded = String(process.ppid).padStart(30, '0')
  assert.equal(disowned(`${padded}\nx\n`), `${process.pid}\nx\n`)
})

test('a lock file without a running process stays as it is: PostgreSQL ignores it', () => {
  for (const id of [NOBODY, -NOBODY]) assert.equal(disowned(`${id}\nx\n`), `${id}\nx\n`)
})

test('a lock file that does not begin with a number is removed: PostgreSQL would not start', () => {
  for (const text of ['', 'x\n', '\n']) assert.equal(disowned(text), null, text)
})

test('a missing lock file is no error', () => {
  disownLockFile(join(folder, 'none'))
  assert.ok(!existsSync(join(folder, 'none')))
})
