/** Stores the security events of the log in the database, and gives every entry its place in the stream. */
import type { Db } from '../../platform/database/db.ts'
import type { SecurityEvent } from '../../platform/security-log.ts'
import { keepSecurityEvents, placeEntries } from './queries.ts'

const EVERY_MS = 1000
/** How long to wait for running transactions, which may still add rows with lower ids. */
const SETTLE_MS = 200
/** How often to look for rows without places: those of an instance that ended too early, and of the operator's commands. */
const LOOK_EVERY_MS = 15_000
const AT_ONCE = 5000
/** The maximum number of events that wait while the database does not answer: one minute at the highest rate that is logged. */
const MOST_KEPT = 6000

/**
 * `add` stores an event within a second. Call `wake` after a commit. `onPlaced` is called after each round that gave places. `close` stores
 * the events that wait.
 */
export function openKeeping(db: Db['writes'], onError: (error: unknown) => void, onPlaced: () => void) {
  let events: SecurityEvent[] = []
  let leftOut = 0
  let isWaiting = false
  let lookedAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | null = null
  let isClosed = false

  async function keep() {
    if (leftOut > 0) {
      const fields = { of: 'any', count: leftOut }
      events.push({ at: new Date(), event: 'left_out', actorId: null, targetType: null, targetId: null, ip: null, isWarning: true, fields })
      leftOut = 0
    }
    if (events.length === 0) return
    const some = events
    events = []
    try {
      await keepSecurityEvents(db, some)
      isWaiting = true
    } catch (error) {
      const all = [...some, ...events]
      events = all.slice(0, MOST_KEPT)
      leftOut += all.length - events.length
      throw error
    }
  }
  async function place() {
    if (!isWaiting && performance.now() - lookedAt < LOOK_EVERY_MS) return
    isWaiting = false
    lookedAt = performance.now()
    const { placed, hasMore } = await placeEntries(db, AT_ONCE)
    // The round of another instance may have begun before the last commit of this one, so look again.
    if (placed === null || hasMore) isWaiting = true
    if (placed) onPlaced()
    if (hasMore && !isClosed) setTimeout(look, placed ? 0 : SETTLE_MS).unref()
  }
  function look() {
    if (isClosed) return
    const fail = (error: unknown) => {
      isWaiting = true
      onError(error)
    }
    // Rows get their places even if the events cannot be stored.
    running ??= keep()
      .catch(fail)
      .then(place)
      .catch(fail)
      .finally(() => {
        running = null
      })
  }
  const timer = setInterval(look, EVERY_MS)

  return {
    add(event: SecurityEvent) {
      if (events.length < MOST_KEPT) events.push(event)
      else leftOut++
    },
    wake() {
      isWaiting = true
    },
    async close() {
      isClosed = true
      clearInterval(timer)
      await running
      await keep().catch(onError)
    },
  }
}
