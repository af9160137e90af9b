import { type RawBuilder, sql } from 'kysely'
import { type Holding, lockExistingPeople } from '../../../people/users/queries.ts'
import type { Event, Notice, PeopleQuery } from '../../../platform/changes/change-kind.ts'
import { batchesOf } from '../../../platform/database/batches.ts'
import type { Reads, Tx } from '../../../platform/database/db.ts'
import { refuse } from '../../../platform/errors/refusal.ts'
import { cached } from '../../../platform/http/cache.ts'
import { isWhole, type Page, partOf } from '../../../platform/http/page.ts'
import { type LongList, longList, type Wire, wire } from '../../../platform/http/wire.ts'
import { APPROVE, executiveRoles } from '../rules.ts'
import { checkMeeting } from './rules.ts'
import {
  type Conflict,
  type Executive,
  Meeting,
  type MeetingChanges,
  MeetingPatch,
  Meetings,
  type MeetingView,
  MOST_CONFLICTS,
  type NewMeeting,
} from './shapes.ts'

/** The attendees of a meeting, from rows `a` of `meeting_attendees`. */
const ATTENDEE_LIST = sql.raw(
  `json_agg(json_build_object('id', a.id, 'name', a.name, 'title', a.title, 'kind', a.kind, 'userId', a.user_id) order by a.place)`,
)
const ATTENDEES = sql`coalesce((select ${ATTENDEE_LIST} from meeting_attendees as a where a.meeting_id = m.id), '[]') as attendees`
const RUNNING = sql.raw('order by m.date, m.sort_order, m.start_time nulls last, m.id')

/** The meetings that meet a condition on `m`, in running order; at most `most`, unless that is null. */
const readMeetings = async (db: Reads, condition: RawBuilder<unknown>, most: number | null = null) =>
  (await sql<MeetingView>`select m.*, ${ATTENDEES} from meetings as m where ${condition} ${RUNNING} limit ${most}`.execute(db)).rows

/** Refuses `not_found`. */
export const readMeeting = async (db: Reads, id: number) => (await readMeetings(db, sql`m.id = ${id}`))[0] ?? refuse('not_found')

interface Span {
  from: string
  to: string
}
/** The meetings from one day to another, both included, in running order. */
export const listMeetings = (db: Reads, { from, to }: Span) => readMeetings(db, sql`m.date between ${from}::date and ${to}::date`)

/** The most rows, of meetings and attendees together, for which a whole reply is cached. */
const MOST_CACHED = 500

/**
 * The version of the meetings of some days: the ids of the meetings and attendees, each with the transaction that wrote it. Null if there
 * are too many to cache.
 */
const versionOf = ({ from, to }: Span) => sql<string | null>`(
  select case when count(*) <= ${MOST_CACHED} then coalesce(string_agg(concat_ws('.', id, written, attendee, attended), ' ' order by id, place), '') end
  from (
    select m.id, m.xmin as written, a.id as attendee, a.xmin as attended, a.place
    from meetings as m left join meeting_attendees as a on a.meeting_id = m.id
    where m.date between ${from}::date and ${to}::date limit ${MOST_CACHED + 1}) as shown)`

/** The first batch is small because meetings may have many attendees. */
const FIRST_MEETINGS = 20

/** Whether `m` follows the given meeting in running order. The first condition repeats the day and place so that an index can be used. */
const isAfter = ({ date, sortOrder, startTime, id }: MeetingView) => sql`and (m.date, m.sort_order) >= (${date}::date, ${sortOrder}::int)
  and (m.date, m.sort_order, coalesce(m.start_time, '99:99'), m.id) > (${date}::date, ${sortOrder}::int, ${startTime ?? '99:99'}, ${id}::int)`

