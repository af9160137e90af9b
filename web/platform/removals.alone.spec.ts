import '../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answers, seen } from '../testing/outside.ts'
import type { Me } from './session.ts'

const { beginAs, stop } = await import('./session.ts')
const { isLeaving, onRefused, removeSoon } = await import('./removals.ts')

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

test('a refusal that arrives before there is a listener is passed to the first listener', async (t) => {
  t.after(() => stop('out'))
  answers.set('/notes/5', { status: 409, body: { code: 'has_dependents' } })
  localStorage.setItem('removals:13', JSON.stringify([['/notes/{id}', 5, Date.now() - 60_000]]))
  await beginAs({ id: 13, preferredLanguage: 'en', roles: [] } as unknown as Me)
  while (localStorage.getItem('removals:13')) await new Promise((resolve) => setTimeout(resolve))
  const said: unknown[] = []
  onRefused((refusal) => void said.push((refusal as { status: number }).status))
  assert.deepEqual(said, [409])
})

test('adding another deletion does not resend one that is under way or was sent in vain', async (t) => {
  t.after(() => stop('out'))
  t.mock.timers.enable({ apis: ['setTimeout'] })
  answers.set('/notes/labels/1', { status: 503, body: { code: 'unavailable' } })
  const calls = () => seen.filter((call) => call === 'DELETE /notes/labels/1').length
  const turns = async () => {
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
  }
  await beginAs({ id: 15, preferredLanguage: 'en', roles: [] } as unknown as Me)
  const undo = [removeSoon('/notes/labels/{id}', 1, Date.now())]
  t.mock.timers.tick(1)
  undo.push(removeSoon('/notes/labels/{id}', 2))
  t.mock.timers.tick(1)
  await turns()
  undo.push(removeSoon('/notes/labels/{id}', 3))
  t.mock.timers.tick(1)
  await turns()
  assert.equal(calls(), 1)
  t.mock.timers.tick(10_000)
  await turns()
  assert.equal(calls(), 2)
  for (const one of undo) one()
})

test('a deletion that the portal refuses is reported and not sent again; one that it could not carry out is sent again', async (t) => {
  t.after(() => stop('out'))
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const said: number[] = []
  const tell = (refusal: unknown) => void said.push((refusal as { status: number }).status)
  onRefused(tell)
  const refused = [400, 403, 409, 412]
  const passing = [401, 429, 503]
  const all = [...refused, ...passing]
  for (const status of all) answers.set(`/notes/folders/${status}`, { status, body: { code: 'quota_exceeded' } })
  const calls = () => all.map((id) => seen.filter((call) => call === `DELETE /notes/folders/${id}`).length)
  const isAnswered = async () => {
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
  }
  await beginAs({ id: 11, preferredLanguage: 'en', roles: [] } as unknown as Me)
  for (const id of all) removeSoon('/notes/folders/{id}', id, Date.now())
  t.mock.timers.tick(1)
  await isAnswered()
  assert.deepEqual(said.toSorted(), refused)
  assert.deepEqual(
    all.filter((id) => isLeaving('/notes/folders/{id}', id)),
    passing,
  )
  t.mock.timers.tick(10_000)
  t.mock.timers.tick(1)
  await isAnswered()
  assert.deepEqual(
    calls().map((count) => count > 1),
    [...refused.map(() => false), ...passing.map(() => true)],
  )
})
