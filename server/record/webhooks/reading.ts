/** Reads the ledger for webhooks, soon after each commit. */
import type { Db, Tx } from '../../platform/database/db.ts'
import { handOut, hasWebhooks, lockPlaces, readLedger, settleLedger } from './deliveries.ts'
import { messagesOf } from './rules.ts'

const POLL_MS = 1000
/** How long to wait after a commit, so that one round reads several commits. */
const GATHER_MS = 50
/** How long to wait for running transactions, which may still add rows with lower ids. */
const SETTLE_MS = 200
const MOST_ROWS = 500

/** Writes the messages of the next rows after `from` for these webhooks. Returns whether there may be more rows. */
async function handOutSome(tx: Tx, ids: readonly number[], from: number, settled: number) {
  const rows = await readLedger(tx, from, settled, MOST_ROWS)
  if (rows.length) await handOut(tx, ids, rows.flatMap(messagesOf), rows.at(-1)!.id)
  return rows.length === MOST_ROWS
}

/**
 * One round, by one instance at a time: writes messages and moves places in one transaction. Webhooks that are up to date come first, then
 * those that are behind, so that no webhook waits until a slower one has caught up. Returns `rows` if more can be read at once, `unsettled`
 * if the remaining rows are not settled yet, and null if no rows remain, no webhook is active, or another instance reads.
 */
const readOnce = (db: Db['writes']) =>
  db.transaction().execute(async (tx) => {
    const horizon = await settleLedger(tx)
    if (!horizon) return null
    const { settled, hasMore } = horizon
    const places = await lockPlaces(tx)
    if (places.length === 0) return null
    const [newest, oldest] = [Math.max(...places.map(({ place }) => place)), Math.min(...places.map(({ place }) => place))]
    const idsOf = (some: typeof places) => some.map(({ id }) => id)
    const ahead = await handOutSome(tx, idsOf(places.filter(({ place }) => place === newest)), newest, settled)
    const behind =
      oldest < newest && (await handOutSome(tx, idsOf(places.filter(({ place }) => place < newest)), oldest, Math.min(settled, newest)))
    if (ahead || behind) return 'rows'
    return hasMore ? 'unsettled' : null
  })

/** Call `wake` after a commit; polling finds the commits of an instance that died. `onRead` is called after each round. */
export function openReader({ reads, writes }: Db, onError: (error: unknown) => void, onRead: () => void) {
  let isClosed = false
  let isNeeded = true
  let reading: Promise<void> | null = null
  let soon: NodeJS.Timeout | null = null

  async function round() {
    isNeeded = await hasWebhooks(reads)
    if (!isNeeded) return
    let left: Awaited<ReturnType<typeof readOnce>>
    do {
      left = await readOnce(writes)
      onRead()
    } while (left === 'rows' && !isClosed)
    if (left === 'unsettled') queueMicrotask(() => wake(SETTLE_MS))
  }
  function look() {
    reading ??= round()
      .catch(onError)
      .finally(() => {
        reading = null
      })
  }
  function wake(afterMs = GATHER_MS) {
    if (isClosed || !isNeeded) return
    soon ??= setTimeout(() => {
      soon = null
      if (!isClosed) look()
    }, afterMs)
  }
  const poll = setInterval(look, POLL_MS)

  return {
    wake: () => wake(),
    async close() {
      isClosed = true
      clearInterval(poll)
      if (soon) clearTimeout(soon)
      await reading
    },
  }
}
