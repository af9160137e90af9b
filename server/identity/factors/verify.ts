/** Verifies a factor in two steps: checks it, then uses it up in the transaction of the command. */
import { sql } from 'kysely'
import type { Author } from '../../platform/changes/change-kind.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Config } from '../../platform/config.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { type RefusalExtras, refuse, refuseField } from '../../platform/errors/refusal.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { type Challenge, type ChallengeOwner, challengeFor, useChallenge } from './challenges.ts'
import { findPasskey, isRecoveryCode, lockPasskey, lockTotp, readFactors, setPasskey, useRecoveryCode, useStep } from './queries.ts'
import { hashRecoveryCode, type Purpose } from './rules.ts'
import type { Assertion, Factor } from './shapes.ts'
import { isUsedAgain, readSecret, stepOf } from './totp.ts'
import { verifyAssertion } from './webauthn.ts'

/** The purpose of a factor, and the session or person it must belong to, if already known. */
export interface Opening extends ChallengeOwner {
  purpose: Purpose
}

interface Checking {
  db: Reads
  config: Config
  request: { encryptedCookie: (name: string) => unknown }
}
export interface CheckedPasskey {
  id: number
  userId: number
  challenge: Challenge
  counter: number
  maySync: boolean
  isSynced: boolean
}
export type CheckedFactor = { code: string } | { recoveryCode: string } | { passkey: CheckedPasskey }

/** Refuses with 400 for signed-in callers: 401 would mean that their session is over. */
const refuseFactor = ({ purpose }: Pick<Opening, 'purpose'>, extras: RefusalExtras = {}) =>
  refuse('invalid_factor', { ...(purpose === 'confirm' && { status: 400 }), ...extras })

/**
 * Checks the assertion of a passkey for a purpose, and returns the passkey with its owner. Refuses `invalid_factor`: at once if the browser
 * has no such challenge, otherwise with the same reply after the same time for every cause. `usePasskey` must follow in the transaction.
 */
export async function checkAssertion({ db, config, request }: Checking, assertion: Assertion, opening: Opening): Promise<CheckedPasskey> {
  const { purpose, sessionId, userId } = opening
  const challenge = challengeFor(request, purpose, { sessionId, userId }, assertion) ?? refuseFactor(opening)
  const passkey = await findPasskey(db, Buffer.from(assertion.rawId, 'base64url'))
  const told = await verifyAssertion(assertion, passkey?.publicKey, config, challenge.challenge)
  const isOwn =
    passkey?.isActive &&
    (purpose !== 'sign_in' || passkey.maySignIn) &&
    passkey.handle?.toString('base64url') === assertion.response.userHandle
  if (!told || !isOwn || (userId !== undefined && passkey.userId !== userId)) return refuseFactor(opening)
  return { id: passkey.id, userId: passkey.userId, challenge, ...told }
}

interface Using {
  request: Checking['request']
  cookie: Parameters<typeof useChallenge>[2]['cookie']
  secrets: Secrets
}

/**
 * Uses up a passkey that was checked. Refuses `invalid_factor`. The caller must have locked the person; to sign in, by `lockForSignIn`.
 */
export async function usePasskey(
  tx: Tx,
  passkey: CheckedPasskey,
  browser: Pick<Using, 'request' | 'cookie'>,
  author?: Author,
): Promise<Change[]> {
  const { id, userId, challenge, counter, maySync, isSynced } = passkey
  const opening = { purpose: challenge.purpose as Purpose }
  const stored = (await lockPasskey(tx, userId, id)) ?? refuseFactor(opening)
  if (opening.purpose === 'sign_in' && !stored.maySignIn) refuseFactor(opening)
  if (!(await useChallenge(tx, challenge, browser))) refuseFactor(opening, { isUncounted: true })
  // A counter that does not grow means a copied passkey. Passkeys without a counter always send 0.
  if ((stored.counter > 0 || counter > 0) && counter <= stored.counter)
    refuseFactor(opening, { logged: { event: 'passkey_cloned', user: userId } })
  const used = { counter: Math.max(stored.counter, counter), maySync, isSynced, lastUsedAt: sql<Date>`now()` }
  await setPasskey(tx, id, used)
  return [{ kind: 'factor.used', targetId: userId, facts: { factor: 'passkey' }, ...(author && { author }) }]
}

/**
 * Checks the factor as far as possible without a transaction. Refuses `invalid_factor`, and `validation_failed` unless exactly one is given; `others`
 * are the fields that could have been sent instead.
 */
export async function checkFactor(
  call: Checking,
  factor: Factor,
  opening: Opening & { userId: number },
  ...others: string[]
): Promise<CheckedFactor> {
  const given = (['code', 'recoveryCode', 'assertion'] as const).filter((way) => factor[way] !== undefined)
  if (given.length === 0) refuseField('code', 'required', { unless: ['recoveryCode', 'assertion', ...others] })
  if (given.length > 1) refuseField(given[0]!, 'exclusive', { fields: given.slice(1) })
  if (factor.assertion) return { passkey: await checkAssertion(call, factor.assertion, opening) }
  return factor.code === undefined ? { recoveryCode: factor.recoveryCode! } : { code: factor.code }
}

/** Uses up a factor that was checked. Refuses `invalid_factor`. The caller must have locked the person. */
export async function useFactor(
  tx: Tx,
  factor: CheckedFactor,
  { userId, purpose }: { userId: number; purpose: Purpose },
  using: Using,
  author?: Author,
): Promise<Change[]> {
  if ('passkey' in factor) return usePasskey(tx, factor.passkey, using, author)
  const by = { targetId: userId, ...(author && { author }) }
  if ('recoveryCode' in factor) {
    const hash = hashRecoveryCode(factor.recoveryCode)
    if (!(await useRecoveryCode(tx, userId, hash)))
      refuseFactor({ purpose }, (await isRecoveryCode(tx, userId, hash)) ? { isUncounted: true } : {})
    const left = (await readFactors(tx, userId)).recoveryCodesLeft
    return [{ kind: 'recovery_code.used', facts: { left }, ...by }]
  }
  const totp = await lockTotp(tx, userId, true)
  const secret = totp?.secret ? readSecret(using.secrets, userId, totp.secret) : undefined
  if (!totp || secret === undefined) return refuseFactor({ purpose })
  const step = await stepOf(secret, factor.code, totp.lastStep)
  if (step === undefined)
    return refuseFactor({ purpose }, (await isUsedAgain(secret, factor.code, totp.lastStep)) ? { isUncounted: true } : {})
  await useStep(tx, userId, step)
  return [{ kind: 'factor.used', facts: { factor: 'totp' }, ...by }]
}
