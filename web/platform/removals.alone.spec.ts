import '../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seen } from '../testing/outside.ts'
import type { Me } from './session.ts'

const { beginAs, stop } = await import('./session.ts')
const { isLeaving, removeSoon } = await import('./removals.ts')

test('a page that closes sends its own deletions and leaves those of other pages undoable', async (t) => {
  t.after(() => stop('out'))
  t.mock.timers.enable({ apis: ['setTimeout'] })
  localStorage.setItem('removals:7', JSON.stringify([['/executive-meetings/{id}', 6, Date.now() + 60_000]]))
  await beginAs({ id: 7, preferredLanguage: 'en', roles: [] } as unknown as Me)
  removeSoon('/executive-meetings/{id}', 5)
  dispatchEvent(new Event('pagehide'))
  while (!seen.some((call) => call.startsWith('DELETE'))) await new Promise(setImmediate)
  assert.deepEqual(
    seen.filter((call) => call.startsWith('DELETE')),
    ['DELETE /executive-meetings/5'],
  )
  assert.equal(isLeaving('/executive-meetings/{id}', 6), true)
})

test('a record deleted without a connection stays hidden on the next page, and its deletion is sent once there is one', async (t) => {
  t.after(() => stop('out'))
  dispatchEvent(new Event('offline'))
  localStorage.setItem('removals:9', JSON.stringify([['/notes/{id}', 4, Date.now() - 60_000]]))
  await beginAs({ id: 9, preferredLanguage: 'en', roles: [] } as unknown as Me)
  assert.equal(isLeaving('/notes/{id}', 4), true)
  const isSent = () => seen.includes('DELETE /notes/4')
  assert.equal(isSent(), false)
  dispatchEvent(new Event('online'))
  while (!isSent()) await new Promise((resolve) => setTimeout(resolve))
})
