import assert from 'node:assert/strict'
import { test } from 'node:test'
import { touchedBy } from './changed.ts'

const files = [
  'server/a/a.test.ts',
  'server/a/rules.ts',
  'server/b/b.test.ts',
  'server/b/routes.ts',
  'test/c.test.ts',
  'test/helper.ts',
  'test/locks.test.ts',
]
const imports = [
  { from: 'server/a/a.test.ts', to: 'test/portal.ts', isType: false },
  { from: 'test/portal.ts', to: 'server/portal.ts', isType: false },
  { from: 'server/portal.ts', to: 'server/a/rules.ts', isType: false },
  { from: 'server/b/routes.ts', to: 'server/a/rules.ts', isType: false },
  { from: 'test/helper.ts', to: 'server/a/rules.ts', isType: false },
  { from: 'test/c.test.ts', to: 'test/helper.ts', isType: false },
]
const touched = (...changed: string[]) => touchedBy(changed, files, imports).filter((file) => file !== 'test/architecture.test.ts')

test('a change touches the tests beside it, beside what imports it, and those that use it by a helper', () =>
  assert.deepEqual(touched('server/a/rules.ts'), ['server/a/a.test.ts', 'server/b/b.test.ts', 'test/c.test.ts']))
test('a change of what nobody imports touches the tests beside it', () =>
  assert.deepEqual(touched('server/b/routes.ts'), ['server/b/b.test.ts', 'test/api.test.ts']))
test('a lengthy test runs when it is changed or imports what is, not because it is near', () => {
  const lengthy = ['server/a/races.test.ts', 'server/a/model.test.ts']
  const longer = lengthy.map((from) => ({ from, to: 'test/race.ts', isType: false }))
  const known = { from: 'server/a/model.test.ts', to: 'server/a/queries.ts', isType: false }
  const runs = (file: string) =>
    touchedBy([file], [...files, ...lengthy], [...imports, ...longer, known]).filter((one) => lengthy.includes(one))
  assert.deepEqual(['server/a/rules.ts', 'server/a/queries.ts', 'server/a/races.test.ts'].map(runs), [
    [],
    ['server/a/model.test.ts'],
    ['server/a/races.test.ts'],
  ])
})
test('a change of what everything uses touches the tests beside it, and not those beside everything', () => {
  const users = Array.from({ length: 30 }, (_, n) => `server/user${n}`)
  const tests = users.map((user) => `${user}/user.test.ts`)
  const used = users.map((user) => ({ from: `${user}/queries.ts`, to: 'server/a/rules.ts', isType: false }))
  const runs = touchedBy(['server/a/rules.ts'], [...files, ...tests], [...imports, ...used])
  assert.deepEqual(runs, ['server/a/a.test.ts', 'test/architecture.test.ts'])
})
test('a change of a test touches that test', () => assert.deepEqual(touched('test/c.test.ts'), ['test/c.test.ts']))
test('the house itself touches no test by being imported', () => assert.deepEqual(touched('test/portal.ts'), []))
test('the rules of the house are tried after any change', () =>
  assert.deepEqual(touchedBy([], files, imports), ['test/architecture.test.ts']))
