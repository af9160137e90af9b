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
const isExecutive = (person: string) => isOneOf(person, executiveRoles)
const isAdministrator = (person: string) => isOneOf(person, ['admin'])
const isAnybody = () => 'true'

/** SQL: those of `people` who read the order `related_id`. */
export const orderOpeners = (people: string) => `order_openers(related_id, ${people})`

/**
 * The tables of the records that notifications are about, and SQL that tells whether the recipient may open the record. `openers`: SQL of the
 * people who read the order.
 */
const records: Record<RelatedType, [table: string, mayOpen: (person: string, openers: string) => string]> = {
  order: ['orders', (person, openers) => `${person} = any(${openers}) or ${isAdministrator(person)}`],
  note: ['notes', isAnybody],
  meeting: ['meetings', isExecutive],
  meeting_request: ['meeting_requests', isExecutive],
  meeting_task: ['meeting_tasks', isExecutive],
  user: ['users', isAdministrator],
  group: ['groups', isAnybody],
  role: ['roles', isAnybody],
  access_request: ['access_requests', (person) => `${isAdministrator(person)} or reads_access_request(related_id, ${person})`],
  access_review: [
    'access_reviews',
    (person) => `${isAdministrator(person)} or exists (select from scopes_of_reviewer(related_id, ${person}))`,
  ],
}
const allTypes = Object.keys(records) as RelatedType[]

/** SQL: a value for each type of record. */
const byType = (types: readonly RelatedType[], ofType: (type: RelatedType) => string, otherwise: string) =>
  types.length
    ? `case related_type ${types.map((type) => `when '${type}' then ${ofType(type)}`).join('\n    ')} else ${otherwise} end`
    : otherwise

interface Reading {
  /** SQL: the id of the recipient. */
  person: string
  /** The types of the records that the notifications are about. Other types cost time even if no row has them. */
  types?: readonly RelatedType[]
  /** SQL: the people who read the order; by default it asks for the recipient alone. */
  openers?: string
}

/**
 * SQL that names the record of a notification to a person. `access` is a subquery to join laterally, which asks once for each row whether
 * the person may open the record; the two columns are null while they may not. Once the record is deleted, only the id is null, so that no
 * link leads to it. `joinUrl`: the address of the meeting; null unless the meeting is scheduled and the person attends it.
 */
export function namingRecord({ person, types = allTypes, openers = orderOpeners(`array[${person}]`) }: Reading) {
  // Without `offset 0`, the planner may read all records of the table first instead of this one, and ask about access for each column.
  const exists = (type: RelatedType) => `exists (select from ${records[type][0]} as record where record.id = related_id offset 0)`
  return {
    access: `(select ${byType(types, (type) => records[type][1](person, openers), 'true')} as is_open offset 0)`,
    relatedType: 'case when is_open then related_type end',
    relatedId: `case when is_open and ${byType(types, exists, 'false')} then related_id end`,
    joinUrl: types.includes('meeting')
      ? `(select meetings.meeting_url from meetings
          where related_type = 'meeting' and meetings.id = related_id and meetings.status = 'scheduled'
            and ${person} in (select attending.user_id from meeting_attendees as attending where attending.meeting_id = meetings.id))`
      : 'null::text',
  }
}

const named = namingRecord({ person: 'notifications.user_id' })
/** To be joined laterally with notifications, for the columns `related`. */
export const access = sql.raw<{ isOpen: boolean }>(named.access).as('access')
export const related = [
  sql.raw<RelatedType | null>(named.relatedType).as('relatedType'),
  sql.raw<number | null>(named.relatedId).as('relatedId'),
] as const

const columns = [
  ...(['id', 'userId', 'type', 'titleAr', 'titleEn', 'bodyAr', 'bodyEn'] as const),
  ...related,
  sql.raw<string | null>(named.joinUrl).as('joinUrl'),
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
        .crossJoinLateral(access)
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
  (await db
    .selectFrom('notifications')
    .crossJoinLateral(access)
    .select(columns)
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst()) ?? refuse('not_found')

/** Marks the chosen unread notifications of a person, or all of them, as read, by ascending id; returns their ids. */
async function markSome(tx: Tx, userId: number, chosen = sql``) {
  const { rows } = await sql<{ id: number }>`
    update notifications set read_at = now() where read_at is null and id in (
      select id from notifications where user_id = ${userId} and read_at is null ${chosen} order by id for update)
    returning id`.execute(tx)
  return rows.map(({ id }) => id).sort((one, other) => one - other)
}

/** Marks a person's own notification as read; returns its id if it was unread. */
export const markRead = (tx: Tx, userId: number, id: number) => markSome(tx, userId, sql`and id = ${id}`)

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
