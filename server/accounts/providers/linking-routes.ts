import { factorColumns, readFactors } from '../../factors/queries.ts'
import { factorLimit } from '../../factors/rules.ts'
import { type Change, changedIf } from '../../platform/changes/outcome.ts'
import type { Reads } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { command } from '../../platform/http/endpoint.ts'
import { blockCommandsOf, setFields } from '../../users/queries.ts'
import { clearUnproven } from '../clearing.ts'
import { signInLimits } from '../limits.ts'
import { methodsOf, PENDING, usePending } from '../pending.ts'
import { type CheckedFactor, checkFactor, useFactor } from '../proving.ts'
import { endSessions, readAuthUser, versionOf, voidLinksOf } from '../queries.ts'
import { AuthUser } from '../shapes.ts'
import { signInBy } from './completing.ts'
import { identityLinked, linkIdentity, vouchesFor } from './finding.ts'
import { movesByClaims } from './groups-from-claims.ts'
import { type PendingLink, pendingLinkOf } from './pending.ts'
import { findKnown, holdProvider, type Known } from './queries.ts'
import { AccountProof } from './shapes.ts'

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

/** The provider of a pending link, if it is active and nothing of it has changed. */
const ofLink = ({ version }: PendingLink, provider: Known | undefined) =>
  provider?.isActive && versionOf(provider) === version ? provider : refuse('invalid_credentials')

/** The cookie stays: the same link waits for a factor, too. */
async function refuseWithoutFactor(db: Reads, { userId, until }: PendingLink) {
  const methods = methodsOf(await readFactors(db, userId))
  return refuse('second_factor_required', { body: { methods, expiresAt: new Date(until) } })
}

export const proveAccount = command('POST /auth/oidc/pending/link', {
  sendsEventId: true,
  summary: 'Prove that an account is one’s own, connect it with the provider, and sign in',
  description:
    'For the browser that a provider’s callback led to `/sign-in/connect`, once, within 10 minutes: by the password, with a code or a recovery code for somebody who has one-time codes, or by a passkey. Tries count as those of signing in.',
  cookies: 'sign_in',
  allow: 'anyone',
  body: AccountProof,
  reply: AuthUser,
  refuses: ['invalid_credentials', 'invalid_factor', 'second_factor_required', 'identity_taken', 'secrets_not_configured', 'rate_limited'],
  locks: { when: ({ prepared }: { prepared: Proven }) => (prepared.movesGroups ? 'access' : undefined) },
  limits: async ({ db, request, secrets }) => {
    // The key of other cookies is in the database, whose reader could make up what the provider said.
    if (!secrets.isConfigured) refuse('secrets_not_configured')
    const pending = pendingLinkOf(request)
    const account = pending && (await findAccount(db, pending.userId))
    return [...(await signInLimits(db, account?.username ?? '', request)), ...(account ? [factorLimit(account.id)] : [])]
  },
  prepare: async (call): Promise<Proven> => {
    const { db, passwords, request, isSpent } = call
    const { password, ...given } = call.body
    const pending = pendingLinkOf(request)
    const account = pending && (await findAccount(db, pending.userId))
    const opening = { purpose: 'link', userId: pending?.userId ?? 0 } as const
    const isRight = password !== undefined && (await passwords.isRight(password, isSpent ? undefined : account?.passwordHash))
    if (!pending || !account || (password !== undefined && !isRight)) return refuse('invalid_credentials')
    const hasFactor = Object.keys(given).length > 0
    const { secondFactor } = ofLink(pending, await findKnown(db, pending.provider))
    const needsFactor = account.needsFactor || (account.hasFactor && secondFactor === 'own')
    if (password !== undefined && needsFactor && !hasFactor) await refuseWithoutFactor(db, pending)
    // A code alone would let its thief in without the password.
    if (password === undefined && given.assertion === undefined) return refuse('invalid_credentials')
    const factor = hasFactor ? await checkFactor(call, given, opening, 'password') : null
    const { joined, left } = await movesByClaims(db, pending.provider, account.id, pending.claimed.groups)
    return { pending, passwordHash: account.passwordHash, factor, movesGroups: joined.length + left.length > 0 }
  },
  run: async ({ tx, prepared: { pending, passwordHash, factor, movesGroups }, ...browser }) => {
    const { claimed, userId } = pending
    // What they are adding to the account at this moment must not survive the proof.
    await blockCommandsOf(tx, userId)
    const provider = ofLink(pending, await holdProvider(tx, pending.provider))
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
    const used = factor ? await useFactor(tx, factor, { userId, purpose: 'link' }, browser, person) : []
    if (!(await usePending(tx, pending))) refuse('invalid_credentials')
    const cleared = await clearUnproven(tx, userId, browser.config, person)
    if (cleared) await voidLinksOf(tx, [userId])
    const sessionIds = cleared ? await endSessions(tx, userId) : []
    if (cleared && vouchesFor(provider, claimed)) await setFields(tx, userId, { isProven: true })
    if (!(await linkIdentity(tx, provider.id, userId, claimed))) refuse('identity_taken')
    const proof = factor ? 'factor' : 'password'
    const { changes } = await signInBy(tx, person, { provider, claimed, movesGroups, idToken: null, proof }, browser)
    browser.cookie.clearEncrypted(PENDING)
    const linked = await identityLinked(tx, person, provider, browser.config)
    const ended: Change = { kind: 'session.ended', targetId: userId, facts: { reason: 'revoked', sessionIds }, author: person }
    return changedIf(await readAuthUser(tx, userId), [...(cleared ? [...cleared, ended] : []), linked, ...changes, ...used])
  },
})
