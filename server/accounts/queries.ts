import { sql, type Updateable } from 'kysely'
import { hashToken, newToken } from '../platform/auth/tokens.ts'
import type { Reads, Tx } from '../platform/database/db.ts'
import { refuse } from '../platform/errors/refusal.ts'
import { partIn } from '../platform/http/lists.ts'
import type { Page } from '../platform/http/page.ts'
import type { Tables } from '../tables.ts'
import { blockCommandsOf, heldColumns, personColumns } from '../users/queries.ts'

const preferenceColumns = [
  'users.notificationSoundOrder',
  'users.notificationSoundMeeting',
  'users.notificationSoundNote',
  'users.notifyOrdersEnabled',
  'users.notifyMeetingsEnabled',
  'users.notifyNotesEnabled',
  'users.vibrationEnabledOrder',
  'users.vibrationEnabledMeeting',
  'users.vibrationEnabledNote',
  'users.notificationsMuted',
] as const

export const readAuthUser = (db: Reads, id: number) =>
  db
    .selectFrom('users')
    .select([...personColumns, ...preferenceColumns])
    .select(heldColumns)
    .where('users.id', '=', id)
    .executeTakeFirstOrThrow()

/** The person with this username or e-mail address, regardless of case. */
export const findByIdentifier = (db: Reads, identifier: string) =>
  db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'passwordHash', 'isActive', 'preferredLanguage', 'displayNameAr', 'displayNameEn'])
    .where(({ or, eb }) => {
      const key = sql<string>`lower(${identifier}::text collate "und-x-icu")`
      return or([eb('usernameKey', '=', key), eb('emailKey', '=', key)])
    })
    .executeTakeFirst()

/** The person, if they are invited, active and have not chosen a password yet. */
export const findInvited = (db: Reads, id: number) =>
  db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'preferredLanguage', 'displayNameAr', 'displayNameEn'])
    .where('id', '=', id)
    .where('invitation', '=', 'pending')
    .where('isActive', '=', true)
    .executeTakeFirst()

/** Starts a session; returns its token. */
export async function startSession(tx: Tx, userId: number, { ip, userAgent }: { ip: string; userAgent: string | null }, ttlDays: number) {
  const token = newToken()
  await tx
    .insertInto('sessions')
    .values({ tokenHash: hashToken(token), userId, ip, userAgent, expiresAt: sql<Date>`now() + make_interval(days => ${ttlDays}::int)` })
    .execute()
  return token
}

const living = sql<boolean>`ended_at is null and expires_at > now()`

/** Ends sessions of a person: all, one, or all but one. Returns their ids. */
export async function endSessions(tx: Tx, userId: number, { only, except }: { only?: number; except?: number } = {}) {
  const ended = await tx
    .updateTable('sessions')
    .set({ endedAt: sql<Date>`now()` })
    .where('userId', '=', userId)
    .where(living)
    .$if(only !== undefined, (sessions) => sessions.where('id', '=', only!))
    .$if(except !== undefined, (sessions) => sessions.where('id', '!=', except!))
    .returning('id')
    .execute()
  return ended.map(({ id }) => id)
}

/** Ends every session of these people. Returns the sessions of each who had any. */
export async function endSessionsOf(tx: Tx, userIds: readonly number[]) {
  const { rows } = await sql<{ id: number; userId: number }>`
    update sessions set ended_at = now() where id in (
      select id from sessions where user_id = any(${userIds}::int[]) and ${living} order by id for update) returning id, user_id`.execute(
    tx,
  )
  return new Map(
    Array.from(
      Map.groupBy(rows, ({ userId }) => userId),
      ([userId, ended]) => [userId, ended.map(({ id }) => id)],
    ),
  )
}

/** How many sessions some people have. */
export const countSessions = async (db: Reads, userIds: number[]) =>
  (
    await db
      .selectFrom('sessions')
      .select(sql<number>`count(*)`.as('count'))
      .where('userId', '=', sql<number>`any(${userIds}::int[])`)
      .where(living)
      .executeTakeFirstOrThrow()
  ).count

export const listSessions = (db: Reads, userId: number, part: Page) =>
  partIn(
    db
      .selectFrom('sessions')
      .select(['id', 'createdAt', 'lastUsedAt', 'expiresAt', 'userAgent', 'ip'])
      .where('userId', '=', userId)
      .where(living)
      .orderBy('lastUsedAt', 'desc')
      .orderBy('id', 'desc'),
    part,
  ).execute()

/** Deletes sessions that ended at least a day ago. */
export async function removeOldSessions(tx: Tx) {
  await tx.deleteFrom('sessions').where(sql<boolean>`coalesce(ended_at, expires_at) < now() - interval '1 day'`).execute()
}

export type OwnFields = Omit<Updateable<Tables['users']>, 'passwordHash' | 'isActive'>

/** The time `minutes` from now, on the database's clock. */
export const momentIn = async (db: Reads, minutes: number) =>
  (await db.selectNoFrom(sql<Date>`now() + make_interval(mins => ${minutes}::int)`.as('moment')).executeTakeFirstOrThrow()).moment

/** Makes a reset token valid until `expiresAt` and voids the previous one. */
export async function keepResetToken(tx: Tx, userId: number, token: string, expiresAt: Date) {
  const fields = { tokenHash: hashToken(token), expiresAt }
  await tx
    .insertInto('passwordResets')
    .values({ userId, ...fields })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(fields))
    .execute()
}

/** Voids the links by which these people could choose a password. */
export const voidLinksOf = (tx: Tx, userIds: readonly number[]) =>
  tx.deleteFrom('passwordResets').where('userId', '=', sql<number>`any(${userIds}::int[])`).execute()

/** When a person's link expires; undefined if they have none. */
export const linkEndOf = async (db: Reads, userId: number) =>
  (await db.selectFrom('passwordResets').select('expiresAt').where('userId', '=', userId).executeTakeFirst())?.expiresAt

/** Issues a reset token valid for `minutes`; returns it with its expiry. */
export async function issueResetToken(tx: Tx, userId: number, minutes: number) {
  const token = newToken()
  const expiresAt = await momentIn(tx, minutes)
  await keepResetToken(tx, userId, token, expiresAt)
  return { token, expiresAt }
}

const findResetOwner = async (db: Reads, token: string) =>
  (
    await db
      .selectFrom('passwordResets')
      .innerJoin('users', 'users.id', 'passwordResets.userId')
      .select('users.id')
      .where('passwordResets.tokenHash', '=', hashToken(token))
      .where('passwordResets.expiresAt', '>', sql<Date>`now()`)
      .where('users.isActive', '=', true)
      .executeTakeFirst()
  )?.id

/** Whether a reset token is valid now. */
export const isResetToken = async (db: Reads, token: string) => (await findResetOwner(db, token)) !== undefined

/** Consumes a reset token; returns its owner, locked. Refuses `invalid_token`. */
export async function takeResetToken(tx: Tx, token: string) {
  const id = (await findResetOwner(tx, token)) ?? refuse('invalid_token')
  // The person is locked before the token, as when a link is issued. The opposite order could deadlock.
  await blockCommandsOf(tx, id)
  const owner = await tx
    .selectFrom('users')
    .select(['id', 'username', 'email', 'isActive'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const taken = await tx.deleteFrom('passwordResets').where('userId', '=', id).where('tokenHash', '=', hashToken(token)).executeTakeFirst()
  return owner?.isActive && taken.numDeletedRows === 1n ? owner : refuse('invalid_token')
}
