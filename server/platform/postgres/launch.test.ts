import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { boundLog } from './launch.ts'

const folder = mkdtempSync(join(tmpdir(), 'bawaba-launch-'))
after(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'postgres.log')
const MOST = 4 * 1024 * 1024

test('a log of more than four mebibytes is rotated, replacing the older copy', () => {
  boundLog(file)
  assert.deepEqual(readdirSync(folder), [])
  writeFileSync(file, 'x'.repeat(MOST))
  boundLog(file)
  assert.deepEqual([readdirSync(folder), statSync(file).size], [['postgres.log'], MOST])
  for (const more of [1, 2]) {
    writeFileSync(file, 'x'.repeat(MOST + more))
    boundLog(file)
    assert.deepEqual([statSync(file).size, statSync(`${file}.1`).size], [0, MOST + more])
  }
})

test('a log that cannot be rotated stays, and causes no error', () => {
  const unmovable = join(folder, 'unmovable.log')
  mkdirSync(`${unmovable}.1`)
  writeFileSync(unmovable, 'x'.repeat(MOST + 1))
  boundLog(unmovable)
  assert.equal(statSync(unmovable).size, MOST + 1)
})
