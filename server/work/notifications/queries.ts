import { sql } from 'kysely'
import { batchesOf } from '../../platform/database/batches.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import type { RelatedType } from '../../platform/tables.ts'
import { executiveRoles } from '../meetings/rules.ts'

/**
 * Takes notices from the share of the person who causes them. Returns the first of `people`, as many as the share still allows. Call it in the
 * order of `userId`, because it locks the share.
 */
export async function shareNotices(tx: Tx, userId: number, people: readonly number[]) {
  const { rows } = await sql<{ count: number }>`select share_notices(${userId}, ${people.length}) as count`.execute(tx)
  return people.slice(0, rows[0]!.count)
}

/** SQL: whether the recipient has one of the roles. */
const isOneOf = (person: string, roles: readonly string[]) =>
  `${person} = any((select active_in_roles(array[${roles.map((name) => `'${name}'`).join()}]))::int[])`
/** The tables of the records that notifications are about. */
const tables: Record<RelatedType, string> = {
  order: 'orders',
  note: 'notes',
  meeting: 'meetings',
  meeting_request: 'meeting_requests',
  meeting_task: 'meeting_tasks',
  user: 'users',
  group: 'groups',
  role: 'roles',
  access_request: 'access_requests',
  access_review: 'access_reviews',
}
/** SQL: whether the record exists. Without `offset 0`, the planner may read all records of the table first, instead of this one. */
const exists = `case related_type
    ${Object.entries(tables)
      .map(([type, table]) => `when '${type}' then exists (select from ${table} where ${table}.id = related_id offset 0)`)
      .join('\n    ')} end`
/** SQL: whether the recipient may open the record that a notification is about. */
const mayOpen = (person: string) => `case
    when related_type in ('meeting', 'meeting_request', 'meeting_task') then ${isOneOf(person, executiveRoles)}
    when related_type = 'order' then ${isOneOf(person, ['admin'])} or order_is_open_to(related_id, ${person})
    when related_type = 'user' then ${isOneOf(person, ['admin'])}
    when related_type = 'access_request' then ${isOneOf(person, ['admin'])} or reads_access_request(related_id, ${person})
    when related_type = 'access_review' then ${isOneOf(person, ['admin'])} or exists (select from scopes_of_reviewer(related_id, ${person}))
    else true end`
/**
 * SQL: `related_type` or `related_id` of a notification. Both are null while the person may not open the record. Once the record is
 * deleted, only the id is null, so that no link leads to it.
 */
export const whileOpen = (column: 'related_type' | 'related_id', person: string) =>
  `case when ${mayOpen(person)}${column === 'related_id' ? ` and ${exists}` : ''} then ${column} end`
const shown = <T>(column: 'related_type' | 'related_id') => sql.raw<T | null>(whileOpen(column, 'notifications.user_id'))
export const related = [shown<RelatedType>('related_type').as('relatedType'), shown<number>('related_id').as('relatedId')] as const

/** SQL: the address of the meeting of a notification; null unless the meeting is scheduled and the person attends it. */
export const joinUrl = (person: string) => `(select meetings.meeting_url from meetings
    where related_type = 'meeting' and meetings.id = related_id and meetings.status = 'scheduled'
      and ${person} in (select attending.user_id from meeting_attendees as attending where attending.meeting_id = meetings.id))`

const columns = [
  ...(['id', 'userId', 'type', 'titleAr', 'titleEn', 'bodyAr', 'bodyEn'] as const),
  ...related,
  sql.raw<string | null>(joinUrl('notifications.user_id')).as('joinUrl'),
  ...(['isRead', 'createdAt'] as const),
] as const

interface Filter {
  limit?: number
  before?: number
  unread?: boolean
}

/** A person's own notifications, newest first. */
export const listNotifications = (db: Reads, userId: number, { limit, before, unread }: Filter) =>
  batchesOf({
    read: (after: number | null, rows) =>
      db
        .selectFrom('notifications')
        .select(columns)
        .where('userId', '=', userId)
        .$if((after ?? before) !== undefined, (some) => some.where('id', '<', (after ?? before)!))
        .$if(unread === true, (some) => some.where('readAt', 'is', null))
        .orderBy('id', 'desc')
        .limit(rows)
        .execute(),
    keyOf: ({ id }) => id,
    limit,
  })

/** A person's own notification. Refuses `not_found`. */
export const readNotification = async (db: Reads, userId: number, id: number) =>
  (await db.selectFrom('notifications').select(columns).where('id', '=', id).where('userId', '=', userId).executeTakeFirst()) ??
  refuse('not_found')

/** Marks a person's own notification as read; null if it is not theirs or was already read. */
export const markRead = async (tx: Tx, userId: number, id: number) =>
  (await tx
    .updateTable('notifications')
    .set({ readAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('readAt', 'is', null)
    .returning(columns)
    .executeTakeFirst()) ?? null

/** Marks the chosen unread notifications of a person, or all of them, as read, by ascending id; returns their ids. */
async function markSome(tx: Tx, userId: number, chosen = sql``) {
  const { rows } = await sql<{ id: number }>`
    update notifications set read_at = now() where read_at is null and id in (
      select id from notifications where user_id = ${userId} and read_at is null ${chosen} order by id for update)
    returning id`.execute(tx)
  return rows.map(({ id }) => id).sort((one, other) => one - other)
}

/** Marks all notifications of a person as read, or those up to an id; returns the ids of those that were unread. */
export const markAllRead = (tx: Tx, userId: number, upTo?: number) =>
  markSome(tx, userId, upTo === undefined ? sql`` : sql`and id <= ${upTo}`)

export interface Related {
  relatedType: RelatedType
  relatedId: number
}
/** Marks a person's notifications about a record as read; returns the ids of those that were unread. */
export const markReadAbout = (tx: Tx, userId: number, { relatedType, relatedId }: Related) =>
  markSome(tx, userId, sql`and related_type = ${relatedType} and related_id = ${relatedId}`)
