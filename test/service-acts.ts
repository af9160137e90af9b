/** Acts that change teams, and what is set for services: one for each kind of change, with which `event-shapes.test.ts` tries it. */
import { elapse } from './clock.ts'
import { runJob } from './jobs.ts'
import type { makers } from './makers.ts'
import type { Client, TestPortal } from './portal.ts'

export function serviceActs(portal: TestPortal, make: ReturnType<typeof makers>, ordered: () => Promise<number>, huda: () => Client) {
  const newService = async () => `/services/${(await make.newService()).id}`
  const newTeam = async () => `/service-teams/${(await make.newTeam()).id}`
  /** Deletes the only group of something. */
  async function bereave(give: (groupId: number) => Promise<unknown>) {
    const { id } = await make.newGroup()
    await give(id)
    return portal.admin.delete(`/groups/${id}?force=true`)
  }
  /** An order that the administrator has claimed and that waits for its requester. */
  async function waiting() {
    const id = await ordered()
    await portal.admin.patch(`/orders/${id}/confirm-receipt`)
    await portal.admin.post(`/orders/${id}/wait`, { for: 'requester', text: 'Which room?' })
    return id
  }
  return {
    'service.handling_changed': async () => portal.admin.put(`${await newService()}/handling`, { teamId: (await make.newTeam()).id }),
    'service.notice_changed': async () => portal.admin.put(`${await newService()}/notice`, { noticeEn: 'Soon' }),
    'service.form_changed': async () =>
      portal.admin.put(`${await newService()}/form`, { fields: [{ key: 'drink', kind: 'text', labelEn: 'Which drink?' }] }),
    'service.audience_emptied': () =>
      bereave(async (groupId) => portal.admin.put(`${await newService()}/handling`, { audience: 'groups', audienceGroupIds: [groupId] })),
    'working_calendar.created': () => make.newCalendar(),
    'working_calendar.updated': async () =>
      portal.admin.patch(`/working-calendars/${(await make.newCalendar()).id}`, { nameEn: 'Other hours' }),
    'working_calendar.deleted': async () => portal.admin.delete(`/working-calendars/${(await make.newCalendar()).id}`),
    'service_team.unstaffed': () => bereave((groupId) => make.newTeam({ groupIds: [groupId] })),
    'service_team.created': () => make.newTeam(),
    'service_team.updated': async () => portal.admin.patch(await newTeam(), { nameEn: 'Another' }),
    'service_team.deleted': async () => portal.admin.delete(await newTeam()),
    'order.reminded': async () => {
      const { id: calendarId } = await make.newCalendar()
      const { id: teamId } = await make.newTeam({ calendarId })
      const { id: serviceId } = await make.newService()
      await portal.admin.put(`/services/${serviceId}/handling`, { teamId, completeMinutes: 1 })
      const { id } = (await portal.admin.post('/orders', { serviceId })).body
      await elapse(portal, calendarId, 2)
      await runJob(portal, 'remind')
      return portal.admin.get(`/orders/${id}`)
    },
    'order.reopened': async () => {
      const id = await ordered()
      const { serviceId } = (await portal.admin.patch(`/orders/${id}/confirm-receipt`)).body
      await portal.admin.put(`/services/${serviceId}/handling`, { reopenDays: 1 })
      await portal.admin.patch(`/orders/${id}/status`, { status: 'completed' })
      await huda().post(`/orders/${id}/reopen`, { text: 'Still dark' })
      return portal.admin.put(`/services/${serviceId}/handling`, {})
    },
    'order.messaged': async () => portal.admin.post(`/orders/${await ordered()}/messages`, { text: 'Which room?' }),
    'order.noted': async () => portal.admin.post(`/orders/${await ordered()}/internal-notes`, { text: 'Needs a cable' }),
    'order.waited': () => waiting(),
    'order.resumed': async () => portal.admin.post(`/orders/${await waiting()}/resume`),
    'order.transferred': async () => portal.admin.post(`/orders/${await ordered()}/transfer`, { teamId: (await make.newTeam()).id }),
  }
}
