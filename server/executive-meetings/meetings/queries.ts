import { type RawBuilder, sql } from 'kysely'
import type { Event, PeopleQuery } from '../../platform/changes/change-kind.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { cachedForAll } from '../../platform/http/cache.ts'
import { type Wire, wire } from '../../platform/http/wire.ts'
import { refuse } from '../../platform/refusal.ts'
import { type Holding, holdPeople } from '../../users/queries.ts'
import { APPROVE, executiveRoles } from '../rules.ts'
import { checkMeeting } from './rules.ts'
import { type MeetingChanges, MeetingPatch, Meetings, type MeetingView, type NewMeeting } from './shapes.ts'

/** Rows `a` of `meeting_attendees`. */
const ATTENDEE_LIST = sql.raw(
  `json_agg(json_build_object('id', a.id, 'name', a.name, 'title', a.title, 'kind', a.kind, 'userId', a.user_id) order by a.place)`,
)
const ATTENDEES = sql`coalesce((select ${ATTENDEE_LIST} from meeting_attendees as a where a.meeting_id = m.id), '[]') as attendees`
const RUNNING = sql.raw('order by m.date, m.sort_order, m.start_time nulls last, m.id')

/** The meetings that a condition on `m` lets through, in running order. */
const readMeetings = async (db: Reads, condition: RawBuilder<unknown>) =>
  (await sql<MeetingView>`select m.*, ${ATTENDEES} from meetings as m where ${condition} ${RUNNING}`.execute(db)).rows

/** Refuses `not_found`. */
export const readMeeting = async (db: Reads, id: number) => (await readMeetings(db, sql`m.id = ${id}`))[0] ?? refuse('not_found')

interface Span {
  from: string
  to: string
}
/** The meetings of some days, both inclusive, in running order. */
export const listMeetings = (db: Reads, { from, to }: Span) => readMeetings(db, sql`m.date between ${from}::date and ${to}::date`)

/** The rows that the meetings of some days show, named as PostgreSQL does, by the transactions that wrote them. */
const versionOf = ({ from, to }: Span) => sql<string | null>`(
  select string_agg(concat_ws(' ', m.id, m.xmin,
    (select string_agg(concat_ws('.', a.id, a.xmin), ' ' order by a.place) from meeting_attendees as a where a.meeting_id = m.id)), ';' order by m.id)
  from meetings as m where m.date between ${from}::date and ${to}::date)`
const NONE = ''

/** The same as a reply, written anew only when one of them has changed. */
export async function writeMeetings(db: Reads, span: Span) {
  const look = async () => (await db.selectNoFrom(versionOf(span).as('version')).executeTakeFirstOrThrow()).version ?? NONE
  const write = async () => {
    const { rows } = await sql<MeetingView & { version: string }>`
      select m.*, ${ATTENDEES}, ${versionOf(span)} as version from meetings as m
      where m.date between ${span.from}::date and ${span.to}::date ${RUNNING}`.execute(db)
    return { version: rows[0]?.version ?? NONE, text: wire(Meetings, rows).toString() }
  }
  return (await cachedForAll(db, JSON.stringify(['meetings', span.from, span.to]), look, write)) as Wire<MeetingView[]>
}

/** The days of a span that have meetings, and how many. */
export const countByDay = async (db: Reads, { from, to }: Span) =>
  (
    await sql<{ date: string; meetingCount: number }>`select date, count(*) as meeting_count from meetings
      where date between ${from}::date and ${to}::date group by date order by date`.execute(db)
  ).rows

/**
 * Until the transaction ends, no meeting comes to the day and nobody else puts it in order. Taken before meetings are locked, as those
 * are before people: in another order, two would wait for each other.
 */
export const lockDay = (tx: Tx, date: string) =>
  sql`select pg_advisory_xact_lock(hashtext('meetings of a day'), hashtext(${date}))`.execute(tx)

/**
 * A meeting that nobody else changes, deletes or refers to anew until the transaction ends; whoever may move it to another day names
 * that. Refuses `not_found`.
 */
export async function lockMeeting(tx: Tx, id: number, day?: string) {
  if (day !== undefined) await lockDay(tx, day)
  // Read by a statement of its own: that which waited for the lock sees the attendees of before.
  await tx.selectFrom('meetings').select('id').where('id', '=', id).forUpdate().execute()
  return readMeeting(tx, id)
}

/** The place of a newcomer: by time in a day that was never put in order by hand, else last. */
const placeIn = (date: string) =>
  sql<number>`(select case when max(sort_order) > 0 then max(sort_order) + 1 else 0 end from meetings where date = ${date}::date)`

const blankToNull = <T>(value: T) => (value === '' ? null : value)

const { attendees: _, ...columns } = MeetingPatch.properties
/** The columns that `fields` gives; what is left blank is kept as null. */
function columnsOf(fields: MeetingChanges) {
  const given = Object.entries(fields).filter(([name, value]) => name in columns && value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, blankToNull(value)])) as Omit<MeetingChanges, 'attendees'>
}

