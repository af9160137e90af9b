/** The meetings that a new or changed meeting overlaps. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MEETINGS, meetingPortal } from '../../../../test/meetings.ts'
import { testPortal } from '../../../../test/portal.ts'

const portal = testPortal()
const { newMeeting } = meetingPortal(portal)

test('creating, moving or copying a meeting returns the scheduled meetings that it overlaps', async () => {
  const date = '2033-03-03'
  const early = await newMeeting({ date, titleEn: 'Early' })
  await newMeeting({ date, status: 'cancelled' })
  const ids = ({ body }: { body: { conflicts: { id: number }[] } }) => body.conflicts.map(({ id }) => id)
  const created = await portal.admin.post(MEETINGS, { date, startTime: '09:30', endTime: '11:00', titleEn: 'Late' })
  const slot = { startTime: '09:00', endTime: '10:00' }
  assert.deepEqual(created.body.conflicts, [{ id: early.id, date, ...slot, titleAr: 'الميزانية', titleEn: 'Early' }])
  const path = `${MEETINGS}/${created.body.id}`
  assert.deepEqual(ids(await portal.admin.patch(path, { startTime: '10:00' })), [])
  assert.deepEqual(ids(await portal.admin.patch(path, { startTime: '09:59' })), [early.id])
  assert.deepEqual(ids(await portal.admin.patch(path, { status: 'postponed' })), [])
  assert.deepEqual(ids(await portal.admin.post(`${MEETINGS}/${early.id}/duplicate`, { date })), [early.id])
})

test('a meeting and a request list only the first 20 conflicts', async () => {
  const [date, titleEn] = ['2033-04-04', 'Crowded']
  const times = Array.from({ length: 25 }, (_, n) => `09:${String(50 - n).padStart(2, '0')}`)
  for (const startTime of times) await newMeeting({ date, startTime, endTime: '10:00' })
  const slot = { date, startTime: '09:00', endTime: '11:00', titleEn }
  const first = times.toSorted().slice(0, 20)
  const starts = ({ conflicts }: { conflicts: { startTime: string }[] }) => conflicts.map(({ startTime }) => startTime)
  const { body: request } = await portal.admin.post(`${MEETINGS}/requests`, { type: 'create', details: slot })
  assert.deepEqual(starts(request), first)
  const { body: meeting } = await portal.admin.post(MEETINGS, slot)
  assert.deepEqual(starts(meeting), first)
})
