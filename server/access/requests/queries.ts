import { type RawBuilder, sql } from 'kysely'
import type { PeopleQuery } from '../../platform/changes/change-kind.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { jsonMoment, keptPerson, type Person } from '../../platform/database/json.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { type Page, pageOf } from '../../platform/http/page.ts'
import type { AccessRequestStatus, LapseReason } from '../../platform/tables.ts'

interface Approval {
  approver: Person
  note: string | null
  days: number | null
  at: Date
}
/** A request as a reader sees it. */
export interface RequestView {
  id: number
  groupId: number
  groupName: string
  /** Null once the group is deleted. */
  groupDescriptionAr: string | null
  groupDescriptionEn: string | null
  requesterId: number
  requester: Person
  reason: string | null
  days: number | null
  status: AccessRequestStatus
  lapseReason: LapseReason | null
  approvals: Approval[]
  neededApprovals: number
  decidedBy: Person | null
  decisionNote: string | null
  decidedAt: Date | null
  grantEndsAt: Date | null
  createdAt: Date
  updatedAt: Date
  /** Whether the reader may decide on the request while it is pending: approvers and administrators may, its requester never. */
  isDecider: boolean
}

/** How long a request waits for a decision. In hours, because days of a time zone may be shorter. */
const WAITS = `interval '336 hours'`

/**
 * SQL: whether a request is pending at this moment, and whether its time has passed without a decision, although its lapse is not stored
 * yet. `row` names the table of requests in the query.
 */
export const isPending = (row: string) => `${row}.status = 'pending' and ${row}.created_at > statement_timestamp() - ${WAITS}`
export const isOverdue = (row: string) => `${row}.status = 'pending' and ${row}.created_at <= statement_timestamp() - ${WAITS}`
export const overdueSince = (row: string) => `${row}.created_at + ${WAITS}`

/** SQL: the ids of the active administrators, found once in a statement. */
export const ADMINS = `(select active_in_roles(array['admin']))::int[]`

/** SQL: the name of a request's group; after the group is deleted, the last name that it had. */
export const groupName = (row: string) => `coalesce(
    (select name from groups where groups.id = ${row}.group_id),
    (select name from former_groups where former_groups.group_id = ${row}.group_id))`

const BEFORE = sql.raw(`r.id, r.group_id, ${groupName('r')} as group_name, groups.description_ar as group_description_ar,
    groups.description_en as group_description_en, r.requester_id,
    ${keptPerson('r.requester_id', 'r.requester_username')} as requester, r.reason, r.days,
    case when is_overdue then 'lapsed' else r.status end as status,
    case when is_overdue then 'undecided' else r.lapse_reason end as lapse_reason,
    (select coalesce(json_agg(json_build_object('approver', ${keptPerson('a.approver_id', 'a.approver_username')}, 'note', a.note,
        'days', a.days, 'at', ${jsonMoment('a.at')}) order by a.at, a.approver_id), '[]')
     from access_approvals as a where a.request_id = r.id) as approvals`)
const DECISION = sql.raw(`
    case when r.decided_by is not null then ${keptPerson('r.decided_by', 'r.decided_by_username')} end as decided_by, r.decision_note,
    case when is_overdue then ${overdueSince('r')} else r.decided_at end as decided_at, r.grant_ends_at, r.created_at,
    case when is_overdue then ${overdueSince('r')} else r.updated_at end as updated_at`)
const NEEDED = sql.raw(`
    case when deciding.group_id is not null and not is_overdue and r.status = 'pending'
      then greatest(1, least(policy.min_approvals, cardinality(array_remove(deciding.ids, r.requester_id)))) else r.needed_approvals end
      as needed_approvals`)

