import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldError } from '../errors/field-errors.ts'
import { Refusal } from '../errors/refusal.ts'
import { Line, Nullable, Shape, Text } from './shape.ts'
import { bodyCheck } from './validate.ts'

const check = bodyCheck(Shape({ name: Line({ min: 1, max: 64 }), notes: Nullable(Text({ max: 500 })) }))

/** The body as it is after the check, or the details of its refusal. */
function outcomeOf(body: { name: string; notes: string | null }) {
  try {
    check(body)
    return body
  } catch (error) {
    assert.ok(error instanceof Refusal)
    return error.extras.body?.['details']
  }
}

test('a text is cleaned before its length counts', () => {
  assert.deepEqual(outcomeOf({ name: `  e\u0301${' '.repeat(60)}`, notes: null }), { name: 'é', notes: null })
  assert.deepEqual(outcomeOf({ name: 'e\u0301'.repeat(64), notes: '\u1F00\u0300\u0345' }), { name: 'é'.repeat(64), notes: '\u1F82' })
})

test('a text far beyond its maximum length is refused before it is cleaned', () => {
  const tooLong = [fieldError('name', 'maxLength', { limit: 64 })]
  assert.deepEqual(outcomeOf({ name: 'a'.repeat(65), notes: null }), tooLong)
  assert.deepEqual(outcomeOf({ name: ' '.repeat(257), notes: null }), tooLong)
})

test('thirty combining marks in a row are accepted, thirty-one are refused', () => {
  const marked = (marks: number) => ({ name: 'a', notes: `a${'\u0327'.repeat(marks)}b` })
  assert.equal(Array.isArray(outcomeOf(marked(30))), false)
  assert.deepEqual(outcomeOf(marked(31)), [fieldError('notes', 'clean', { limit: 30 })])
})

test('every check of a text takes linear time', () => {
  // Normalising this text takes minutes: half its marks move before the other half.
  const slow = `a${'\u0301'.repeat(500_000)}${'\u0327'.repeat(500_000)}`
  assert.deepEqual(outcomeOf({ name: slow, notes: slow }), [
    fieldError('name', 'maxLength', { limit: 64 }),
    fieldError('notes', 'maxLength', { limit: 500 }),
  ])
})
