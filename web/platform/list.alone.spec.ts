import '../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answers } from '../testing/outside.ts'
import { resource } from './cache.ts'
import { PART } from './list.ts'

const partOf = (offset: number) => resource('/users', { query: { limit: PART, offset } })

test('a list has a length only if its latest answer has one', async () => {
  answers.set(`/users?limit=${PART}&offset=0`, { body: [{ id: 1 }], total: 412 })
  const part = partOf(0)
  await part.load()
  assert.equal(part.total, 412)
  answers.set(`/users?limit=${PART}&offset=0`, { body: [] })
  await part.refresh()
  assert.equal(part.total, undefined)
})