/** The requests in `page`, as a reader sees them. The people who may decide are found once for each group. */
const viewOf = (page: RawBuilder<unknown>, readerId: number) => sql<RequestView>`
  with page as materialized (${page}),
    deciding as materialized (
      select group_id, first_deciders(group_id, ${sql.raw(ADMINS)}) as ids
      from (select distinct group_id from page as r where ${sql.raw(isPending('r'))}) as asked)
  select ${BEFORE}, ${NEEDED}, ${DECISION}, r.requester_id <> ${readerId}
      and (approves(r.group_id, ${readerId}) or ${readerId} = any(${sql.raw(ADMINS)})) as is_decider
  from page as r cross join lateral (select ${sql.raw(isOverdue('r'))} as is_overdue) as now
    left join request_policies as policy on policy.group_id = r.group_id left join deciding on deciding.group_id = r.group_id
    left join groups on groups.id = r.group_id`

/** A request, for somebody who may read it. Refuses `not_found` to everybody else. */
export async function readRequest(db: Reads, id: number, readerId: number) {
  const mayRead = sql`(${readerId} = any(${sql.raw(ADMINS)}) or reads_access_request(${id}, ${readerId}))`
  const { rows } = await viewOf(sql`select * from access_requests where id = ${id} and ${mayRead}`, readerId).execute(db)
  return rows[0] ?? refuse('not_found')
}

export const lockRequest = (tx: Tx, id: number) => sql`select from access_requests where id = ${id} for update`.execute(tx)

interface Filter extends Page {
  view?: 'mine' | 'review' | 'all'
  status?: AccessRequestStatus
  groupId?: number
  userId?: number
}

/** SQL: by how many approvers each group with pending requests falls short of its policy. Has rows only for an administrator. */
const shortFor = (id: number) => sql`
  with short as materialized (
    select policy.group_id, policy.min_approvals - cardinality(first_deciders(policy.group_id, '{}')) as lacking
    from (select distinct group_id from access_requests as r where ${sql.raw(isPending('r'))}) as asked
      join request_policies as policy using (group_id)
    where ${id} = any(${sql.raw(ADMINS)}))`

/**
 * SQL: whether a request `r` waits for a person, who is an approver by the policy or, where there are too few approvers, an administrator.
 * Nobody decides on their own request. The query must begin with `shortFor`.
 */
const waitingFor = (id: number) => sql`
  ${sql.raw(isPending('r'))} and r.requester_id <> ${id} and (
    r.group_id in (
      select policy.group_id from request_policies as policy
      where ${id} = any(policy.approver_user_ids)
        or policy.approver_group_ids && array(select group_id from group_users where user_id = ${id}))
    or r.group_id in (select group_id from short where lacking > 0)
    or r.group_id in (select group_id from short where lacking = 0) and approves(r.group_id, r.requester_id))`

function withStatus(status: AccessRequestStatus) {
  if (status === 'pending') return sql.raw(isPending('r'))
  return status === 'lapsed' ? sql.raw(`(r.status = 'lapsed' or ${isOverdue('r')})`) : sql`r.status = ${status}`
}

/** A page of requests: newest first, but those that wait for the reader oldest first. */
export async function pageRequests(db: Reads, { view = 'mine', status, groupId, userId, ...page }: Filter, readerId: number) {
  const views = { mine: sql`r.requester_id = ${readerId}`, review: waitingFor(readerId), all: sql`true` }
  const conditions = [
    views[view],
    ...(status ? [withStatus(status)] : []),
    ...(groupId ? [sql`r.group_id = ${groupId}`] : []),
    ...(userId ? [sql`r.requester_id = ${userId}`] : []),
  ]
  const matching = sql`from access_requests as r where ${sql.join(conditions, sql` and `)}`
  const order = sql.raw(view === 'review' ? 'r.id' : 'r.id desc')
  const first = view === 'review' ? shortFor(readerId) : sql``
  const { rows: counted } = await sql<{ count: number }>`${first} select count(*) ${matching}`.execute(db)
  const some = sql`${first} select r.* ${matching} order by ${order} limit ${page.limit} offset ${page.offset}`
  const { rows } = await sql<RequestView>`${viewOf(some, readerId)} order by ${order}`.execute(db)
  return pageOf('items', rows, counted[0]!.count, page)
}

/** The requester of a request and its approvers, found when the change is recorded. */
export const concernedBy = (groupId: number, requesterId: number): PeopleQuery => sql`array(
  select ${requesterId}::int union select id from approvers_of(${groupId}, ${requesterId}) order by 1)`