/** The meetings of some days in running order, in batches. */
const batchesOfMeetings = (db: Reads, { from, to }: Span) =>
  batchesOf<MeetingView, MeetingView>({
    read: (after, most) => readMeetings(db, sql`m.date between ${from}::date and ${to}::date ${after ? isAfter(after) : sql``}`, most),
    keyOf: (meeting) => meeting,
    sizeOf: ({ attendees, notes }) => 1000 + (notes?.length ?? 0) + 250 * attendees.length,
    first: FIRST_MEETINGS,
  })

/** Replies with the meetings of some days, or with a part of them. A short reply is cached until their version changes. */
export async function writeMeetings(db: Reads, span: Span, part: Page): Promise<Wire<MeetingView[]> | LongList<MeetingView[]>> {
  const look = async () => (await db.selectNoFrom(versionOf(span).as('version')).executeTakeFirstOrThrow()).version ?? undefined
  const write = async () => {
    const { rows } = await sql<MeetingView & { version: string | null }>`
      with seen as materialized (select ${versionOf(span)} as version)
      select version, m.*, ${ATTENDEES} from seen
      left join meetings as m on version is not null and m.date between ${span.from}::date and ${span.to}::date ${RUNNING}`.execute(db)
    const { version } = rows[0]!
    const meetings = rows.filter(({ id }) => id !== null)
    return version === null ? undefined : { version, text: wire(Meetings, meetings).toString() }
  }
  const key = JSON.stringify(['meetings', span.from, span.to])
  const whole = isWhole(part) ? await cached(db, key, look, write) : undefined
  return (whole as Wire<MeetingView[]> | undefined) ?? longList(Meeting, partOf(batchesOfMeetings(db, span), part))
}

/** The days of a span that have meetings, with the number of meetings on each. A span without an end is open there. */
export const countByDay = async (db: Reads, { from = '-infinity', to = 'infinity' }: Partial<Span>, { limit, offset = 0 }: Page) =>
  (
    await sql<{ date: string; meetingCount: number }>`select date, count(*) as meeting_count from meetings
      where date between ${from}::date and ${to}::date group by date order by date
      limit ${limit ?? null}::int offset ${offset}`.execute(db)
  ).rows

/**
 * Locks a day until the transaction ends: no meeting can join it, and nobody else can order it. Lock the day before its meetings, and
 * meetings before people; another order can deadlock.
 */
export const lockDay = (tx: Tx, date: string) =>
  sql`select pg_advisory_xact_lock(hashtext('meetings of a day'), hashtext(${date}))`.execute(tx)

/**
 * Locks a meeting against changes, deletion and new references until the transaction ends. If it may move to another `day`, that day is
 * locked first. Refuses `not_found`.
 */
export async function lockMeeting(tx: Tx, id: number, day?: string) {
  if (day !== undefined) await lockDay(tx, day)
  // Read in a second statement: after waiting for the lock, the first would still see the former attendees.
  await tx.selectFrom('meetings').select('id').where('id', '=', id).forUpdate().execute()
  return readMeeting(tx, id)
}

/** The place of a new meeting: by time in a day that was never ordered by hand, otherwise last. */
const placeIn = (date: string) =>
  sql<number>`(select case when max(sort_order) > 0 then max(sort_order) + 1 else 0 end from meetings where date = ${date}::date)`

const blankToNull = <T>(value: T) => (value === '' ? null : value)

const { attendees: _, ...columns } = MeetingPatch.properties
/** The columns that `fields` sets; empty texts become null. */
function columnsOf(fields: MeetingChanges) {
  const given = Object.entries(fields).filter(([name, value]) => name in columns && value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, blankToNull(value)])) as Omit<MeetingChanges, 'attendees'>
}

type Attendees = NonNullable<MeetingChanges['attendees']>
const stored = (attendees: Attendees) =>
  attendees.map(({ name, title, kind = 'internal', userId = null }) => ({ name, title: title || null, kind, userId }))
const peopleIn = (attendees: readonly { userId?: number | null }[]) => attendees.flatMap(({ userId }) => userId ?? [])

