/**
 * Sign-ins, and links of an account with a provider, that wait for a proof. Each is stored in an encrypted cookie, for ten minutes, and
 * completed once.
 */
import { sql } from 'kysely'
import { newToken } from '../../platform/auth/tokens.ts'
import { isUsedBeyond, useAgain, useOnce } from '../../platform/auth/used-once.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import type { Claimed } from '../sessions/claimed.ts'
import type { SignedInBy } from '../sessions/queries.ts'
import { type Factors, mayTrustDevices, readFactors } from './queries.ts'
import { fingerprintOf } from './rules.ts'

export const PENDING = 'portal_pending'
export const PENDING_SECONDS = 600

/** The fields of a waiting sign-in and of a waiting link. A cookie of the one kind is not accepted as the other. */
export interface Pending {
  for: 'second_factor' | 'link'
  /** Random; each id is used once. */
  id: string
  userId: number
  until: number
}
/** The password was right, or a provider has signed the person in; a second factor is still missing. */
export interface PendingSignIn extends Pending {
  for: 'second_factor'
  /** The fingerprint of the current password: a new password voids the sign-in. */
  fingerprint: string
  /** The provider that has signed the person in, instead of a password. */
  by?: SignedInBy
  /** The provider's claims, which take effect only after the factor; absent if they were too long. */
  claimed?: Claimed
}

interface WithCookies {
  encryptedCookie: (name: string) => unknown
}
export function pendingFor<For extends Pending['for']>({ encryptedCookie }: WithCookies, purpose: For) {
  const pending = encryptedCookie(PENDING) as Pending | undefined
  return pending?.for === purpose ? (pending as Pending & { for: For }) : undefined
}

export const pendingSignInOf = (request: WithCookies) => pendingFor(request, 'second_factor') as PendingSignIn | undefined

/** The ways to complete a sign-in. */
export const methodsOf = ({ canReadTotp, passkeyCount, recoveryCodesLeft }: Factors) => [
  ...(canReadTotp ? ['totp'] : []),
  ...(passkeyCount ? ['passkey'] : []),
  ...(recoveryCodesLeft ? ['recovery_code'] : []),
]

/** The `until` of a sign-in or link that begins to wait now, by the database's clock: `isOver` compares moments of several instances. */
export async function untilFromNow(db: Reads) {
  const { rows } = await sql<{ until: Date }>`select statement_timestamp() + make_interval(secs => ${PENDING_SECONDS}) as until`.execute(db)
  return rows[0]!.until.getTime()
}

/** A sign-in that waits for a factor. `by` is the provider that has signed the person in, instead of a password. */
export const newSignInStep = async (
  db: Reads,
  { id: userId, passwordHash }: { id: number; passwordHash: string | null },
  by?: SignedInBy,
): Promise<PendingSignIn> => ({
  for: 'second_factor',
  id: newToken(),
  userId,
  fingerprint: fingerprintOf(passwordHash),
  until: await untilFromNow(db),
  ...(by && { by }),
})

/** Refuses `second_factor_required` after a right password; the browser then waits for a factor of the person. */
export async function refuseUntilFactor(db: Reads, person: { id: number; passwordHash: string | null }) {
  const pending = await newSignInStep(db, person)
  return refuse('second_factor_required', {
    body: {
      methods: methodsOf(await readFactors(db, person.id)),
      expiresAt: new Date(pending.until),
      mayTrustDevice: await mayTrustDevices(db),
    },
    cookies: { [PENDING]: { value: pending, seconds: PENDING_SECONDS } },
  })
}

/** The identifiers of a session at a provider, as its claims and its logout tokens give them. */
interface AtProvider {
  sub: string | null
  sid: string | null
}
const overText = (providerId: number, { sub, sid }: AtProvider) => `over ${JSON.stringify([providerId, sid, sub])}`

/** Voids the waiting sign-ins and links whose session at the provider has ended, by the rule of `endedBy` in `logout-route.ts`. */
export const endWaiting = async (tx: Tx, providerId: number, logout: AtProvider) =>
  useAgain(tx, overText(providerId, logout), new Date(await untilFromNow(tx)))

/** Whether the provider has ended the session since the sign-in or link began to wait. */
export function isOver(
  db: Reads,
  providerId: number,
  { sub, sid }: { sub: string; sid: string | null },
  { until }: Pick<Pending, 'until'>,
) {
  const logouts: AtProvider[] = [{ sub, sid: null }]
  if (sid !== null) logouts.push({ sub, sid }, { sub: null, sid })
  const texts = logouts.map((one) => overText(providerId, one))
  return isUsedBeyond(db, texts, new Date(until))
}

/** Uses up a waiting sign-in or link. False if it was used before. */
export const usePending = (tx: Tx, { id, until }: Pending) => useOnce(tx, `pending ${id}`, new Date(until))
