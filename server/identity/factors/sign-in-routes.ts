import { sql } from 'kysely'
import { changedIf, unchanged } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { command } from '../../platform/http/endpoint.ts'
import { findSession, lockActive, lockForSignIn } from '../sessions/active-users.ts'
import { readAuthUser, type SignedInBy, versionOf } from '../sessions/queries.ts'
import { AuthUser } from '../sessions/shapes.ts'
import { signIn } from '../sessions/sign-in.ts'
import { tellOfException } from '../settings/exception-notice.ts'
import { mayUsePassword } from '../settings/queries.ts'
import { CHALLENGE_MS, type ChallengeOwner, keepChallenge } from './challenges.ts'
import { mayTrustDevices } from './queries.ts'
import { factorLimit, fingerprintOf, passkeyLimit, pendingLimit } from './rules.ts'
import { ChallengeRequest, PasskeySignIn, RequestOptions, SecondFactor } from './shapes.ts'
import { isOver, PENDING, type PendingSignIn, pendingFor, pendingSignInOf, usePending } from './sign-in-step.ts'
import { checkAssertion, checkFactor, useFactor, usePasskey } from './verify.ts'
import { rpIdOf } from './webauthn.ts'

export const requestPasskey = command('POST /auth/passkeys/options', {
  cookies: 'challenge',
  summary: 'Options with which a browser asks for a passkey',
  description:
    'The challenge is kept in the cookie `portal_challenge`, for five minutes, one purpose and one use; a browser keeps those of five tabs. `confirm` needs a session; `second_factor` and `link` need a sign-in or an identity that waits for the proof.',
  allow: 'anyone',
  body: ChallengeRequest,
  reply: RequestOptions,
  refuses: ['unauthorized', 'invalid_factor'],
  prepare: async ({ db, body: { purpose = 'sign_in' }, request }): Promise<ChallengeOwner> => {
    if (purpose === 'sign_in') return {}
    if (purpose === 'confirm') {
      const { sessionId, userId } = (await findSession(db, request.sessionToken)) ?? refuse('unauthorized')
      return { sessionId, userId }
    }
    const { userId } = pendingFor(request, purpose) ?? refuse('invalid_factor')
    return { userId }
  },
  run: async ({ body: { purpose = 'sign_in' }, prepared: asked, config, request, cookie }) => {
    const challenge = keepChallenge({ request, cookie }, { purpose, ...asked })
    const options = { challenge, rpId: rpIdOf(config), timeout: CHALLENGE_MS, userVerification: 'required' as const, allowCredentials: [] }
    return unchanged({ options })
  },
})

export const signInWithPasskey = command('POST /auth/passkeys/sign-in', {
  sendsEventId: true,
  summary: 'Sign in with a passkey',
  description: 'Whatever is wrong with the passkey or its person, the answer is the same.',
  cookies: 'sign_in',
  allow: 'anyone',
  body: PasskeySignIn,
  reply: AuthUser,
  refuses: ['invalid_factor', 'rate_limited'],
  limits: ({ request }) => [passkeyLimit(request.ip)],
  prepare: (call) => checkAssertion(call, call.body.assertion, { purpose: 'sign_in' }),
  run: async ({ tx, prepared: passkey, ...browser }) => {
    const { id, username } = (await lockActive(tx, passkey.userId)) ?? refuse('invalid_factor')
    const used = await usePasskey(tx, passkey, browser, { id, username })
    const signedIn = await signIn(tx, { id, username }, browser, { level: 2, byPasskey: true })
    const told = await tellOfException(tx, { id, username }, browser)
    return changedIf(await readAuthUser(tx, id), [...signedIn, ...used, ...told])
  },
})

/**
 * Locks the provider. Refuses `invalid_factor` if it is inactive or its settings have changed. Call it first: a command that changes a
 * provider locks it while it waits for running sign-ins.
 */
async function lockUnchangedProvider(tx: Tx, { providerId, version }: SignedInBy) {
  const provider = await tx
    .selectFrom('signInProviders')
    .select(['isActive', 'updatedAt'])
    .where('id', '=', providerId)
    .forKeyShare()
    .executeTakeFirst()
  if (!provider?.isActive || versionOf(provider) !== version) refuse('invalid_factor')
}

/** Whether the provider has ended its session since the first step, or the identity is gone. */
async function isSignInOver(tx: Tx, { providerId, identityId, sid }: SignedInBy, pending: PendingSignIn) {
  const identity = await tx.selectFrom('identities').select('subject').where('id', '=', identityId).executeTakeFirst()
  return !identity || isOver(tx, providerId, { sub: identity.subject, sid }, pending)
}

/** Notes that the identity was used. Refuses `invalid_factor` if it was removed since the first step. */
async function noteIdentityUsed(tx: Tx, userId: number, by: SignedInBy) {
  const { rows } = await sql`
    update identities set last_used_at = now() where id = ${by.identityId} and user_id = ${userId} returning id`.execute(tx)
  return rows.length > 0 ? by : refuse('invalid_factor')
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
  limits({ request }) {
    const pending = pendingSignInOf(request)
    return pending ? [pendingLimit(pending.id), factorLimit(pending.userId, true)] : []
  },
  prepare: async (call) => {
    const { body, request, isSpent } = call
    const pending = pendingSignInOf(request) ?? refuse('invalid_factor')
    // Without SECRETS_KEY, the key of cookies is in the database: a reader of the database could forge a sign-in by the provider.
    if (pending.by && !call.secrets.isConfigured) refuse('secrets_not_configured')
    const factor = await checkFactor(call, body, { purpose: 'second_factor', userId: pending.userId })
    if (isSpent) refuse('invalid_factor')
    return { pending, factor, trusts: body.trustDevice === true && (await mayTrustDevices(call.db)) }
  },
  run: async ({ tx, prepared: { pending, factor, trusts }, ...browser }) => {
    const { by } = pending
    if (by) await lockUnchangedProvider(tx, by)
    if (by && (await isSignInOver(tx, by, pending))) refuse('invalid_factor')
    const { id, username, passwordHash } = (await lockForSignIn(tx, pending.userId)) ?? refuse('invalid_factor')
    // A password reset or deactivation after the first step must win.
    if (fingerprintOf(passwordHash) !== pending.fingerprint) refuse('invalid_factor')
    if (!by && !(await mayUsePassword(tx, id))) refuse('invalid_factor')
    const author = { id, username }
    const used = await useFactor(tx, factor, { userId: id, purpose: 'second_factor' }, browser, author)
    if (!(await usePending(tx, pending))) refuse('invalid_factor')
    const signedIn = await signIn(tx, author, browser, {
      level: 2,
      trusts,
      ...(by && { by: { ...(await noteIdentityUsed(tx, id, by)), idToken: null, secrets: browser.secrets } }),
    })
    const told = by ? [] : await tellOfException(tx, author, browser)
    browser.cookie.clearEncrypted(PENDING)
    return changedIf(await readAuthUser(tx, id), [...signedIn, ...used, ...told])
  },
})
