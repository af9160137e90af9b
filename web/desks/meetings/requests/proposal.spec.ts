import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Attendee, Meeting } from '../shared/day.ts'
import { afterOf, askedFields, changedBetween, movesTheDay, notifiedBy, roomBefore, without } from './proposal.ts'

const person = (userId: number | null, name = `P${userId}`): Attendee => ({ id: 1, name, title: null, kind: 'internal', userId })
const meeting: Meeting = {
  ...{ id: 7, date: '2026-11-24', startTime: '15:00', endTime: '15:30', titleAr: 'زيارة', titleEn: 'Visit' },
  ...{ locationAr: null, locationEn: 'Office', meetingUrl: null, notes: 'First', status: 'scheduled', isHighlighted: false },
  ...{ sortOrder: 0, attendees: [person(1), person(2), person(null, 'Guest')], createdBy: 1, createdAt: '', updatedAt: '' },
}

test('a request changes the fields that it names and keeps the rest', () => {
  const after = afterOf(
    { type: 'edit', details: { date: '2026-11-25', startTime: '10:30', attendees: [{ name: 'P1', userId: 1 }] } },
    meeting,
  )
  assert.deepEqual(changedBetween(meeting, after), ['date', 'time', 'attendees'])
  assert.equal(after.titleEn, 'Visit')
  assert.deepEqual(
    without(meeting.attendees, after.attendees).map(({ name }) => name),
    ['P2', 'Guest'],
  )
})

test('an attendee without a kind is internal, and an identical list is no change', () => {
  const details = { attendees: meeting.attendees.map(({ name, userId }) => ({ name, userId })) }
  assert.deepEqual(changedBetween(meeting, afterOf({ type: 'attendees', details }, meeting)), [])
})

test('a note is appended to the notes, and a cancellation changes only the status', () => {
  assert.equal(afterOf({ type: 'note', details: { text: 'Second' } }, meeting).notes, 'First\nSecond')
  assert.deepEqual(changedBetween(meeting, afterOf({ type: 'cancel', details: { text: 'Why' } }, meeting)), ['status'])
  assert.deepEqual(askedFields({ type: 'cancel', details: {} }), ['status'])
  assert.deepEqual(askedFields({ type: 'create', details: { date: '2026-11-24', titleEn: 'Lunch', notes: null } }), ['title', 'date'])
})

test('a move notifies all attendees, a changed list only people who join or leave, a note nobody, and the decider is never notified', () => {
  const notified = (type: 'edit' | 'note' | 'cancel', details: object) => {
    const { colleagues, outside } = notifiedBy(meeting, afterOf({ type, details: { ...details } }, meeting), 2)
    return [colleagues.map(({ userId }) => userId), outside.map(({ name }) => name)]
  }
  assert.deepEqual(notified('edit', { startTime: '16:00' }), [[1], ['Guest']])
  assert.deepEqual(
    notified('edit', {
      attendees: [
        { name: 'P2', userId: 2 },
        { name: 'P3', userId: 3 },
      ],
    }),
    [[1, 3], []],
  )
  assert.deepEqual(notified('cancel', {}), [[1], ['Guest']])
  assert.deepEqual(notified('note', { text: 'Second' }), [[], []])
  const made = notifiedBy(undefined, afterOf({ type: 'create', details: { attendees: [{ name: 'P3', userId: 3 }] } }), 2)
  assert.deepEqual(
    made.colleagues.map(({ userId }) => userId),
    [3],
  )
})

test('the free time before a meeting counts from the end of the last meeting before it', () => {
  const at = (startTime: string, endTime: string | null, status: Meeting['status'] = 'scheduled') => ({
    ...meeting,
    startTime,
    endTime,
    status,
  })
  const day = [at('09:00', '10:00'), at('08:00', '08:30'), at('10:00', '10:20', 'cancelled'), at('10:25', '11:00')]
  assert.equal(roomBefore({ ...meeting, startTime: '10:30' }, day)?.minutes, 30)
  assert.equal(roomBefore({ ...meeting, startTime: '09:00' }, day)?.minutes, 30)
  assert.equal(roomBefore({ ...meeting, startTime: '07:00' }, day), undefined)
})

test('a new meeting and a cancellation change the day, and a change of the notes does not', () => {
  assert.equal(movesTheDay(undefined, meeting), true)
  assert.equal(movesTheDay(meeting, { ...meeting, notes: 'Other' }), false)
  assert.equal(movesTheDay(meeting, { ...meeting, status: 'cancelled' }), true)
})
