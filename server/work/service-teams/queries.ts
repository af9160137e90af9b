import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely'
import { keepingUndoable, namesOnly } from '../../people/groups/queries.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { PeopleQuery } from '../../platform/changes/change-kind.ts'
import { brokenUnique, type Reads, type Tx } from '../../platform/database/db.ts'
import { byNameIn } from '../../platform/database/search.ts'
import { lockExisting } from '../../platform/database/sets.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import type { Language, Tables } from '../../platform/tables.ts'
import { workingTimeNow } from '../calendars/queries.ts'
import { type Crew, MOST_TEAMS, RECEIVE } from './rules.ts'

/** The ids of the active people who receive the orders of a team, or, if `teamId` is null, the orders without a team. */
export const receiversOf = (teamId: number | null): PeopleQuery =>
  teamId === null ? sql`active_holders(${sql.lit(RECEIVE)})` : sql`team_receivers(${teamId}::int)`

/** The ids of the people who see the released orders of a team: its receivers and its leads. */
export const staffOf = (teamId: number | null): PeopleQuery =>
  teamId === null
    ? receiversOf(null)
    : sql`array(select unnest(team_receivers(${teamId}::int)) union select unnest(lead_user_ids) from service_teams where id = ${teamId})`

/**
 * SQL: whether the account `id`, a person’s or a service account, is active and receives the orders of team `teamId`. Without `offset 0`,
 * the planner may read all roles first.
 */
export const receives = (id: string, teamId: string) => `exists (
  select from users as receiver join effective_roles on user_id = receiver.id
    join role_permissions using (role_id) join permissions on permissions.id = permission_id
  where receiver.id = ${id} and receiver.is_active and permissions.name = '${RECEIVE}' offset 0)
  and ${isInTeam(id, teamId)}`

/** SQL: whether an account is a member of a group of the team, or there is no team. */
export const isInTeam = (userId: string, teamId: string) => `(${teamId} is null or exists (
  select from group_users where user_id = ${userId} and group_id = any(array(select unnest(group_ids) from service_teams where id = ${teamId}))))`

/** SQL: whether the order `o` belongs to one of the teams, written so that indexes can be used. */
export const belongsTo = (teamIds: readonly number[]) => sql`(o.team_id = any(${teamIds}::int[])
  or o.team_id is null and o.service_id = any(array(select service_id from service_handlings where team_id = any(${teamIds}::int[]))))`

interface TeamName {
  id: number
  nameAr: string
  nameEn: string
}
export interface Team extends Crew, TeamName {
  calendarId: number | null
  serviceCount: number
  createdAt: Date
  updatedAt: Date
}
const TEAM = sql`select id, name_ar, name_en, calendar_id, created_at, updated_at,
    array(select id from groups where id = any(group_ids) order by id) as group_ids,
    array(select id from users where id = any(lead_user_ids) order by id) as lead_user_ids,
    (select count(*) from service_handlings where team_id = service_teams.id) as service_count
  from service_teams`

/** Refuses `not_found`. */
export const findTeam = async (db: Reads, id: number) =>
  (await sql<Team>`${TEAM} where id = ${id}`.execute(db)).rows[0] ?? refuse('not_found')

export const listTeams = async (db: Reads, language: Language, which: RawBuilder<unknown> = sql`true`) =>
  (await sql<Team>`${TEAM} where ${which} order by ${byNameIn(language)}, id`.execute(db)).rows

/** SQL: whether the caller receives for or leads the team in a row of `service_teams`. */
const isOfCaller = (actor: Actor) =>
  sql`(${actor.can(RECEIVE)} and group_ids && ${[...actor.access.groupIds]}::int[]
    or ${actor.hasScope('orders:receive')} and ${actor.id} = any(lead_user_ids))`

/** The ids and names of the teams that the caller receives for or leads, unsorted. */
export const nameTeamsOf = async (db: Reads, actor: Actor) =>
  (await sql<TeamName>`select id, name_ar, name_en from service_teams where ${isOfCaller(actor)}`.execute(db)).rows

/** The ids and names of all teams, by name in this language. */
export const nameTeams = async (db: Reads, language: Language) =>
  (await sql<TeamName>`select id, name_ar, name_en from service_teams order by ${byNameIn(language)}, id`.execute(db)).rows

/**
 * The teams that the caller receives for or leads, each with the number of its waiting orders, of its orders that the caller works on, and
 * of its late orders.
 */
