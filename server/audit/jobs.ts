import { setTimeout as pause } from 'node:timers/promises'
import { unchanged } from '../platform/changes/outcome.ts'
import type { Job } from '../platform/jobs/runner.ts'
import { isSettled, newestSeal, readHorizon, sealSome } from './seals.ts'

const PATIENCE_MS = 30_000

/**
 * Seals all that the ledger holds by now. It waits for the transactions under way, which may still commit rows with ids already
 * given out; those that last longer than half a minute are left for the next time.
 */
export const sealLedger: Job = async (_payload, { db, transact }) => {
  const { lastId, tx } = await readHorizon(db.reads)
  const end = Date.now() + PATIENCE_MS
  while (!(await isSettled(db.reads, tx))) {
    if (Date.now() > end) return
    await pause(100)
  }
  while (await transact(null, async (tx) => unchanged(await sealSome(tx, lastId))));
}

/** Whoever can change the database cannot take back what the log was shipped with: `verify` compares the chain with this seal. */
export const noteSeal: Job = async (_payload, { db, log }) => {
  const newest = await newestSeal(db.reads)
  if (newest) log.info({ seal: newest.seal, at: newest.at }, 'the newest seal of the ledger')
}
