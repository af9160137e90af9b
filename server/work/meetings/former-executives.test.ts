/** People who have lost executive access get no more notices about meetings. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from '../../../test/makers.ts'
import { MEETINGS, meetingPortal, TASKS } from '../../../test/meetings.ts'
import { testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { newPerson } = makers(portal)
const { newMeeting, newTask } = meetingPortal(portal)
const REQUESTS = `${MEETINGS}/requests`

const newCoordinator = () => newPerson({ roles: ['executive_coordinator'] })
const loseAccess = ({ id }: { id: number }) => portal.admin.delete(`/users/${id}/roles/executive_coordinator`)
/** The people whom an action notifies. */
const notifiedBy = async (act: () => Promise<unknown>) => (await portal.traces(act)).notices.map(({ user }) => user)

for (const [what, act] of [
  ['gets another title', (path: string) => portal.admin.patch(path, { titleEn: 'Merger' })],
  ['is no longer assigned to them', (path: string) => portal.admin.patch(path, { assigneeId: null, titleEn: 'Merger' })],
  ['is deleted', (path: string) => portal.admin.delete(path)],
] as const)
  test(`a former executive is not notified when their task ${what}`, async () => {
    const former = await newCoordinator()
    const { id } = await newTask({ assigneeId: former.id })
    await loseAccess(former)
    assert.deepEqual(await notifiedBy(() => act(`${TASKS}/${id}`)), [])
  })

test('a former executive is not notified when a task that they assigned is done', async () => {
  const [former, assignee] = [await newCoordinator(), await newCoordinator()]
  const { id } = await newTask({ assigneeId: assignee.id }, former)
  await loseAccess(former)
  assert.deepEqual(await notifiedBy(() => assignee.patch(`${TASKS}/${id}`, { status: 'done' })), [])
})

for (const [what, act] of [
  [
    'is decided on',
    (_meeting: string, request: string) => portal.admin.patch(request, { status: 'rejected', reviewNotes: 'The board objects' }),
  ],
  ['is deleted with its meeting', (meeting: string) => portal.admin.delete(meeting)],
] as const)
  test(`a former executive is not notified when their request ${what}`, async () => {
    const former = await newCoordinator()
    const meeting = await newMeeting()
    const { body: request } = await former.post(`${MEETINGS}/${meeting.id}/requests`, { type: 'cancel', details: {} })
    await loseAccess(former)
    assert.deepEqual(await notifiedBy(() => act(`${MEETINGS}/${meeting.id}`, `${REQUESTS}/${request.id}`)), [])
  })
