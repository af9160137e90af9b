/** The rights that a handling gives: to know of a service, to order it for others, to be its beneficiary, and to approve its orders. */
import { sql } from 'kysely'
import { nameAsListed, namedLike } from '../../people/users/queries.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import type { Person } from '../../platform/database/json.ts'
import { searchPattern } from '../../platform/database/search.ts'
import type { Condition } from '../service-forms/rules.ts'
import { RECEIVE } from '../service-teams/rules.ts'

const isOfGroups = (ids: string, actor: Actor) => sql`${sql.ref(ids)} && ${[...actor.access.groupIds]}::int[]`

/** SQL: whether the caller is in the audience of a row of `services`. If its last group was deleted, the audience is empty. */
export const isInAudience = (actor: Actor) => sql<boolean>`not exists (
  select from service_handlings where service_id = services.id and audience = 'groups' and not ${isOfGroups('audience_group_ids', actor)})`

/** SQL: whether the caller receives for or leads the team that is joined to a handling. The scopes of a token do not matter. */
const isOfTeam = (actor: Actor) =>
  sql`coalesce(${actor.id} = any(lead_user_ids) or ${actor.unlimited.can(RECEIVE)} and ${isOfGroups('group_ids', actor)}, false)`

/** SQL: whether a handling, with its team joined to it, lets the caller order for somebody else. */
const isForOthers = (actor: Actor) =>
  sql`(on_behalf = 'everyone' or on_behalf = 'groups' and ${isOfGroups('on_behalf_group_ids', actor)} or ${isOfTeam(actor)})`

/** SQL: whether the caller may order a row of `services` for somebody else. */
export const mayOrderForOthers = (actor: Actor) => sql<boolean>`exists (
  select from service_handlings left join service_teams on service_teams.id = team_id
  where service_id = services.id and ${isForOthers(actor)})`

/** SQL: whether the caller may know of a row of `services`: as its audience or team, by ordering it for others, or as administrator. */
export const isKnownTo = (actor: Actor) =>
  actor.isAdmin
    ? sql<boolean>`true`
    : sql<boolean>`not exists (
        select from service_handlings left join service_teams on service_teams.id = team_id
        where service_id = services.id and audience = 'groups' and not ${isOfGroups('audience_group_ids', actor)} and not ${isForOthers(actor)})`

/** Whether the caller may know of a service, and whether they may order it for somebody else. */
export async function findOrdering(db: Reads, serviceId: number, actor: Actor) {
  const { rows } = await sql<{ isKnown: boolean; mayOrderForOthers: boolean }>`
    select ${isKnownTo(actor)} as is_known, ${mayOrderForOthers(actor)} as may_order_for_others
    from services where id = ${serviceId}`.execute(db)
  return rows[0] ?? { isKnown: false, mayOrderForOthers: false }
}

/** SQL: whether the person in the row `row` may be a beneficiary of a service: they are active and in its audience. */
const mayBenefit = (row: string, serviceId: number) => sql<boolean>`${sql.ref(`${row}.is_active`)} and ${sql.ref(`${row}.kind`)} = 'person'
  and not exists (
    select from service_handlings where service_id = ${serviceId} and audience = 'groups' and not exists (
      select from group_users where group_users.user_id = ${sql.ref(`${row}.id`)} and group_id = any(audience_group_ids)))`

/** The people for whom the caller can order a service, without the caller, by name. */
export async function listBeneficiaries(db: Reads, serviceId: number, { q, limit = 20 }: { q?: string; limit?: number }, actor: Actor) {
  const pattern = q ? await searchPattern(db, q) : null
  const { rows } = await sql<Person>`
    select u.id, u.username, u.display_name_ar, u.display_name_en, u.avatar_url
    from users as u where ${mayBenefit('u', serviceId)} and u.id <> ${actor.id} ${pattern ? sql`and (${namedLike(pattern)})` : sql``}
    order by ${sql.raw(nameAsListed[actor.language])}, u.id limit ${limit}`.execute(db)
  return rows
}

/** Whether somebody may be a beneficiary of a service. Locks them against deletion until the transaction ends. */
export async function isBeneficiary(tx: Tx, serviceId: number, userId: number) {
  const { rows } = await sql`select from users where id = ${userId} and ${mayBenefit('users', serviceId)} for key share`.execute(tx)
  return rows.length > 0
}

export interface ApprovalStep {
  key: string
  nameAr: string
  nameEn: string
  /** Whether the beneficiary’s manager is an approver. */
  manager: boolean
  userIds: number[]
  groupIds: number[]
  /** The number of approvals that the step needs; if it has fewer approvers, all of them must approve. */
  needed: number
  /** Conditions on the answers. The step applies only if all hold. */
  when: Condition[]
}

/** The steps without deleted people and groups. */
export async function existingIn(db: Reads, steps: ApprovalStep[]): Promise<ApprovalStep[]> {
  if (steps.length === 0) return steps
  const idsIn = (part: 'userIds' | 'groupIds') => steps.flatMap((step) => step[part])
  const { rows } = await sql<{ people: number[]; groups: number[] }>`
    select array(select id from users where id = any(${idsIn('userIds')}::int[])) as people,
      array(select id from groups where id = any(${idsIn('groupIds')}::int[])) as groups`.execute(db)
  const [people, groups] = [new Set(rows[0]!.people), new Set(rows[0]!.groups)]
  return steps.map((step) => ({
    ...step,
    userIds: step.userIds.filter((id) => people.has(id)),
    groupIds: step.groupIds.filter((id) => groups.has(id)),
  }))
}
