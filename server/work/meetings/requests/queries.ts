import { type RawBuilder, sql } from 'kysely'
import type { Reads, Tx } from '../../../platform/database/db.ts'
import { personOrNull } from '../../../platform/database/json.ts'
import { refuse } from '../../../platform/errors/refusal.ts'
import { partIn } from '../../../platform/http/lists.ts'
import { countsOf, type Page, pageOf } from '../../../platform/http/page.ts'
import type { RequestStatus, RequestType, Tables } from '../../../platform/tables.ts'
import { inTheWay } from '../meetings/queries.ts'
import { type BriefMeeting, type Conflict, MOST_CONFLICTS } from '../meetings/shapes.ts'
import { statuses } from './rules.ts'
import type { Person } from './shapes.ts'

/** A request as the ledger records it. */
export interface RequestRecord {
  id: number
  meetingId: number | null
  type: RequestType
  details: Record<string, unknown>
  reason: string | null
  status: RequestStatus
  reviewNotes: string | null
  requesterId: number | null
  reviewerId: number | null
  reviewedAt: Date | null
}

/** A request as everyone with executive access sees it. */
export interface RequestView extends Omit<RequestRecord, 'reviewerId'> {
  createdAt: Date
  updatedAt: Date
  requester: Person | null
  reviewer: Person | null
  /** The meeting that the request is about, or that it created. */
  meeting: BriefMeeting | null
  conflicts: Conflict[]
}

/** SQL: the value that a field of the meeting would have if the request were approved now. */
const proposed = (field: string, column: string) =>
  `case when r.details ? '${field}' then r.details ->> '${field}' else about.${column}::text end`

/** SQL: the time and titles of a meeting as JSON, from the relation with this name. */
const brief = (row: string) =>
  `json_build_object('id', ${row}.id, 'date', ${row}.date, 'startTime', ${row}.start_time, 'endTime', ${row}.end_time,
      'titleAr', ${row}.title_ar, 'titleEn', ${row}.title_en)`

/**
 * The requests in `rows`, which names them `r`. Requests that are pending or need an edit come with the meetings that they would overlap.
 */
const viewOf = (rows: RawBuilder<unknown>) => sql<RequestView>`
  select r.id, r.meeting_id, r.type, r.details, r.reason, r.status, r.review_notes, r.requester_id, r.reviewed_at, r.created_at, r.updated_at,
    ${sql.raw(`${personOrNull('requester')} as requester, ${personOrNull('reviewer')} as reviewer`)},
    ${sql.raw(`case when about.id is not null then ${brief('about')} end`)} as meeting, coalesce(met.conflicts, '[]') as conflicts
  from ${rows}
  left join users as requester on requester.id = r.requester_id
  left join users as reviewer on reviewer.id = r.reviewer_id
  left join meetings as about on about.id = r.meeting_id
  left join lateral (
    select ${sql.raw(`(${proposed('date', 'date')})::date`)} as date, ${sql.raw(proposed('startTime', 'start_time'))} as start_time,
      ${sql.raw(proposed('endTime', 'end_time'))} as end_time, ${sql.raw(proposed('status', 'status'))} as status
    where r.status in ('pending', 'needs_edit') and r.type in ('create', 'reschedule', 'edit')
  ) as proposal on true
  left join lateral (
    select json_agg(${sql.raw(brief('first'))} order by first.start_time, first.id) as conflicts
    from (select m.* from meetings as m
    where coalesce(proposal.status, 'scheduled') = 'scheduled' and m.id is distinct from r.meeting_id
      and ${inTheWay(sql.ref('proposal.date'), sql.ref('proposal.startTime'), sql.ref('proposal.endTime'))}
    order by m.start_time, m.id limit ${MOST_CONFLICTS}) as first
  ) as met on true`

export interface RequestFilter extends Page {
  status?: RequestStatus
  mine?: boolean
  meetingId?: number
}

