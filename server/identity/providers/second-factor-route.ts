/** Completes a sign-in with a second factor. It began with the password, or at a provider that leaves the factor to the portal. */
import { sql } from 'kysely'
import { changedIf } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { command } from '../../platform/http/endpoint.ts'
import { mayTrustDevices } from '../factors/queries.ts'
import { factorLimit, fingerprintOf, pendingLimit } from '../factors/rules.ts'
import { SecondFactor } from '../factors/shapes.ts'
import { isOver, PENDING, type PendingSignIn, pendingSignInOf, usePending } from '../factors/sign-in-step.ts'
import { type CheckedFactor, checkFactor, useFactor } from '../factors/verify.ts'
import { lockActive, lockForSignIn } from '../sessions/active-users.ts'
import type { Claimed } from '../sessions/claimed.ts'
import { readAuthUser, type SignedInBy, versionOf } from '../sessions/queries.ts'
import { AuthUser } from '../sessions/shapes.ts'
import { signIn } from '../sessions/sign-in.ts'
import { tellOfException } from '../settings/exception-notice.ts'
import { mayUsePassword } from '../settings/queries.ts'
import { refreshProfile } from './account-for-claims.ts'
import { moveByClaims, movesByClaims } from './groups-by-claims.ts'
import { addressIn } from './identities.ts'
import { lockProviderForSignIn } from './queries.ts'

/**
 * Locks the provider. Refuses `invalid_factor` if the provider is inactive or its settings have changed. Call it before other locks: a
 * command that changes a provider holds its lock while it waits for running sign-ins.
 */
async function lockUnchangedProvider(tx: Tx, { providerId, version }: SignedInBy) {
  const provider = await lockProviderForSignIn(tx, providerId)
  return provider?.isActive && versionOf(provider) === version ? provider : refuse('invalid_factor')
}

/** Whether the provider has ended its session since the first step, or the identity is gone. */
async function isSignInOver(tx: Tx, { providerId, identityId, sid }: SignedInBy, pending: PendingSignIn) {
  const identity = await tx.selectFrom('identities').select('subject').where('id', '=', identityId).executeTakeFirst()
  return !identity || isOver(tx, providerId, { sub: identity.subject, sid }, pending)
}

/** Notes the use and the address of the identity. Refuses `invalid_factor` if the identity was removed since the first step. */
async function noteIdentityUsed(tx: Tx, userId: number, { identityId }: SignedInBy, claimed?: Claimed) {
  const used = await tx
    .updateTable('identities')
    .set({ lastUsedAt: sql<Date>`now()`, ...(claimed && addressIn(claimed)) })
    .where('id', '=', identityId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  if (used.numUpdatedRows === 0n) refuse('invalid_factor')
}

interface Prepared {
  pending: PendingSignIn
  factor: CheckedFactor
  /** Whether the claims move the person into or out of groups. */
  movesGroups: boolean
  trusts: boolean
}

export const completeSignIn = command('POST /auth/login/second-factor', {
  sendsEventId: true,
  summary: 'Complete a sign-in with a second factor',
  description:
    'For the browser that got `second_factor_required`, once, within 10 minutes. The fifth wrong try ends the sign-in, and so does a new password.',
  cookies: 'sign_in',
  allow: 'anyone',
  body: SecondFactor,
  reply: AuthUser,
  refuses: ['invalid_factor', 'secrets_not_configured', 'rate_limited'],
  locks: { when: ({ prepared }: { prepared: Prepared }) => (prepared.movesGroups ? 'access' : undefined) },
  limits({ request }) {
    const pending = pendingSignInOf(request)
    return pending ? [pendingLimit(pending.id), factorLimit(pending.userId, true)] : []
  },
  prepare: async (call): Promise<Prepared> => {
    const { body, request, isSpent } = call
    const pending = pendingSignInOf(request) ?? refuse('invalid_factor')
    // Without SECRETS_KEY, the key of cookies is in the database: a reader of the database could forge a sign-in by the provider.
    if (pending.by && !call.secrets.isConfigured) refuse('secrets_not_configured')
    const factor = await checkFactor(call, body, { purpose: 'second_factor', userId: pending.userId })
    if (isSpent) refuse('invalid_factor')
    const { by, claimed, userId } = pending
    const moves = by && claimed ? await movesByClaims(call.db, by.providerId, userId, claimed) : { joined: [], left: [] }
    const movesGroups = moves.joined.length + moves.left.length > 0
    return { pending, factor, movesGroups, trusts: body.trustDevice === true && (await mayTrustDevices(call.db)) }
  },
  run: async ({ tx, prepared: { pending, factor, movesGroups, trusts }, ...browser }) => {
    const { by, claimed, userId } = pending
    const provider = by && (await lockUnchangedProvider(tx, by))
    if (by && (await isSignInOver(tx, by, pending))) refuse('invalid_factor')
    // A sign-in at a provider need not lock the settings of sign-in, because they concern passwords only.
    const { id, username, passwordHash } = (await (by ? lockActive : lockForSignIn)(tx, userId)) ?? refuse('invalid_factor')
    // A password reset after the first step voids the sign-in.
    if (fingerprintOf(passwordHash) !== pending.fingerprint) refuse('invalid_factor')
    if (!by && !(await mayUsePassword(tx, id))) refuse('invalid_factor')
    const author = { id, username }
    const used = await useFactor(tx, factor, { userId: id, purpose: 'second_factor' }, browser, author)
    if (!(await usePending(tx, pending))) refuse('invalid_factor')
    const moved = provider && claimed && movesGroups ? await moveByClaims(tx, provider, id, claimed) : []
    if (by) await noteIdentityUsed(tx, id, by, claimed)
    const refreshed = provider && claimed ? await refreshProfile(tx, provider, id, claimed) : []
    const signedIn = await signIn(tx, author, browser, {
      level: 2,
      trusts,
      ...(by && { by: { ...by, idToken: null, secrets: browser.secrets } }),
    })
    const told = by ? [] : await tellOfException(tx, author, browser)
    browser.cookie.clearEncrypted(PENDING)
    return changedIf(await readAuthUser(tx, id), [...moved, ...refreshed, ...signedIn, ...used, ...told])
  },
})
