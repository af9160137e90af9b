/** Making, approving, denying and withdrawing requests. The approvers are those at the time of each act. */
import { sql } from 'kysely'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { quotaExceeded, refuse } from '../../platform/errors/refusal.ts'
import { findGrant, give, setEnd } from '../grants/queries.ts'
import { endMoved, isOtherEnd, membershipsExpired, withEnd } from '../grants/rules.ts'
import { mayAsk } from './offers.ts'
import { ADMINS, isPending, type RequestView } from './queries.ts'
import { MOST_NOTIFIED, MOST_OF_GROUP, MOST_PENDING } from './rules.ts'

interface Askable {
  name: string
  maxDays: number | null
  reasonRequired: boolean
  /** Whether the person is a member without an end. */
  isMember: boolean
  /** The person's pending request for the group. */
  requestId: number | null
  minApprovals: number
  /** How many people may decide, counted up to five. */
  deciders: number
  /** The approvers to notify, those named in the policy first. */
  approvers: number[]
  pending: number
  recent: number
}
/** A group that a person can ask for, with the data that `checkAskable` needs. Refuses `not_found`. */
export async function findAskable(db: Reads, groupId: number, userId: number) {
  const { rows } = await sql<Askable>`
    select groups.name, policy.min_approvals, policy.max_days, policy.reason_required,
      exists (
        select from group_users as own
        where own.group_id = groups.id and own.user_id = ${userId} and own.expires_at is null) as is_member,
      (select id from access_requests as r
       where r.requester_id = ${userId} and r.group_id = groups.id and ${sql.raw(isPending('r'))} limit 1) as request_id,
      count_deciders(groups.id, ${userId}, ${sql.raw(ADMINS)}) as deciders,
      array(select id from approvers_of(groups.id, ${userId}) order by place, id limit ${MOST_NOTIFIED}) as approvers,
      (select count(*) from access_requests as r where r.requester_id = ${userId} and ${sql.raw(isPending('r'))}) as pending,
      (select count(*) from access_requests as r
       where r.requester_id = ${userId} and r.group_id = groups.id and r.created_at > statement_timestamp() - interval '24 hours') as recent
    from groups join request_policies as policy on policy.group_id = groups.id
    where groups.id = ${groupId} and ${mayAsk('policy', userId)}`.execute(db)
  return rows[0] ?? refuse('not_found', { body: { unknownIds: [groupId] } })
}

/** Refuses a request that the person need not, or may not, make. */
export function checkAskable({ isMember, requestId, deciders, pending, recent }: Askable) {
  if (isMember) refuse('already_member')
  if (requestId !== null) refuse('already_requested', { body: { requestId } })
  if (deciders === 0) refuse('no_approver')
  if (pending >= MOST_PENDING) throw quotaExceeded({ quota: 'pending_access_requests', used: pending, allowed: MOST_PENDING })
  if (recent >= MOST_OF_GROUP) throw quotaExceeded({ quota: 'access_requests_of_group', used: recent, allowed: MOST_OF_GROUP })
}

/** Makes a person's requests wait for each other, so that two at once cannot exceed the quotas. */
export const takeTurn = (tx: Tx, userId: number) => sql`select take_turn('access_requests', ${userId})`.execute(tx)

/** Counts the notifications that a person causes for other people. Refuses `quota_exceeded`. */
export const countNotices = (tx: Tx, userId: number, count: number) => sql`select count_notices(${userId}, ${count})`.execute(tx)

interface NewRequest {
  groupId: number
  reason: string | null
  days: number | null
  neededApprovals: number
}
export const insertRequest = async (tx: Tx, requester: Actor, request: NewRequest) =>
  (
    await tx
      .insertInto('accessRequests')
      .values({ ...request, requesterId: requester.id, requesterUsername: requester.username })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

interface Approval {
  days?: number | null
  note?: string | null
}
/** Adds an approval, or replaces the one that the same person gave before. */
export async function putApproval(tx: Tx, requestId: number, { id, username }: Actor, { days = null, note }: Approval) {
  const approval = { days, note: note || null, at: sql<Date>`now()` }
  await tx
    .insertInto('accessApprovals')
    .values({ requestId, approverId: id, approverUsername: username, ...approval })
    .onConflict((conflict) => conflict.columns(['requestId', 'approverId']).doUpdateSet(approval))
    .execute()
}

/**
 * The number of approvals of a request that count, because their givers could still give them, and the fewest days that these approvals
 * allow.
 */
export async function countApprovals(tx: Tx, { id, groupId, requesterId }: RequestView) {
  const { rows } = await sql<{ approvals: number; days: number | null }>`
    select count(*) as approvals, min(days) as days from access_approvals
    where request_id = ${id} and approver_id <> ${requesterId}
      and (approves(${groupId}, approver_id) or approver_id = any(${sql.raw(ADMINS)}))`.execute(tx)
  return rows[0]!
}

/** The end of a membership that lasts `days` from now; null if it has no end. */
export async function endAfter(tx: Tx, days: number | null) {
  if (days === null) return null
  const { rows } = await sql<{ end: Date }>`select now() + make_interval(hours => ${24 * days}::int) as end`.execute(tx)
  return rows[0]!.end
}

/** Makes the requester a member, or moves the end of their membership later, never earlier. Returns its end and the changes. */
export async function grantMembership(tx: Tx, { id: requestId, groupId, requesterId: userId }: RequestView, end: Date | null) {
  const grant = { userId, id: groupId }
  const held = await findGrant(tx, 'group', grant)
  const isLater = held !== undefined && held.expiresAt !== null && (end === null || end > held.expiresAt)
  if (held && !isLater) return { endsAt: held.expiresAt, changes: [] }
  const before = held && (await setEnd(tx, 'group', { ...grant, expiresAt: end }))
  if (before) {
    const facts = { userId, ...endMoved(before.expiresAt, end), requestId }
    const change: Change = { kind: 'group.member_end_changed', targetId: groupId, facts }
    return { endsAt: end, changes: isOtherEnd(before.expiresAt, end) ? [change] : [] }
  }
  const { ended } = await give(tx, 'group', { userIds: [userId], ids: [groupId], endOf: () => end })
  const facts = { part: 'users', memberId: userId, requestId, ...withEnd(end) } as const
  const change: Change = { kind: 'group.member_added', targetId: groupId, facts }
  return { endsAt: end, changes: [...membershipsExpired(ended), change] }
}

interface Decision {
  status: 'approved' | 'denied' | 'withdrawn'
  by?: Actor
  note?: string | null
  neededApprovals?: number
  grantEndsAt?: Date | null
}
/** Ends a pending request. */
export const decide = (tx: Tx, id: number, { status, by, note, neededApprovals, grantEndsAt }: Decision) =>
  tx
    .updateTable('accessRequests')
    .set({ status, decidedAt: sql<Date>`now()`, updatedAt: sql<Date>`now()` })
    .set({ ...(by && { decidedBy: by.id, decidedByUsername: by.username, decisionNote: note || null }) })
    .set({ ...(neededApprovals !== undefined && { neededApprovals }), ...(grantEndsAt !== undefined && { grantEndsAt }) })
    .where('id', '=', id)
    .execute()

/** Notes that a request got an approval, and how many it needs. */
export const touch = (tx: Tx, id: number, neededApprovals: number) =>
  tx.updateTable('accessRequests').set({ neededApprovals, updatedAt: sql<Date>`now()` }).where('id', '=', id).execute()
