/** Sets the team, the audience, the targets and the form of each service of the demo. */
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

/** Adds the forms that were introduced on a day. */
export async function addForms(call: Call, ids: Ids, day: number) {
  for (const [key, fields] of formsSince(day)) await call('PUT', `/services/${ids.services.get(key)}/form`, { fields })
}
