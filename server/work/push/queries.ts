import { sql } from 'kysely'
import type { Session } from '../../platform/auth/sessions.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { access, related } from '../notifications/queries.ts'
import { MOST_SUBSCRIPTIONS } from './rules.ts'

const isLiving = sql<boolean>`(sessions.ended_at is null and sessions.expires_at > now())`

/** Serialises subscriptions per endpoint and per person. */
export async function lockSubscriber(tx: Tx, userId: number, endpoint: string) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${endpoint}, 0))`.execute(tx)
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
}

/** Locks a session against ending until the transaction ends. Refuses `unauthorized` if it has ended. */
export async function lockOpenSession(tx: Tx, sessionId: number) {
  const living = tx.selectFrom('sessions').select('id').where('id', '=', sessionId).where(isLiving).forShare()
  if (!(await living.executeTakeFirst())) refuse('unauthorized')
}

export const findSubscription = (tx: Tx, endpoint: string) =>
  tx.selectFrom('pushSubscriptions').selectAll().where('endpoint', '=', endpoint).forUpdate().executeTakeFirst()

interface Subscription {
  endpoint: string
  p256dh: string
  auth: string
}
export const insertSubscription = (tx: Tx, { id: sessionId, userId }: Session, subscription: Subscription) =>
  tx
    .insertInto('pushSubscriptions')
    .values({ userId, sessionId, ...subscription })
    .execute()

export const updateSubscription = (tx: Tx, id: number, { id: sessionId }: Session, { p256dh, auth }: Subscription) =>
  tx.updateTable('pushSubscriptions').set({ sessionId, p256dh, auth }).where('id', '=', id).execute()

export const removeSubscription = (tx: Tx, id: number) => tx.deleteFrom('pushSubscriptions').where('id', '=', id).execute()

/** Deletes a person's oldest subscriptions beyond `MOST_SUBSCRIPTIONS`; returns how many. */
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

/** Deletes a person's own subscription of an endpoint; returns whether there was one. */
export async function removeOwn(tx: Tx, userId: number, endpoint: string) {
  const { numDeletedRows } = await tx
    .deleteFrom('pushSubscriptions')
    .where('endpoint', '=', endpoint)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes all subscriptions of a person; returns how many. */
export const removeSubscriptions = async (tx: Tx, userId: number) =>
  Number((await tx.deleteFrom('pushSubscriptions').where('userId', '=', userId).executeTakeFirstOrThrow()).numDeletedRows)

/** Deletes a subscription that its push service no longer knows; returns its owner's id. */
export async function removeGone(tx: Tx, id: number, endpoint: string) {
  const removed = await tx
    .deleteFrom('pushSubscriptions')
    .where('id', '=', id)
    .where('endpoint', '=', endpoint)
    .returning('userId')
    .executeTakeFirst()
  return removed?.userId
}

/** Deletes at most `most` subscriptions of ended sessions; returns their owners. */
export async function removeOver(tx: Tx, most: number) {
  const removed = await tx
    .deleteFrom('pushSubscriptions')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('pushSubscriptions')
        .select('id')
        .where('sessionId', 'in', ({ not, selectFrom }) => selectFrom('sessions').select('id').where(not(isLiving)))
        .limit(most),
    )
    .returning('userId')
    .execute()
  return removed.map(({ userId }) => userId)
}

/** The time after its creation within which a notification is pushed. */
const PUSHED_WITHIN = sql`interval '24 hours'`

/**
 * A notification with one of its recipient's subscriptions and preferences, and the seconds left to push it. Undefined if either
 * was deleted, they belong to different people, the recipient is inactive, the subscribing session has ended, or the time is over.
 */
export const findPush = (db: Reads, notificationId: number, subscriptionId: number) =>
  db
    .selectFrom('notifications')
    .innerJoin('pushSubscriptions', 'pushSubscriptions.userId', 'notifications.userId')
    .innerJoin('sessions', 'sessions.id', 'pushSubscriptions.sessionId')
    .innerJoin('users', 'users.id', 'notifications.userId')
    .crossJoinLateral(access)
    .select([
      'notifications.userId',
      'type',
      'titleAr',
      'titleEn',
      'bodyAr',
      'bodyEn',
      ...related,
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
    .where(isLiving)
    .where('notifications.createdAt', '>', sql<Date>`now() - ${PUSHED_WITHIN}`)
    .executeTakeFirst()
