/** Sets the team, the audience, the targets, the approvals and the form of each service of the demo. */
import type { Call } from './calls.ts'
import { formsSince } from './forms.ts'
import type { services } from './services.ts'
import { crews, teams } from './teams.ts'

type Ids = Record<'groups' | 'users' | 'services' | 'teams', Map<string, number>>

/** Adds the teams, with the groups that exist for them. */
export async function addTeams(call: Call, ids: Ids) {
  for (const { key, members, ...group } of crews) {
    const userIds = members.map((username) => ids.users.get(username))
    ids.groups.set(key, (await call<{ id: number }>('POST', '/groups', { ...group, userIds })).id)
  }
  for (const { key, group, leads, ...names } of teams) {
    const body = { ...names, groupIds: [ids.groups.get(group)], leadUserIds: leads.map((username) => ids.users.get(username)) }
    ids.teams.set(key, (await call<{ id: number }>('POST', '/service-teams', body)).id)
  }
}

export async function addHandlings(call: Call, ids: Ids, some: typeof services) {
  for (const { key, team, minutes: [receiveMinutes, completeMinutes] = [null, null], audience } of some)
    await call('PUT', `/services/${ids.services.get(key)}/handling`, {
      teamId: ids.teams.get(team),
      receiveMinutes,
      completeMinutes,
      reopenDays: 7,
      ...(audience && { audience: 'groups', audienceGroupIds: [ids.groups.get(audience)] }),
    })
}

const approvalNames = {
  manager: { nameAr: 'المدير المباشر', nameEn: 'Manager' },
  budget: { nameAr: 'الميزانية', nameEn: 'Budget' },
}

/** Lets the executive office order cars for others, and makes laptops and software need approvals. */
export async function addApprovals(call: Call, ids: Ids) {
  const manager = { key: 'manager', ...approvalNames.manager, manager: true }
  const budget = {
    ...{ key: 'budget', ...approvalNames.budget, userIds: [ids.users.get('noura')] },
    when: [{ field: 'cost', op: 'atLeast', value: 5000 }],
  }
  const changes = {
    laptop: { steps: [manager] },
    software: { steps: [manager, budget] },
    driver: { onBehalf: 'groups', onBehalfGroupIds: [ids.groups.get('office')] },
  }
  for (const [key, change] of Object.entries(changes)) {
    const path = `/services/${ids.services.get(key)}/handling`
    const { openGroupIds: _, ...handling } = await call<Record<string, unknown>>('GET', path)
    await call('PUT', path, { ...handling, ...change })
  }
}

export async function addForms(call: Call, ids: Ids, day: number) {
  for (const [key, fields] of formsSince(day)) await call('PUT', `/services/${ids.services.get(key)}/form`, { fields })
}
