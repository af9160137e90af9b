import '../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Me } from './session.ts'

const { beginAs, stop } = await import('./session.ts')
const { draft } = await import('./drafts.ts')

test('a draft is dropped once it is sent, unless it was edited since', async (t) => {
  t.after(() => stop('out'))
  await beginAs({ id: 7, preferredLanguage: 'en', roles: [] } as unknown as Me)
  const { value, drop } = draft('note:new', '')
  while (value.peek() === undefined) await new Promise(setImmediate)
  value.value = 'Plan'
  const sent = value.peek()
  value.value = 'Plan for Sunday'
  assert.deepEqual([await drop(sent), value.peek()], [false, 'Plan for Sunday'])
  assert.deepEqual([await drop('Plan for Sunday'), value.peek()], [true, ''])
  value.value = 'Other'
  assert.deepEqual([await drop(), value.peek()], [true, ''])
})