/** One page of the requests that match the filter, newest first. */
export async function pageRequests(db: Reads, { status, mine, meetingId, ...page }: RequestFilter, readerId: number) {
  const some = db
    .selectFrom('meetingRequests')
    .$if(mine === true, (rows) => rows.where('requesterId', '=', readerId))
    .$if(meetingId !== undefined, (rows) => rows.where('meetingId', '=', meetingId!))
  const { counts, total } = countsOf(
    statuses,
    await some
      .select(['status', sql<number>`count(*)`.as('count')])
      .groupBy('status')
      .execute(),
    status,
  )
  const found = some.$if(status !== undefined, (rows) => rows.where('status', '=', status!))
  const ids = partIn(found.select('id').orderBy('id', 'desc'), page)
  const rows = sql`(select * from meeting_requests where id in (${ids})) as r`
  const { rows: items } = await sql<RequestView>`${viewOf(rows)} order by r.id desc`.execute(db)
  return { ...pageOf('items', items, total, page), counts }
}

/** Refuses `not_found`. */
export async function readRequest(db: Reads, id: number) {
  const { rows } = await sql<RequestView>`${viewOf(sql`meeting_requests as r`)} where r.id = ${id}`.execute(db)
  return rows[0] ?? refuse('not_found')
}

const recorded = [
  'id',
  'meetingId',
  'type',
  'details',
  'reason',
  'status',
  'reviewNotes',
  'requesterId',
  'reviewerId',
  'reviewedAt',
] as const

/** The meeting of a request and the day it proposes, read before either is locked. Refuses `not_found`. */
export const findPlace = async (tx: Tx, id: number) =>
  (await tx
    .selectFrom('meetingRequests')
    .select(['meetingId', sql<string | null>`details ->> 'date'`.as('day')])
    .where('id', '=', id)
    .executeTakeFirst()) ?? refuse('not_found')

/** Locks a request until the transaction ends. Lock its meeting first. Refuses `not_found`. */
export const lockRequest = async (tx: Tx, id: number): Promise<RequestRecord> =>
  (await tx.selectFrom('meetingRequests').select(recorded).where('id', '=', id).forUpdate().executeTakeFirst()) ?? refuse('not_found')

/** Locks the requests about a locked meeting, which are deleted with it. */
export const lockRequestsAbout = (tx: Tx, meetingId: number): Promise<RequestRecord[]> =>
  tx.selectFrom('meetingRequests').select(recorded).where('meetingId', '=', meetingId).orderBy('id').forUpdate().execute()

/** Locks the requests that a person made or decided on. Call it after `lockMeetingsAround` and before locking the person. */
export const lockRequestsAround = (tx: Tx, personId: number) =>
  sql`select from meeting_requests where requester_id = ${personId} or reviewer_id = ${personId} order by id for update`.execute(tx)

export const addRequest = (
  tx: Tx,
  { details, ...fields }: { meetingId: number | null; type: RequestType; details: object; reason: string | null; requesterId: number },
): Promise<RequestRecord> =>
  tx
    .insertInto('meetingRequests')
    .values({ ...fields, details: JSON.stringify(details) })
    .returning(recorded)
    .executeTakeFirstOrThrow()

export type RequestMove = Partial<Pick<Tables['meetingRequests'], 'meetingId' | 'reason' | 'reviewNotes' | 'reviewerId'>> & {
  status: RequestStatus
  details?: object
}

/** Sets the status of a locked request; with a reviewer, also the time of the decision. */
export const setRequest = (tx: Tx, id: number, { details, ...fields }: RequestMove): Promise<RequestRecord> =>
  tx
    .updateTable('meetingRequests')
    .set({ ...fields, ...(details && { details: JSON.stringify(details) }), updatedAt: sql<Date>`clock_timestamp()` })
    .$if(fields.reviewerId !== undefined, (request) => request.set({ reviewedAt: sql<Date>`clock_timestamp()` }))
    .where('id', '=', id)
    .returning(recorded)
    .executeTakeFirstOrThrow()
