/**
 * For each kind of change of teams and of the handling of services, an act that makes a change of this kind, for `event-shapes.test.ts`.
 */
import { approving, stepOf } from './approvals.ts'
import { elapse } from './clock.ts'
import { runJob } from './jobs.ts'
import type { makers } from './makers.ts'
import type { Client, TestPortal } from './portal.ts'

let askers = 0

export function serviceActs(portal: TestPortal, make: ReturnType<typeof makers>, ordered: () => Promise<number>, huda: () => Client) {
  const newService = async () => `/services/${(await make.newService()).id}`
  const newTeam = async () => `/service-teams/${(await make.newTeam()).id}`
  /** Makes a group, has `give` make it the only group of a record, and deletes it. */
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
  const { serviceWith, placed, passHours, passDays } = approving(portal, make)
  /** An order that waits for the administrator’s approval, the only order of a new person. */
  async function held(handling: object = {}) {
    const who = await portal.person(`asker${++askers}`, {})
    return placed(who, await serviceWith({ ...handling, steps: [stepOf({ userIds: [portal.admin.id] })] }))
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
    'working_calendar.laid_out': async () => {
      const { id } = await make.newCalendar()
      await portal.sql(`update working_spans set ends_at = ends_at - interval '1 hour'
        where calendar_id = ${id} and starts_at > now() + interval '2 days'`)
      return runJob(portal, 'lay_out_calendars')
    },
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
    'order.approved': async () => portal.admin.post(`/orders/${await held()}/approve`, {}),
    'order.released': async () => portal.admin.post(`/orders/${await held()}/approve`, {}),
    'order.denied': async () => portal.admin.post(`/orders/${await held()}/deny`, { note: 'No' }),
    'order.lapsed': async () => {
      await passHours(await held(), 336)
      await runJob(portal, 'follow_order_approvals')
    },
    'order.approval_reminded': async () => {
      const { id: calendarId } = await make.newCalendar()
      const id = await held({ teamId: (await make.newTeam({ calendarId })).id })
      await passDays(id, 1, calendarId)
      await runJob(portal, 'remind')
    },
    'order.passed_on': async () => {
      const clerk = await portal.person(`clerk${++askers}`, {})
      await placed(clerk, await serviceWith({ onBehalf: 'everyone' }), { forUserId: portal.admin.id })
      return portal.admin.delete(`/users/${clerk.id}`)
    },
    'user.manager_changed': async () => {
      const { id: userId } = await make.newPerson()
      return portal.admin.put(`/users/${portal.admin.id}/manager`, { userId })
    },
    'order.transferred': async () => portal.admin.post(`/orders/${await ordered()}/transfer`, { teamId: (await make.newTeam()).id }),
  }
}
