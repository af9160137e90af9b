/** Reads the events that everyone hears, once for all streams, as they become settled. */
import { type EventLog, type EventRow, type Place, placeOf } from './event-log.ts'

/** How soon events are looked for that wait for a transaction still running. */
const WAIT_MS = 20

/** Hands every event after the log's start to `deliver`, in order, whenever somebody has it look. */
export function openReader(log: EventLog, deliver: (row: EventRow) => void, onError: (error: unknown) => void) {
  let at: Place = log.start
  let isClosed = false
  let reading: Promise<void> | null = null
  let isAskedAgain = false
  let soon: NodeJS.Timeout | null = null

  async function readOn() {
    for (;;) {
      const { rows, isAll } = await log.readAfter(at)
      for (const row of rows) {
        deliver(row)
        at = placeOf(row)
      }
      if (isAll) break
    }
    if (await log.isAnyWaiting(at)) lookWithin(WAIT_MS)
  }

  async function readWhileAsked() {
    do {
      isAskedAgain = false
      await readOn().catch(onError)
    } while (isAskedAgain && !isClosed)
    reading = null
  }

  /** What was committed before this is read: whoever asks while it reads has it read once more. */
  function look() {
    if (isClosed) return
    if (reading) isAskedAgain = true
    else reading = readWhileAsked()
  }

  function lookWithin(ms: number) {
    soon ??= setTimeout(() => {
      soon = null
      look()
    }, ms)
  }

  return {
    look,
    lookWithin,
    /** Everything up to here has been handed over. */
    at: () => at,
    async close() {
      isClosed = true
      if (soon) clearTimeout(soon)
      await reading
    },
  }
}
