import '../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effect } from '@preact/signals'
import { answers } from '../testing/outside.ts'
import { resource } from './cache.ts'
import { invalidateOften } from './often.ts'

test('a list that changes all the time is fetched at once, and then at most every two seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 })
  let asked = 0
  answers.set('/users', {
    get body() {
      asked++
      return []
    },
  })
  const people = resource('/users')
  const stop = effect(() => void people.data)
  const settled = async () => {
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  }
  await settled()
  const before = asked
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 50) {
      t.mock.timers.tick(50)
      await settled()
    }
    return asked - before
  }
  invalidateOften('/users')
  assert.equal(await pass(500), 1)
  for (let act = 0; act < 300; act++) invalidateOften('/users')
  assert.equal(await pass(1450), 1)
  assert.equal(await pass(500), 2)
  assert.equal(await pass(10_000), 2)
  invalidateOften('/users')
  assert.equal(await pass(500), 3)
  stop()
})
