/** An identity whose account has to be proven before it is linked, in the cookie of what waits for a proof. */
import { newToken } from '../../platform/auth/tokens.ts'
import { fail } from '../../platform/oidc/failures.ts'
import { PENDING, PENDING_SECONDS, type Pending, pendingFor } from '../factors/sign-in-step.ts'
import { versionOf } from '../sessions/queries.ts'
import type { Answered } from './answered.ts'
import type { Claimed } from './claims.ts'

export interface PendingLink extends Pending {
  for: 'link'
  provider: number
  /** Of the settings by which the claims were read. */
  version: number
  claimed: Claimed
  returnTo: string | null
}

interface Cookie {
  setEncrypted(name: string, value: unknown, seconds: number): boolean
}

/**
 * Has the browser keep the claims until the account is proven. Returns the page that asks for the proof. Groups that are too many for a cookie
 * wait for the next sign-in. Fails `claims` if the others are too long, too.
 */
export function waitForProof(cookie: Cookie, userId: number, { provider, claimed, attempt }: Answered) {
  const pending: PendingLink = {
    for: 'link',
    id: newToken(),
    userId,
    until: Date.now() + PENDING_SECONDS * 1000,
    provider: provider.id,
    version: versionOf(provider),
    // Only a new account takes its username from the claims.
    claimed: { ...claimed, username: null },
    returnTo: attempt.returnTo,
  }
  const shorter = { ...pending, claimed: { ...pending.claimed, groups: null } }
  const isKept = [pending, shorter].some((one) => cookie.setEncrypted(PENDING, one, PENDING_SECONDS))
  if (!isKept) fail('claims', 'the claims are too long to wait for a proof')
  const query = new URLSearchParams({ provider: provider.slug, ...(attempt.returnTo && { returnTo: attempt.returnTo }) })
  return `/sign-in/connect?${query}`
}

/** The link that this browser has to prove; undefined if there is none. */
export const pendingLinkOf = (request: { encryptedCookie(name: string): unknown }) => pendingFor(request, 'link') as PendingLink | undefined
