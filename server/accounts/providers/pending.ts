/** An identity whose account has to be proven before it is linked, in the cookie of what waits for a proof. */
import { newToken } from '../../platform/auth/tokens.ts'
import { PENDING, PENDING_SECONDS, type Pending, pendingFor } from '../pending.ts'
import type { Answered } from './answered.ts'
import type { Claimed } from './claims.ts'

/** With more groups, a browser would not keep the cookie; these people meet their groups at the next sign-in. */
const MOST_GROUP_BYTES = 1200

export interface PendingLink extends Pending {
  for: 'link'
  provider: number
  /** Of another issuer, the same subject would be somebody else. */
  issuer: string
  claimed: Claimed
  returnTo: string | null
}

interface Cookie {
  setEncrypted(name: string, value: unknown, seconds: number): void
}

/** Has the browser keep the claims until the account is proven. Returns the page that asks for the proof. */
export function waitForProof(cookie: Cookie, userId: number, { provider, claimed, attempt }: Answered) {
  const isLong = JSON.stringify(claimed.groups ?? []).length > MOST_GROUP_BYTES
  const pending: PendingLink = {
    for: 'link',
    id: newToken(),
    userId,
    until: Date.now() + PENDING_SECONDS * 1000,
    provider: provider.id,
    issuer: provider.issuer,
    claimed: { ...claimed, groups: isLong ? null : claimed.groups },
    returnTo: attempt.returnTo,
  }
  cookie.setEncrypted(PENDING, pending, PENDING_SECONDS)
  const query = new URLSearchParams({ provider: provider.slug, ...(attempt.returnTo && { returnTo: attempt.returnTo }) })
  return `/sign-in/connect?${query}`
}

/** The link that this browser has to prove; undefined if there is none. */
export const pendingLinkOf = (request: { encryptedCookie(name: string): unknown }) => pendingFor(request, 'link') as PendingLink | undefined
