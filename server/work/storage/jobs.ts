import { isBackupUnderWay } from '../../platform/backup/under-way.ts'
import { changedIf } from '../../platform/changes/outcome.ts'
import type { Job } from '../../platform/jobs/runner.ts'
import { findUnknownKeys, readClock, removeUnused } from './queries.ts'

const BATCH = 500
const DAY_MS = 24 * 3600 * 1000

/**
 * Removes unused objects, then their bytes, then bytes older than a day that never became an object. During a backup no bytes are
 * removed, because it may not have read them yet; a later sweep finds the bytes of removed objects again.
 */
export const sweepObjects: Job = async (_payload, { transact, db, objects }) => {
  const removeSome = () =>
    transact(null, async (tx) => {
      const gone = await removeUnused(tx, BATCH)
      return changedIf(
        gone,
        gone.map(({ id, uuid }) => ({ kind: 'object.removed', targetId: id, facts: { uuid } })),
      )
    })
  const removeBytes = async (keys: (string | null)[]) => {
    if (!keys.length || (await isBackupUnderWay(db.reads))) return
    for (const key of keys) if (key) await objects.remove(key)
  }
  for (let gone = await removeSome(); gone.length; gone = await removeSome()) await removeBytes(gone.map(({ key }) => key))
  // The earlier of the two clocks counts, so that bytes of a running upload do not seem old if one clock is ahead.
  const now = Math.min(Date.now(), (await readClock(db.reads)).getTime())
  for await (const keys of objects.listBefore(new Date(now - DAY_MS))) await removeBytes(await findUnknownKeys(db.reads, keys))
}
