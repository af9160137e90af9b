/** Limits, per sender, the code exchanges that browsers returning from providers cause, and the failures that are counted. */
import { LRUCache } from 'lru-cache'
import { fairSemaphore } from '../concurrency.ts'
import { CONNECTIONS_PER_ORIGIN } from '../outbound.ts'
import { fail, SignInFailure } from './failures.ts'

/** How long an attempt is valid. */
export const ATTEMPT_MS = 10 * 60_000
const MOST_ATTEMPTS = 20_000
const AT_ONCE = 4
/**
 * The maximum number of exchanges at once at one provider, for all senders together. The other connections to the provider are left for its
 * keys and metadata.
 */
const AT_PROVIDER = CONNECTIONS_PER_ORIGIN / 2
const WAIT_MS = 10_000
/** The maximum number of failed exchanges of a sender within `WITHIN_MS`, and of counted failures of one network. */
const MOST_FAILED = 100
const WITHIN_MS = 15 * 60_000
const MOST_SENDERS = 10_000

const lasting = <Value extends true | number>(max: number, ttl: number) => new LRUCache<string, Value>({ max, ttl, noUpdateTTL: true })

/** If `isLimited` is false (a portal without rate limits), only the number of exchanges at once is limited. */
export function openShares(isLimited: boolean) {
  // Created with the first attempt: most portals have no provider.
  let used: LRUCache<string, true> | undefined
  let failures: LRUCache<string, number> | undefined
  const turns = new Map<number, ReturnType<typeof fairSemaphore<string>>>()

  /**
   * Counts one more failure for the key; a count lasts for `WITHIN_MS` from its first failure. Returns false once there have been more than
   * `MOST_FAILED`.
   */
  function mayCount(key: string) {
    failures ??= lasting(MOST_SENDERS, WITHIN_MS)
    const before = failures.get(key) ?? 0
    failures.set(key, before + 1)
    return !isLimited || before < MOST_FAILED
  }

  return {
    mayCount,
    /** Marks an attempt as used, also if it fails later. False if this instance has seen it before. */
    useUp(state: string) {
      used ??= lasting(MOST_ATTEMPTS, ATTEMPT_MS)
      if (used.has(state)) return false
      used.set(state, true)
      return true
    },
    /**
     * Exchanges a code. A sender’s fifth exchange waits for one of the other four, and beyond 16 at the provider, senders take turns. Fails
     * `unreachable` without a request if it waits for too long, and after a hundred codes that the provider refused.
     */
    async exchange<T>(provider: number, sender: string, work: () => Promise<T>): Promise<T> {
      const key = `token ${sender}`
      if (isLimited && (failures?.get(key) ?? 0) >= MOST_FAILED) fail('unreachable', 'too many failed attempts from there')
      const enter = turns.get(provider) ?? fairSemaphore<string>({ lanes: AT_PROVIDER, perKey: AT_ONCE })
      turns.set(provider, enter)
      const leave = await enter(sender, () => AbortSignal.timeout(WAIT_MS)).catch(() =>
        fail('unreachable', 'too many attempts at once from there'),
      )
      try {
        return await work()
      } catch (error) {
        if (error instanceof SignInFailure && error.reason === 'token') mayCount(key)
        throw error
      } finally {
        leave()
      }
    },
  }
}
