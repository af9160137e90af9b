import { Type } from 'typebox'
import { blockCommandsOf, checkUserExists, lockPerson, setFields, voidLinksOf } from '../../people/users/queries.ts'
import { type Change, changedIf } from '../../platform/changes/outcome.ts'
import type { Reads } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { IdParams, Nothing } from '../../platform/http/shape.ts'
import { factorColumns, hasFactor, readFactors } from '../factors/queries.ts'
import { factorLimit, passkeyLimit } from '../factors/rules.ts'
import { isOver, methodsOf, PENDING, usePending } from '../factors/sign-in-step.ts'
import { type CheckedFactor, checkFactor, useFactor } from '../factors/verify.ts'
import { clearUnproven } from '../passwords/first-proof.ts'
import { signInLimits } from '../passwords/limits.ts'
import { endSessions, readAuthUser, versionOf } from '../sessions/queries.ts'
import { AuthUser } from '../sessions/shapes.ts'
import { vouchesFor } from './account-for-claims.ts'
import { movesByClaims } from './groups-by-claims.ts'
import { findByIdentity, identityLinked, linkIdentity, listIdentities, unlink } from './identities.ts'
import { findProvider, lockProviderForSignIn, type StoredProvider } from './queries.ts'
import { AccountProof, Identity, IdentityParams, OwnIdentity } from './shapes.ts'
import { type PendingLink, pendingLinkOf, signInBy } from './sign-in.ts'

interface Proven {
  pending: PendingLink
  passwordHash: string | null
  factor: CheckedFactor | null
  movesGroups: boolean
}

/** The account that waits for its proof; undefined if it is gone or inactive. */
const findAccount = (db: Reads, id: number) =>
  db
    .selectFrom('users')
    .select(['id', 'username', 'passwordHash'])
    .select(factorColumns)
    .where('id', '=', id)
    .where('isActive', '=', true)
    .where('kind', '=', 'person')
    .executeTakeFirst()

/** The provider of a pending link. Refuses `invalid_credentials` unless it is active and unchanged. */
const unchangedSince = ({ version }: PendingLink, provider: StoredProvider | undefined) =>
  provider?.isActive && versionOf(provider) === version ? provider : refuse('invalid_credentials')

/** The cookie stays, because the same link then waits for a factor. */
async function refuseWithoutFactor(db: Reads, { userId, until }: PendingLink) {
  const methods = methodsOf(await readFactors(db, userId))
  return refuse('second_factor_required', { body: { methods, expiresAt: new Date(until) } })
}

