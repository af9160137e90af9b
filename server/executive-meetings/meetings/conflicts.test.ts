/** Which meetings are in the way of one that is placed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { house } from '../../../test/house.ts'
import { MEETINGS, meetingHouse } from '../../../test/meetings.ts'

const portal = house()
const { newMeeting } = meetingHouse(portal)

test('creating, moving or copying a meeting answers which scheduled meetings it overlaps, as requests do', async () => {
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
