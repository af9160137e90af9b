import { sql } from 'kysely'
import type { Reads, Tx } from '../platform/database/db.ts'
import { refuse } from '../platform/refusal.ts'
import { MOST_SUBSCRIPTIONS } from './rules.ts'

/** One at a time for an endpoint, and for a person: neither may be gone or inactive meanwhile. Refuses `unauthorized`. */
export async function lockSubscriber(tx: Tx, userId: number, endpoint: string) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${endpoint}, 0))`.execute(tx)
  const person = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('isActive', '=', true)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!person) refuse('unauthorized')
}

export const findSubscription = (tx: Tx, endpoint: string) =>
  tx.selectFrom('pushSubscriptions').selectAll().where('endpoint', '=', endpoint).forUpdate().executeTakeFirst()

interface Subscription {
  endpoint: string
  p256dh: string
  auth: string
}
export const insertSubscription = (tx: Tx, userId: number, subscription: Subscription) =>
  tx
    .insertInto('pushSubscriptions')
    .values({ userId, ...subscription })
    .execute()

export const updateKeys = (tx: Tx, id: number, { p256dh, auth }: Subscription) =>
  tx.updateTable('pushSubscriptions').set({ p256dh, auth }).where('id', '=', id).execute()

export const removeSubscription = (tx: Tx, id: number) => tx.deleteFrom('pushSubscriptions').where('id', '=', id).execute()

/** Answers how many were too many. */
export async function removeOldest(tx: Tx, userId: number) {
  const removed = await tx
    .deleteFrom('pushSubscriptions')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('pushSubscriptions')
        .select('id')
        .where('userId', '=', userId)
        .orderBy('id', 'desc')
        .offset(MOST_SUBSCRIPTIONS)
        .limit(1000),
    )
    .where('userId', '=', userId)
    .returning('id')
    .execute()
  return removed.length
}

/** Answers whether there was one. */
export async function removeOwn(tx: Tx, userId: number, endpoint: string) {
  const { numDeletedRows } = await tx
    .deleteFrom('pushSubscriptions')
    .where('endpoint', '=', endpoint)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Removes a subscription that its push service no longer knows; answers whose it was. */
export async function removeGone(tx: Tx, id: number, endpoint: string) {
  const removed = await tx
    .deleteFrom('pushSubscriptions')
    .where('id', '=', id)
    .where('endpoint', '=', endpoint)
    .returning('userId')
    .executeTakeFirst()
  return removed?.userId
}

/** After this a notification is not pushed any more. */
const PUSHED_WITHIN = sql`interval '24 hours'`

/**
 * A notification with the subscription it is for, its receiver's preferences, and the seconds left to push it; undefined when
 * either is gone, they are no longer the same person's, the receiver is inactive or the time is over.
 */
export const findPush = (db: Reads, notificationId: number, subscriptionId: number) =>
  db
    .selectFrom('notifications')
    .innerJoin('pushSubscriptions', 'pushSubscriptions.userId', 'notifications.userId')
    .innerJoin('users', 'users.id', 'notifications.userId')
    .select([
      'type',
      'titleAr',
      'titleEn',
      'bodyAr',
      'bodyEn',
      'relatedType',
      'relatedId',
      'endpoint',
      'p256dh',
      'auth',
      'preferredLanguage',
      'notificationsMuted',
      'notifyOrdersEnabled',
      'notifyMeetingsEnabled',
      'notifyNotesEnabled',
      'notificationSoundOrder',
      'notificationSoundMeeting',
      'notificationSoundNote',
      'vibrationEnabledOrder',
      'vibrationEnabledMeeting',
      'vibrationEnabledNote',
      sql<number>`floor(extract(epoch from notifications.created_at + ${PUSHED_WITHIN} - now()))::int`.as('secondsLeft'),
    ])
    .where('notifications.id', '=', notificationId)
    .where('pushSubscriptions.id', '=', subscriptionId)
    .where('users.isActive', '=', true)
    .where('notifications.createdAt', '>', sql<Date>`now() - ${PUSHED_WITHIN}`)
    .executeTakeFirst()
