import { sql } from 'kysely'
import { hashToken, isToken, newToken } from '../../../platform/auth/tokens.ts'
import type { Reads, Tx } from '../../../platform/database/db.ts'
import { DAYS_AHEAD, DAYS_BACK, type FeedMeeting } from './writing.ts'

const living = (db: Reads) =>
  db.selectFrom('sessions').where('kind', '=', 'calendar').where(sql<boolean>`ended_at is null and expires_at > now()`)

/** Stands for the last reading of a feed that was never read, because the column cannot be null. */
const NEVER = sql<Date>`'epoch'`

/** The feed of a person, if it is switched on; `lastReadAt` to the minute. */
export const findOwnFeed = (db: Reads, userId: number) =>
  living(db)
    .select(['createdAt', sql<Date | null>`nullif(last_used_at, ${NEVER})`.as('lastReadAt')])
    .where('userId', '=', userId)
    .executeTakeFirst()

/** The id of the feed with this token; undefined if there is none. */
export const findFeedId = async (db: Reads, token: string) =>
  isToken(token) ? (await living(db).select('id').where('tokenHash', '=', hashToken(token)).executeTakeFirst())?.id : undefined

/** Ends the feed of a person; returns whether there was one. The caller must have locked the person. */
export async function endFeed(tx: Tx, userId: number) {
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set({ endedAt: sql<Date>`now()` })
    .where('userId', '=', userId)
    .where('kind', '=', 'calendar')
    .where('endedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Switches on the feed of a person who has none; returns its token. The caller must have locked the person. */
export async function insertFeed(tx: Tx, userId: number) {
  const token = newToken()
  const fields = { tokenHash: hashToken(token), userId, kind: 'calendar', confirmedAt: null } as const
  await tx
    .insertInto('sessions')
    .values({ ...fields, lastUsedAt: NEVER, expiresAt: sql<Date>`'infinity'` })
    .execute()
  return token
}

/** The portal's names, time zone and feed id, which every feed needs. */
export const readFrame = (db: Reads) =>
  db
    .selectFrom('settings')
    .select(['feedId', 'siteNameAr', 'siteNameEn', sql<string>`usable_time_zone(time_zone)`.as('timeZone')])
    .executeTakeFirstOrThrow()

/** The meetings that a person attends, on the days that a feed covers; cancelled ones until their day is over. */
export async function listAttended(db: Reads, userId: number) {
  const { rows } = await sql<FeedMeeting>`
    with today as materialized (select (now() at time zone usable_time_zone(time_zone))::date as day from settings)
    select id, date, start_time, end_time, title_ar, title_en, location_ar, location_en, meeting_url, status, updated_at
    from meetings, today
    where id = any(array(select meeting_id from meeting_attendees where user_id = ${userId}))
      and date between day - ${DAYS_BACK}::int and day + ${DAYS_AHEAD}::int and (status <> 'cancelled' or date >= day)
    order by date, start_time nulls first, id`.execute(db)
  return rows
}
