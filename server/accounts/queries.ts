import { sql, type Updateable } from 'kysely'
import { factorColumns } from '../factors/queries.ts'
import { CONFIRMED_MINUTES } from '../platform/auth/sessions.ts'
import { hashToken, newToken } from '../platform/auth/tokens.ts'
import type { Reads, Tx } from '../platform/database/db.ts'
import { keyOf } from '../platform/database/search.ts'
import { refuse, refuseField } from '../platform/errors/refusal.ts'
import { partIn } from '../platform/http/lists.ts'
import type { Page } from '../platform/http/page.ts'
import type { Secrets } from '../platform/secrets/secrets.ts'
import { cleanText } from '../platform/text.ts'
import { passwordsAreOpen } from '../sign-in/queries.ts'
import { EXCEPTION_PASSWORD_LENGTH } from '../sign-in/rules.ts'
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
    .select(['id', 'username', 'email', 'passwordHash', 'isActive', 'isException', 'preferredLanguage', 'displayNameAr', 'displayNameEn'])
    .select(factorColumns)
    .select(passwordsAreOpen.as('mayUsePassword'))
    .where(({ or, eb }) => {
      const key = keyOf(cleanText(identifier, 'line'))
      return or([eb('usernameKey', '=', key), eb('emailKey', '=', key)])
    })
    .where('kind', '=', 'person')
    .executeTakeFirst()

/** The hash of a person’s password; null if they have none. */
export const readPasswordHash = async (db: Reads, id: number) =>
  (await db.selectFrom('users').select('passwordHash').where('id', '=', id).executeTakeFirstOrThrow()).passwordHash

/** Whom a mail is for. */
export const findReader = (db: Reads, id: number) =>
  db
    .selectFrom('users')
    .select(['username', 'email', 'isActive', 'preferredLanguage', 'displayNameAr', 'displayNameEn'])
    .where('id', '=', id)
    .where('kind', '=', 'person')
    .executeTakeFirst()

/** The person, if they are invited, active and have not chosen a password yet. */
export const findInvited = (db: Reads, id: number) =>
  db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'preferredLanguage', 'displayNameAr', 'displayNameEn'])
    .where('id', '=', id)
    .where('kind', '=', 'person')
    .where('invitation', '=', 'pending')
    .where('isActive', '=', true)
    .executeTakeFirst()

/** How a session begins. */
export interface Beginning {
  /** 2 if its person has shown two factors. */
  level?: 1 | 2
  /** Whether it counts as a confirmation of who they are; it does unless they could have been asked for more. */
  confirms?: boolean
  byPasskey?: boolean
  /** Who signed the person in, instead of the portal itself. */
  by?: ProviderSignIn
}
/** What a session keeps of its provider. */
export interface Provided {
  providerId: number
  identityId: number
  /** The provider’s name for the session. */
  sid: string | null
  /** No use prolongs the session beyond that. */
  hours: number | null
  /** Of the provider's settings, by which the person has come in. */
  version: number
}
/** The version of a provider’s settings. What waits in a cookie dies with them. */
export const versionOf = ({ updatedAt }: { updatedAt: Date }) => updatedAt.getTime()

interface ProviderSignIn extends Provided {
  /** Kept only if signing out has to show it. */
  idToken: string | null
  secrets: Secrets
}

