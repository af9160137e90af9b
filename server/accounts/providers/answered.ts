import type { Attempt } from './attempts.ts'
import type { Claimed } from './claims.ts'
import type { Known } from './queries.ts'
import type { Owner } from './sessions.ts'

/** An attempt whose answer was exchanged for claims. */
export interface Answered {
  provider: Known
  attempt: Attempt
  claimed: Claimed
  claims: Record<string, unknown>
  idToken: string
  /** The session that began it; null for signing in. */
  owner: Owner | null
}