/** Adds the attendees of a meeting that has none; returns the stored ones. */
async function insertAttendees(tx: Tx, meetingId: number, attendees: Attendees) {
  if (attendees.length === 0) return []
  const { rows } = await sql<{ attendees: MeetingView['attendees'] }>`
    with added as (
      insert into meeting_attendees (meeting_id, place, name, title, kind, user_id)
      select ${meetingId}::int, place, name, title, kind, user_id
      from rows from (json_to_recordset(${JSON.stringify(stored(attendees))}::json) as (name text, title text, kind text, "userId" int))
        with ordinality as line (name, title, kind, user_id, place)
      returning *)
    select ${ATTENDEE_LIST} as attendees from added as a`.execute(tx)
  return rows[0]!.attendees
}

/**
 * Creates a meeting. Refuses what `checkMeeting` refuses, and `unknown_ids` if an attendee does not exist, or is inactive and not in
 * `known`.
 */
export async function addMeeting(tx: Tx, fields: NewMeeting, createdBy: number | null, known: Holding['known'] = []): Promise<MeetingView> {
  checkMeeting(fields)
  const attendees = fields.attendees ?? []
  await lockDay(tx, fields.date)
  await lockExistingPeople(tx, peopleIn(attendees), { known })
  const meeting = await tx
    .insertInto('meetings')
    .values({ sortOrder: placeIn(fields.date), ...columnsOf(fields), date: fields.date, createdBy })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...meeting, attendees: await insertAttendees(tx, meeting.id, attendees) }
}

const sameAttendees = (before: MeetingView['attendees'], after: Attendees) =>
  JSON.stringify(before.map(({ id: _, ...fields }) => fields)) === JSON.stringify(stored(after))

/** Whether a patch changes nothing. */
export const isSame = (before: MeetingView, patch: MeetingChanges) =>
  Object.entries(columnsOf(patch)).every(([name, value]) => before[name as keyof MeetingView] === value) &&
  (patch.attendees === undefined || sameAttendees(before.attendees, patch.attendees))

/**
 * Changes a meeting; returns its new state, which is checked like a new meeting. The caller must have locked the meeting and the day that
 * it may move to. Its earlier attendees may be inactive. If it moves to another day, it is placed there like a new meeting.
 */
