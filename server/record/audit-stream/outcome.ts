import type { LastError } from '../webhooks/rules.ts'

/** What came of sending. `stopped`: this instance broke it off. */
export type Outcome =
  | { isTaken: true }
  | {
      isTaken: false
      error: LastError | 'stopped'
      status: number | null
      /** The collector refuses these lines, and not the portal. */
      isRefused?: boolean
      /** For how long it wants nothing. */
      restMs?: number
    }
