import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openEncryptedCookies } from './cookies.ts'

const key = Buffer.alloc(32, 'k')
const former = Buffer.alloc(32, 'f')
const cookies = openEncryptedCookies(() => [key])

test('a value is read under its name until it expires', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_000_000 })
  const value = { userId: 7, names: ['نور'] }
  const text = cookies.encrypt('portal_try', value, 60)
  assert.match(text, /^[\w-]+$/)
  t.mock.timers.setTime(1_059_999)
  assert.deepEqual(cookies.decrypt('portal_try', text), value)
  t.mock.timers.setTime(1_060_000)
  assert.equal(cookies.decrypt('portal_try', text), undefined)
})

test('a cookie of another name, of another key, cut off, changed or invented is ignored', () => {
  const text = cookies.encrypt('portal_try', 'x', 60)
  assert.equal(cookies.decrypt('portal_other', text), undefined)
  assert.equal(openEncryptedCookies(() => [former]).decrypt('portal_try', text), undefined)
  const swapped = text.startsWith('A') ? `B${text.slice(1)}` : `A${text.slice(1)}`
  for (const wrong of [
    undefined,
    '',
    'x',
    text.slice(0, -2),
    swapped,
    `${text}x`,
    `${text}=`,
    `${text}AAAA`,
    'A'.repeat(10_000),
    '{"value":"x"}',
  ])
    assert.equal(cookies.decrypt('portal_try', wrong), undefined, String(wrong).slice(0, 20))
})

test('cookies of the former key are read, and new ones are encrypted with the new key', () => {
  const both = openEncryptedCookies(() => [key, former])
  assert.equal(both.decrypt('portal_try', openEncryptedCookies(() => [former]).encrypt('portal_try', 'x', 60)), 'x')
  assert.equal(cookies.decrypt('portal_try', both.encrypt('portal_try', 'y', 60)), 'y')
})
