import '../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effect } from '@preact/signals'
import { answers } from '../testing/outside.ts'
import { resource } from './cache.ts'
import { invalidateOften, invalidateRecordOften } from './often.ts'

const settled = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
}

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

test('a change of one record fetches that record alone', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 2_000_000 })
  const asked: Record<number, number> = { 7: 0, 8: 0 }
  for (const id of [7, 8])
    answers.set(`/users/${id}`, {
      get body() {
        asked[id]!++
        return { id }
      },
    })
  const stops = [7, 8].map((id) => effect(() => void resource('/users/{id}', { path: { id } }).data))
  await settled()
  assert.deepEqual(asked, { 7: 1, 8: 1 })
  for (let act = 0; act < 300; act++) invalidateRecordOften(7, '/users/{id}')
  t.mock.timers.tick(100)
  await settled()
  assert.deepEqual(asked, { 7: 2, 8: 1 })
  t.mock.timers.tick(2000)
  await settled()
  t.mock.timers.tick(100)
  await settled()
  assert.deepEqual(asked, { 7: 3, 8: 1 })
  for (const stop of stops) stop()
})