type Attendees = NonNullable<MeetingChanges['attendees']>
const stored = (attendees: Attendees) =>
  attendees.map(({ name, title, kind = 'internal', userId = null }) => ({ name, title: title || null, kind, userId }))
const peopleIn = (attendees: readonly { userId?: number | null }[]) => attendees.flatMap(({ userId }) => userId ?? [])

/** Answers them as they are kept. */
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
 * A new meeting. Refuses what `checkMeeting` does, attendees' user ids that are nobody's or of someone inactive (`unknown_ids`), and
 * `unauthorized` when its author was deleted meanwhile. `known` are people who need not be active.
 */
export async function addMeeting(tx: Tx, fields: NewMeeting, createdBy: number | null, known: Holding['known'] = []): Promise<MeetingView> {
  checkMeeting(fields)
  const attendees = fields.attendees ?? []
  await lockDay(tx, fields.date)
  await holdPeople(tx, peopleIn(attendees), { author: createdBy, known })
  const meeting = await tx
    .insertInto('meetings')
    .values({ sortOrder: placeIn(fields.date), ...columnsOf(fields), date: fields.date, createdBy })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...meeting, attendees: await insertAttendees(tx, meeting.id, attendees) }
}

const sameAttendees = (before: MeetingView['attendees'], after: Attendees) =>
  JSON.stringify(before.map(({ id: _, ...fields }) => fields)) === JSON.stringify(stored(after))

/** Whether a patch would leave a meeting as it is. */
export const isSame = (before: MeetingView, patch: MeetingChanges) =>
  Object.entries(columnsOf(patch)).every(([name, value]) => before[name as keyof MeetingView] === value) &&
  (patch.attendees === undefined || sameAttendees(before.attendees, patch.attendees))

/**
 * Changes a meeting that was locked, with the day it may move to; answers it as it has become. The whole it becomes is checked like a new one, and people it had before need
 * not be active. One that moves to another day is placed there like a newcomer.
 */
export async function setMeeting(tx: Tx, before: MeetingView, patch: MeetingChanges): Promise<MeetingView> {
  const columns = columnsOf(patch)
  checkMeeting({ ...before, ...columns })
  const { attendees } = patch
  const replaces = attendees !== undefined && !sameAttendees(before.attendees, attendees)
  const moves = columns.date !== undefined && columns.date !== before.date
  if (moves) await lockDay(tx, columns.date!)
  if (replaces) await holdPeople(tx, peopleIn(attendees), { known: peopleIn(before.attendees) })
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

/** Its requests and tasks must have gone or been taken from it before. */
export const removeMeeting = (tx: Tx, id: number) => tx.deleteFrom('meetings').where('id', '=', id).execute()

/** The meetings of a day in running order; until the transaction ends none is changed, and none comes or goes. */
export async function lockDayWhole(tx: Tx, date: string) {
  await lockDay(tx, date)
  await tx.selectFrom('meetings').select('id').where('date', '=', date).orderBy('id').forUpdate().execute()
  return listMeetings(tx, { from: date, to: date })
}

/** Puts a locked day's meetings in this order, from place 1 on. */
export const placeMeetings = (tx: Tx, ids: readonly number[]) =>
  sql`update meetings set sort_order = line.place, updated_at = clock_timestamp()
    from unnest(${ids}::int[]) with ordinality as line (id, place)
    where meetings.id = line.id and sort_order <> line.place`.execute(tx)

/**
 * Locks what someone made or attends, before they are locked themselves: whoever changes a meeting locks it first, and then the
 * people in it. In two orders, each would wait for the other.
 */
export const lockMeetingsAround = (tx: Tx, personId: number) =>
  sql`select from meetings where created_by = ${personId}
    or id in (select meeting_id from meeting_attendees where user_id = ${personId}) order by id for update`.execute(tx)

/**
 * Whether `m` is a scheduled meeting of the day at the same time. One ends the moment the next may start; without an end it is a point in
 * time, and without a start it is in nobody's way.
 */
export const inTheWay = (date: RawBuilder<unknown>, startTime: RawBuilder<unknown>, endTime: RawBuilder<unknown>) => sql`
  m.date = ${date} and m.status = 'scheduled'
  and (m.end_time > ${startTime} or m.end_time is null and m.start_time >= ${startTime})
  and (m.start_time < ${endTime} or ${endTime} is null and m.start_time <= ${startTime})`

/** Ids of the active people with executive access. */
const executives: PeopleQuery = sql`active_in_roles(${executiveRoles}::text[])`

/** What tells them that something of these days changed. */
export const daysChanged = (dates: readonly string[]): Event[] =>
  dates.map((date) => ({ event: 'meetings_changed', data: { date }, to: executives }))

/** Ids of those of them who decide on requests, but for one person. */
export const approversBut = (personId: number | null): PeopleQuery => sql`array(
  select unnest(active_holders(${APPROVE.permission})) intersect select unnest(${executives})
  except select ${personId}::int order by 1)`
