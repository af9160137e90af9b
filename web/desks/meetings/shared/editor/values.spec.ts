import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountsNotified } from '../told.ts'
import { emptyOn, fieldsOf, type Person, requestTypeOf } from './values.ts'

const person = (userId: number | null): Person => ({ id: -1, name: ' Sultan ', title: '', kind: 'internal', userId })
const day = { ...emptyOn('2026-11-24'), titleEn: 'Budget' }

test('empty fields are sent as null, and attendees without the fields that only the form has', () => {
  assert.deepEqual(fieldsOf({ notes: '', titleEn: 'Budget', attendees: [person(7)] }), {
    notes: null,
    titleEn: 'Budget',
    attendees: [{ name: 'Sultan', title: null, kind: 'internal', userId: 7 }],
  })
})

test('a new time or place notifies everyone but the author, and other changes notify those who join or leave', () => {
  const before = { ...day, attendees: [person(1), person(2), person(null)] }
  assert.equal(accountsNotified(undefined, before, 9).size, 2)
  const noted = { ...before, notes: 'later' }
  assert.equal(accountsNotified(before, noted, 9).size, 0)
  assert.equal(accountsNotified(before, { ...before, startTime: '10:00' }, 1).size, 1)
  assert.equal(accountsNotified(before, { ...before, attendees: [person(1), person(3)] }, 9).size, 2)
  assert.equal(accountsNotified(before, { ...before, status: 'cancelled', attendees: [] }, 9).size, 0)
})

test('the changed fields decide the kind of request', () => {
  assert.equal(requestTypeOf({ date: '2026-11-25', startTime: '' }), 'reschedule')
  assert.equal(requestTypeOf({ attendees: [] }), 'attendees')
  assert.equal(requestTypeOf({ attendees: [], notes: 'x' }), 'edit')
})