export const proveAccount = command('POST /auth/oidc/pending/link', {
  sendsEventId: true,
  summary: 'Prove that an account is one’s own, connect it with the provider, and sign in',
  description:
    'For the browser that a provider’s callback led to `/sign-in/connect`, once, within 10 minutes: by a passkey, or by the password, with a factor besides for somebody who has one. Tries count as those of signing in.',
  cookies: 'sign_in',
  allow: 'anyone',
  body: AccountProof,
  reply: AuthUser,
  refuses: ['invalid_credentials', 'invalid_factor', 'second_factor_required', 'identity_taken', 'secrets_not_configured', 'rate_limited'],
  locks: { when: ({ prepared }: { prepared: Proven }) => (prepared.movesGroups ? 'access' : undefined) },
  limits: async ({ db, body, request, secrets }) => {
    // Without SECRETS_KEY, the key of cookies is in the database: a reader of the database could forge the provider's claims.
    if (!secrets.isConfigured) refuse('secrets_not_configured')
    const pending = pendingLinkOf(request)
    const account = pending && (await findAccount(db, pending.userId))
    // A stranger without the password must not use up the tries of the account’s owner.
    const ofFactor = body.password === undefined ? [passkeyLimit(request.ip)] : account ? [factorLimit(account.id)] : []
    return [...(await signInLimits(db, account?.username ?? '', request)), ...ofFactor]
  },
  prepare: async (call): Promise<Proven> => {
    const { db, passwords, request, isSpent } = call
    const { password, ...given } = call.body
    const pending = pendingLinkOf(request)
    const account = pending && (await findAccount(db, pending.userId))
    const opening = { purpose: 'link', userId: pending?.userId ?? 0 } as const
    const isRight = password !== undefined && (await passwords.isRight(password, isSpent ? undefined : account?.passwordHash))
    if (!pending || !account || (password !== undefined && !isRight)) return refuse('invalid_credentials')
    const showsFactor = Object.keys(given).length > 0
    unchangedSince(pending, await findProvider(db, pending.provider))
    // Unlike a sign-in, a proof asks for a factor even if the person has only passkeys: the link that it makes lasts, and it confirms the
    // session.
    if (password !== undefined && account.hasFactor && !showsFactor) await refuseWithoutFactor(db, pending)
    // A code alone would let its thief in without the password.
    if (password === undefined && given.assertion === undefined) return refuse('invalid_credentials')
    const factor = showsFactor ? await checkFactor(call, given, opening, 'password') : null
    const { joined, left } = await movesByClaims(db, pending.provider, account.id, pending.claimed)
    return { pending, passwordHash: account.passwordHash, factor, movesGroups: joined.length + left.length > 0 }
  },
  run: async ({ tx, prepared: { pending, passwordHash, factor, movesGroups }, ...browser }) => {
    const { claimed, userId } = pending
    // Factors and tokens that are being added at this moment must not survive the proof.
    await blockCommandsOf(tx, userId)
    const provider = unchangedSince(pending, await lockProviderForSignIn(tx, pending.provider))
    // A password reset or deactivation after the check must win.
    const person = await tx
      .selectFrom('users')
      .select(['id', 'username'])
      .where('id', '=', userId)
      .where('passwordHash', 'is not distinct from', passwordHash)
      .where('isActive', '=', true)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!person) return refuse('invalid_credentials')
    // A factor may have been added since.
    if (!factor && hasFactor(await readFactors(tx, userId))) await refuseWithoutFactor(tx, pending)
    const used = factor ? await useFactor(tx, factor, { userId, purpose: 'link' }, browser, person) : []
    const session = { sub: claimed.subject, sid: claimed.sid }
    if ((await isOver(tx, provider.id, session, pending)) || !(await usePending(tx, pending))) refuse('invalid_credentials')
    const cleared = await clearUnproven(tx, userId, person)
    if (cleared) await voidLinksOf(tx, [userId])
    const sessionIds = cleared ? await endSessions(tx, userId) : []
    if (cleared && vouchesFor(provider, claimed)) await setFields(tx, userId, { isProven: true })
    const isNew = await linkIdentity(tx, provider.id, userId, claimed)
    // Another tab of the same person may have linked it.
    if (!isNew && (await findByIdentity(tx, provider.id, claimed.subject))?.userId !== userId) refuse('identity_taken')
    // A factor does not count if the first proof has just removed it.
    const proof = factor && !cleared ? 'factor' : 'password'
    const { changes } = await signInBy(tx, { ...person, passwordHash }, { provider, claimed, movesGroups, idToken: null, proof }, browser)
    browser.cookie.clearEncrypted(PENDING)
    const linked = isNew ? [identityLinked(person, provider)] : []
    const ended: Change = { kind: 'session.ended', targetId: userId, facts: { reason: 'revoked', sessionIds }, author: person }
    return changedIf(await readAuthUser(tx, userId), [...(cleared ? [...cleared, ended] : []), ...linked, ...changes, ...used])
  },
})

export const listMyIdentities = query('GET /auth/me/identities', {
  summary: 'The providers that the caller’s account is connected with',
  allow: 'signed-in',
  reply: Type.Array(OwnIdentity),
  run: ({ db, actor }) => listIdentities(db, actor.id),
})

export const listUserIdentities = query('GET /users/:id/identities', {
  summary: 'The providers that a person’s account is connected with',
  allow: 'admin',
  scope: 'admin:read',
  params: IdParams,
  reply: Type.Array(Identity),
  refuses: ['not_found'],
  run: async ({ db, params: { id } }) => {
    await checkUserExists(db, id)
    return listIdentities(db, id)
  },
})

export const unlinkMyIdentity = command('DELETE /auth/me/identities/:id', {
  summary: 'Disconnect the caller’s account from a provider',
  description: 'Sessions that began there go on.',
  allow: 'signed-in',
  confirm: 'person',
  locks: 'caller',
  params: IdParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found', 'last_sign_in_method'],
  run: async ({ tx, actor, params: { id } }) => {
    await lockPerson(tx, actor.id)
    return unlink(tx, actor.id, id)
  },
})

export const unlinkUserIdentity = command('DELETE /users/:id/identities/:identityId', {
  summary: 'Disconnect a person’s account from a provider',
  description: 'Sessions that began there go on.',
  allow: 'admin',
  confirm: 'person',
  locks: 'caller',
  params: IdentityParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found', 'last_sign_in_method'],
  run: async ({ tx, params: { id, identityId } }) => {
    await lockPerson(tx, id)
    return unlink(tx, id, identityId)
  },
})
