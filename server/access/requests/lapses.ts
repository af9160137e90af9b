/** Requests that lapse: nobody decided on them in time, or nothing is left to decide. */
import { type RawBuilder, sql } from 'kysely'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { addJob } from '../../platform/jobs/runner.ts'
import type { LapseReason } from '../../platform/tables.ts'
import { approversFor, approvingIn, isCrowded } from './approvers.ts'
import { groupName, isOverdue, isPending, overdueSince } from './queries.ts'
import { groupTitles } from './rules.ts'

/**
 * SQL: why the pending request `r` can no longer be decided; null if it can. Without `offset 0`, the planner may read all people and
 * memberships first.
 */
const REASON = sql.raw(`case
    when not exists (select from groups where groups.id = r.group_id offset 0) then 'group_gone'
    when not exists (select from users where users.id = r.requester_id and is_active offset 0) then 'requester_gone'
    when not exists (select from request_policies as policy where policy.group_id = r.group_id and requestable offset 0) then 'not_requestable'
    when exists (select from group_users as own
      where own.group_id = r.group_id and own.user_id = r.requester_id and own.expires_at is null offset 0) then 'already_member' end`)

interface Lapsed {
  id: number
  groupId: number
  groupName: string
  groupDescriptionAr: string | null
  groupDescriptionEn: string | null
  userId: number
  reason: LapseReason
  /** Null if a job sends them the event. */
  approvers: number[] | null
}

/** SQL: the people who were notified of `r`, in place of its approvers, whose list is deleted with the group. */
const NOTIFIED = sql`array(
  select distinct user_id from notifications
  where related_type = 'access_request' and related_id = r.id and user_id <> r.requester_id)`

/** SQL: the approvers of the lapsed request `r`; null if there is no more room for them in the transaction. */
const APPROVERS = sql`case when ${isCrowded('r')} then null when approving.group_id is null then ${NOTIFIED} else ${approversFor('r')} end`

/** Lapses the requests `r` that are stored as pending and meet the condition `which`. Returns the change of each. */
async function lapse(tx: Tx, which: RawBuilder<unknown>, reason: RawBuilder<unknown>, at: RawBuilder<unknown>): Promise<Change[]> {
  const { rows } = await sql<Lapsed>`
    with due as materialized (
        select r.id, ${reason} as reason from access_requests as r where r.status = 'pending' and ${which} order by r.id for update),
      lapsed as (
        update access_requests as r set status = 'lapsed', lapse_reason = due.reason, decided_at = ${at}, updated_at = ${at}
        from due where r.id = due.id returning r.id, r.group_id, r.requester_id, due.reason),
      ${approvingIn('lapsed')}
    select r.id, r.group_id, ${sql.raw(groupName('r'))} as group_name, groups.description_ar as group_description_ar,
      groups.description_en as group_description_en, r.requester_id as user_id, r.reason,
      ${APPROVERS} as approvers
    from lapsed as r left join approving using (group_id) cross join administering
      left join groups on groups.id = r.group_id order by r.id`.execute(tx)
  const untold = rows.filter(({ approvers }) => approvers === null).map(({ id }) => id)
  if (untold.length) await addJob(tx, 'tell_of_lapses', { requestIds: untold })
  return rows.map(({ id, groupId, groupName, userId, reason, approvers, ...described }) => ({
    kind: 'access_request.lapsed',
    targetId: id,
    facts: { groupId, groupName, userId, reason },
    recipients: [userId, ...(approvers ?? [])],
    payload: { titles: groupTitles({ groupName, ...described }) },
  }))
}

/**
 * Tells the approvers of some lapsed requests. Returns the changes, and in `left` the ids of the requests for whose approvers the
 * transaction has no more room.
 */
export async function tellOfSome(tx: Tx, requestIds: readonly number[]): Promise<{ left: number[]; changes: Change[] }> {
  const { rows } = await sql<Pick<Lapsed, 'id' | 'approvers'>>`
    with lapsed as materialized (select * from access_requests where id = any(${requestIds}::int[])), ${approvingIn('lapsed')}
    select r.id, ${APPROVERS} as approvers
    from lapsed as r left join approving using (group_id) cross join administering order by r.id`.execute(tx)
  const left = rows.filter(({ approvers }) => approvers === null).map(({ id }) => id)
  const changes = rows.flatMap(({ id, approvers }): Change[] =>
    approvers === null ? [] : [{ kind: 'access_request.lapse_told', targetId: id, facts: {}, recipients: approvers }],
  )
  return { left, changes }
}

const NOW = sql`now()`

/** The ids of people with pending requests on which nothing is left to decide. */
export async function findPointless(tx: Tx) {
  const { rows } = await sql<{ id: number }>`
    select distinct r.requester_id as id from access_requests as r
    where ${sql.raw(isPending('r'))} and ${REASON} is not null order by 1`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Lapses the requests of these people on which nothing is left to decide. */
export const lapsePointless = (tx: Tx, people: readonly number[]) =>
  lapse(tx, sql`${sql.raw(isPending('r'))} and r.requester_id = any(${people}::int[]) and ${REASON} is not null`, REASON, NOW)

/** Lapses the requests of a person who is about to be deleted. */
export const lapseOf = (tx: Tx, userId: number) =>
  lapse(tx, sql`${sql.raw(isPending('r'))} and r.requester_id = ${userId}`, sql`'requester_gone'`, NOW)

/** Locks the requests of a person that could lapse. Call it before locking the person. */
export const lockRequestsOf = (tx: Tx, userId: number) =>
  sql`select from access_requests where requester_id = ${userId} and status = 'pending' order by id for update`.execute(tx)

/** Notes that requests lapsed without a decision, at most `most`. */
export const noteLapses = (tx: Tx, most: number) =>
  lapse(
    tx,
    sql`r.id in (select id from access_requests as r where ${sql.raw(isOverdue('r'))} order by r.created_at limit ${most})`,
    sql`'undecided'`,
    sql.raw(overdueSince('r')),
  )

/**
 * Stores the name of a group that is about to be deleted, even if nobody has asked for it: a request for the group may still be made until
 * the deletion is committed.
 */
export const keepName = (tx: Tx, groupId: number) =>
  sql`
    insert into former_groups (group_id, name) select id, name from groups where id = ${groupId}
    on conflict (group_id) do update set name = excluded.name`.execute(tx)
