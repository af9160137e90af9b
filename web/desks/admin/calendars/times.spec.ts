/** Times as people type them, and the days of a calendar. */
import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copied, further, isClosed, nextPeriod, toggled } from './times.ts'

test('further hours begin an hour after the last ones, and end at midnight at the latest', () => {
  assert.deepEqual(further([]), { from: '08:00', to: '16:00' })
  assert.deepEqual(further([{ from: '08:00', to: '12:00' }]), { from: '13:00', to: '17:00' })
  assert.deepEqual(further([{ from: '08:00', to: '24:00' }]), { from: '23:00', to: '24:00' })
})

test('copying the hours of a day leaves days without hours as they are', () => {
  const [long, short] = [[{ from: '08:00', to: '16:00' }], [{ from: '10:00', to: '12:00' }]]
  assert.deepEqual(copied([short, long, long, [], long, [], []], 0), [short, short, short, [], short, [], []])
})

test('a new period begins today or after the last period, and lasts thirty days', () => {
  const period = { from: '2027-02-08', to: '2027-03-09', nameAr: 'رمضان', nameEn: null, weekly: [] }
  assert.deepEqual(nextPeriod([], [], '2026-11-29'), { from: '2026-11-29', to: '2026-12-28', nameAr: null, nameEn: null, weekly: [] })
  assert.deepEqual(nextPeriod([period], [], '2026-11-29'), { ...period, from: '2027-03-10', to: '2027-04-08', nameAr: null })
})

test('a day without hours is closed, by the period that it is in or else by the week', () => {
  const hours = [{ from: '08:00', to: '16:00' }]
  const week = [hours, hours, hours, hours, hours, [], []]
  const period = {
    from: '2027-02-08',
    to: '2027-02-14',
    nameAr: null,
    nameEn: null,
    weekly: [[], hours, hours, hours, hours, hours, hours],
  }
  const closedIn = (days: string[]) => days.filter((day) => isClosed(day, week, [period]))
  assert.deepEqual(closedIn(['2027-02-04', '2027-02-05', '2027-02-06', '2027-02-07']), ['2027-02-05', '2027-02-06'])
  assert.deepEqual(closedIn(['2027-02-12', '2027-02-13', '2027-02-14']), ['2027-02-14'])
})

test('a new day off takes the names of the day off beside it, and a second press removes it', () => {
  const first = toggled([], '2027-03-10')
  const feast = [{ ...first[0]!, nameAr: 'عيد الفطر' }]
  const both = toggled(feast, '2027-03-09')
  assert.deepEqual(
    both.map(({ date, nameAr }) => [date, nameAr]),
    [
      ['2027-03-09', 'عيد الفطر'],
      ['2027-03-10', 'عيد الفطر'],
    ],
  )
  assert.deepEqual(toggled(both, '2027-03-09'), feast)
})
