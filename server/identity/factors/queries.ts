import { type Expression, sql } from 'kysely'
import type { Reads, Tx } from '../../platform/database/db.ts'
import type { FactorKind } from './rules.ts'

const hasTotp = sql<boolean>`exists (select from totp where user_id = users.id and proven_at is not null)`
const hasPasskey = sql<boolean>`exists (select from passkeys where user_id = users.id)`
/** Columns for a select from `users`: whether a person has a factor, and whether they must show one after their password. */
export const factorColumns = [
  sql<boolean>`${hasTotp} or ${hasPasskey}`.as('hasFactor'),
  sql<boolean>`${hasTotp} or is_exception and ${hasPasskey}`.as('needsFactor'),
] as const

export async function readFactors(db: Reads, userId: number) {
  const { rows } = await sql<{ totpSince: Date | null; canReadTotp: boolean; passkeyCount: number; recoveryCodesLeft: number }>`
    select
      (select proven_at from totp where user_id = ${userId}) as totp_since,
      exists (select from totp where user_id = ${userId} and proven_at is not null and secret is not null) as can_read_totp,
      (select count(*) from passkeys where user_id = ${userId}) as passkey_count,
      (select count(*) from recovery_codes where user_id = ${userId} and used_at is null) as recovery_codes_left`.execute(db)
  return rows[0]!
}
export type Factors = Awaited<ReturnType<typeof readFactors>>

export const hasFactor = ({ totpSince, passkeyCount }: Pick<Factors, 'totpSince' | 'passkeyCount'>) =>
  totpSince !== null || passkeyCount > 0

const passkeyColumns = ['id', 'name', 'createdAt', 'lastUsedAt', 'isSynced', 'transports'] as const

export const listPasskeys = (db: Reads, userId: number) =>
  db.selectFrom('passkeys').select(passkeyColumns).where('userId', '=', userId).orderBy('id').execute()

/** For `excludeCredentials`: the browser does not offer these passkeys again. */
export const listCredentials = async (db: Reads, userId: number) =>
  (await db.selectFrom('passkeys').select(['credentialId', 'transports']).where('userId', '=', userId).orderBy('id').execute()).map(
    ({ credentialId, transports }) => ({ id: credentialId.toString('base64url'), type: 'public-key' as const, transports }),
  )

/** The data of a person that a new passkey contains. */
export const readPasskeyOwner = (db: Reads, userId: number) =>
  db.selectFrom('users').select(['handle', 'username', 'displayNameAr', 'displayNameEn']).where('id', '=', userId).executeTakeFirstOrThrow()

const maySignIn =
  sql<boolean>`(select is_exception from users where id = passkeys.user_id) or (select passkeys from sign_in_settings) = 'everyone'`.as(
    'maySignIn',
  )

/** A passkey with the state of its owner. */
export const findPasskey = (db: Reads, credentialId: Buffer) =>
  db
    .selectFrom('passkeys')
    .innerJoin('users', 'users.id', 'passkeys.userId')
    .select(['passkeys.id', 'passkeys.userId', 'passkeys.publicKey', 'users.handle', 'users.isActive'])
    .select(maySignIn)
    .where('passkeys.credentialId', '=', credentialId)
    .executeTakeFirst()

export interface NewPasskey {
  name: string
  credentialId: Buffer
  publicKey: Buffer
  counter: number
  transports: string[]
  maySync: boolean
  isSynced: boolean
}
/** Stores a passkey; undefined if the credential exists already. */
export const addPasskey = (tx: Tx, userId: number, passkey: NewPasskey) =>
  tx
    .insertInto('passkeys')
    .values({ userId, ...passkey })
    .onConflict((conflict) => conflict.column('credentialId').doNothing())
    .returning(passkeyColumns)
    .executeTakeFirst()

const ofPerson = (tx: Tx, userId: number, id: number) =>
  tx.selectFrom('passkeys').select(passkeyColumns).where('userId', '=', userId).where('id', '=', id)

/** Locks a passkey of this person; undefined if they have no such passkey. */
export const lockPasskey = (tx: Tx, userId: number, id: number) =>
  ofPerson(tx, userId, id).select(['counter', maySignIn]).forUpdate().executeTakeFirst()

export const setPasskey = (
  tx: Tx,
  id: number,
  fields: { name: string } | { counter: number; maySync: boolean; isSynced: boolean; lastUsedAt: Expression<Date> },
) => tx.updateTable('passkeys').set(fields).where('id', '=', id).returning(passkeyColumns).executeTakeFirstOrThrow()

/** Stores a secret that no code has proven yet, in place of an earlier one. */
export async function keepUnproven(tx: Tx, userId: number, secret: Buffer) {
  const fresh = { secret, lastStep: null, provenAt: null, createdAt: sql<Date>`now()` }
  await tx
    .insertInto('totp')
    .values({ userId, ...fresh })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(fresh))
    .execute()
}

