/** Reads each settled event once, for all streams together. */
import { type EventLog, type EventRow, type Place, placeOf } from './event-log.ts'

/** How soon to look again for events that wait for a running transaction. */
const WAIT_MS = 20

/** Passes every event after the log's start to `deliver`, in order. The reader looks for new events whenever `look` is called. */
export function openReader(
  log: Pick<EventLog, 'start' | 'readAfter' | 'isAnyWaiting'>,
  deliver: (row: EventRow) => void,
  onError: (error: unknown) => void,
) {
  let at: Place = log.start
  let isClosed = false
  let reading: Promise<void> | null = null
  let isAskedAgain = false
  let soon: NodeJS.Timeout | undefined

  async function readOn() {
    for (;;) {
      const { rows, isAll } = await log.readAfter(at)
      if (isClosed) return
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

  /** Reads everything committed before the call. A call while a read runs causes another read, which may see more. */
  function look() {
    if (isClosed) return
    if (reading) isAskedAgain = true
    else reading = readWhileAsked()
  }

  function lookWithin(ms: number) {
    soon ??= setTimeout(() => {
      soon = undefined
      look()
    }, ms)
  }

  return {
    look,
    lookWithin,
    /** The place of the last event delivered. */
    at: () => at,
    async close() {
      isClosed = true
      clearTimeout(soon)
      await reading
    },
  }
}
