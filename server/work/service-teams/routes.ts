import { Type } from 'typebox'
import { lockExistingPeople } from '../../people/users/queries.ts'
import { changedFields } from '../../platform/changes/change-kind.ts'
import { changed, unchanged } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { ascending, lockExisting } from '../../platform/database/sets.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { checkDependents } from '../../platform/http/dependents.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { IdParams, Nothing } from '../../platform/http/shape.ts'
import { lockNamedCalendar } from '../calendars/queries.ts'
import {
  countDependents,
  findTeam,
  insertTeam,
  isLead,
  listTeams,
  listTeamsOf,
  lockTeam,
  nameTeams,
  removeTeam,
  updateTeam,
} from './queries.ts'
import { type Crew, leadsTeam, RECEIVE, receivesFor } from './rules.ts'
import { ListedTeam, NewServiceTeam, ServiceTeam, ServiceTeamEdit, TeamDeletionConflict, TeamName, TeamsQuery } from './shapes.ts'

export const readServiceTeams = query('GET /service-teams', {
  summary: 'The teams that the caller receives orders for or leads; all, for administrators',
  description:
    'By name in the caller’s language. `mine` has the number of orders that wait, of those that the caller is working on, and of those that are late.',
  allow: 'signed-in',
  scope: 'services:read',
  query: TeamsQuery,
  reply: Type.Array(ListedTeam),
  refuses: ['forbidden'],
  run: async ({ db, actor, query: { view } }) => {
    if (view !== 'all') return listTeamsOf(db, actor)
    return actor.isAdmin ? listTeams(db, actor.language) : refuse('forbidden')
  },
})

export const readServiceTeamNames = query('GET /service-teams/names', {
  summary: 'The names of all teams, for those who may hand an order over to one',
  description: 'By name in the caller’s language; for people who receive orders or lead a team, and for administrators.',
  allow: 'signed-in',
  scope: 'orders:receive',
  reply: Type.Array(TeamName),
  refuses: ['forbidden'],
  run: async ({ db, actor }) =>
    actor.isAdmin || actor.can(RECEIVE) || (await isLead(db, actor.id)) ? nameTeams(db, actor.language) : refuse('forbidden'),
})

/** The fields of a body, with each list of ids sorted and without duplicates. */
const unique = <Fields extends Partial<Crew>>(fields: Fields): Fields => ({
  ...fields,
  ...(fields.groupIds && { groupIds: ascending(new Set(fields.groupIds)) }),
  ...(fields.leadUserIds && { leadUserIds: ascending(new Set(fields.leadUserIds)) }),
})

/**
 * Locks the people, groups and calendar that a team names. Refuses `unknown_ids` for unknown groups and calendars, and for unknown or
 * inactive people unless they already lead the team.
 */
async function lockNamed(
  tx: Tx,
  { groupIds = [], leadUserIds = [], calendarId }: Partial<Crew> & { calendarId?: number | null },
  known: readonly number[] = [],
) {
  await lockExistingPeople(tx, leadUserIds, { known })
  await lockExisting(tx, 'groups', groupIds)
  if (calendarId) await lockNamedCalendar(tx, calendarId)
}

export const createServiceTeam = command('POST /service-teams', {
  summary: 'Create a team that does the orders of services',
  description: 'There are at most 200 teams. Everyone gets `services_changed`.',
  allow: 'admin',
  scope: 'admin:write',
  record: ServiceTeam,
  locks: 'access',
  body: NewServiceTeam,
  reply: ServiceTeam,
  status: 201,
  refuses: ['unknown_ids', 'name_taken', 'too_many_items'],
  run: async ({ tx, body }) => {
    const fields = { leadUserIds: [], ...unique(body) }
    await lockNamed(tx, fields)
    const id = await insertTeam(tx, fields)
    const { nameEn, nameAr } = fields
    return changed(await findTeam(tx, id), { kind: 'service_team.created', targetId: id, facts: { nameEn, nameAr } })
  },
})

export const readServiceTeam = query('GET /service-teams/:id', {
  summary: 'One team, for its receivers, its leads and administrators',
  description: 'For anyone else, it is not found.',
  allow: 'signed-in',
  scope: 'services:read',
  record: ServiceTeam,
  params: IdParams,
  reply: ServiceTeam,
  refuses: ['not_found'],
  run: async ({ db, actor, params: { id } }) => {
    const team = await findTeam(db, id)
    return actor.isAdmin || receivesFor(team, actor) || leadsTeam(team, actor) ? team : refuse('not_found')
  },
})

export const changeServiceTeam = command('PATCH /service-teams/:id', {
  summary: 'Change a team',
  description:
    'Omitted fields do not change. Orders in work return to `pending` when their receiver no longer belongs to the team. Everyone gets `services_changed`.',
  allow: 'admin',
  scope: 'admin:write',
  record: ServiceTeam,
  locks: 'access',
  params: IdParams,
  body: ServiceTeamEdit,
  reply: ServiceTeam,
  refuses: ['not_found', 'unknown_ids', 'name_taken'],
  run: async ({ tx, ifMatch, params: { id }, body }) => {
    await lockTeam(tx, id)
    const before = await findTeam(tx, id)
    await ifMatch(() => before)
    const fields = unique(body)
    await lockNamed(tx, fields, before.leadUserIds)
    const differences = changedFields(before, fields)
    if (Object.keys(differences).length === 0) return unchanged(before)
    await updateTeam(tx, id, fields)
    return changed(await findTeam(tx, id), { kind: 'service_team.updated', targetId: id, facts: { changed: differences } })
  },
})

export const deleteServiceTeam = command('DELETE /service-teams/:id', {
  summary: 'Delete a team that no service and no open order names',
  description: 'There is no `force`: without their team, its orders would lie open to all who receive orders.',
  allow: 'admin',
  scope: 'admin:write',
  record: ServiceTeam,
  locks: 'access',
  params: IdParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found', { code: 'has_dependents', body: TeamDeletionConflict }],
  run: async ({ tx, ifMatch, params: { id } }) => {
    await lockTeam(tx, id)
    const team = await findTeam(tx, id)
    await ifMatch(() => team)
    checkDependents(await countDependents(tx, id), false)
    await removeTeam(tx, id)
    const { nameEn, nameAr } = team
    return changed(null, { kind: 'service_team.deleted', targetId: id, facts: { nameEn, nameAr } })
  },
})
