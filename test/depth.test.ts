import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { shareOf } from './depth.ts'

const cases = ['one', 'another', 'a third', 'a fourth']

test('of cases that are alike some are tried, each once, and over several runs all of them', () => {
  for (const count of [1, 3, 4]) {
    const tried = cases.map((_, place) => shareOf(cases, count, place + 1000))
    for (const some of tried) assert.equal(new Set(some).size, count)
    assert.deepEqual(new Set(tried.flat()), new Set(cases))
  }
})

test('more than there are are never tried', () => {
  assert.deepEqual(shareOf(cases, 9, 0), cases)
})

test('a run of all tests makes every third drill; at full depth, and of a file run by its name, all are made', () => {
  const program = `import { drill } from '${new URL('depth.ts', import.meta.url)}'
    for (const name of 'abcd') drill(name, () => console.log('made ' + name))`
  const { NODE_TEST_CONTEXT: _, TEST_WHOLE: __, TEST_DEPTH: ___, ...env } = process.env
  const made = (run: Record<string, string>) =>
    execFileSync(process.execPath, ['--input-type=module', '--eval', program], { env: { ...env, ...run }, encoding: 'utf8' })
      .split('\n')
      .flatMap((line) => /^(?:# )?made (\w)$/.exec(line)?.[1] ?? [])
      .join('')
  assert.match(made({ TEST_WHOLE: '1' }), /^(ad|b|c)$/)
  assert.equal(made({ TEST_WHOLE: '1', TEST_DEPTH: '10' }), 'abcd')
  assert.equal(made({}), 'abcd')
})
