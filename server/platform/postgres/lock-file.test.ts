import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { disownLockFile } from './leftovers.ts'

const folder = mkdtempSync(join(tmpdir(), 'bawaba-leftovers-'))
after(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'postmaster.pid')

/** What becomes of a lock file; null where it is removed. */
function disowned(text: string) {
  writeFileSync(file, text)
  disownLockFile(file)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}
/** More than Linux has. */
const NOBODY = 2 ** 30

test('a lock file with the number of a process that runs gets our own; its other lines stay', () => {
  const rest = '\n/data/postgres\n1700000000\n5432\n'
  assert.equal(disowned(`${process.ppid}${rest}`), `${process.pid}${rest}`)
  assert.equal(disowned(`-${process.ppid}${rest}`), `-${process.ppid}${rest}`)
})

test('nothing is left behind of a longer number', () => {
  const padded = String(process.ppid).padStart(30, '0')
  assert.equal(disowned(`${padded}\nx\n`), `${process.pid}\nx\n`)
})

test('a lock file of nobody is left as it is: PostgreSQL passes over it', () => {
  assert.equal(disowned(`${NOBODY}\nx\n`), `${NOBODY}\nx\n`)
})

test('a lock file that begins with no number is removed: PostgreSQL would stumble over it', () => {
  for (const text of ['', 'x\n', '\n']) assert.equal(disowned(text), null, text)
})

test('no lock file is no matter', () => {
  disownLockFile(join(folder, 'none'))
  assert.ok(!existsSync(join(folder, 'none')))
})
