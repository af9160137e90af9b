import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareMigrations } from './migrations.ts'

test('no migration was changed since it was listed, and each is listed', () => {
  const { wrong, fresh } = compareMigrations()
  assert.deepEqual(wrong, [])
  assert.deepEqual(fresh, [], 'npm run tables lists them')
})
