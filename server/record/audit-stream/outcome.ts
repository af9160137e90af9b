import type { LastError } from '../webhooks/rules.ts'

/** The outcome of sending. `stopped`: this instance aborted it. */
export type Outcome =
  | { isTaken: true }
  | {
      isTaken: false
      error: LastError | 'stopped'
      status: number | null
      /** The collector rejects these lines, not the portal as their sender. */
      isRefused?: boolean
      /** For how many ms the collector wants no lines. */
      restMs?: number
    }
