/**
 * Continues a sign-in by a provider: with a session, with a factor of the portal’s own, or with a proof that the account belongs to the
 * person.
 */
import { newToken } from '../../platform/auth/tokens.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { fail } from '../../platform/oidc/failures.ts'
import type { Providers } from '../../platform/oidc/providers.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { hasFactor, readFactors } from '../factors/queries.ts'
import { newSignInStep, PENDING, PENDING_SECONDS, type Pending, pendingFor, untilFromNow } from '../factors/sign-in-step.ts'
import type { Claimed } from '../sessions/claimed.ts'
import { versionOf } from '../sessions/queries.ts'
import { type Browser, signIn } from '../sessions/sign-in.ts'
import { refreshProfile } from './account-for-claims.ts'
import { groupsOfClaim, moveByClaims } from './groups-by-claims.ts'
import { readIdentityId, useIdentity } from './identities.ts'
import type { StoredProvider } from './queries.ts'

export const levelOf = ({ secondFactor }: StoredProvider, { isStrong }: Claimed) => (secondFactor !== 'own' && isStrong ? 2 : 1)

interface Keeping {
  /** Sets encrypted cookies. Returns false for a value that is too long. */
  cookie: { setEncrypted(name: string, value: unknown, seconds: number): boolean }
  providers: Pick<Providers, 'count'>
}

interface SignInByProvider {
  provider: StoredProvider
  claimed: Claimed
  /**
   * Whether the check before the transaction found groups that the person joins or leaves by the claims. Only then may the command change
   * access.
   */
  movesGroups: boolean
  idToken: string | null
  /** The proof that the person has just given to the portal itself. */
  proof?: 'password' | 'factor'
}

/**
 * Moves a person into and out of groups, and signs them in by their identity. If they must still show a factor of the portal’s own, the
 * sign-in waits for it instead, and changes nothing (`isWaiting`). The caller must have locked the person.
 */
export async function signInBy(
  tx: Tx,
  person: { id: number; username: string; passwordHash: string | null },
  { provider, claimed, movesGroups, idToken, proof }: SignInByProvider,
  browser: Browser & Keeping & { secrets: Secrets },
): Promise<{ changes: Change[]; isWaiting: boolean }> {
  const level = proof === 'factor' ? 2 : levelOf(provider, claimed)
  const lacksFactor = level === 1 && hasFactor(await readFactors(tx, person.id))
  const byIdentity = { providerId: provider.id, sid: claimed.sid, hours: provider.sessionHours, version: versionOf(provider) }
  if (lacksFactor && provider.secondFactor === 'own' && !proof) {
    const by = { ...byIdentity, identityId: await readIdentityId(tx, provider.id, claimed) }
    const step = await newSignInStep(tx, person, by)
    if (!(await keepClaims(tx, browser, provider, { ...step, claimed }))) browser.cookie.setEncrypted(PENDING, step, PENDING_SECONDS)
    return { changes: [], isWaiting: true }
  }
  const moved = movesGroups ? await moveByClaims(tx, provider, person.id, claimed) : []
  const by = { ...byIdentity, identityId: await useIdentity(tx, provider.id, claimed) }
  // `refreshProfile` may void a reset link, so it comes after the identities: docs/lock-order.md. The owner of the address can reset the
  // password and, while the account is unproven, thereby remove its factors. So a sign-in that lacks a factor does not change the address.
  const profile = await refreshProfile(tx, provider, person.id, lacksFactor ? { ...claimed, email: null } : claimed)
  const keptToken = provider.logout === 'provider' && provider.logoutHint === 'id_token' ? idToken : null
  const signedIn = await signIn(tx, person, browser, {
    level,
    confirms: claimed.isFresh || proof !== undefined,
    by: { ...by, idToken: keptToken, secrets: browser.secrets },
  })
  return { changes: [...profile, ...moved, ...signedIn], isWaiting: false }
}

/**
 * Stores a waiting sign-in or link in a cookie, with its claims. If they do not fit, it drops the groups, and the person’s groups stay as
 * they are. Returns false if the other claims do not fit either.
 */
async function keepClaims(tx: Tx, { cookie, providers }: Keeping, { id }: StoredProvider, pending: Pending & { claimed: Claimed }) {
  const groups = await groupsOfClaim(tx, id, pending.claimed)
  // Drops claims that serve only to find or create an account.
  const claimed = { ...pending.claimed, groups, external: null, username: null, picture: null }
  const keep = (one: Claimed) => cookie.setEncrypted(PENDING, { ...pending, claimed: one }, PENDING_SECONDS)
  if (keep(claimed)) return true
  if (groups?.length) providers.count(id, 'overage')
  return keep({ ...claimed, groups: null })
}

/** A pending link, stored in an encrypted cookie until the user proves that the account is theirs. */
export interface PendingLink extends Pending {
  for: 'link'
  provider: number
  /** The version of the provider’s settings with which the claims were read. */
  version: number
  claimed: Claimed
  returnTo: string | null
}

interface LinkToProve {
  provider: StoredProvider
  claimed: Claimed
  returnTo: string | null
}
/**
 * Stores the claims in a cookie until the user proves that the account is theirs; returns the page that asks for the proof. Fails `claims`
 * if they do not fit.
 */
export async function askForProof(tx: Tx, browser: Keeping, userId: number, { provider, claimed, returnTo }: LinkToProve) {
  const pending: PendingLink = {
    for: 'link',
    id: newToken(),
    userId,
    until: await untilFromNow(tx),
    provider: provider.id,
    version: versionOf(provider),
    claimed,
    returnTo,
  }
  if (!(await keepClaims(tx, browser, provider, pending))) fail('claims', 'the claims are too long to wait for a proof')
  return `/sign-in/connect?${new URLSearchParams({ provider: provider.slug, ...(returnTo && { returnTo }) })}`
}

/** The link that this browser has to prove; undefined if there is none. */
export const pendingLinkOf = (request: { encryptedCookie(name: string): unknown }) => pendingFor(request, 'link') as PendingLink | undefined
