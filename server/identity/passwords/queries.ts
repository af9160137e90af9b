import { sql } from 'kysely'
import { blockCommandsOf } from '../../people/users/queries.ts'
import { hashToken, newToken } from '../../platform/auth/tokens.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { keyOf } from '../../platform/database/search.ts'
import { refuse, refuseField } from '../../platform/errors/refusal.ts'
import { addJob, MAIL_TRIES } from '../../platform/jobs/runner.ts'
import { cleanText } from '../../platform/text.ts'
import { factorColumns } from '../factors/queries.ts'
import { passwordsAreOpen } from '../settings/queries.ts'
import { EXCEPTION_PASSWORD_LENGTH } from '../settings/rules.ts'
import { INVITATION_MINUTES, mailQueue } from './rules.ts'

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

/** Whether a locked person may still sign in by password, and which factors they have by now. */
export const readAfterLock = (tx: Tx, id: number) =>
  tx
    .selectFrom('users')
    .select(factorColumns)
    .select(passwordsAreOpen.as('mayUsePassword'))
    .where('id', '=', id)
    .where('kind', '=', 'person')
    .executeTakeFirst()

/** The hash of a person’s password; null if they have none. */
export const readPasswordHash = async (db: Reads, id: number) =>
  (await db.selectFrom('users').select('passwordHash').where('id', '=', id).executeTakeFirstOrThrow()).passwordHash

/** The recipient of a mail. */
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

/**
 * Sets a password of `length` characters. While a provider is required, refuses a password of an exception that is too short for one. The
 * caller must have locked the person.
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

/** Queues the mail with the link of an invitation. Returns when the link expires. */
export async function addInvitation(tx: Tx, { id, username }: { id: number; username: string }) {
  const expiresAt = await momentIn(tx, INVITATION_MINUTES)
  const payload = { userId: id, expiresAt: expiresAt.toISOString() }
  await addJob(tx, 'mail_invitation', payload, { queue: mailQueue(username), tries: MAIL_TRIES })
  return expiresAt
}

/** Makes a reset token valid until `expiresAt` and voids the previous one. `mailed`: only a reader of the mail can have the token. */
export async function keepResetToken(tx: Tx, userId: number, token: string, expiresAt: Date, mailed = false) {
  const fields = { tokenHash: hashToken(token), expiresAt, mailed }
  await tx
    .insertInto('passwordResets')
    .values({ userId, ...fields })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(fields))
    .execute()
}

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

export const isResetToken = async (db: Reads, token: string) => (await findResetOwner(db, token)) !== undefined

/** Locks the owner of a reset token; returns them, and whether the token was mailed. Refuses `invalid_token`. */
export async function lockResetOwner(tx: Tx, token: string) {
  const id = (await findResetOwner(tx, token)) ?? refuse('invalid_token')
  // The person is locked before the token, as when a link is issued. The opposite order could deadlock.
  await blockCommandsOf(tx, id)
  const owner = await tx
    .selectFrom('users')
    .select(['id', 'username', 'email', 'isActive', 'emailVouched', 'hasOlderWays'])
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
