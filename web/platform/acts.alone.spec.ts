import '../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answers } from '../testing/outside.ts'
import { waitFor } from './acts.ts'
import { resource } from './cache.ts'

const day = (date: string) => resource('/executive-meetings', { query: { date } })

test('an act that is not answered holds back the day that it changes, and no other', async () => {
  const act = Promise.withResolvers<void>()
  waitFor(act.promise, '2026-11-28', '/executive-meetings')
  let isLoaded = false
  const same = day('2026-11-28')
    .load()
    .then(() => {
      isLoaded = true
    })
  assert.deepEqual(await day('2026-11-29').load(), [])
  assert.equal(isLoaded, false)
  act.resolve()
  await same
})

test('a failed act leaves its address readable', async () => {
  answers.set('/apps', { body: [{ id: 1 }] })
  const act = Promise.withResolvers<void>()
  waitFor(act.promise, undefined, '/apps')
  const read = resource('/apps').load()
  act.reject(new Error('lost'))
  assert.deepEqual(await read, [{ id: 1 }])
  await resource('/apps').refresh()
  assert.equal(resource('/apps').error, undefined)
})