const UNPROVEN = sql`interval '10 minutes'`

/** Locks the TOTP of a person: the one in use, or the unproven one if it has not expired. */
export const lockTotp = (tx: Tx, userId: number, isProven: boolean) =>
  tx
    .selectFrom('totp')
    .select(['secret', 'lastStep'])
    .where('userId', '=', userId)
    .where('provenAt', isProven ? 'is not' : 'is', null)
    .$if(!isProven, (totp) => totp.where(sql<boolean>`created_at > now() - ${UNPROVEN}`))
    .forUpdate()
    .executeTakeFirst()

/** Stores the time step of a code that was used. The first used code proves the secret. */
export const useStep = (tx: Tx, userId: number, lastStep: number) =>
  tx.updateTable('totp').set({ lastStep, provenAt: sql<Date>`coalesce(proven_at, now())` }).where('userId', '=', userId).execute()

/** Deletes up to `most` secrets that no code has proven in time. Returns the ids of their owners. */
export const removeUnproven = async (tx: Tx, most: number) =>
  (
    await tx
      .deleteFrom('totp')
      .where('provenAt', 'is', null)
      .where(sql<boolean>`created_at <= now() - ${UNPROVEN}`)
      .where(sql<boolean>`user_id = any(array(
        select user_id from totp where proven_at is null and created_at <= now() - ${UNPROVEN} order by created_at limit ${most}))`)
      .returning('userId')
      .execute()
  ).map(({ userId }) => userId)

/**
 * Removes factors of a person: all, all of a kind, or one passkey. Returns the removed ones. A TOTP secret that no code has proven is no
 * factor, and stays.
 */
export async function removeFactors(tx: Tx, userId: number, { kind, passkeyId }: { kind?: FactorKind; passkeyId?: number } = {}) {
  const removed: { factor: FactorKind; name?: string }[] = []
  if (kind !== 'totp') {
    const passkeys = tx.deleteFrom('passkeys').where('userId', '=', userId).returning('name')
    const gone = await passkeys.$if(passkeyId !== undefined, (some) => some.where('id', '=', passkeyId!)).execute()
    removed.push(...gone.map(({ name }) => ({ factor: 'passkey' as const, name })))
  }
  if (kind !== 'passkey') {
    const totp = await tx.deleteFrom('totp').where('userId', '=', userId).where('provenAt', 'is not', null).executeTakeFirst()
    if (totp.numDeletedRows) removed.push({ factor: 'totp' })
  }
  return removed
}

/** Removes all factors and recovery codes of a person, also an unproven TOTP secret. */
export async function clearFactors(tx: Tx, userId: number) {
  const factors = await removeFactors(tx, userId)
  await tx.deleteFrom('totp').where('userId', '=', userId).execute()
  const codes = await tx.deleteFrom('recoveryCodes').where('userId', '=', userId).executeTakeFirstOrThrow()
  return { factors, recoveryCodes: Number(codes.numDeletedRows) }
}

export async function replaceRecoveryCodes(tx: Tx, userId: number, hashes: string[]) {
  await tx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute()
  if (hashes.length)
    await tx
      .insertInto('recoveryCodes')
      .values(hashes.map((hash) => ({ userId, hash })))
      .execute()
}

/** Uses up a recovery code. False if there is no such code, or it was used before. */
export const useRecoveryCode = async (tx: Tx, userId: number, hash: string) =>
  (
    await tx
      .updateTable('recoveryCodes')
      .set({ usedAt: sql<Date>`now()` })
      .where('userId', '=', userId)
      .where('hash', '=', hash)
      .where('usedAt', 'is', null)
      .executeTakeFirst()
  ).numUpdatedRows === 1n

/** Whether the person has this recovery code, used or not. */
export const isRecoveryCode = async (db: Reads, userId: number, hash: string) =>
  (await db.selectFrom('recoveryCodes').select('hash').where('userId', '=', userId).where('hash', '=', hash).executeTakeFirst()) !==
  undefined

/** Whether people may mark browsers as trusted. A trusted browser skips the second factor for a while. */
export const mayTrustDevices = async (db: Reads) =>
  (await db.selectFrom('signInSettings').select('trustDevices').executeTakeFirstOrThrow()).trustDevices

/** Lowers all sessions of a person to one factor. */
export const lowerSessions = (tx: Tx, userId: number) =>
  tx.updateTable('sessions').set({ level: 1 }).where('userId', '=', userId).where('level', '=', 2).where('endedAt', 'is', null).execute()

/** Raises a session to two factors. */
export const raiseSession = (tx: Tx, sessionId: number) =>
  tx.updateTable('sessions').set({ level: 2 }).where('id', '=', sessionId).execute()