export async function setMeeting(tx: Tx, before: MeetingView, patch: MeetingChanges): Promise<MeetingView> {
  const columns = columnsOf(patch)
  checkMeeting({ ...before, ...columns })
  const { attendees } = patch
  const replaces = attendees !== undefined && !sameAttendees(before.attendees, attendees)
  const moves = columns.date !== undefined && columns.date !== before.date
  if (moves) await lockDay(tx, columns.date!)
  if (replaces) await lockExistingPeople(tx, peopleIn(attendees), { known: peopleIn(before.attendees) })
  const meeting = await tx
    .updateTable('meetings')
    .set({ ...(moves && { sortOrder: placeIn(columns.date!) }), ...columns, updatedAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (!replaces) return { ...meeting, attendees: before.attendees }
  await tx.deleteFrom('meetingAttendees').where('meetingId', '=', before.id).execute()
  return { ...meeting, attendees: await insertAttendees(tx, before.id, attendees) }
}

/** Deletes a meeting, which must have no requests and no tasks. */
export const removeMeeting = (tx: Tx, id: number) => tx.deleteFrom('meetings').where('id', '=', id).execute()

/** Locks a day with all of its meetings until the transaction ends; returns them in running order. */
export async function lockDayWhole(tx: Tx, date: string) {
  await lockDay(tx, date)
  await tx.selectFrom('meetings').select('id').where('date', '=', date).orderBy('id').forUpdate().execute()
  return listMeetings(tx, { from: date, to: date })
}

/** Numbers the meetings of a locked day in this order, from 1. */
export const placeMeetings = (tx: Tx, ids: readonly number[]) =>
  sql`update meetings set sort_order = line.place, updated_at = clock_timestamp()
    from unnest(${ids}::int[]) with ordinality as line (id, place)
    where meetings.id = line.id and sort_order <> line.place`.execute(tx)

/**
 * Locks the meetings that a person created or attends. Call it before locking the person: changes of a meeting lock the meeting before
 * its people, and the opposite order would deadlock.
 */
export const lockMeetingsAround = (tx: Tx, personId: number) =>
  sql`select from meetings where created_by = ${personId}
    or id in (select meeting_id from meeting_attendees where user_id = ${personId}) order by id for update`.execute(tx)

/**
 * Whether `m` is a scheduled meeting of the day that overlaps a slot. Ends are exclusive; a meeting without an end is a point in time,
 * and a meeting without a start overlaps nothing.
 */
export const inTheWay = (date: RawBuilder<unknown>, startTime: RawBuilder<unknown>, endTime: RawBuilder<unknown>) => sql`
  m.date = ${date} and m.status = 'scheduled'
  and (m.end_time > ${startTime} or m.end_time is null and m.start_time >= ${startTime})
  and (m.start_time < ${endTime} or ${endTime} is null and m.start_time <= ${startTime})`

/** Ids of the active people with executive access. */
export const executives: PeopleQuery = sql`active_in_roles(${executiveRoles}::text[])`

/** The people who may see the meetings, and whether they decide on requests; those who do come first. */
export const listExecutives = async (db: Reads, { limit, offset = 0 }: Page) =>
  (
    await sql<Executive>`
      select id, username, display_name_ar, display_name_en, avatar_url, id = any(active_holders(${APPROVE.permission})) as can_approve
      from users where id = any(${executives}) order by can_approve desc, id limit ${limit ?? null}::int offset ${offset}`.execute(db)
  ).rows

/** The people in a list who have executive access; `withoutAccess` gives the rest of the list. */
export const withAccess = (ids: readonly number[]): PeopleQuery =>
  sql`array(select unnest(${ids}::int[]) intersect select unnest(${executives}) order by 1)`
export const withoutAccess = (ids: readonly number[]): PeopleQuery =>
  sql`array(select unnest(${ids}::int[]) except select unnest(${executives}) order by 1)`

/** Limits notices to people who still have executive access. */
export const forExecutives = (notices: readonly (Notice & { recipients: number[] })[]): Notice[] =>
  notices.map((notice) => ({ ...notice, recipients: withAccess(notice.recipients) }))

/** The scheduled meetings that a meeting overlaps, up to `MOST_CONFLICTS`; none if the meeting itself is not scheduled. */
export async function findConflicts(db: Reads, { id, status, date, startTime, endTime }: MeetingView) {
  if (status !== 'scheduled') return []
  const { rows } = await sql<Conflict>`
    select m.id, m.date, m.start_time, m.end_time, m.title_ar, m.title_en from meetings as m
    where m.id <> ${id} and ${inTheWay(sql`${date}::date`, sql`${startTime}::text`, sql`${endTime}::text`)}
    order by m.start_time, m.id limit ${MOST_CONFLICTS}`.execute(db)
  return rows
}

/** Refuses `not_executive` unless all these people have executive access. */
export async function checkExecutives(db: Reads, ids: readonly number[]) {
  const { rows } = await sql<{ id: number }>`
    select unnest(${ids}::int[]) as id except select unnest(${executives}) order by id`.execute(db)
  if (rows.length) refuse('not_executive', { body: { unknownIds: rows.map(({ id }) => id) } })
}

/** The events that tell executives that something on these days changed. */
export const daysChanged = (dates: readonly (string | null)[]): Event[] =>
  dates.map((date) => ({ event: 'meetings_changed', data: { date }, to: executives }))

/** The ids of the people who decide on requests, except one person. */
export const approversBut = (personId: number | null): PeopleQuery => sql`array(
  select unnest(active_holders(${APPROVE.permission})) intersect select unnest(${executives})
  except select ${personId}::int order by 1)`
