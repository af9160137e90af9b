/** Acts that change teams, and what is set for services: one for each kind of change, with which `event-shapes.test.ts` tries it. */
import type { makers } from './makers.ts'
import type { TestPortal } from './portal.ts'

export function serviceActs(portal: TestPortal, make: ReturnType<typeof makers>, ordered: () => Promise<number>) {
  const newService = async () => `/services/${(await make.newService()).id}`
  const newTeam = async () => `/service-teams/${(await make.newTeam()).id}`
  /** Deletes the only group of something. */
  async function bereave(give: (groupId: number) => Promise<unknown>) {
    const { id } = await make.newGroup()
    await give(id)
    return portal.admin.delete(`/groups/${id}?force=true`)
  }
  return {
    'service.handling_changed': async () => portal.admin.put(`${await newService()}/handling`, { teamId: (await make.newTeam()).id }),
    'service.notice_changed': async () => portal.admin.put(`${await newService()}/notice`, { noticeEn: 'Soon' }),
    'service.form_changed': async () =>
      portal.admin.put(`${await newService()}/form`, { fields: [{ key: 'drink', kind: 'text', labelEn: 'Which drink?' }] }),
    'service.audience_emptied': () =>
      bereave(async (groupId) => portal.admin.put(`${await newService()}/handling`, { audience: 'groups', audienceGroupIds: [groupId] })),
    'service_team.unstaffed': () => bereave((groupId) => make.newTeam({ groupIds: [groupId] })),
    'service_team.created': () => make.newTeam(),
    'service_team.updated': async () => portal.admin.patch(await newTeam(), { nameEn: 'Another' }),
    'service_team.deleted': async () => portal.admin.delete(await newTeam()),
    'order.transferred': async () => portal.admin.post(`/orders/${await ordered()}/transfer`, { teamId: (await make.newTeam()).id }),
  }
}
