import '../../../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeCsv } from './csv.ts'
import { firstFree, usernameOf } from './invitations.ts'

test('a written table contains no formulas, and has quotes only where they are needed', () => {
  const text = writeCsv([
    ['سطر', 'a "b"', 'x,y'],
    ['=1+1', '-2', '@x'],
  ])
  assert.equal(text, '\uFEFFسطر,"a ""b""","x,y"\r\n\'=1+1,\'-2,\'@x\r\n')
})

test('the proposed username is not taken yet', () => {
  assert.equal(usernameOf('Dana.Q+work@example.org'), 'dana.q.work')
  assert.equal(usernameOf('"odd one"@example.org'), '.odd.one.')
  assert.equal(usernameOf('نورة@مثال.السعودية'), 'نورة')
  assert.equal(firstFree('dana', ['other']), 'dana')
  assert.equal(firstFree('dana', ['DANA', 'dana3', 'dana2']), 'dana4')
})
