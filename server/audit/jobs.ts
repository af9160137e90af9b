import { setTimeout as pause } from 'node:timers/promises'
import { unchanged } from '../platform/changes/outcome.ts'
import type { Job } from '../platform/jobs/runner.ts'
import { newestSeal, sealSome } from './seals.ts'

const PATIENCE_MS = 30_000

/**
 * Seals all that the ledger holds by now. It waits for the transactions under way, which may still commit rows with ids already
 * given out; those that last longer than half a minute are left for the next time.
 */
export const sealLedger: Job = async (_payload, { transact }) => {
  const end = Date.now() + PATIENCE_MS
  // The first 0 says that what was known to be settled is sealed, and the second the same of all that there was at the first.
  for (let rounds = 0; rounds < 2; ) {
    const count = await transact(null, async (tx) => unchanged(await sealSome(tx)))
    if (count === 0) rounds++
    if (count !== null) continue
    if (Date.now() > end) return
    await pause(100)
  }
}

/** A person who can change the database cannot take back a seal that was shipped with the log: `verify` compares the chain with it. */
export const noteSeal: Job = async (_payload, { db, log }) => {
  const newest = await newestSeal(db.reads)
  if (newest) log.info({ seal: newest.seal, at: newest.at }, 'the newest seal of the ledger')
}