/** Starts a session; returns its token. */
export async function startSession(
  tx: Tx,
  userId: number,
  { ip, userAgent }: { ip: string; userAgent: string | null },
  ttlDays: number,
  { level = 1, confirms = true, byPasskey = false, by }: Beginning = {},
) {
  const token = newToken()
  const livesUntil = sql<Date>`now() + make_interval(hours => ${by?.hours ?? null}::int)`
  const fields = { tokenHash: hashToken(token), userId, ip, userAgent, level, byPasskey, confirmedAt: confirms ? sql<Date>`now()` : null }
  const { id } = await tx
    .insertInto('sessions')
    .values({
      ...fields,
      expiresAt: sql<Date>`least(now() + make_interval(days => ${ttlDays}::int), ${livesUntil})`,
      ...(by && { livesUntil, providerId: by.providerId, identityId: by.identityId, sid: by.sid }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  // Without a key, people still sign in; only the hint for signing out at the provider is missing.
  if (by?.idToken && by.secrets.isConfigured)
    await tx
      .updateTable('sessions')
      .set({ idToken: by.secrets.encrypt(idTokenAt(id), by.idToken) })
      .where('id', '=', id)
      .execute()
  return token
}

/** Counts the session as confirmed from now on; returns until when. `by` is the provider that confirmed it. */
export async function confirmSession(tx: Tx, id: number, { level = 1, by = null }: { level?: 1 | 2; by?: number | null } = {}) {
  const { until } = await tx
    .updateTable('sessions')
    .set({ confirmedAt: sql<Date>`now()`, confirmedProviderId: by, level: sql<number>`greatest(level, ${level}::int)` })
    .where('id', '=', id)
    .returning(sql<Date>`now() + make_interval(mins => ${CONFIRMED_MINUTES}::int)`.as('until'))
    .executeTakeFirstOrThrow()
  return until
}

/** Where the id token of a session is stored. */
export const idTokenAt = (row: number) => ({ table: 'sessions', column: 'id_token', row })

const living = sql<boolean>`ended_at is null and expires_at > now()`

interface Which {
  only?: number
  except?: number
  /** Leaves API tokens alone. */
  ofBrowsers?: boolean
}
/** Ends sessions of a person: all, one, or all but one; of browsers alone, or API tokens, too. Returns their ids. */
export async function endSessions(tx: Tx, userId: number, { only, except, ofBrowsers = false }: Which = {}) {
  const ended = await tx
    .updateTable('sessions')
    .set({ endedAt: sql<Date>`now()` })
    .where('userId', '=', userId)
    .where(living)
    .$if(only !== undefined, (sessions) => sessions.where('id', '=', only!))
    .$if(except !== undefined, (sessions) => sessions.where('id', '!=', except!))
    .$if(ofBrowsers, (sessions) => sessions.where('kind', '=', 'browser'))
    .returning('id')
    .execute()
  return ended.map(({ id }) => id)
}

/** How many sessions of browsers some people have. */
export const countSessions = async (db: Reads, userIds: number[]) =>
  (
    await db
      .selectFrom('sessions')
      .select(sql<number>`count(*)`.as('count'))
      .where('userId', '=', sql<number>`any(${userIds}::int[])`)
      .where('kind', '=', 'browser')
      .where(living)
      .executeTakeFirstOrThrow()
  ).count

/** Sessions of browsers: API tokens have a list of their own. */
export const listSessions = (db: Reads, userId: number, part: Page) =>
  partIn(
    db
      .selectFrom('sessions')
      .select(['id', 'createdAt', 'lastUsedAt', 'expiresAt', 'userAgent', 'ip'])
      .where('userId', '=', userId)
      .where('kind', '=', 'browser')
      .where(living)
      .orderBy('lastUsedAt', 'desc')
      .orderBy('id', 'desc'),
    part,
  ).execute()

export type OwnFields = Omit<Updateable<Tables['users']>, 'passwordHash' | 'isActive'>

/**
 * Gives a person, who must be locked, a password of this many characters. Refuses one that is too short for an exception while everybody
 * else must go through a provider.
 */
export async function setPassword(tx: Tx, id: number, { passwordHash, length }: { passwordHash: string; length: number }) {
  const isLong = length >= EXCEPTION_PASSWORD_LENGTH
  const { isTooShort } = await tx
    .updateTable('users')
    .set({ passwordHash, hasExceptionPassword: sql<boolean>`is_exception and ${isLong}` })
    .where('id', '=', id)
    .returning(sql<boolean>`is_exception and not ${isLong} and (select passwords from sign_in_settings) = 'exceptions'`.as('isTooShort'))
    .executeTakeFirstOrThrow()
  if (isTooShort) refuseField('newPassword', 'minLength', { limit: EXCEPTION_PASSWORD_LENGTH })
}

/** The time `minutes` from now, on the database's clock. */
export const momentIn = async (db: Reads, minutes: number) =>
  (await db.selectNoFrom(sql<Date>`now() + make_interval(mins => ${minutes}::int)`.as('moment')).executeTakeFirstOrThrow()).moment

/** Makes a reset token valid until `expiresAt` and voids the previous one. `mailed`: only somebody who reads the mail can have it. */
export async function keepResetToken(tx: Tx, userId: number, token: string, expiresAt: Date, mailed = false) {
  const fields = { tokenHash: hashToken(token), expiresAt, mailed }
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

export const findResetOwner = async (db: Reads, token: string) =>
  (
    await db
      .selectFrom('passwordResets')
      .innerJoin('users', 'users.id', 'passwordResets.userId')
      .select('users.id')
      .where('passwordResets.tokenHash', '=', hashToken(token))
      .where('passwordResets.expiresAt', '>', sql<Date>`now()`)
      .where('users.isActive', '=', true)
      .where('users.kind', '=', 'person')
      // A person who must use a provider does not get in by the mailbox alone.
      .where(({ or, eb }) => or([eb('passwordResets.mailed', '=', false), passwordsAreOpen]))
      .executeTakeFirst()
  )?.id

/** Whether a reset token is valid now. */
export const isResetToken = async (db: Reads, token: string) => (await findResetOwner(db, token)) !== undefined

/** The owner of a reset token, locked, and whether it was mailed. Refuses `invalid_token`. */
export async function lockResetOwner(tx: Tx, token: string) {
  const id = (await findResetOwner(tx, token)) ?? refuse('invalid_token')
  // The person is locked before the token, as when a link is issued. The opposite order could deadlock.
  await blockCommandsOf(tx, id)
  const owner = await tx
    .selectFrom('users')
    .select(['id', 'username', 'email', 'isActive'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const kept = await tx
    .selectFrom('passwordResets')
    .select('mailed')
    .where('userId', '=', id)
    .where('tokenHash', '=', hashToken(token))
    .executeTakeFirst()
  return owner?.isActive && kept ? { ...owner, ...kept } : refuse('invalid_token')
}
