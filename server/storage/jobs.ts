import { changedIf } from '../platform/changes/outcome.ts'
import type { Job } from '../platform/jobs/runner.ts'
import { findUnknownKeys, removeUnused } from './queries.ts'

const BATCH = 500
const DAY_MS = 24 * 3600 * 1000

/** Removes unused objects, then their bytes, then bytes older than a day that never became an object. */
export const sweepObjects: Job = async (_payload, { transact, db, objects }) => {
  const removeSome = () =>
    transact(null, async (tx) => {
      const gone = await removeUnused(tx, BATCH)
      return changedIf(
        gone,
        gone.map(({ id, uuid }) => ({ kind: 'object.removed', targetId: id, facts: { uuid } })),
      )
    })
  for (let gone = await removeSome(); gone.length; gone = await removeSome()) for (const { key } of gone) if (key) await objects.remove(key)
  for await (const keys of objects.listBefore(new Date(Date.now() - DAY_MS)))
    for (const key of await findUnknownKeys(db.reads, keys)) await objects.remove(key)
}
