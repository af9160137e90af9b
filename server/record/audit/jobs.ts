import { setTimeout as pause } from 'node:timers/promises'
import { unchanged } from '../../platform/changes/outcome.ts'
import type { Job } from '../../platform/jobs/runner.ts'
import { newestSeal, sealSome } from './seals.ts'

const PATIENCE_MS = 30_000

/**
 * Seals everything that the ledger holds. It waits for running transactions, which may still commit rows with ids already given out. Rows
 * behind transactions that last longer than half a minute are left for the next run.
 */
export const sealLedger: Job = async (_payload, { transact }) => {
  const end = Date.now() + PATIENCE_MS
  // The first count of 0 means that all rows known to be settled are sealed; the second, that all rows that existed at the first are
  // sealed.
  for (let rounds = 0; rounds < 2; ) {
    const count = await transact(null, async (tx) => unchanged(await sealSome(tx)))
    if (count === 0) rounds++
    if (count !== null) continue
    if (Date.now() > end) return
    await pause(100)
  }
}

/** Logs the newest seal. Someone who can change the database cannot take back a logged seal, and `verify` compares the chain with it. */
export const noteSeal: Job = async (_payload, { db, log }) => {
  const newest = await newestSeal(db.reads)
  if (newest) log.info({ seal: newest.seal, at: newest.at }, 'the newest seal of the ledger')
}
