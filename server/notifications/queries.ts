import { sql } from 'kysely'
import { batchesOf } from '../platform/database/batches.ts'
import type { Reads, Tx } from '../platform/database/db.ts'
import { refuse } from '../platform/refusal.ts'

const columns = [
  'id',
  'userId',
  'type',
  'titleAr',
  'titleEn',
  'bodyAr',
  'bodyEn',
  'relatedType',
  'relatedId',
  'isRead',
  'createdAt',
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

/** Marks a person's own notification as read; null when it is not theirs, or was read before. */
export const markRead = async (tx: Tx, userId: number, id: number) =>
  (await tx
    .updateTable('notifications')
    .set({ readAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('readAt', 'is', null)
    .returning(columns)
    .executeTakeFirst()) ?? null

/** Returns whether there were any to read. */
export async function markAllRead(tx: Tx, userId: number) {
  const { numUpdatedRows } = await tx
    .updateTable('notifications')
    .set({ readAt: sql<Date>`now()` })
    .where('userId', '=', userId)
    .where('readAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes at most `most` notifications read more than 90 days ago; returns how many. */
export async function removeLongRead(tx: Tx, most: number) {
  const { numAffectedRows } = await sql`
    delete from notifications where id = any(array(
      select id from notifications where read_at < now() - interval '90 days' order by read_at limit ${most}))`.execute(tx)
  return Number(numAffectedRows)
}
