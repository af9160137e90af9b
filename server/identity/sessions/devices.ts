/** The browsers in which people have signed in. */
import { sql } from 'kysely'
import { hashToken, newToken } from '../../platform/auth/tokens.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'

const MOST_DEVICES = 50
const TRUSTED_DAYS = 30

const isFresh = sql<boolean>`known_at > now() - interval '1 year'`

/** The rows of a person's browser, by the tokens that it sent. */
const devicesOf = (db: Reads, tokens: readonly string[], userId: number) =>
  db.selectFrom('devices').where('userId', '=', userId).where('tokenHash', 'in', tokens.map(hashToken))

/** The hash of the newest of these tokens with which the person has signed in within the last year. */
export const findKnownDevice = async (db: Reads, tokens: readonly string[], userId: number) =>
  tokens.length === 0
    ? undefined
    : (await devicesOf(db, tokens, userId).select('tokenHash').where(isFresh).orderBy('knownAt', 'desc').executeTakeFirst())?.tokenHash

/** Whether one of these tokens marks a trusted browser: the person is not asked for a second factor in it. */
export const isTrustedDevice = async (db: Reads, tokens: readonly string[], userId: number) =>
  tokens.length > 0 &&
  (await devicesOf(db, tokens, userId)
    .select('userId')
    .where(sql<boolean>`trusted_until > now() and (select trust_devices from sign_in_settings)`)
    .executeTakeFirst()) !== undefined

/** Ends the trust in all browsers of a person: each asks for the second factor again. */
export const distrustDevices = (tx: Tx, userId: number) =>
  tx.updateTable('devices').set({ trustedUntil: null }).where('userId', '=', userId).where('trustedUntil', 'is not', null).execute()

/**
 * Makes a browser known to a person and returns its new token. The new token replaces those that the browser sent, also for other people
 * who have signed in with them. A person has at most 50 browsers: the least recently used one is forgotten. With `trusts`, the trust in the
 * browser begins anew; without it, an earlier trust keeps its end.
 */
export async function knowDevice(tx: Tx, userId: number, sent: readonly string[], trusts = false) {
  const token = newToken()
  const [before, after] = [sent.map(hashToken), hashToken(token)]
  await sql`
    with kept as (
        select distinct on (user_id) token_hash, user_id from devices where token_hash = any(${before}) and user_id <> ${userId}
        order by user_id, known_at desc),
      others as (update devices set token_hash = ${after} where (token_hash, user_id) in (select token_hash, user_id from kept)),
      void as (delete from devices where token_hash = any(${before}) and user_id <> ${userId}
        and (token_hash, user_id) not in (select token_hash, user_id from kept)),
      own as (delete from devices where user_id = ${userId} and (token_hash = any(${before}) or token_hash in (
        select token_hash from devices where user_id = ${userId} and token_hash <> all(${before})
        order by known_at desc offset ${MOST_DEVICES - 1})))
    insert into devices (token_hash, user_id, trusted_until) values (${after}, ${userId}, case when ${trusts}
      then now() + make_interval(days => ${TRUSTED_DAYS})
      else (select max(trusted_until) from devices where token_hash = any(${before}) and user_id = ${userId}) end)`.execute(tx)
  return token
}

/** Forgets all browsers of a person. Returns how many of them were trusted. */
export async function removeDevices(tx: Tx, userId: number) {
  const removed = await tx
    .deleteFrom('devices')
    .where('userId', '=', userId)
    .returning(sql<boolean>`coalesce(trusted_until > now(), false)`.as('isTrusted'))
    .execute()
  return removed.filter(({ isTrusted }) => isTrusted).length
}

export const tokenHashesOf = async (tx: Tx, userId: number) =>
  (await tx.selectFrom('devices').select('tokenHash').where('userId', '=', userId).execute()).map(({ tokenHash }) => tokenHash)