export async function listTeamsOf(db: Reads, actor: Actor) {
  const teams = await listTeams(db, actor.language, isOfCaller(actor))
  // Spares most people the query: every page asks for these teams, and most people are in none.
  if (teams.length === 0) return []
  const { rows } = await sql<{ id: number; pending: number; mine: number; late: number }>`
    select coalesce(o.team_id, handling.team_id) as id, count(*) filter (where status = 'pending') as pending,
      count(*) filter (where status <> 'pending' and assigned_to = ${actor.id}) as mine,
      count(*) filter (where details.due <= clock.worked and next_by(details) <= statement_timestamp()) as late
    from orders as o left join service_handlings as handling using (service_id) left join order_details as details on details.order_id = o.id
      left join (select id, ${workingTimeNow('id')} as worked from working_calendars offset 0) as clock on clock.id = details.calendar_id
    where (status = 'pending' or status in ('received', 'preparing')) and hold is null and ${belongsTo(teams.map(({ id }) => id))}
    group by 1`.execute(db)
  const counts = new Map(rows.map(({ id, ...some }) => [id, some]))
  return teams.map((team) => ({ ...team, counts: counts.get(team.id) ?? { pending: 0, mine: 0, late: 0 } }))
}

/** Locks a team against deletion until the transaction ends. Refuses `unknown_ids`. */
export async function lockNamedTeam(tx: Tx, id: number) {
  await lockExisting(tx, 'serviceTeams', [id])
  return findTeam(tx, id)
}

/** Locks a team against changes until the transaction ends. */
export const lockTeam = (tx: Tx, id: number) => sql`select from service_teams where id = ${id} for update`.execute(tx)

const named = (error: unknown): never => {
  if (brokenUnique(error)?.endsWith('_name_taken')) refuse('name_taken')
  throw error
}

/** Refuses `name_taken`, and `too_many_items` beyond 200 teams. */
export async function insertTeam(tx: Tx, row: Insertable<Tables['serviceTeams']>) {
  const { rows } = await sql<{ count: number }>`select count(*) from service_teams`.execute(tx)
  if (rows[0]!.count >= MOST_TEAMS) refuse('too_many_items')
  const { id } = await tx.insertInto('serviceTeams').values(row).returning('id').executeTakeFirstOrThrow().catch(named)
  return id
}

/** Changes a locked team. Refuses `name_taken`. */
export async function updateTeam(tx: Tx, id: number, fields: Updateable<Tables['serviceTeams']>) {
  const groupIds = fields.groupIds && { groupIds: await withUndoable(tx, id, fields.groupIds) }
  await tx
    .updateTable('serviceTeams')
    .set({ ...fields, ...groupIds, updatedAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
    .catch(named)
}

/** Adds to the new groups of a team those of its stored groups that are deleted but can still be restored. */
async function withUndoable(tx: Tx, id: number, groupIds: readonly number[]) {
  const { groupIds: stored } = await tx.selectFrom('serviceTeams').select('groupIds').where('id', '=', id).executeTakeFirstOrThrow()
  return (await keepingUndoable(tx, [stored]))(stored, groupIds)
}

export const removeTeam = (tx: Tx, id: number) => tx.deleteFrom('serviceTeams').where('id', '=', id).execute()

/**
 * The number of services that name a team, including deleted services that can still be restored, and of open orders that were handed to
 * it.
 */
export async function countDependents(tx: Tx, id: number) {
  const { rows } = await sql<{ serviceCount: number; openOrderCount: number }>`
    select (select count(*) from service_handlings where team_id = ${id})
        + (select count(*) from deletions
          where target_type = 'service' and deleted_at >= statement_timestamp() - interval '30 seconds'
            and rows @> ${JSON.stringify({ service_handlings: [{ team_id: id }] })}::jsonb) as service_count,
      (select count(*) from orders where team_id = ${id} and status in ('pending', 'received', 'preparing')) as open_order_count`.execute(
    tx,
  )
  return rows[0]!
}

/** Whether somebody leads any team. */
export async function isLead(db: Reads, userId: number) {
  const { rows } = await sql`select from service_teams where ${userId} = any(lead_user_ids) limit 1`.execute(db)
  return rows.length > 0
}

/** Teams with their active leads; deleted teams have none. */
const readLed = async (tx: Tx, ids: RawBuilder<unknown>) =>
  (
    await sql<{ id: number; nameAr: string; nameEn: string; leadUserIds: number[] }>`
      select team.*, array(
          select id from users
          where is_active and id = any(array(select unnest(lead_user_ids) from service_teams where service_teams.id = team.id))
          order by id) as lead_user_ids
      from unnest(${ids}) as asked (id), named_team(asked.id) as team order by team.id`.execute(tx)
  ).rows

/** The teams whose only remaining group is this one. */
export const findTeamsOfOnly = (tx: Tx, groupId: number) =>
  readLed(tx, sql`array(select id from service_teams where ${groupId} = any(group_ids) and ${namesOnly(sql`group_ids`, groupId)})`)

export const readUnstaffed = (tx: Tx, ids: readonly number[]) => readLed(tx, sql`${ids}::int[]`)

/** The ids of the teams that somebody leads. */
export async function listLed(db: Reads, userId: number) {
  const { rows } = await sql<{ id: number }>`select id from service_teams where ${userId} = any(lead_user_ids)`.execute(db)
  return rows.map(({ id }) => id)
}
