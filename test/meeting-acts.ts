/** For each kind of change of executive meetings, an act that makes a change of this kind. */
import { archiving } from './archives.ts'
import { DAY, MEETINGS, type meetingPortal, TASKS } from './meetings.ts'
import type { Client, TestPortal } from './portal.ts'

const request = async (by: Client, meetingId: number) =>
  (await by.post(`${MEETINGS}/${meetingId}/requests`, { type: 'note', details: { text: 'Bring the plan' } })).body.id as number

/** `of` returns the coordinator whom the changes reach. */
export function meetingActs(portal: TestPortal, { newMeeting, newTask }: ReturnType<typeof meetingPortal>, of: () => Client) {
  const archives = archiving(portal)
  return {
    'meeting.created': () => newMeeting({ attendees: [{ name: 'Huda', userId: of().id }] }),
    'meeting.updated': async () => portal.admin.patch(`${MEETINGS}/${(await newMeeting()).id}`, { titleEn: 'Another' }),
    'meeting.deleted': async () => portal.admin.delete(`${MEETINGS}/${(await newMeeting()).id}`),
    'meeting.duplicated': async () => portal.admin.post(`${MEETINGS}/${(await newMeeting()).id}/duplicate`, { date: DAY }),
    'meeting.reordered': async () => {
      const date = '2030-06-01'
      const [one, other] = [await newMeeting({ date }), await newMeeting({ date, startTime: '11:00', endTime: '12:00' })]
      return portal.admin.put(`${MEETINGS}/order`, { date, ids: [other.id, one.id] })
    },
    'meeting_task.created': () => newTask({ assigneeId: of().id }),
    'meeting_task.updated': async () => portal.admin.patch(`${TASKS}/${(await newTask({ dueDate: DAY })).id}`, { titleEn: 'Another' }),
    'pdf_archive.created': () => archives.archive(DAY),
    'pdf_archive.stored': async () => archives.ready(await archives.archive(DAY)),
    'pdf_archive.given_up': async () => archives.print(await archives.abandoned(), 1),
    'meeting_task.deleted': async () => portal.admin.delete(`${TASKS}/${(await newTask({ dueDate: DAY })).id}`),
    'meeting_request.made': async () => request(of(), (await newMeeting()).id),
    'meeting_request.moved': async () =>
      of().patch(`${MEETINGS}/requests/${await request(of(), (await newMeeting()).id)}`, { action: 'withdraw' }),
    'meeting_request.removed': async () => {
      const { id } = await newMeeting()
      await request(of(), id)
      return portal.admin.delete(`${MEETINGS}/${id}`)
    },
  }
}
