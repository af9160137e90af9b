import type { Tx } from '../../platform/database/db.ts'
import type { Claims } from '../../platform/oidc/exchange.ts'
import { fail } from '../../platform/oidc/failures.ts'
import { blockCommandsOf } from '../../users/queries.ts'
import type { Attempt } from './attempts.ts'
import { type Claimed, readClaims } from './claims.ts'
import { holdProvider, type Known } from './queries.ts'
import type { Owner } from './sessions.ts'

/** An attempt whose answer was exchanged for claims. */
export interface Answered {
  provider: Known
  attempt: Attempt
  claimed: Claimed
  claims: Claims
  idToken: string
  /** Whether signing in was to move the person into or out of groups, which is a change of access. */
  movesGroups: boolean
  /** The session that began it; null for signing in. */
  owner: Owner | null
}

/**
 * The answer by what the provider is now, until the transaction ends: an administrator may have changed it, switched it off or deleted it
 * while it was asked. Fails `not_allowed` if nobody may sign in with it any more, and `state` if it is another one.
 */
export async function asOfNow(tx: Tx, answered: Answered): Promise<Answered> {
  const { provider: asked, attempt, claims, owner } = answered
  // Callers come before providers: docs/lock-order.md.
  if (owner) await blockCommandsOf(tx, owner.userId)
  const provider = (await holdProvider(tx, asked.id)) ?? fail('not_allowed', 'the provider was deleted')
  if (provider.issuer !== asked.issuer || provider.clientId !== asked.clientId) fail('state', 'the provider is another one')
  if (!provider.isActive && attempt.purpose !== 'try') fail('not_allowed', 'the provider is not active')
  return { ...answered, provider, claimed: readClaims(claims, provider) }
}
