import '../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answers } from '../testing/outside.ts'
import { waitFor } from './acts.ts'
import { resource } from './cache.ts'

const day = (date: string) => resource('/executive-meetings', { query: { date } })

test('an act that is not answered yet holds back answers about the day that it changes, and about no other day', async () => {
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

test('an act on a record holds back every list that may contain the record', async () => {
  answers.set('/executive-meetings/tasks', { body: [] })
  const act = Promise.withResolvers<void>()
  waitFor(act.promise, 7, '/executive-meetings/tasks', '/executive-meetings/tasks/{id}')
  const seen: string[] = []
  const list = resource('/executive-meetings/tasks', { query: { date: '2026-11-28' } })
    .load()
    .then(() => seen.push('list'))
  answers.set('/executive-meetings/tasks/8', { body: { id: 8 } })
  await resource('/executive-meetings/tasks/{id}', { path: { id: 8 } }).load()
  seen.push('another record')
  act.resolve()
  await list
  assert.deepEqual(seen, ['another record', 'list'])
})

test('an address can be read after an act on it has failed', async () => {
  answers.set('/apps', { body: [{ id: 1 }] })
  const act = Promise.withResolvers<void>()
  waitFor(act.promise, undefined, '/apps')
  const read = resource('/apps').load()
  act.reject(new Error('lost'))
  assert.deepEqual(await read, [{ id: 1 }])
  await resource('/apps').refresh()
  assert.equal(resource('/apps').error, undefined)
})
